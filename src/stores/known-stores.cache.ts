import { LRUCache } from 'lru-cache';
import type { Store } from './store.ts';

/** About 3 kB each: as many stores as the product indexes of a node usually are of. */
const MAX_STORES = 25_000;

/**
 * Whole stores by id, as fresh as the search index: read in batches, and again after each change. `fetch` of lru-cache
 * reads one key at a time, and cannot tell that a key was dropped during a read.
 */
export type KnownStores = {
  /** The stores that exist. */
  of(storeIds: readonly string[]): Promise<Map<string, Store>>;
  /** Called for every store that changes: it is read again. */
  forget(storeId: string): void;
  /** Called where any store may have changed. */
  forgetAll(): void;
};

export type KnownStoresOptions = {
  /** Reads the stores that exist. */
  read(storeIds: readonly string[]): Promise<Store[]>;
  maxStores?: number;
};

export function createKnownStores({ read, maxStores = MAX_STORES }: KnownStoresOptions): KnownStores {
  const stores = new LRUCache<string, Store>({ max: maxStores });
  /** The running reads, each with its stores that have changed since: the read may have an older version. */
  const reads = new Map<readonly string[], Set<string>>();

  async function readInto(found: Map<string, Store>, storeIds: readonly string[]): Promise<void> {
    const changed = new Set<string>();
    reads.set(storeIds, changed);
    try {
      for (const store of await read(storeIds)) {
        found.set(store.storeId, store);
        if (!changed.has(store.storeId)) stores.set(store.storeId, store);
      }
    } finally {
      reads.delete(storeIds);
    }
    const again = storeIds.filter((storeId) => changed.has(storeId));
    if (again.length > 0) await readInto(found, again);
  }

  return {
    async of(storeIds) {
      const found = new Map<string, Store>();
      const missing = storeIds.filter((storeId) => {
        const store = stores.get(storeId);
        if (store) found.set(storeId, store);
        return store === undefined;
      });
      if (missing.length > 0) await readInto(found, missing);
      return found;
    },
    forget(storeId) {
      stores.delete(storeId);
      for (const changed of reads.values()) changed.add(storeId);
    },
    forgetAll() {
      stores.clear();
      for (const [storeIds, changed] of reads) for (const storeId of storeIds) changed.add(storeId);
    },
  };
}
