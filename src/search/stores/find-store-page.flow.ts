import { splitWords } from 'doorstep/search-engine/text';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { nextSlice, runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import type { StoreFeed } from '../../supply/stores/store-feed.cache.ts';
import { findItemSellers, type ItemSearches } from './find-item-sellers.flow.ts';
import type { SearchParameters } from './search-request.ts';
import type { StoreQuery } from './store-query.ts';
import type { StorePage, StoreSearch } from './store-search.index.ts';

export type StoreSearchDeps = {
  search: StoreSearch;
  storeFeed: Pick<StoreFeed, 'isLoaded'>;
  itemSearches: ItemSearches;
};

/** `owner` is the account and mode whose limits the search uses. */
type Question = { query: StoreQuery; focus: SearchParameters['search_focus']; owner: string };

/**
 * Writes a page of store search within one turn of the event loop. Returns no promise for near pages, because it would
 * cost a turn. Refuses with `not_ready` until the index is loaded.
 */
export function findStorePage(
  { search, storeFeed, itemSearches }: StoreSearchDeps,
  { query, focus, owner }: Question,
  nowEpochS: number,
): StorePage | Promise<StorePage> {
  if (!storeFeed.isLoaded) throw notLoaded();
  if (focus === 'item' && splitWords(query.text).length > 0) {
    return itemSearches.run(owner, (gradeSellers) => findItemSellers({ search, gradeSellers }, query, nowEpochS));
  }
  const findNow = () => search.search(query, nowEpochS);
  if (search.isPageNear(query, nowEpochS)) return findNow();
  // Writes the page in a new slice, because at the end of a full slice it would block the event loop too long.
  return runInSlices(search.findPage(query, nowEpochS)).then(nextSlice).then(findNow);
}

const notLoaded = (): Refusal => new Refusal('not_ready', 'The search index is loading.', retryAfter(1));
