import { createItemPile, type ItemPile } from '../../lib/columns/select-nth.ts';
import type { Group } from './groups/store-group.ts';
import type { NameIndex } from './name.index.ts';
import { narrowRing, type Ring, WHOLE_EARTH } from './nodes/narrow-ring.ts';
import { countOfNode, mayHold } from './nodes/node-filter.ts';
import { createNodeTallies } from './nodes/node-tallies.index.ts';
import { rankBySlots } from './nodes/rank-by-slots.ts';
import type { FoundRank, RankRequest } from './nodes/rank-request.ts';
import { slotFilterOf } from './nodes/slot-traits.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { NONE } from './spatial-tree.ts';
import { chordTo, chordToBox, isWithinReach, type Reach, walkLeaf } from './walk-tree.ts';

/** A rank from 0, and how many stores after the rank are of interest. */
export type FarRanks = { rank: number; size: number };

/**
 * Finds the store of a rank far down a sort. By distance, only a ring of stores around that rank is looked at: counts of
 * nodes tell which. Each step is short, and stores may change between two steps: a store that changes meanwhile may be
 * counted as it was before or as it is after.
 */
export type FarRank = (request: RankRequest, group: Group, ranks: FarRanks) => Generator<void, FoundRank>;

type VisitFound = (ordinal: number, chordSquared: number) => void;

/** Leaves, or stores of names, that one step visits. */
const LEAVES_OF_STEP = 256;
const STORES_OF_STEP = 4096;
/** The first guess at how many stores are looked at for each store that meets a filter. */
const LOOKED_AT_FOR_EACH = 2;
const WIDENING = 4;

