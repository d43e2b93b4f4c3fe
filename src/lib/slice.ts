import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** How long a computation goes on before other work has its turn. */
const SLICE_MS = 8;

/** The time that a long computation has until other work must have its turn. */
export type Slice = {
  isOver(): boolean;
  /** Lets other work have its turn, and begins the next slice. */
  next(): Promise<void>;
  /** Takes the steps of a computation that stops wherever it may be interrupted; gives what it comes to. */
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
