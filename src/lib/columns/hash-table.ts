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
  /** Makes room for so many keys in all, so that fewer of them let the table grow later. */
  reserve(keys: number): void;
  readonly size: number;
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
/** Parts differ in size: room for a tenth more than the mean leaves few parts that grow. */
const RESERVE_SLACK = 1.1;

type Part = { slots: Uint32Array; count: number };

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
    reserve(keys) {
      const needed = ((keys / PARTS) * RESERVE_SLACK * SLOT) / MAX_LOAD;
      for (const part of parts) while (part.slots.length < needed) part.slots = grown(part.slots);
    },
    get size() {
      return size;
    },
  };
}

function put(slots: Uint32Array, hash: number, value: number): void {
  const mask = slots.length / SLOT - 1;
  let slot = hash & mask;
  while (slots[slot * SLOT + 1] !== 0) slot = (slot + 1) & mask;
  slots[slot * SLOT] = hash;
  slots[slot * SLOT + 1] = value;
}

function grown(slots: Uint32Array): Uint32Array {
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
