import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** How long a computation runs before it yields to other work. */
const SLICE_MS = 8;

/** Splits a long computation, so that other work runs in between. */
export type Slice = {
  isOver(): boolean;
  /** Yields to other work, then begins the next slice. */
  next(): Promise<void>;
  /** Runs a computation that yields wherever it may be interrupted; returns its result. */
  run<Result>(steps: Iterator<void, Result>): Promise<Result>;
};

export function createSlice(): Slice {
  let endMs = performance.now() + SLICE_MS;
  const isOver = (): boolean => performance.now() >= endMs;
  const next = async (): Promise<void> => {
    await yieldToOthers();
    endMs = performance.now() + SLICE_MS;
  };
  return {
    isOver,
    next,
    async run(steps) {
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
        if (isOver()) await next();
      }
    },
  };
}
