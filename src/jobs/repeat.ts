import type { Logger } from 'pino';

export type Repeating = { stop(): Promise<void> };

/** Runs a task again and again, `everyMs` after its last end; an error is logged and does not end it. */
export function repeat(what: string, everyMs: number, log: Logger, task: () => Promise<void>): Repeating {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const later = () => {
    if (!stopped) timer = setTimeout(run, everyMs).unref();
  };
  const run = () => {
    running = task()
      .catch((error) => log.warn({ err: error }, `${what} failed; trying again`))
      .then(later);
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
