import { ANY_STORE, type NearStore, type StoreQuery } from '../../stores/search/store-query.ts';
import type { StoreSearch } from '../../stores/search/store-search.index.ts';

/** Stores whose products are looked at in one request. */
export const MOST_SELLERS = 500;

/** What a search for products or carts asks of the stores. */
export type SellerQuery = Pick<
  StoreQuery,
  'latitude' | 'longitude' | 'storeType' | 'pickup' | 'open' | 'maximumMiles' | 'sort'
>;

/**
 * The nearest stores with a catalogue that meet the conditions, nearest first, ties by their ids; at most
 * `MOST_SELLERS`. `key` is what the query's order of stores goes by.
 */
export function nearbySellers({ sellers }: StoreSearch, query: SellerQuery, nowEpochS: number): NearStore[] {
  return sellers.nearest(storeQueryOf(query), MOST_SELLERS, nowEpochS);
}

/** One store with a catalogue, however far it is; empty where it does not meet the other conditions. */
export function namedSeller(
  { sellers }: StoreSearch,
  storeId: string,
  query: SellerQuery,
  nowEpochS: number,
): NearStore[] {
  const store = sellers.nearestOf(storeId, storeQueryOf(query), nowEpochS);
  return store === undefined ? [] : [store];
}

function storeQueryOf(query: SellerQuery): StoreQuery {
  return { ...ANY_STORE, ...query };
}
