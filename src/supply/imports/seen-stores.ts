/** The stores of an import, with the last line of each. At most 48 bytes per store, so that a million fit in memory. */
export type SeenStores = {
  readonly size: number;
  add(storeId: string, line?: number): void;
  has(storeId: string): boolean;
  /** Returns undefined for a store that was not seen. */
  lineOf(storeId: string): number | undefined;
};

/** Hexadecimal digits per half of a key. The first 16 of a store id's 24 digits are distinct within a feed. */
const HALF_DIGITS = 8;
const FIRST_SLOTS = 2048;
/** Numbers per slot: two halves of the key, and the line. */
const SLOT_LENGTH = 3;

/**
 * An open-addressing hash table, at most half full. The ids are already hashes, so their digits are the slot number.
 */
export function createSeenStores(): SeenStores {
  let slots = new Uint32Array(FIRST_SLOTS * SLOT_LENGTH);
  let count = 0;
  const find = (storeId: string): number => slotOf(slots, ...storeIdKey(storeId));
  return {
    get size() {
      return count;
    },
    add(storeId, line = 0) {
      const at = find(storeId);
      const isNew = isFree(slots, at);
      slots.set([...storeIdKey(storeId), line], at);
      if (!isNew) return;
      count += 1;
      if (count * 2 * SLOT_LENGTH > slots.length) slots = growSlots(slots);
    },
    has: (storeId) => !isFree(slots, find(storeId)),
    lineOf(storeId) {
      const at = find(storeId);
      return isFree(slots, at) ? undefined : slots[at + 2];
    },
  };
}

/** The key's two halves. A free slot has zeros, so no key is zero. */
function storeIdKey(storeId: string): [high: number, low: number] {
  const high = Number.parseInt(storeId.slice(0, HALF_DIGITS), 16);
  const low = Number.parseInt(storeId.slice(HALF_DIGITS, HALF_DIGITS * 2), 16);
  return [high, high === 0 && low === 0 ? 1 : low];
}

/** The slot of a key, or the free slot for it. */
function slotOf(slots: Uint32Array, high: number, low: number): number {
  const last = slots.length / SLOT_LENGTH - 1;
  let slot = low & last;
  for (;;) {
    const at = slot * SLOT_LENGTH;
    if (isFree(slots, at) || (slots[at] === high && slots[at + 1] === low)) return at;
    slot = (slot + 1) & last;
  }
}

const isFree = (slots: Uint32Array, at: number) => slots[at] === 0 && slots[at + 1] === 0;

function growSlots(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(slots.length * 2);
  for (let from = 0; from < slots.length; from += SLOT_LENGTH) {
    const [high = 0, low = 0] = slots.subarray(from, from + SLOT_LENGTH);
    if (!isFree(slots, from)) more.set(slots.subarray(from, from + SLOT_LENGTH), slotOf(more, high, low));
  }
  return more;
}
