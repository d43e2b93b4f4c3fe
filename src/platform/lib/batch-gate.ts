/** Orders the batches of one or several kinds. */
export type BatchGate = {
  /**
   * Calls `begin` now where nothing runs, else in the sequence of the calls; each begin is answered by one `leave`. The
   * function that is returned lets a batch that still waits begin beside the others.
   */
  enter(begin: (hasWaited: boolean) => void): () => void;
  leave(): void;
};

/** A batch that has waited for so long begins beside the others: one that waits for a lock must not hold up the rest. */
export const PATIENCE_MS = 20;

/** One batch at a time: calls that come meanwhile share the next one, and a larger batch costs less for each call (ADR 49). */
export class SerialGate implements BatchGate {
  private readonly waiting = new Set<() => void>();
  private running = 0;

  enter(begin: (hasWaited: boolean) => void): () => void {
    if (this.running > 0) return this.wait(begin);
    this.running += 1;
    begin(false);
    return () => {};
  }

  leave(): void {
    this.running -= 1;
    const [next] = this.waiting;
    if (this.running === 0) next?.();
  }

  private wait(begin: (hasWaited: boolean) => void): () => void {
    const beginNow = (): void => {
      clearTimeout(patience);
      if (!this.waiting.delete(beginNow)) return;
      this.running += 1;
      begin(true);
    };
    const patience = setTimeout(beginNow, PATIENCE_MS);
    this.waiting.add(beginNow);
    return beginNow;
  }
}

/** Lets every batch begin at once. */
export const NO_GATE: BatchGate = {
  enter(begin) {
    begin(false);
    return () => {};
  },
  leave() {},
};
