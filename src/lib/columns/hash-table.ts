/**
 * The small numbers of keys that another table holds by number: 8 bytes a slot, outside of the JavaScript heap, where a Map
 * would hold each key's pointer and entry. The table compares keys only where their hashes are equal, and grows in small
 * parts, so that no growth holds the event loop for longer than a millisecond.
 */
export type HashTable<Key> = {
  /** The number of the key; undefined for an unknown key. */
  get(key: Key): number | undefined;
  /**
   * The number of the key; an unknown key is added with the number that is given, of which the caller's `isKeyOf` must
   * know the key from now on.
   */
  getOrAdd(key: Key, number: number): number;
  /** False for an unknown key. */
  delete(key: Key): boolean;
  /** Adds the keys of many numbers, in steps. */
  addAll(keys: NumberedKeys<Key>): Generator<void, void>;
  /** The memory of the table, which has no use here any longer. */
  giveAway(): TableMemory;
  /** Takes the memory of another table, whose keys have the same numbers here; the table is empty. */
  adopt(memory: TableMemory): void;
  readonly size: number;
};

/** A table that one thread makes and another one uses. By part: its slots, and the number of its keys. */
export type TableMemory = { slots: Uint32Array<ArrayBuffer>[]; counts: number[] };

/** The keys of the numbers `from` up to `end`. */
export type NumberedKeys<Key> = {
  from: number;
  end: number;
  keyAt(number: number): Key;
  /** Called with the earlier number of a key that has one; the key has the later number from then on. */
  onReplaced(number: number): void;
};

export type HashedKeys<Key> = {
  /** 32 bits: the highest bits name the part, the lowest bits the slot. */
  hashOf(key: Key): number;
  /** Whether the key is that of a number that was added. */
  isKeyOf(number: number, key: Key): boolean;
};

const PARTS = 256;
const FIRST_SLOTS = 64;
/** A slot has a hash and one more than the number of its key; 0 is a free slot. */
const SLOT = 2;
/** Part of the slots that may be taken. */
const MAX_LOAD = 0.5;
/** Keys that a step of `addAll` sorts by their parts: a millisecond. */
const KEYS_OF_STEP = 16_384;

type Part = { slots: Uint32Array<ArrayBuffer>; count: number };

