import { LRUCache } from 'lru-cache';
import type { Store } from './store.ts';

/** About 3 kB each: as many stores as the product indexes of a node usually are of. */
const MAX_STORES = 25_000;

/**
 * Whole stores by id, as fresh as the search index: read in batches, then updated by the change feed. `fetch` of lru-cache
 * reads one key at a time, and knows no newer value that arrives during a read.
 */
export type KnownStores = {
  /** The stores that exist. */
  of(storeIds: readonly string[]): Promise<Map<string, Store>>;
  /** Takes in a store from the change feed. */
  apply(store: Store): void;
};

export type KnownStoresOptions = {
  /** Reads the stores that exist. */
  read(storeIds: readonly string[]): Promise<Store[]>;
  maxStores?: number;
};

export function createKnownStores({ read, maxStores = MAX_STORES }: KnownStoresOptions): KnownStores {
  const stores = new LRUCache<string, Store>({ max: maxStores });
  /** For each running read, the stores that the feed has changed since: the read may have an older version. */
  const changedMeanwhile = new Set<Map<string, Store>>();

  async function readMissing(storeIds: readonly string[], found: Map<string, Store>): Promise<void> {
    const changed = new Map<string, Store>();
    changedMeanwhile.add(changed);
    try {
      for (const store of await read(storeIds)) {
        const newest = changed.get(store.storeId) ?? store;
        found.set(store.storeId, newest);
        if (newest === store) stores.set(store.storeId, store);
      }
    } finally {
      changedMeanwhile.delete(changed);
    }
  }

  return {
    async of(storeIds) {
      const found = new Map<string, Store>();
      const missing = storeIds.filter((storeId) => {
        const store = stores.get(storeId);
        if (store) found.set(storeId, store);
        return store === undefined;
      });
      if (missing.length > 0) await readMissing(missing, found);
      return found;
    },
    apply(store) {
      for (const changed of changedMeanwhile) changed.set(store.storeId, store);
      // Product and cart search never need a store without a catalogue, and there are many such stores.
      if (store.hasCatalogue) stores.set(store.storeId, store);
      else stores.delete(store.storeId);
    },
  };
}
