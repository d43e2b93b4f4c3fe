/** Remembers the values used last, within a number of entries and a total weight. */
export type RecentCache<Value> = {
  get(key: string): Value | undefined;
  /** A value heavier than half the bound is not kept. */
  set(key: string, value: Value, weight: number): void;
  clear(): void;
};

type Entries<Value> = Map<string, { value: Value; weight: number }>;

/**
 * Two halves: what was used since they last changed places, and what was used before. The older half goes as a whole,
 * for a Map that lets its oldest entry go again and again has to look for it among the places of all that went before.
 */
export function createRecentCache<Value>(mostEntries: number, mostWeight: number): RecentCache<Value> {
  let recent: Entries<Value> = new Map();
  let older: Entries<Value> = new Map();
  let recentWeight = 0;

  function drop(key: string): void {
    recentWeight -= recent.get(key)?.weight ?? 0;
    recent.delete(key);
    older.delete(key);
  }

  function put(key: string, value: Value, weight: number): void {
    if (recent.size + 1 > mostEntries / 2 || recentWeight + weight > mostWeight / 2) {
      older = recent;
      recent = new Map();
      recentWeight = 0;
    }
    recent.set(key, { value, weight });
    recentWeight += weight;
  }

  return {
    get(key) {
      const known = recent.get(key);
      if (known !== undefined) return known.value;
      const entry = older.get(key);
      if (entry === undefined) return undefined;
      older.delete(key);
      put(key, entry.value, entry.weight);
      return entry.value;
    },
    set(key, value, weight) {
      drop(key);
      if (weight <= mostWeight / 2) put(key, value, weight);
    },
    clear() {
      recent = new Map();
      older = new Map();
      recentWeight = 0;
    },
  };
}
