/** The last entries that were set, found by keys that are compared field by field: no text is made of a key. */
export type RecentTable<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  readonly size: number;
};

export type KeyRules<Key> = {
  /** A whole number, the same for equal keys. */
  hashOf(key: Key): number;
  areEqual(one: Key, other: Key): boolean;
};

/** Entries of one hash are a chain from the newest to the oldest; `nth` counts what was added to the table. */
type Entry<Key, Value> = {
  key: Key;
  value: Value;
  hash: number;
  nth: number;
  newer: Entry<Key, Value> | undefined;
  older: Entry<Key, Value> | undefined;
};

/**
 * Entries of one hash that are compared with a key: clients choose keys, and may choose thousands with one hash. An older
 * entry of the hash is not found.
 */
const MAX_COMPARED = 8;

/** Keeps the last `max` entries. An entry that is set again is written over while it is young, and else comes anew. */
export function createRecentTable<Key, Value>(
  max: number,
  { hashOf, areEqual }: KeyRules<Key>,
): RecentTable<Key, Value> {
  /** Entry `nth` is at `nth` modulo `max`. */
  const entries: Entry<Key, Value>[] = [];
  const newestOf = new Map<number, Entry<Key, Value>>();
  let added = 0;

  function find(hash: number, key: Key): Entry<Key, Value> | undefined {
    let entry = newestOf.get(hash);
    for (let compared = 0; entry !== undefined && compared < MAX_COMPARED; compared += 1) {
      if (areEqual(entry.key, key)) return entry;
      entry = entry.older;
    }
    return undefined;
  }

  /** The oldest entry of the table is the oldest of its chain. */
  function forget({ hash, newer }: Entry<Key, Value>): void {
    if (newer === undefined) newestOf.delete(hash);
    else newer.older = undefined;
  }

  function add(hash: number, key: Key, value: Value): void {
    const oldest = entries[added % max];
    if (oldest !== undefined) forget(oldest);
    const older = newestOf.get(hash);
    const entry = { key, value, hash, nth: added, newer: undefined, older };
    if (older !== undefined) older.newer = entry;
    newestOf.set(hash, entry);
    entries[added % max] = entry;
    added += 1;
  }

  return {
    get: (key) => find(hashOf(key), key)?.value,
    set(key, value) {
      const hash = hashOf(key);
      const newest = newestOf.get(hash);
      const isYoung = newest !== undefined && added - newest.nth <= max / 2;
      if (isYoung && areEqual(newest.key, key)) newest.value = value;
      else add(hash, key, value);
    },
    get size() {
      return entries.length;
    },
  };
}
