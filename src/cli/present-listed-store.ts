import type { ListedStore } from '../stores/stores.db.ts';

/** A store in the answers of `stores list` and `stores set`. */
export function presentListedStore({ storeId, externalId, name, source, listed, mergedInto }: ListedStore) {
  return { store_id: storeId, external_id: externalId, name, source, listed, merged_into: mergedInto };
}
