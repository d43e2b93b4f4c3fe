/** Orders batches of one or more kinds. */
export type BatchGate = {
  /**
   * Calls `begin` now if nothing runs, otherwise in call order; `leave` follows each begin. The returned function lets
   * a waiting batch skip the queue.
   */
  enter(begin: (hasWaited: boolean) => void): () => void;
  leave(): void;
};

/** Milliseconds until a waiting batch starts anyway, because the running one may be blocked on a lock. */
export const MAX_GATE_WAIT_MS = 20;

/** Runs one batch at a time; calls that arrive meanwhile form the next, because larger batches are cheaper (ADR 10). */
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
    const patience = setTimeout(beginNow, MAX_GATE_WAIT_MS);
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
