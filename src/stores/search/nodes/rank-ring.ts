import type { UnitVector } from '../../../lib/geo/sphere.ts';
import { BLOCK_SIZE, NONE, SLOT_BITS, SLOT_MASK, type SpatialTree } from '../spatial-tree.ts';
import { chordToBox, farthestChordToBox } from '../walk-tree.ts';
import { countOfNode, holdsOnly, mayHold, type NodeFilter } from './node-filter.ts';
import { slotFilterOf, WORDS_OF_SLOT } from './slot-traits.ts';

/**
 * A ring around the start of a search, in squared chords: `passed` stores are no farther than `low`, and the wanted store
 * is farther than `low` and no farther than `high`.
 */
export type RankRing = { low: number; high: number; passed: number };

/** No squared chord of the unit sphere is longer, roundings included. */
const WHOLE_EARTH = 4.000001;
/** A ring of fewer stores is small enough, and so is a ring of this share of the stores before it. */
const RING_STORES = 2000;
const RING_SHARE = 1 / 50;
/** Halvings leave a ring of one point on earth, however many stores are at that point. */
const MAX_HALVINGS = 60;
/** A guess stays so far from the ends of the ring, so that each guess narrows the ring. */
const MIN_SHARE = 0.05;

/**
 * The ring that holds the store of that rank (from 0) among the stores within `farthest` that meet the filter, found by
 * counts of nodes; null where there are no more stores than the rank. The filter must have no rating and no cuisine,
 * which slots tell only roughly.
 */
export function ringOfRank(
  tree: SpatialTree,
  from: UnitVector,
  { rank, farthest, filter }: { rank: number; farthest: number; filter: NodeFilter },
): RankRing | null {
  let [low, high] = [-1, Math.min(farthest, WHOLE_EARTH)];
  let [passed, within] = [0, countWithin(tree, from, high, filter)];
  if (within <= rank) return null;
  const enough = Math.max(RING_STORES, rank * RING_SHARE);
  for (let halving = 0; halving < MAX_HALVINGS && within - passed > enough; halving += 1) {
    const share = (rank - passed) / (within - passed);
    // Counts grow unevenly: every other guess is the middle.
    const part = halving % 2 === 0 ? Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, share)) : 0.5;
    const middle = low + (high - low) * part;
    const count = countWithin(tree, from, middle, filter);
    if (count <= rank) [low, passed] = [middle, count];
    else [high, within] = [middle, count];
  }
  return { low, high, passed };
}

/** Number of stores no farther than a squared chord that meet the filter. */
export function countWithin(tree: SpatialTree, from: UnitVector, farthest: number, filter: NodeFilter): number {
  const { summaries, boxes, firstChild } = tree;
  let count = 0;
  const nodes = [0];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!mayHold(summaries, node, filter) || chordToBox(boxes, node, from) > farthest) continue;
    if (holdsOnly(summaries, node, filter) && farthestChordToBox(boxes, node, from) <= farthest) {
      count += countOfNode(summaries, node);
      continue;
    }
    const child = firstChild[node] as number;
    if (child === NONE) count += countInLeaf(tree, from, node, { farthest, filter });
    else nodes.push(child, child + 1);
  }
  return count;
}

function countInLeaf(
  tree: SpatialTree,
  { x, y, z }: UnitVector,
  leaf: number,
  { farthest, filter }: { farthest: number; filter: NodeFilter },
): number {
  const { kinds, prices } = slotFilterOf(filter);
  let count = 0;
  for (let block = tree.firstBlock[leaf] as number; block !== NONE; block = tree.nextBlock[block] as number) {
    const segment = (block * BLOCK_SIZE) >>> SLOT_BITS;
    const points = tree.points[segment] as Float64Array;
    const traits = tree.traits[segment] as Uint32Array;
    const start = (block * BLOCK_SIZE) & SLOT_MASK;
    const end = start + (tree.blockSizes[block] as number);
    for (let at = start; at < end; at += 1) {
      const trait = traits[at * WORDS_OF_SLOT] as number;
      const dx = (points[at * 3] as number) - x;
      const dy = (points[at * 3 + 1] as number) - y;
      const dz = (points[at * 3 + 2] as number) - z;
      const isNear = dx * dx + dy * dy + dz * dz <= farthest;
      if (isNear && (trait & kinds) !== 0 && (trait & prices) !== 0) count += 1;
    }
  }
  return count;
}
