/** Runs tasks in the order of their arrival, a limited number at a time. */
export type ConcurrencyLimit = <Value>(task: () => Promise<Value>) => Promise<Value>;

/** How many tasks may wait; further tasks are rejected with the refusal. */
export type WaitingRoom = { maxWaiting: number; refusal: () => Error };

const UNBOUNDED: WaitingRoom = { maxWaiting: Infinity, refusal: () => new Error('Too many tasks wait.') };

/**
 * Runs at most `maxRunning` tasks at a time; other tasks wait in the order of their arrival. A task that finds the
 * waiting room full is rejected and never runs.
 */
export function limitConcurrency(
  maxRunning: number,
  { maxWaiting, refusal }: WaitingRoom = UNBOUNDED,
): ConcurrencyLimit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting) throw refusal();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