export function createHashTable<Key>({ hashOf, isKeyOf }: HashedKeys<Key>): HashTable<Key> {
  const parts = Array.from({ length: PARTS }, (): Part => ({ slots: new Uint32Array(FIRST_SLOTS * SLOT), count: 0 }));
  let size = 0;

  const partOf = (hash: number): Part => parts[hash >>> 24] as Part;

  /** Where the key lies; -1 for an unknown key. */
  function find({ slots }: Part, hash: number, key: Key): number {
    const mask = slots.length / SLOT - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot * SLOT + 1] as number;
      if (number === 0) return -1;
      if (slots[slot * SLOT] === hash && isKeyOf(number - 1, key)) return slot;
    }
  }

  function addOne(part: Part, hash: number, key: Key, number: number, onReplaced: (number: number) => void): void {
    const slot = find(part, hash, key);
    if (slot === -1) {
      put(part.slots, hash, number + 1);
      part.count += 1;
      size += 1;
      return;
    }
    const earlier = (part.slots[slot * SLOT + 1] as number) - 1;
    part.slots[slot * SLOT + 1] = number + 1;
    onReplaced(earlier);
  }

  /** Part by part: a part fits into the processor's cache, and the whole table of many keys does not. */
  function* addAll({ from, end, keyAt, onReplaced }: NumberedKeys<Key>): Generator<void, void> {
    const hashes = new Uint32Array(end - from);
    const starts = new Uint32Array(PARTS + 1);
    for (let nth = 0; nth < hashes.length; nth += 1) {
      const hash = hashOf(keyAt(from + nth));
      hashes[nth] = hash;
      starts[(hash >>> 24) + 1] = (starts[(hash >>> 24) + 1] as number) + 1;
      if (nth % KEYS_OF_STEP === 0) yield;
    }
    for (let part = 0; part < PARTS; part += 1)
      starts[part + 1] = (starts[part + 1] as number) + (starts[part] as number);
    const sorted = yield* sortedByPart(hashes, starts.slice());
    for (const [nth, part] of parts.entries()) {
      const own = sorted.subarray(starts[nth], starts[nth + 1]);
      while ((part.count + own.length) * SLOT > part.slots.length * MAX_LOAD) part.slots = grown(part.slots);
      for (const at of own) addOne(part, hashes[at] as number, keyAt(from + at), from + at, onReplaced);
      yield;
    }
  }

  return {
    get(key) {
      const hash = hashOf(key);
      const part = partOf(hash);
      const slot = find(part, hash, key);
      return slot === -1 ? undefined : (part.slots[slot * SLOT + 1] as number) - 1;
    },
    getOrAdd(key, number) {
      const hash = hashOf(key);
      const part = partOf(hash);
      const slot = find(part, hash, key);
      if (slot !== -1) return (part.slots[slot * SLOT + 1] as number) - 1;
      if ((part.count + 1) * SLOT > part.slots.length * MAX_LOAD) part.slots = grown(part.slots);
      put(part.slots, hash, number + 1);
      part.count += 1;
      size += 1;
      return number;
    },
    delete(key) {
      const hash = hashOf(key);
      const part = partOf(hash);
      const slot = find(part, hash, key);
      if (slot === -1) return false;
      free(part.slots, slot);
      part.count -= 1;
      size -= 1;
      return true;
    },
    addAll,
    giveAway: () => ({ slots: parts.map(({ slots }) => slots), counts: parts.map(({ count }) => count) }),
    adopt({ slots, counts }) {
      for (const [nth, part] of parts.entries()) {
        part.slots = slots[nth] as Part['slots'];
        part.count = counts[nth] as number;
        size += part.count;
      }
    },
    get size() {
      return size;
    },
  };
}

/** The indexes of the hashes, the hashes of a part beside each other. `starts` become the ends of the parts. */
function* sortedByPart(hashes: Uint32Array, starts: Uint32Array): Generator<void, Uint32Array> {
  const sorted = new Uint32Array(hashes.length);
  for (let nth = 0; nth < hashes.length; nth += 1) {
    const part = (hashes[nth] as number) >>> 24;
    const at = starts[part] as number;
    sorted[at] = nth;
    starts[part] = at + 1;
    if (nth % KEYS_OF_STEP === 0) yield;
  }
  return sorted;
}

function put(slots: Uint32Array, hash: number, value: number): void {
  const mask = slots.length / SLOT - 1;
  let slot = hash & mask;
  while (slots[slot * SLOT + 1] !== 0) slot = (slot + 1) & mask;
  slots[slot * SLOT] = hash;
  slots[slot * SLOT + 1] = value;
}

function grown(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(slots.length * 2);
  for (let at = 0; at < slots.length; at += SLOT) {
    if (slots[at + 1] !== 0) put(larger, slots[at] as number, slots[at + 1] as number);
  }
  return larger;
}

/** Later slots of the run move up, so that no search ends at the slot that became free. */
function free(slots: Uint32Array, from: number): void {
  const mask = slots.length / SLOT - 1;
  let hole = from;
  for (let slot = (hole + 1) & mask; slots[slot * SLOT + 1] !== 0; slot = (slot + 1) & mask) {
    const home = (slots[slot * SLOT] as number) & mask;
    // The slot may move where the hole lies between its home and itself, around the end.
    if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
    slots[hole * SLOT] = slots[slot * SLOT] as number;
    slots[hole * SLOT + 1] = slots[slot * SLOT + 1] as number;
    hole = slot;
  }
  slots[hole * SLOT + 1] = 0;
}

/** Spreads the bits of a number over all bits of a hash. */
export function mixed(bits: number): number {
  const hash = Math.imul(bits ^ (bits >>> 15), 0x2c1b_3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
