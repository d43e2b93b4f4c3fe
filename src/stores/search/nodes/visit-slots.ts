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
export function visitSlotsUnder(tree: SpatialTree, from: UnitVector, under: SlotsUnder, visit: VisitSlot): void {
  const nodes = [under.node];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const child = tree.firstChild[node] as number;
    if (child !== NONE) nodes.push(child + 1, child);
    else visitLeaf(tree, from, { ...under, node }, visit);
  }
}

/** Visits the traits of all slots under a node: both words, and the slot. */
export function visitTraitsUnder(
  tree: SpatialTree,
  top: number,
  visit: (trait: number, cuisines: number, slot: number) => void,
): void {
  const nodes = [top];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const child = tree.firstChild[node] as number;
    if (child !== NONE) {
      nodes.push(child + 1, child);
      continue;
    }
    for (let block = tree.firstBlock[node] as number; block !== NONE; block = tree.nextBlock[block] as number) {
      const start = block * BLOCK_SIZE;
      const traits = tree.traits[start >>> SLOT_BITS] as Uint32Array;
      for (let slot = start; slot < start + (tree.blockSizes[block] as number); slot += 1) {
        const at = (slot & SLOT_MASK) * WORDS_OF_SLOT;
        visit(traits[at] as number, traits[at + 1] as number, slot);
      }
    }
  }
}

/** Counts the stores under a node that meet the filter, by the bucket of the first word of their slots' traits. */
export function countBucketsUnder(
  tree: SpatialTree,
  top: number,
  filter: NodeFilter,
  { of, counts }: { of(trait: number): number; counts: Float64Array },
): void {
  const { kinds, prices } = slotFilterOf(filter);
  visitRunsUnder(tree, top, (traits, start, end) => {
    for (let at = start; at < end; at += WORDS_OF_SLOT) {
      const trait = traits[at] as number;
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
  visitRunsUnder(tree, top, (traits, start, end) => {
    for (let at = start; at < end; at += WORDS_OF_SLOT) {
      const trait = traits[at] as number;
      if ((trait & mask) === bits && (trait & kinds) !== 0 && (trait & prices) !== 0) count += 1;
    }
  });
  return count;
}

/** Visits the traits of the blocks under a node: the words from `start` to `end`. */
function visitRunsUnder(
  tree: SpatialTree,
  top: number,
  visit: (traits: Uint32Array, start: number, end: number) => void,
): void {
  const nodes = [top];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const child = tree.firstChild[node] as number;
    if (child !== NONE) {
      nodes.push(child + 1, child);
      continue;
    }
    for (let block = tree.firstBlock[node] as number; block !== NONE; block = tree.nextBlock[block] as number) {
      const start = ((block * BLOCK_SIZE) & SLOT_MASK) * WORDS_OF_SLOT;
      const end = start + (tree.blockSizes[block] as number) * WORDS_OF_SLOT;
      visit(tree.traits[(block * BLOCK_SIZE) >>> SLOT_BITS] as Uint32Array, start, end);
    }
  }
}

function visitLeaf(
  tree: SpatialTree,
  { x, y, z }: UnitVector,
  { node, low, high, filter }: SlotsUnder,
  visit: VisitSlot,
): void {
  const { kinds, prices } = slotFilterOf(filter);
  for (let block = tree.firstBlock[node] as number; block !== NONE; block = tree.nextBlock[block] as number) {
    const segment = (block * BLOCK_SIZE) >>> SLOT_BITS;
    const points = tree.points[segment] as Float64Array;
    const traits = tree.traits[segment] as Uint32Array;
    const ordinals = tree.ordinals[segment] as Uint32Array;
    const start = (block * BLOCK_SIZE) & SLOT_MASK;
    const end = start + (tree.blockSizes[block] as number);
    for (let at = start; at < end; at += 1) {
      const trait = traits[at * WORDS_OF_SLOT] as number;
      if ((trait & kinds) === 0 || (trait & prices) === 0) continue;
      const dx = (points[at * 3] as number) - x;
      const dy = (points[at * 3 + 1] as number) - y;
      const dz = (points[at * 3 + 2] as number) - z;
      const chordSquared = dx * dx + dy * dy + dz * dz;
      if (chordSquared > low && chordSquared <= high) visit(trait, ordinals[at] as number, chordSquared);
    }
  }
}
