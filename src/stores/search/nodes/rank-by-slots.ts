import { createItemPile, type ItemPile } from '../../../lib/columns/select-nth.ts';
import type { RankedItem } from '../../../lib/columns/top-list.ts';
import type { SpatialTree } from '../spatial-tree.ts';
import { type Counted, countBuckets, counterOf, ONE_BUCKET } from './count-buckets.ts';
import { type NarrowRing, narrowRing, type Ranks, wholeRing } from './narrow-ring.ts';
import { countOfNode } from './node-filter.ts';
import type { NodeTallies } from './node-tallies.ts';
import type { FoundRank, RankRequest } from './rank-request.ts';
import { visitSlotsUnder } from './visit-slots.ts';

type IsBefore = (a: number, b: number) => boolean;

/** What the ranking looks at. */
type Ranking = { tree: SpatialTree; tallies: NodeTallies; isBefore: IsBefore; request: RankRequest };

/** Slots that one step looks at, in some 0.2 ms; a part counts as some slots more. */
const SLOTS_OF_STEP = 8192;
const SLOTS_OF_PART = 64;

/**
 * The store of that rank and up to `size` stores that follow that store. Slots decide which stores meet the conditions, and
 * tell a store's bucket in the sort: the stores of the one or two buckets are ranked that hold these ranks, and of a bucket
 * with one key a ring alone.
 */
export function* rankBySlots(ranking: Ranking, rank: number, size: number): Generator<void, FoundRank> {
  const { tree, tallies, request } = ranking;
  const { from, farthest, filter, sort } = request;
  yield* tallies.make();
  const counted = { filter, buckets: sort.buckets ?? ONE_BUCKET, tallies };
  const counts = yield* countBuckets(tree, from, farthest, counted);
  const stores: RankedItem[] = [];
  let passed = 0;
  for (let bucket = 0; bucket < counts.length && passed <= rank + size; bucket += 1) {
    const count = counts[bucket] as number;
    const ranks = { first: Math.max(0, rank - passed), last: Math.min(count - 1, rank + size - passed) };
    if (passed + count > rank && count > 0) stores.push(...(yield* rankBucket(ranking, counted, bucket, ranks)));
    passed += count;
  }
  return { found: stores[0], passed, following: stores.slice(1) };
}

/** The stores of a bucket that have these ranks within the bucket. */
function* rankBucket(
  { tree, isBefore, request }: Ranking,
  counted: Counted,
  bucket: number,
  ranks: Ranks,
): Generator<void, RankedItem[]> {
  const { from, farthest, sort } = request;
  const isOfOneKey = sort.isByDistance || sort.buckets?.isOfOneKey(bucket) === true;
  const countUnder = yield* counterOf(tree, counted, bucket);
  const within = { farthest, countUnder };
  const ring = isOfOneKey ? yield* narrowRing(tree, from, within, ranks) : yield* wholeRing(tree, from, within);
  yield;
  const pile = createItemPile(isBefore);
  const before = yield* fillPile(tree, request, { bucket, ring }, pile);
  // A change between two steps may have left fewer stores than were counted: the last store then stands for the rank.
  const first = Math.max(0, Math.min(ranks.first - before, pile.size - 1));
  return yield* pile.selectRange(first, Math.max(first, ranks.last - before));
}

/** Puts the stores of the ring on a pile; returns how many stores of the bucket lie before the ring. */
function* fillPile(
  tree: SpatialTree,
  { from, filter, sort }: RankRequest,
  { bucket, ring }: { bucket: number; ring: NarrowRing },
  pile: ItemPile,
): Generator<void, number> {
  const { low, high, parts } = ring;
  let [before, slots] = [ring.before, 0];
  for (const node of parts) {
    visitSlotsUnder(tree, from, { node, low: -1, high, filter }, (trait, ordinal, chordSquared) => {
      if (sort.buckets !== null && sort.buckets.of(trait) !== bucket) return;
      if (chordSquared <= low) before += 1;
      else pile.add(sort.keyOf(ordinal, chordSquared), chordSquared, ordinal);
    });
    slots += countOfNode(tree.summaries, node) + SLOTS_OF_PART;
    if (slots < SLOTS_OF_STEP) continue;
    slots = 0;
    yield;
  }
  return before;
}
