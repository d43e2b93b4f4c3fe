import type { Db } from '../../db/connect.ts';
import { Refusal } from '../../http/refusal.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { nextSlice, runInSlices } from '../../load/event-loop-scheduler.ts';
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
  keepSellers: KeepSellers;
};

/** A page, and the index that its ordinals are of: they are valid until the index next changes. */
export type FoundPage = { index: StoreIndex; page: StorePage };

type Question = { query: StoreQuery; focus: SearchParameters['search_focus'] };

/**
 * A page of store search. No promise where the page is near in memory: a promise would cost a turn of the event loop.
 * Refuses with not_ready until all stores are in the index.
 */
export function findStorePage(
  { db, search, storeFeed, keepSellers }: StoreSearchDeps,
  { query, focus }: Question,
  nowEpochS: number,
): FoundPage | Promise<FoundPage> {
  if (!storeFeed.isLoaded) throw notLoaded();
  const { stores, sellers } = search;
  if (focus === 'item' && wordsOf(query.text).length > 0) {
    const needs = { db, sellers, keepSellers };
    return findItemSellers(needs, query, nowEpochS).then((page) => ({ index: sellers, page }));
  }
  const findNow = () => ({ index: stores, page: stores.search(query, nowEpochS) });
  if (stores.isPageNear(query, nowEpochS)) return findNow();
  // The page and its bytes begin a slice of their own: at the end of a full slice they would hold the event loop longer.
  return runInSlices(stores.findPage(query, nowEpochS)).then(nextSlice).then(findNow);
}

function notLoaded(): Refusal {
  return new Refusal('not_ready', 'The search index is loading.', { headers: { 'retry-after': '1' } });
}