export function createFarRank(
  { spatial, names }: { spatial: SpatialIndex; names: NameIndex },
  isBefore: (a: number, b: number) => boolean,
): FarRank {
  function ofAll(request: RankRequest, { rank, size }: FarRanks): Generator<void, FoundRank> {
    const { isByDistance, buckets } = request.sort;
    const isJudgedBySlots = request.isJudgedBySlots && (isByDistance || buckets !== null);
    const tallies = spatial.tallies ?? createNodeTallies(spatial);
    if (isJudgedBySlots) return rankBySlots({ tree: spatial, tallies, isBefore, request }, rank, size);
    return isByDistance ? ringByRing(request, rank) : byKey(request, rank);
  }

  /** Rings that grow until the stores that meet the conditions are more than the rank. */
  function* ringByRing(request: RankRequest, rank: number): Generator<void, FoundRank> {
    const { from, farthest } = request;
    const countUnder = (node: number): number => countOfNode(spatial.summaries, node);
    let [low, passed] = [-1, 0];
    for (let tried = rank * LOOKED_AT_FOR_EACH; ; tried *= WIDENING) {
      const tries = { first: tried, last: tried };
      const reached = (yield* narrowRing(spatial, from, { farthest, countUnder }, tries)).high;
      const high = reached === WHOLE_EARTH ? farthest : reached;
      const ring = yield* among(request, rank - passed, { low, high });
      passed += ring.passed;
      if (ring.found !== undefined || high >= farthest) return { found: ring.found, passed, following: null };
      low = high;
    }
  }

  /** Keys are few: the stores are counted by key, and then the stores of the one key are ranked that holds the rank. */
  function* byKey(request: RankRequest, rank: number): Generator<void, FoundRank> {
    const whole = { low: -1, high: request.farthest };
    const counts = new Map<number, number>();
    yield* visitRing(request, whole, (ordinal, chordSquared) => {
      const key = request.sort.keyOf(ordinal, chordSquared);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    let passed = 0;
    for (const [key, count] of [...counts].sort(([a], [b]) => a - b)) {
      if (passed + count > rank) return yield* amongKey(request, rank - passed, key, passed);
      passed += count;
    }
    return { found: undefined, passed, following: null };
  }

  function* amongKey(request: RankRequest, rank: number, key: number, before: number): Generator<void, FoundRank> {
    const pile = createItemPile(isBefore);
    yield* visitRing(request, { low: -1, high: request.farthest }, (ordinal, chordSquared) => {
      if (request.sort.keyOf(ordinal, chordSquared) === key) pile.add(key, chordSquared, ordinal);
    });
    // A change between two passes may have left fewer stores than were counted: the last store then stands for the rank.
    const nth = Math.max(0, Math.min(rank, pile.size - 1));
    return {
      found: pile.size > 0 ? yield* pile.selectSteps(nth) : undefined,
      passed: before + pile.size,
      following: null,
    };
  }

  /** Ranks the stores of a ring that meet the conditions. */
  function* among(request: RankRequest, rank: number, ring: Ring): Generator<void, FoundRank> {
    const pile = createItemPile(isBefore);
    yield* visitRing(request, ring, (ordinal, chordSquared) => pile.add(chordSquared, chordSquared, ordinal));
    return yield* nthOf(pile, rank);
  }

  /** Visits the stores of a ring that meet the conditions. */
  function* visitRing(request: RankRequest, { low, high }: Ring, visit: VisitFound): Generator<void, void> {
    const { from } = request;
    const reach: Reach = { ...reachOf(request), nearest: Math.max(0, low), farthest: high };
    const [slots, delivers] = [slotFilterOf(request.filter), reach.delivers];
    const nodes = [0];
    let leaves = 0;
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (!mayHold(spatial.summaries, node, request.filter)) continue;
      const chord = chordToBox(spatial.boxes, node, from);
      if (chord > high || !isWithinReach(spatial, from, reach, node, chord)) continue;
      const child = spatial.firstChild[node] as number;
      if (child !== NONE) {
        nodes.push(child, child + 1);
        continue;
      }
      walkLeaf(spatial, from, { leaf: node, farthest: high, delivers, slots }, (ordinal, chordSquared, isCore) => {
        if (chordSquared <= low || !request.acceptFound(ordinal)) return high;
        if (isCore || request.delivers?.(ordinal) !== false) visit(ordinal, chordSquared);
        return high;
      });
      leaves += 1;
      if (leaves % LEAVES_OF_STEP === 0) yield;
    }
  }

  function* ofNames(request: RankRequest, group: Uint32Array, rank: number): Generator<void, FoundRank> {
    const pile = createItemPile(isBefore);
    let visits = 0;
    for (const name of group) {
      // A step may have changed the lists: the bounds are read again for each store.
      for (let nth = 0; nth < (names.stores.counts[name] as number); nth += 1) {
        const at = (names.stores.starts[name] as number) + nth;
        visitNamed(request, pile, names.stores.data[at] as number);
        visits += 1;
        if (visits % STORES_OF_STEP === 0) yield;
      }
    }
    return yield* nthOf(pile, rank);
  }

  function visitNamed(request: RankRequest, pile: ItemPile, ordinal: number): void {
    if (!request.accept(ordinal)) return;
    const chordSquared = chordTo(spatial, ordinal, request.from);
    if (chordSquared > request.farthest) return;
    const range = request.delivers === null ? null : spatial.rangeOf(ordinal);
    if (range !== null && chordSquared > range.reach) return;
    if (range !== null && chordSquared >= range.core && request.delivers?.(ordinal) === false) return;
    pile.add(request.sort.keyOf(ordinal, chordSquared), chordSquared, ordinal);
  }

  return (request, group, ranks) => (group === null ? ofAll(request, ranks) : ofNames(request, group, ranks.rank));
}

function* nthOf(pile: ItemPile, nth: number): Generator<void, FoundRank> {
  const found = nth < pile.size ? yield* pile.selectSteps(nth) : undefined;
  return { found, passed: pile.size, following: null };
}

export function reachOf({ farthest, viewport, delivers, filter }: RankRequest): Reach {
  return { nearest: 0, farthest, viewport, delivers: delivers !== null, filter };
}
