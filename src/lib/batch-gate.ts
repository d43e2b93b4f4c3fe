/** Bounds how many batches of one or several kinds run at a time. */
export type BatchGate = {
  /**
   * Calls `begin` now where a place is free, else in the sequence of the calls; each begin is answered by one `leave`. The
   * function that is returned lets a batch that still waits begin beside the others.
   */
  enter(begin: (hasWaited: boolean) => void): () => void;
  leave(): void;
};

export type BatchGateOptions = {
  places: number;
  /** A batch that has waited for so long begins beside the others: a batch that hangs must not hold up the rest. */
  patienceMs: number;
};

/** Calls that wait for a place make larger batches, and a larger batch costs less for each call. */
export function createBatchGate({ places, patienceMs }: BatchGateOptions): BatchGate {
  const waiting = new Set<() => void>();
  let running = 0;

  function wait(begin: (hasWaited: boolean) => void): () => void {
    const beginNow = (): void => {
      clearTimeout(patience);
      if (!waiting.delete(beginNow)) return;
      running += 1;
      begin(true);
    };
    const patience = setTimeout(beginNow, patienceMs);
    waiting.add(beginNow);
    return beginNow;
  }

  return {
    enter(begin) {
      if (running >= places) return wait(begin);
      running += 1;
      begin(false);
      return () => {};
    },
    leave() {
      running -= 1;
      const [next] = waiting;
      if (running < places) next?.();
    },
  };
}

/** Lets every batch begin at once. */
export const NO_GATE: BatchGate = {
  enter(begin) {
    begin(false);
    return () => {};
  },
  leave() {},
};
