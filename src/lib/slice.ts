/** How long a computation runs before it yields to other work of its owner and of the service. */
export const SLICE_MS = 8;
/** The same while several owners work. Shorter slices leave more of the time to the loop itself than they take from waits. */
export const SHARED_SLICE_MS = 1;

/** Splits a long computation, so that other work runs in between. `FairTurns` gives the slices. */
export type Slice = {
  /** Also true before the first slice. */
  isOver(): boolean;
  /** Yields to other work, then begins the next slice. */
  next(): Promise<void>;
  /** Runs a computation that yields wherever it may be interrupted; returns its result. */
  run<Result>(steps: Iterator<void, Result>): Promise<Result>;
};
