/**
 * A cache's running reads by key, shared by requests. lru-cache's `fetch` reads single keys; these caches read many
 * keys at once, store results under other keys, or start a new read during an old one.
 */
export class RunningReads<Value> {
  private readonly running = new Map<string, Promise<Value>>();

  of(key: string): Promise<Value> | undefined {
    return this.running.get(key);
  }

  /** Shares a read until it ends. `keep` gets the value, unless the read fails or was dropped. */
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

  /** Drops a read whose value may be stale: it still answers its waiting requests but is not cached. */
  drop(key: string): void {
    this.running.delete(key);
  }

  dropAll(): void {
    this.running.clear();
  }
}
