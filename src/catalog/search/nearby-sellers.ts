import { ANY_STORE, type NearStore, type StoreQuery } from '../../search/stores/store-query.ts';
import type { StoreSearch } from '../../search/stores/store-search.index.ts';

/** Stores whose products one request searches. */
export const MAX_SELLERS = 500;

/** Filters and sort of the stores of a search for products or carts. */
export type SellerQuery = Pick<
  StoreQuery,
  'sandbox' | 'latitude' | 'longitude' | 'storeType' | 'pickup' | 'open' | 'deliversHere' | 'maximumMiles' | 'sort'
>;

/**
 * The nearest stores with a catalogue that pass the filters, nearest first, ties by their ids; at most `MAX_SELLERS`.
 * `key` is the sort key of the query's sort.
 */
export function nearbySellers(search: StoreSearch, query: SellerQuery, nowEpochS: number): NearStore[] {
  return search.nearest(storeQueryOf(query), MAX_SELLERS, nowEpochS);
}

/** One store with a catalogue, however far it is; empty where it does not pass the other filters. */
export function namedSeller(search: StoreSearch, storeId: string, query: SellerQuery, nowEpochS: number): NearStore[] {
  const store = search.nearestOf(storeId, storeQueryOf(query), nowEpochS);
  return store === undefined ? [] : [store];
}

function storeQueryOf(query: SellerQuery): StoreQuery {
  return { ...ANY_STORE, ...query, sellersOnly: true };
}
