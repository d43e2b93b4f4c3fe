import { type Caller, ownerOf } from '../../accounts/account.ts';
import type { Db } from '../../db/connect.ts';
import { Refusal } from '../../http/refusal.ts';
import type { FairTurns } from '../../lib/fair-turns.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import type { StoreFeed } from '../store-feed.cache.ts';
import { findItemSellers } from './items/find-item-sellers.flow.ts';
import type { KeepSellers } from './items/kept-sellers.ts';
import type { SearchParameters } from './search-request.ts';
import type { StoreIndex } from './store.index.ts';
import type { StorePage, StoreQuery } from './store-query.ts';
import type { StoreSearch } from './store-search.index.ts';

export type StoreSearchDeps = {
  db: Db;
  search: StoreSearch;
  storeFeed: Pick<StoreFeed, 'isLoaded'>;
  turns: FairTurns;
  keepSellers: KeepSellers;
};

/** A page, and the index that its ordinals are of: they are valid until the index next changes. */
export type FoundPage = { index: StoreIndex; page: StorePage };

type Question = { caller: Caller; query: StoreQuery; focus: SearchParameters['search_focus'] };

/**
 * A page of store search. No promise where the page is near in memory: a promise would cost a turn of the event loop.
 * Refuses with not_ready until all stores are in the index.
 */
export function findStorePage(
  { db, search, storeFeed, turns, keepSellers }: StoreSearchDeps,
  { caller, query, focus }: Question,
  nowEpochS: number,
): FoundPage | Promise<FoundPage> {
  if (!storeFeed.isLoaded) throw notLoaded();
  const { stores, sellers } = search;
  if (focus === 'item' && wordsOf(query.text).length > 0) {
    const needs = { db, sellers, keepSellers, slice: turns.sliceOf(ownerOf(caller)) };
    return findItemSellers(needs, query, nowEpochS).then((page) => ({ index: sellers, page }));
  }
  const findNow = () => ({ index: stores, page: stores.search(query, nowEpochS) });
  if (stores.isPageNear(query, nowEpochS)) return findNow();
  const slice = turns.sliceOf(ownerOf(caller));
  // The page and its bytes begin a slice of their own: at the end of a full slice they would hold the event loop longer.
  return slice
    .run(stores.findPage(query, nowEpochS))
    .then(() => slice.next())
    .then(findNow);
}

function notLoaded(): Refusal {
  return new Refusal('not_ready', 'The search index is loading.', { headers: { 'retry-after': '1' } });
}
