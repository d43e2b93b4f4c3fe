import { createRankPile } from '../../lib/columns/select-nth.ts';
import { createTopList, type Rank } from '../../lib/columns/top-list.ts';
import type { UnitVector } from '../../lib/geo/sphere.ts';
import { createCandidates, type Group, type Visitor } from './candidates.ts';
import { createGroupPlaces } from './group-places.ts';
import type { NameIndex } from './name-index.ts';
import type { PlaceTree } from './place-tree.ts';
import type { StoreOrder } from './store-order.ts';
import type { Reach, Viewport } from './walk-places.ts';

/** A place between two stores of an order: after the store described, in the group of that number. */
export type Cursor = { group: number; key: number; chordSquared: number; storeId: string };

/** What is looked for. A group comes before all of the next one; within each the order is the same. */
export type RankRequest = {
  groups: readonly Group[];
  from: UnitVector;
  farthest: number;
  viewport: Viewport | null;
  order: StoreOrder;
  accept(ordinal: number): boolean;
};

/** A rank beyond this share of all stores is found by selection among them, not by ranking all before it. */
const DEEP_SHARE = 1 / 16;

/** The parts of the index that ranking reads. */
export type RankSource = { tree: PlaceTree; names: NameIndex; storeIds: readonly string[]; storeCount(): number };

export type Ranking = {
  /** At most so many stores that follow the cursor (null: from the start), with the group of the last one. */
  rankAfter(request: RankRequest, cursor: Cursor | null, most: number): { ranks: Rank[]; lastGroup: number };
  /** The place after the store of that rank, from 0; null past the last store. */
  cursorAt(request: RankRequest, rank: number): Cursor | null;
};

/** Ties of key and distance go by store id, so that every node gives the same order. */
export function createRanking({ tree, names, storeIds, storeCount }: RankSource): Ranking {
  const isBefore = (a: number, b: number): boolean => (storeIds[a] as string) < (storeIds[b] as string);
  const list = createTopList(isBefore);
  const candidates = createCandidates({ tree, names, groupPlaces: createGroupPlaces(tree, names) }, storeCount);

  function isAfter(cursor: Cursor, key: number, chordSquared: number, ordinal: number): boolean {
    if (key !== cursor.key) return key > cursor.key;
    if (chordSquared !== cursor.chordSquared) return chordSquared > cursor.chordSquared;
    return (storeIds[ordinal] as string) > cursor.storeId;
  }

  function rankGroup(request: RankRequest, group: Group, cursor: Cursor | null, most: number): Rank[] {
    const { accept, order, farthest } = request;
    const reach: Reach = { nearest: 0, farthest, viewport: request.viewport };
    if (order.isByDistance && cursor !== null) reach.nearest = cursor.chordSquared;
    let limit = farthest;
    const visitor: Visitor = {
      wants: order.isByDistance ? accept : (ordinal) => mayRank(order, ordinal) && accept(ordinal),
      visit(ordinal, chordSquared) {
        const key = order.keyOf(ordinal, chordSquared);
        if (cursor !== null && !isAfter(cursor, key, chordSquared, ordinal)) return limit;
        list.offer(key, chordSquared, ordinal);
        if (list.isFull()) limit = Math.min(farthest, reachOfFull(order));
        return limit;
      },
      restart() {
        list.reset(most);
        limit = farthest;
      },
    };
    visitor.restart();
    candidates.visit(group, request.from, reach, { most, isNearestFirst: order.isNearestFirst }, visitor);
    return list.drain();
  }

  function mayRank(order: StoreOrder, ordinal: number): boolean {
    return !list.isFull() || order.leastKeyOf(ordinal) <= list.worstKey();
  }

  /** Once all in a full list have the best key there is, a farther store cannot enter it. */
  function reachOfFull(order: StoreOrder): number {
    const worstKey = list.worstKey();
    return worstKey <= order.leastKey && !order.isByDistance ? list.worstChord() : order.reachOf(worstKey);
  }

  function rankAfter(request: RankRequest, cursor: Cursor | null, most: number): { ranks: Rank[]; lastGroup: number } {
    const ranks: Rank[] = [];
    let lastGroup = cursor?.group ?? 0;
    for (let group = lastGroup; group < request.groups.length && ranks.length < most; group += 1) {
      const isCursors = cursor !== null && cursor.group === group;
      const found = rankGroup(request, request.groups[group] as Group, isCursors ? cursor : null, most - ranks.length);
      ranks.push(...found);
      if (found.length > 0) lastGroup = group;
    }
    return { ranks, lastGroup };
  }

  function cursorAt(request: RankRequest, rank: number): Cursor | null {
    let left = rank;
    for (const [number, group] of request.groups.entries()) {
      const isDeep = left > storeCount() * DEEP_SHARE;
      const { found, passed } = isDeep ? farRank(request, group, left) : nearRank(request, group, left);
      if (found !== undefined) return cursorOf(number, found);
      left -= passed;
    }
    return null;
  }

  function nearRank(request: RankRequest, group: Group, rank: number): { found: Rank | undefined; passed: number } {
    const ranks = rankGroup(request, group, null, rank + 1);
    return { found: ranks[rank], passed: ranks.length };
  }

  function farRank(request: RankRequest, group: Group, rank: number): { found: Rank | undefined; passed: number } {
    const pile = createRankPile(isBefore);
    const reach: Reach = { nearest: 0, farthest: request.farthest, viewport: request.viewport };
    const visitor: Visitor = {
      wants: request.accept,
      visit(ordinal, chordSquared) {
        pile.add(request.order.keyOf(ordinal, chordSquared), chordSquared, ordinal);
        return request.farthest;
      },
      restart() {},
    };
    candidates.scan(group, request.from, reach, visitor);
    return { found: rank < pile.size ? pile.selectNth(rank) : undefined, passed: pile.size };
  }

  function cursorOf(group: number, rank: Rank): Cursor {
    const { key, chordSquared, ordinal } = rank;
    return { group, key, chordSquared, storeId: storeIds[ordinal] as string };
  }

  return { rankAfter, cursorAt };
}
