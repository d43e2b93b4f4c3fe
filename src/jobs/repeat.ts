import type { Logger } from 'pino';

export type Repeating = { stop(): Promise<void> };

/**
 * Runs a task again and again, `everyMs` after its last end; an error does not end it. The first error in a row is logged,
 * then the second, the fourth, the eighth: a database that is away for an hour fills no log.
 */
export function repeat(what: string, everyMs: number, log: Logger, task: () => Promise<void>): Repeating {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let failures = 0;
  const succeed = () => {
    if (failures > 0) log.info({ failures }, `${what} works again`);
    failures = 0;
  };
  const fail = (error: unknown) => {
    failures += 1;
    if (Number.isInteger(Math.log2(failures))) log.warn({ err: error, failures }, `${what} failed; trying again`);
  };
  const later = () => {
    if (!stopped) timer = setTimeout(run, everyMs).unref();
  };
  const run = () => {
    running = task().then(succeed).catch(fail).then(later);
  };
  later();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
