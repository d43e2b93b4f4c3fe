/** Runs works in the order in which they came, so many at a time. */
export type Turns = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** How many may wait, and what those beyond are refused with. */
export type WaitingRoom = { mostWaiting: number; refusal: () => Error };

const UNBOUNDED: WaitingRoom = { mostWaiting: Infinity, refusal: () => new Error('Too many wait.') };

/**
 * Lets so many works run at a time; the others wait in the order in which they came. Where the waiting room is bounded
 * and full, a work is refused and never runs.
 */
export function createTurns(most: number, { mostWaiting, refusal }: WaitingRoom = UNBOUNDED): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) throw refusal();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
