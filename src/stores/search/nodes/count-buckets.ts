import type { UnitVector } from '../../../lib/geo/sphere.ts';
import type { SpatialTree } from '../spatial-tree.ts';
import { chordToBox, farthestChordToBox } from '../walk-tree.ts';
import { countOfNode, holdsOnly, mayHold, type NodeFilter } from './node-filter.ts';
import { isPart, type NodeTallies, type NodeTally } from './node-tallies.ts';
import { RATING_BITS, slotFilterOf } from './slot-traits.ts';
import { countBucketsUnder, countOneBucketUnder, visitSlotsUnder } from './visit-slots.ts';

/** The bucket, below `count`, of a store by the first word of its slot's traits. */
export type Buckets = {
  count: number;
  /** Bits of the word that tell. */
  mask: number;
  of(trait: number): number;
  /** The bits under the mask of the stores of a bucket. */
  bitsOf(bucket: number): number;
};

/** Without buckets: all stores are of bucket 0. */
export const ONE_BUCKET: Buckets = { count: 1, mask: 0, of: () => 0, bitsOf: () => 0 };

/** Stores that meet the filter, which must have no rating and no cuisine: slots tell these only roughly. */
export type Counted = { filter: NodeFilter; buckets: Buckets; tallies: NodeTallies };

/** Nodes of one step of some 0.2 ms; slots that are looked at count as parts of a node. */
const NODES_OF_STEP = 1024;
const SLOTS_OF_NODE = 16;

/** By bucket, the number of stores within a squared chord, in steps. Stores may change between two steps. */
export function* countBuckets(
  tree: SpatialTree,
  from: UnitVector,
  farthest: number,
  counted: Counted,
): Generator<void, Float64Array> {
  const { filter, buckets } = counted;
  const counts = new Float64Array(buckets.count);
  const waiting = [0];
  let visits = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!mayHold(tree.summaries, node, filter) || chordToBox(tree.boxes, node, from) > farthest) continue;
    const first = tree.firstChild[node] as number;
    const isWithin = farthestChordToBox(tree.boxes, node, from) <= farthest;
    if (isWithin && isTallied(tree, counted, node)) addTally(counted, node, counts);
    else if (!isPart(tree, node)) waiting.push(first + 1, first);
    else {
      if (isWithin) countBucketsUnder(tree, node, filter, { of: buckets.of, counts });
      else addWithin(tree, from, { node, farthest }, counted, counts);
      visits += countOfNode(tree.summaries, node) / SLOTS_OF_NODE;
    }
    visits += 1;
    if (visits < NODES_OF_STEP) continue;
    visits = 0;
    yield;
  }
  return counts;
}

/** A function that counts all stores of a bucket under a node; it is made in steps. */
export function* counterOf(
  tree: SpatialTree,
  counted: Counted,
  bucket: number,
): Generator<void, (node: number) => number> {
  const { filter } = counted;
  const sums = new Map<number, number>();
  const countUnder = (node: number): number => {
    if (!mayHold(tree.summaries, node, filter)) return 0;
    const known = sums.get(node);
    if (known !== undefined) return known;
    if (isTallied(tree, counted, node)) return tallyCount(tree, counted, node, bucket);
    if (isPart(tree, node)) return slotCount(tree, counted, node, bucket);
    const first = tree.firstChild[node] as number;
    return countUnder(first) + countUnder(first + 1);
  };
  let visits = 0;
  // Children come after their parents in the list.
  for (const node of nodesWithoutTally(tree, counted).reverse()) {
    sums.set(node, countUnder(node));
    visits += isPart(tree, node) ? countOfNode(tree.summaries, node) / SLOTS_OF_NODE : 1;
    if (visits < NODES_OF_STEP) continue;
    visits = 0;
    yield;
  }
  return countUnder;
}

/** Nodes down to parts that have stores that meet the filter, and whose tallies do not tell which. */
function nodesWithoutTally(tree: SpatialTree, counted: Counted): number[] {
  const nodes: number[] = [];
  const waiting = [0];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isTallied(tree, counted, node) || !mayHold(tree.summaries, node, counted.filter)) continue;
    nodes.push(node);
    const first = tree.firstChild[node] as number;
    if (!isPart(tree, node)) waiting.push(first, first + 1);
  }
  return nodes;
}

const isByRating = ({ mask }: Buckets): boolean => (mask & RATING_BITS) !== 0;

/** A tally does not tell which stores of a rating meet a filter. */
function isTallied({ summaries }: SpatialTree, { filter, buckets }: Counted, node: number): boolean {
  return !isByRating(buckets) || holdsOnly(summaries, node, filter);
}

/** Nodes under a part have no tally: their slots are looked at. */
function tallyCount(tree: SpatialTree, counted: Counted, node: number, bucket: number): number {
  const { filter, buckets, tallies } = counted;
  if (buckets.count === 1 && holdsOnly(tree.summaries, node, filter)) return countOfNode(tree.summaries, node);
  const tally = isPart(tree, node) ? tallies.knownOf(node) : tallies.of(node);
  if (tally === undefined) return slotCount(tree, counted, node, bucket);
  const { words, kinds, prices } = wordsFor(counted, tally);
  const bits = buckets.bitsOf(bucket);
  let count = 0;
  for (let at = 0; at < words.length; at += 2) {
    const word = words[at] as number;
    if (isCounted(word, kinds, prices) && (word & buckets.mask) === bits) count += words[at + 1] as number;
  }
  return count;
}

function slotCount(tree: SpatialTree, { filter, buckets }: Counted, node: number, bucket: number): number {
  return countOneBucketUnder(tree, node, filter, { mask: buckets.mask, bits: buckets.bitsOf(bucket) });
}

function addTally(counted: Counted, node: number, counts: Float64Array): void {
  const { words, kinds, prices } = wordsFor(counted, counted.tallies.of(node));
  for (let at = 0; at < words.length; at += 2) {
    const word = words[at] as number;
    if (isCounted(word, kinds, prices)) addTo(counts, counted.buckets.of(word), words[at + 1] as number);
  }
}

function addWithin(
  tree: SpatialTree,
  from: UnitVector,
  { node, farthest }: { node: number; farthest: number },
  { filter, buckets }: Counted,
  counts: Float64Array,
): void {
  const under = { node, low: -1, high: farthest, filter };
  visitSlotsUnder(tree, from, under, (trait) => addTo(counts, buckets.of(trait), 1));
}

function addTo(counts: Float64Array, bucket: number, stores: number): void {
  counts[bucket] = (counts[bucket] as number) + stores;
}

/** In place of bits: each word counts. */
const ANY_WORD = -1;

const isCounted = (word: number, kinds: number, prices: number): boolean =>
  kinds === ANY_WORD || ((word & kinds) !== 0 && (word & prices) !== 0);

/** Words of a tally, and the bits that a word of a store that meets the filter has. */
function wordsFor(
  { filter, buckets }: Counted,
  tally: NodeTally,
): { words: Uint32Array; kinds: number; prices: number } {
  if (isByRating(buckets)) return { words: tally.ratings, kinds: ANY_WORD, prices: ANY_WORD };
  const { kinds, prices } = slotFilterOf(filter);
  return { words: tally.kinds, kinds, prices };
}
