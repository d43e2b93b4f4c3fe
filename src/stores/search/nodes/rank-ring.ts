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

/** `within` stores meet the filter in all; the ring is null where these are no more than the rank. */
export type RankedWithin = { ring: RankRing | null; within: number };

/** No squared chord of the unit sphere is longer, roundings included. */
const WHOLE_EARTH = 4.000001;
/** A ring of fewer stores is small enough, and so is a ring of this share of the stores before it. */
const RING_STORES = 2000;
const RING_SHARE = 1 / 50;
/** Halvings leave a ring of one point on earth, however many stores are at that point. */
const MAX_HALVINGS = 60;
/** A guess stays so far from the ends of the ring, so that each guess narrows the ring. */
const MIN_SHARE = 0.05;

/** Leaves that one step counts, in some 0.2 ms. */
const LEAVES_OF_STEP = 512;

type Wanted = { rank: number; farthest: number; filter: NodeFilter };

/**
 * The ring that holds the store of that rank (from 0) among the stores within `farthest` that meet the filter, found by
 * counts of nodes in steps. Stores may change between two steps. The filter must have no rating and no cuisine, which
 * slots tell only roughly.
 */
export function* ringOfRank(
  tree: SpatialTree,
  from: UnitVector,
  { rank, farthest, filter }: Wanted,
): Generator<void, RankedWithin> {
  let [low, high] = [-1, Math.min(farthest, WHOLE_EARTH)];
  const within = yield* countBetween(tree, from, { low, high, filter });
  if (within <= rank) return { ring: null, within };
  let [passed, reached] = [0, within];
  const enough = Math.max(RING_STORES, rank * RING_SHARE);
  for (let halving = 0; halving < MAX_HALVINGS && reached - passed > enough; halving += 1) {
    const share = (rank - passed) / (reached - passed);
    // Counts grow unevenly: every other guess is the middle.
    const part = halving % 2 === 0 ? Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, share)) : 0.5;
    const middle = low + (high - low) * part;
    // What lies within `low` is counted: each count looks at less of the tree than the count before.
    const count = passed + (yield* countBetween(tree, from, { low, high: middle, filter }));
    if (count <= rank) [low, passed] = [middle, count];
    else [high, reached] = [middle, count];
  }
  return { ring: { low, high, passed }, within };
}

/** Number of stores farther than the squared chord `low` and no farther than `high` that meet the filter, in steps. */
function* countBetween(
  tree: SpatialTree,
  from: UnitVector,
  { low, high, filter }: { low: number; high: number; filter: NodeFilter },
): Generator<void, number> {
  const { summaries, boxes, firstChild } = tree;
  let count = 0;
  let leaves = 0;
  const nodes = [0];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!mayHold(summaries, node, filter)) continue;
    const [nearest, farthest] = [chordToBox(boxes, node, from), farthestChordToBox(boxes, node, from)];
    if (nearest > high || farthest <= low) continue;
    if (nearest > low && farthest <= high && holdsOnly(summaries, node, filter)) {
      count += countOfNode(summaries, node);
      continue;
    }
    const child = firstChild[node] as number;
    if (child !== NONE) {
      nodes.push(child, child + 1);
      continue;
    }
    count += countInLeaf(tree, from, node, { low, high, filter });
    leaves += 1;
    if (leaves % LEAVES_OF_STEP === 0) yield;
  }
  return count;
}

function countInLeaf(
  tree: SpatialTree,
  { x, y, z }: UnitVector,
  leaf: number,
  { low, high, filter }: { low: number; high: number; filter: NodeFilter },
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
      if ((trait & kinds) === 0 || (trait & prices) === 0) continue;
      const dx = (points[at * 3] as number) - x;
      const dy = (points[at * 3 + 1] as number) - y;
      const dz = (points[at * 3 + 2] as number) - z;
      const chordSquared = dx * dx + dy * dy + dz * dz;
      if (chordSquared > low && chordSquared <= high) count += 1;
    }
  }
  return count;
}
