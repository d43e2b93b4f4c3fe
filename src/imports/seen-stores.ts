/** Stores that an import met: at most 32 bytes each, so that a million stores fit. */
export type SeenStores = { readonly size: number; add(storeId: string): void; has(storeId: string): boolean };

/** A store's id is 24 hexadecimal digits of a hash; the first 16 digits are distinct within a feed. */
const HALF_DIGITS = 8;
const FIRST_SLOTS = 2048;

/** A hash table with open addressing, at most half full. The ids are hashes already: their digits name the slot. */
export function createSeenStores(): SeenStores {
  let slots = new Uint32Array(FIRST_SLOTS * 2);
  let count = 0;
  return {
    get size() {
      return count;
    },
    add(storeId) {
      const [high, low] = keyOf(storeId);
      const at = slotOf(slots, high, low);
      if (!isFree(slots, at)) return;
      slots[at] = high;
      slots[at + 1] = low;
      count += 1;
      if (count * 4 > slots.length) slots = grown(slots);
    },
    has(storeId) {
      const [high, low] = keyOf(storeId);
      return !isFree(slots, slotOf(slots, high, low));
    },
  };
}

/** Two halves of the key. Zeros stand for a free slot, so no key is zero. */
function keyOf(storeId: string): [high: number, low: number] {
  const high = Number.parseInt(storeId.slice(0, HALF_DIGITS), 16);
  const low = Number.parseInt(storeId.slice(HALF_DIGITS, HALF_DIGITS * 2), 16);
  return [high, high === 0 && low === 0 ? 1 : low];
}

/** Where a key lies, or the free slot where it belongs. */
function slotOf(slots: Uint32Array, high: number, low: number): number {
  const last = slots.length / 2 - 1;
  let slot = low & last;
  while (!isFree(slots, slot * 2) && (slots[slot * 2] !== high || slots[slot * 2 + 1] !== low))
    slot = (slot + 1) & last;
  return slot * 2;
}

const isFree = (slots: Uint32Array, at: number) => slots[at] === 0 && slots[at + 1] === 0;

function grown(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(slots.length * 2);
  for (let from = 0; from < slots.length; from += 2) {
    const [high = 0, low = 0] = slots.subarray(from, from + 2);
    if (high !== 0 || low !== 0) more.set([high, low], slotOf(more, high, low));
  }
  return more;
}
