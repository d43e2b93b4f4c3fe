import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';

/** The rest between the end of a run and the next run. */
export type Pace = {
  everyMs: number;
  /** The longest rest of a task that finds nothing to do, again and again; as long as `everyMs` without it. */
  idleMs?: number;
};

export type Repeating = {
  /** Ends a rest that has become longer than `everyMs`: the task runs `everyMs` after its last end, or at once. */
  wake(): void;
  stop(): Promise<void>;
};

/**
 * Runs a task again and again, `everyMs` after its last end; an error does not end it. After a run that fails, or returns
 * false since nothing was to do, the rest is twice as long as before, up to `idleMs`. The first error in a row is logged,
 * then the second, the fourth, the eighth: a database that is away for an hour fills no log.
 */
export function repeat(
  what: string,
  { everyMs, idleMs = everyMs }: Pace,
  log: Logger,
  task: () => Promise<unknown>,
): Repeating {
  const tell = createFailureTeller(what, log);
  // A request that wakes the task is not its owner: its statements wait in no turn of that request's account.
  const ofNoRequest = AsyncLocalStorage.snapshot();
  let stopped = false;
  let isWoken = false;
  let isResting = false;
  let restMs = everyMs;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const later = () => {
    if (!stopped) timer = setTimeout(restOn, everyMs).unref();
  };
  /** Rests on, unless the task is wanted already. */
  const restOn = () => {
    if (isWoken || restMs <= everyMs) return run();
    isResting = true;
    timer = setTimeout(run, restMs - everyMs).unref();
  };
  const run = () => {
    isResting = false;
    isWoken = false;
    running = ofNoRequest(task)
      .then(tell.success, tell.failure)
      .then((hasFound) => {
        restMs = hasFound ? everyMs : Math.min(idleMs, restMs * 2);
        later();
      });
  };
  later();
  return {
    wake() {
      restMs = everyMs;
      isWoken = true;
      if (!isResting || stopped) return;
      clearTimeout(timer);
      run();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Logs how runs end. Both functions return whether the run found something to do. */
function createFailureTeller(what: string, log: Logger) {
  let failures = 0;
  return {
    success(answer: unknown): boolean {
      if (failures > 0) log.info({ failures }, `${what} works again`);
      failures = 0;
      return answer !== false;
    },
    failure(error: unknown): boolean {
      failures += 1;
      if (Number.isInteger(Math.log2(failures))) log.warn({ err: error, failures }, `${what} failed; trying again`);
      return false;
    },
  };
}
