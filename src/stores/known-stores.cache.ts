import { LRUCache } from 'lru-cache';
import type { Store } from './store.ts';

/** About 3 kB each; the nearest 500 of twenty places. */
const MAX_STORES = 10_000;

/** Whole stores by their ids, as fresh as search is: read many at a time, then kept up by the change feed. */
export type KnownStores = {
  /** Those of the stores that there are. */
  of(storeIds: readonly string[]): Promise<Map<string, Store>>;
  /** Takes in a store as the change feed tells it. */
  apply(store: Store): void;
};

export type KnownStoresOptions = {
  /** Reads those of the stores that there are. */
  read(storeIds: readonly string[]): Promise<Store[]>;
  maxStores?: number;
};

export function createKnownStores({ read, maxStores = MAX_STORES }: KnownStoresOptions): KnownStores {
  const stores = new LRUCache<string, Store>({ max: maxStores });
  /** For each read under way, the stores that the feed told meanwhile: what it has read of them may be older. */
  const toldMeanwhile = new Set<Map<string, Store>>();

  async function readMissing(storeIds: readonly string[], found: Map<string, Store>): Promise<void> {
    const told = new Map<string, Store>();
    toldMeanwhile.add(told);
    try {
      for (const store of await read(storeIds)) {
        const newest = told.get(store.storeId) ?? store;
        found.set(store.storeId, newest);
        if (newest === store) stores.set(store.storeId, store);
      }
    } finally {
      toldMeanwhile.delete(told);
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
      for (const told of toldMeanwhile) told.set(store.storeId, store);
      // A store without a catalogue has nothing to be asked about, and there are many of them.
      if (store.hasCatalogue) stores.set(store.storeId, store);
      else stores.delete(store.storeId);
    },
  };
}
