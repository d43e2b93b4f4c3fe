import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { BLOCK_SIZE, NONE, SLOT_BITS, SLOT_MASK, type SpatialTree } from '../spatial-tree.ts';
import type { NodeFilter } from './node-filter.ts';
import { slotFilterOf, WORDS_OF_SLOT } from './slot-traits.ts';

/** Gets the first word of a slot's traits, the ordinal of its store and the store's squared chord. */
export type VisitSlot = (trait: number, ordinal: number, chordSquared: number) => void;

/** Stores under the node that meet the filter, farther than the squared chord `low` and no farther than `high`. */
export type SlotsUnder = { node: number; low: number; high: number; filter: NodeFilter };

/**
 * Visits stores under a node in no sequence. The filter must have no rating and no cuisine, which slots tell only roughly.
 * No column is read: slots lie in the sequence of memory.
 */
export function visitSlotsUnder(
  tree: SpatialTree,
  { x, y, z }: UnitVector,
  { node, low, high, filter }: SlotsUnder,
  visit: VisitSlot,
): void {
  const { kinds, prices } = slotFilterOf(filter);
  visitBlocksUnder(tree, node, (segment, start, end) => {
    const points = tree.points[segment] as Float64Array;
    const traits = tree.traits[segment] as Uint32Array;
    const ordinals = tree.ordinals[segment] as Uint32Array;
    for (let at = start; at < end; at += 1) {
      const trait = traits[at * WORDS_OF_SLOT] as number;
      if ((trait & kinds) === 0 || (trait & prices) === 0) continue;
      const dx = (points[at * 3] as number) - x;
      const dy = (points[at * 3 + 1] as number) - y;
      const dz = (points[at * 3 + 2] as number) - z;
      const chordSquared = dx * dx + dy * dy + dz * dz;
      if (chordSquared > low && chordSquared <= high) visit(trait, ordinals[at] as number, chordSquared);
    }
  });
}

/** Visits the traits of all slots under a node: both words, and the slot. */
export function visitTraitsUnder(
  tree: SpatialTree,
  top: number,
  visit: (trait: number, cuisines: number, slot: number) => void,
): void {
  visitBlocksUnder(tree, top, (segment, start, end) => {
    const traits = tree.traits[segment] as Uint32Array;
    for (let at = start; at < end; at += 1) {
      const slot = segment * 2 ** SLOT_BITS + at;
      visit(traits[at * WORDS_OF_SLOT] as number, traits[at * WORDS_OF_SLOT + 1] as number, slot);
    }
  });
}

/** Counts the stores under a node that meet the filter, by the bucket of the first word of their slots' traits. */
export function countBucketsUnder(
  tree: SpatialTree,
  top: number,
  filter: NodeFilter,
  { of, counts }: { of(trait: number): number; counts: Float64Array },
): void {
  const { kinds, prices } = slotFilterOf(filter);
  visitBlocksUnder(tree, top, (segment, start, end) => {
    const traits = tree.traits[segment] as Uint32Array;
    for (let at = start; at < end; at += 1) {
      const trait = traits[at * WORDS_OF_SLOT] as number;
      if ((trait & kinds) === 0 || (trait & prices) === 0) continue;
      const bucket = of(trait);
      counts[bucket] = (counts[bucket] as number) + 1;
    }
  });
}

/** Counts the stores under a node that meet the filter, and have these bits under the mask in that word. */
export function countOneBucketUnder(
  tree: SpatialTree,
  top: number,
  filter: NodeFilter,
  { mask, bits }: { mask: number; bits: number },
): number {
  const { kinds, prices } = slotFilterOf(filter);
  let count = 0;
  visitBlocksUnder(tree, top, (segment, start, end) => {
    const traits = tree.traits[segment] as Uint32Array;
    for (let at = start; at < end; at += 1) {
      const trait = traits[at * WORDS_OF_SLOT] as number;
      if ((trait & mask) === bits && (trait & kinds) !== 0 && (trait & prices) !== 0) count += 1;
    }
  });
  return count;
}

/** Visits the blocks under a node: the segment of memory that has a block, and the block's slots within the segment. */
function visitBlocksUnder(
  tree: SpatialTree,
  top: number,
  visit: (segment: number, start: number, end: number) => void,
): void {
  const nodes = [top];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const child = tree.firstChild[node] as number;
    if (child !== NONE) {
      nodes.push(child + 1, child);
      continue;
    }
    for (let block = tree.firstBlock[node] as number; block !== NONE; block = tree.nextBlock[block] as number) {
      const start = (block * BLOCK_SIZE) & SLOT_MASK;
      visit((block * BLOCK_SIZE) >>> SLOT_BITS, start, start + (tree.blockSizes[block] as number));
    }
  }
}
