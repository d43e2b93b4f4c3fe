/**
 * A cache's running reads by key, shared by requests. lru-cache's `fetch` reads single keys; the caches here read many
 * keys at once, store under other keys, or reread during an older read.
 */
export class RunningReads<Value> {
  private readonly running = new Map<string, Promise<Value>>();

  /** The running read of a key, if any. */
  of(key: string): Promise<Value> | undefined {
    return this.running.get(key);
  }

  /** Shares a read until it ends; `keep` gets its value, unless the read fails or is dropped first. */
  add(key: string, read: Promise<Value>, keep: (value: Value) => void): Promise<Value> {
    const shared = read.then((value) => {
      if (this.running.get(key) === shared) keep(value);
      return value;
    });
    const forget = (): void => {
      if (this.running.get(key) === shared) this.running.delete(key);
    };
    this.running.set(key, shared);
    shared.then(forget, forget);
    return shared;
  }

  /** The value may be stale: the read still answers its waiting requests, but is not cached. */
  drop(key: string): void {
    this.running.delete(key);
  }

  /** Every value may be stale. */
  dropAll(): void {
    this.running.clear();
  }
}
