import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { SLOT_BITS, SLOT_MASK, type SpatialTree } from '../spatial-tree.ts';
import type { VisitStore } from '../walk-tree.ts';
import { countOfNode } from './node-filter.ts';
import type { NodeMemo } from './node-memo.index.ts';
import type { SlotFilter } from './slot-traits.ts';

/** A node of at most so many stores, some twenty leaves, may have a list. */
const MAX_LISTED_STORES = 512;

/** Words of a list for each store: both words of its slot's traits, then its slot. */
export const WORDS_OF_LISTED = 3;
const SLOT = 2;

/**
 * The slots under a node in the sequence of their ratings in fiftieths, the best first: a search for the best rated
 * stores reads the front of a few lists, in place of all slots of many leaves (docs/adr/0054-lists-by-rating.md).
 */
export type RatedSlots = Pick<NodeMemo<Uint32Array>, 'of' | 'forget'>;

/** Whether the node may have a list. */
export function isSmall({ summaries }: SpatialTree, node: number): boolean {
  return countOfNode(summaries, node) <= MAX_LISTED_STORES;
}

/** Where the first store from `at` on is that meets the filter; the length of the list where no such store is left. */
export function nextListed(list: Uint32Array, from: number, { kinds, prices, rating, cuisines }: SlotFilter): number {
  for (let at = from; at < list.length; at += WORDS_OF_LISTED) {
    const trait = list[at] as number;
    if (trait >>> 24 < rating) return list.length;
    if ((trait & kinds) === 0 || (trait & prices) === 0) continue;
    if (cuisines === 0 || ((list[at + 1] as number) & cuisines) !== 0) return at;
  }
  return list.length;
}

/** Visits a store of a list that is no farther than that; returns how far the visitor is still interested, or STOP. */
export function visitListed(
  tree: SpatialTree,
  { x, y, z }: UnitVector,
  { list, at, farthest }: { list: Uint32Array; at: number; farthest: number },
  visit: VisitStore,
): number {
  const slot = list[at + SLOT] as number;
  const points = tree.points[slot >>> SLOT_BITS] as Float64Array;
  const within = slot & SLOT_MASK;
  const dx = (points[within * 3] as number) - x;
  const dy = (points[within * 3 + 1] as number) - y;
  const dz = (points[within * 3 + 2] as number) - z;
  const chordSquared = dx * dx + dy * dy + dz * dz;
  if (chordSquared > farthest) return farthest;
  return visit((tree.ordinals[slot >>> SLOT_BITS] as Uint32Array)[within] as number, chordSquared, false);
}
