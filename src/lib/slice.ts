/** How long a computation runs before it yields to other work. */
export const SLICE_MS = 8;

/** Splits a long computation, so that other work runs in between. `FairTurns` gives the slices. */
export type Slice = {
  /** Also true before the first slice. */
  isOver(): boolean;
  /** Yields to other work, then begins the next slice. */
  next(): Promise<void>;
  /** Runs a computation that yields wherever it may be interrupted; returns its result. */
  run<Result>(steps: Iterator<void, Result>): Promise<Result>;
};
