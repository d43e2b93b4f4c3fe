import { createNumberSets } from '../../lib/columns/number-sets.ts';

/** Product indexes by the bits of their slots: bit `slot & 31` of element `slot >>> 5`. */
export type SlotBits = Uint32Array;

/**
 * Which product indexes have a term. A search looks at these indexes only. An index has a slot from its end of building to its
 * last reference, as its terms have their numbers.
 */
export type IndexesByTerm = {
  /** Takes a slot for an index with these terms. */
  add(termIds: Uint32Array): number;
  remove(slot: number, termIds: Uint32Array): void;
  /** Slots of the indexes that have at least one of the terms. */
  withAnyOf(termIds: Uint32Array): SlotBits;
  /** Whether an index of these slots has the term. */
  isAmong(slots: SlotBits, termId: number): boolean;
};

export function createIndexesByTerm(): IndexesByTerm {
  const slotsOfTerm = createNumberSets();
  const freeSlots: number[] = [];
  let slotCount = 0;
  return {
    add(termIds) {
      const slot = freeSlots.pop() ?? slotCount;
      if (slot === slotCount) slotCount += 1;
      for (let at = 0; at < termIds.length; at += 1) slotsOfTerm.add(termIds[at] as number, slot);
      return slot;
    },
    remove(slot, termIds) {
      for (let at = 0; at < termIds.length; at += 1) slotsOfTerm.remove(termIds[at] as number, slot);
      freeSlots.push(slot);
    },
    withAnyOf(termIds) {
      const slots = new Uint32Array(slotsOfTerm.rowLength);
      for (let at = 0; at < termIds.length; at += 1) slotsOfTerm.markIn(slots, termIds[at] as number);
      return slots;
    },
    isAmong: slotsOfTerm.meets,
  };
}
