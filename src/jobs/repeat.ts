import type { Logger } from 'pino';

export type Repeating = { stop(): Promise<void> };

/**
 * Runs a task again and again, `everyMs` after its last end; an error does not end it. The first error in a row is logged,
 * then the second, the fourth, the eighth: a database that is away for an hour fills no log.
 */
export function repeat(what: string, everyMs: number, log: Logger, task: () => Promise<unknown>): Repeating {
  let failures = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const runOnce = async (): Promise<void> => {
    try {
      await task();
      if (failures > 0) log.info({ failures }, `${what} works again`);
      failures = 0;
    } catch (err) {
      failures += 1;
      if (Number.isInteger(Math.log2(failures))) log.warn({ err, failures }, `${what} failed; trying again`);
    }
    schedule();
  };
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = runOnce();
    }, everyMs).unref();
  };
  schedule();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
