import type { ListedStore } from '../stores/list-stores.db.ts';

/** A store as `stores list` and `stores set` answer with it. */
export function presentListedStore({ storeId, externalId, name, source, listed, mergedInto }: ListedStore) {
  return { store_id: storeId, external_id: externalId, name, source, listed, merged_into: mergedInto };
}
