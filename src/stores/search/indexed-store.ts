import type { Store, StoreAddress } from '../store.ts';

/** What the search index reads of a store beside the store's document. */
export type IndexedStore = Pick<
  Store,
  | 'storeId'
  | 'name'
  | 'type'
  | 'latitude'
  | 'longitude'
  | 'timeZone'
  | 'hours'
  | 'hoursExceptions'
  | 'pausedUntil'
  | 'cuisines'
  | 'dollarSigns'
  | 'onlineOrdering'
  | 'pickup'
  | 'delivery'
  | 'hasCatalogue'
  | 'sandboxAccounts'
> & { address: Pick<StoreAddress, 'city'>; rating: { value: number } | null };
