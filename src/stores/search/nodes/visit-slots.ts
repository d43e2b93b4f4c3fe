import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { BLOCK_SIZE, NONE, SLOT_BITS, SLOT_MASK, type SpatialTree } from '../spatial-tree.ts';
import { chordToBox } from '../walk-tree.ts';
import { mayHold, type NodeFilter } from './node-filter.ts';
import { slotFilterOf, WORDS_OF_SLOT } from './slot-traits.ts';

/** Leaves that one step visits, in some 0.2 ms. */
const LEAVES_OF_STEP = 1024;

/** Gets the first word of a slot's traits, the ordinal of its store and the store's squared chord. */
export type VisitSlot = (trait: number, ordinal: number, chordSquared: number) => void;

/**
 * Visits the stores within a squared chord that meet the filter, in steps and in no sequence. The filter must have no
 * rating and no cuisine, which slots tell only roughly. No column is read: slots lie in the sequence of memory.
 */
export function* visitSlots(
  tree: SpatialTree,
  from: UnitVector,
  { farthest, filter }: { farthest: number; filter: NodeFilter },
  visit: VisitSlot,
): Generator<void, void> {
  const nodes = [0];
  let leaves = 0;
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!mayHold(tree.summaries, node, filter) || chordToBox(tree.boxes, node, from) > farthest) continue;
    const child = tree.firstChild[node] as number;
    if (child !== NONE) {
      nodes.push(child, child + 1);
      continue;
    }
    visitLeaf(tree, from, { leaf: node, farthest, filter }, visit);
    leaves += 1;
    if (leaves % LEAVES_OF_STEP === 0) yield;
  }
}

function visitLeaf(
  tree: SpatialTree,
  { x, y, z }: UnitVector,
  { leaf, farthest, filter }: { leaf: number; farthest: number; filter: NodeFilter },
  visit: VisitSlot,
): void {
  const { kinds, prices } = slotFilterOf(filter);
  for (let block = tree.firstBlock[leaf] as number; block !== NONE; block = tree.nextBlock[block] as number) {
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
      if (chordSquared <= farthest) visit(trait, ordinals[at] as number, chordSquared);
    }
  }
}
