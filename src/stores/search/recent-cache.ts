/** Remembers the values used last, within a number of entries and a total weight. */
export type RecentCache<Value> = {
  get(key: string): Value | undefined;
  /** A value heavier than the whole bound is not kept. */
  set(key: string, value: Value, weight: number): void;
  clear(): void;
};

export function createRecentCache<Value>(mostEntries: number, mostWeight: number): RecentCache<Value> {
  /** A Map keeps the order of insertion: the first entry is the one unused for longest. */
  const entries = new Map<string, { value: Value; weight: number }>();
  let total = 0;

  function drop(key: string): void {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight) {
      drop(key);
      if (weight > mostWeight) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (entries.size <= mostEntries && total <= mostWeight) return;
        drop(oldest);
      }
    },
    clear() {
      entries.clear();
      total = 0;
    },
  };
}
