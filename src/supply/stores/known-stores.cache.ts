import { lruOptions } from 'doorstep/collections';
import { LRUCache } from 'lru-cache';
import type { Store } from './store.ts';

/** Maximum cached stores of about 3 kB each, as many as a node's product indexes usually cover. */
const MAX_STORES = 25_000;

export type KnownStoresOptions = { read(storeIds: readonly string[]): Promise<Store[]>; maxStores?: number };

/**
 * Complete stores by id, as up to date as the search index: read in batches, and again after each change. lru-cache's
 * `fetch` reads one key at a time, and cannot tell that a key was dropped during a read.
 */
export class KnownStores {
  private readonly read: KnownStoresOptions['read'];
  private readonly stores: LRUCache<string, Store>;
  /** Running reads, each with the stores that changed since, which may have been read too early. */
  private readonly reads = new Map<readonly string[], Set<string>>();

  constructor({ read, maxStores = MAX_STORES }: KnownStoresOptions) {
    this.read = read;
    this.stores = new LRUCache(lruOptions(maxStores));
  }

  async of(storeIds: readonly string[]): Promise<Map<string, Store>> {
    const found = new Map<string, Store>();
    const missing = storeIds.filter((storeId) => {
      const store = this.stores.get(storeId);
      if (store) found.set(storeId, store);
      return store === undefined;
    });
    if (missing.length > 0) await this.readInto(found, missing);
    return found;
  }

  /** Drops a changed store, so that it is read again. */
  forget(storeId: string): void {
    this.stores.delete(storeId);
    for (const changed of this.reads.values()) changed.add(storeId);
  }

  /** Drops all stores, if any may have changed. */
  forgetAll(): void {
    this.stores.clear();
    for (const [storeIds, changed] of this.reads) for (const storeId of storeIds) changed.add(storeId);
  }

  private async readInto(found: Map<string, Store>, storeIds: readonly string[]): Promise<void> {
    const changed = new Set<string>();
    this.reads.set(storeIds, changed);
    try {
      for (const store of await this.read(storeIds)) {
        found.set(store.storeId, store);
        if (!changed.has(store.storeId)) this.stores.set(store.storeId, store);
      }
    } finally {
      this.reads.delete(storeIds);
    }
    const again = storeIds.filter((storeId) => changed.has(storeId));
    if (again.length > 0) await this.readInto(found, again);
  }
}
