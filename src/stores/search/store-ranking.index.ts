import type { IdTable } from '../../lib/columns/id-table.ts';
import { createTopList, type RankedItem } from '../../lib/columns/top-list.ts';
import { createCandidates, type Visitor } from './candidates.index.ts';
import { createFarRank, type FarRanks, reachOf } from './far-rank.index.ts';
import { createGroupLists } from './groups/group-lists.index.ts';
import { createGroupTrees } from './groups/group-trees.index.ts';
import type { RecentChanges } from './groups/recent-changes.index.ts';
import type { Group } from './groups/store-group.ts';
import type { NameIndex } from './name.index.ts';
import type { FoundRank, RankRequest } from './nodes/rank-request.ts';
import type { SpatialIndex } from './spatial.index.ts';
import type { StoreSort } from './store-sort.ts';

/** A position in sorted stores: after the store described, in the group of that number. */
export type Cursor = { group: number; key: number; chordSquared: number; storeId: string };

/** A store of a higher rank is selected, instead of ranking all stores before it. */
const NEAR_RANK = 2000;

/** The parts of the index that ranking reads. */
export type RankingInputs = {
  spatial: SpatialIndex;
  names: NameIndex;
  changes: RecentChanges;
  ids: Pick<IdTable, 'at' | 'isBefore'>;
  storeCount(): number;
};

/** A store in the sort: `tieKey` is the squared chord, `id` the ordinal. */
export type RankedStores = { stores: RankedItem[]; lastGroup: number };

/** `following` has the stores after the cursor, as `rankAfter` gives them, where they were ranked on the way. */
export type FoundCursor = { cursor: Cursor; following: RankedStores | null };

export type StoreRanking = {
  /** At most `limit` stores that follow the cursor (null: from the start), with the group of the last store. */
  rankAfter(request: RankRequest, cursor: Cursor | null, limit: number): RankedStores;
  /** The position after the store of that rank, from 0, in short steps; null past the last store. */
  cursorSteps(request: RankRequest, ranks: FarRanks): Generator<void, FoundCursor | null>;
  cursorAfter(store: RankedItem, group: number): Cursor;
};

/** Stores of equal key and distance are sorted by id, so that every node gives the same sequence. */
export function createStoreRanking({ spatial, names, changes, ids, storeCount }: RankingInputs): StoreRanking {
  const list = createTopList(ids.isBefore);
  const groupTrees = createGroupTrees(spatial, names, changes);
  const groupLists = createGroupLists({ spatial, names, changes });
  const farRank = createFarRank({ spatial, names }, ids.isBefore);
  const candidates = createCandidates({ spatial, names, groupTrees, groupLists, changes }, storeCount);

  function isAfter(cursor: Cursor, key: number, chordSquared: number, ordinal: number): boolean {
    if (key !== cursor.key) return key > cursor.key;
    if (chordSquared !== cursor.chordSquared) return chordSquared > cursor.chordSquared;
    return ids.at(ordinal) > cursor.storeId;
  }

  function rankGroup(request: RankRequest, group: Group, cursor: Cursor | null, limit: number): RankedItem[] {
    const { accept, acceptFound, sort, farthest, delivers } = request;
    const reach = reachOf(request);
    if (sort.isByDistance && cursor !== null) reach.nearest = cursor.chordSquared;
    let reachLeft = farthest;
    const visitor: Visitor = {
      accepts: sort.isByDistance ? accept : (ordinal) => mayRank(sort, ordinal) && accept(ordinal),
      acceptsFound: sort.isByDistance ? acceptFound : (ordinal) => mayRank(sort, ordinal) && acceptFound(ordinal),
      visit(ordinal, chordSquared, isCore) {
        const key = sort.keyOf(ordinal, chordSquared);
        if (cursor !== null && !isAfter(cursor, key, chordSquared, ordinal)) return reachLeft;
        if (delivers !== null && !isCore && !delivers(ordinal)) return reachLeft;
        list.offer(key, chordSquared, ordinal);
        if (list.isFull()) reachLeft = Math.min(farthest, reachOfFull(sort));
        return reachLeft;
      },
      isBeyond,
      worstKey,
      restart() {
        list.reset(limit);
        reachLeft = farthest;
      },
    };
    visitor.restart();
    candidates.visit(group, request.from, reach, { limit, sort, start: cursor }, visitor);
    return list.drain();
  }

  function worstKey(): number {
    return list.isFull() ? list.worstKey() : Infinity;
  }

  function isBeyond(key: number, chordSquared: number): boolean {
    if (!list.isFull()) return false;
    const worst = list.worstKey();
    return key > worst || (key === worst && chordSquared > list.worstTieKey());
  }

  function mayRank(sort: StoreSort, ordinal: number): boolean {
    return !list.isFull() || sort.minKeyOf(ordinal) <= list.worstKey();
  }

  /** Where all stores of a full list have the lowest key possible, a farther store cannot enter the list. */
  function reachOfFull(sort: StoreSort): number {
    const worstKey = list.worstKey();
    return worstKey <= sort.minKey && !sort.isByDistance ? list.worstTieKey() : sort.reachOf(worstKey);
  }

  function rankAfter(request: RankRequest, cursor: Cursor | null, limit: number): RankedStores {
    const stores: RankedItem[] = [];
    let lastGroup = cursor?.group ?? 0;
    for (let group = lastGroup; group < request.groups.count && stores.length < limit; group += 1) {
      const from = cursor?.group === group ? cursor : null;
      const found = rankGroup(request, request.groups.at(group), from, limit - stores.length);
      stores.push(...found);
      if (found.length > 0) lastGroup = group;
    }
    return { stores, lastGroup };
  }

  function* cursorSteps(request: RankRequest, { rank, size }: FarRanks): Generator<void, FoundCursor | null> {
    let left = rank;
    const { count } = request.groups;
    for (let number = 0; number < count; number += 1) {
      const group = request.groups.at(number);
      const { found, passed, following } =
        left < NEAR_RANK ? nearRank(request, group, left) : yield* farRank(request, group, { rank: left, size });
      if (found !== undefined) {
        const isWhole = following !== null && number + 1 === count;
        const page = isWhole ? { stores: following, lastGroup: number } : null;
        return { cursor: cursorAfter(found, number), following: page };
      }
      left -= passed;
    }
    return null;
  }

  function nearRank(request: RankRequest, group: Group, rank: number): FoundRank {
    const stores = rankGroup(request, group, null, rank + 1);
    return { found: stores[rank], passed: stores.length, following: null };
  }

  function cursorAfter({ key, tieKey, id }: RankedItem, group: number): Cursor {
    return { group, key, chordSquared: tieKey, storeId: ids.at(id) };
  }

  return { rankAfter, cursorSteps, cursorAfter };
}
