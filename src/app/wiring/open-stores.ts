import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { ProductItemSearches } from '../../search/products/item-sellers.flow.ts';
import { ProductIndexes } from '../../search/products/product-indexes.cache.ts';
import { SearchWriter } from '../../search/products/search-writer.flow.ts';
import type { ItemSearches } from '../../search/stores/find-item-sellers.flow.ts';
import { SearchReader } from '../../search/stores/search-reader.flow.ts';
import { StoreSearch } from '../../search/stores/store-search.index.ts';
import { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import { KnownStores } from '../../supply/stores/known-stores.cache.ts';
import { heldToAgreement } from '../../supply/stores/store.ts';
import { findStores } from '../../supply/stores/stores.db.ts';
import { createStoreOrderFeed, type StoreOrderFeed } from '../../surfaces/store-console/store-orders.route.ts';
import { DatabaseProbe } from './database-probe.ts';
import type { Connections } from './open-connections.ts';
import type { ServiceOptions } from './service-options.ts';

/** Name of the counter that shows a worker's peers that its index is loading. */
const LOADING = 'loading';

/** A node's in-memory store data, which PostgreSQL can rebuild. */
export type StoresInMemory = {
  /** Store search; complete once `storeFeed.isLoaded`. */
  search: StoreSearch;
  storeFeed: SearchReader;
  /** Stores' products, for product and cart search. */
  productIndexes: ProductIndexes;
  itemSearches: ItemSearches;
  /** Complete records of stores, cached, and read again after each change, as in the search index. */
  knownStores: KnownStores;
  /** Prepared inventories. A change to a store, its products, stock or slots evicts its inventory after the commit. */
  inventory: InventoryCache;
  /** Order changes, for open consoles. */
  storeOrders: StoreOrderFeed;
  /**
   * Returns the reason of a failing `/readyz`, as a sentence: the database is unavailable or of a newer version, the
   * machine's clock is wrong, or the search index is loading. Without `database` neither an unavailable one nor a clock counts.
   */
  notReadyBecause(check: { database: boolean }): Promise<string | undefined>;
};

type OpenStoresDeps = Pick<Connections, 'db' | 'tokens' | 'schemaWatch' | 'clockWatch'> & {
  reportLeftOut: ReportLeftOut;
};

/** Opens the caches and the search index, and starts following store changes. */
export function openStores(
  options: ServiceOptions,
  { db, tokens, schemaWatch, clockWatch, reportLeftOut }: OpenStoresDeps,
  opened: AsyncDisposableStack,
): StoresInMemory {
  const { connectionString, log, role, clock, peers, inventoryPollMs: pollIntervalMs } = options;
  const { requireAgreement } = options.config;
  const search = new StoreSearch(undefined, { requireAgreement });
  const productIndexes = new ProductIndexes({ reportLeftOut });
  opened.defer(() => productIndexes.close());
  const knownStores = new KnownStores({
    read: async (storeIds) => (await findStores(db, storeIds)).map((store) => heldToAgreement(store, requireAgreement)),
  });
  const storeFeed = new SearchReader({
    search,
    onChange(storeId) {
      productIndexes.drop(storeId);
      knownStores.forget(storeId);
    },
    onLoaded() {
      peers.counters.set(LOADING, 0);
      knownStores.forgetAll();
      productIndexes.dropAll();
    },
    onShelves: (access) => productIndexes.attach(access),
  });
  opened.defer(() => storeFeed.close());
  const inventory = new InventoryCache({
    db,
    tokens,
    clock,
    requireAgreement,
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
  });
  opened.defer(() => inventory.close());
  const storeOrders = createStoreOrderFeed({ db, log, connectionString });
  opened.defer(() => storeOrders.close());
  const probe = new DatabaseProbe(() => clockWatch.measure());
  // A worker node answers no search.
  if (role !== 'worker') {
    // A replacement listens once it is loaded; the other workers are ready without it.
    if (!peers.isReplacement) peers.counters.set(LOADING, 1);
    storeFeed.start();
    followWriter(options, storeFeed, opened);
  }
  return {
    search,
    storeFeed,
    productIndexes,
    itemSearches: new ProductItemSearches(productIndexes),
    knownStores,
    inventory,
    storeOrders,
    async notReadyBecause({ database }) {
      const reason = schemaWatch.stoppedBecause();
      if (reason) return reason;
      const unusable = database ? ((await probe.check()) ?? clockWatch.notReadyBecause()) : undefined;
      if (unusable) return unusable;
      if (role === 'worker') return undefined;
      if (!storeFeed.isLoaded) return 'The search index is loading.';
      return peers.counters.ofPeers(LOADING).sum > 0 ? 'The search index of another worker is loading.' : undefined;
    },
  };
}

/** Follows the search index's writer, shared by the workers or in a thread of this service. */
function followWriter(options: ServiceOptions, reader: SearchReader, opened: AsyncDisposableStack): void {
  const { config, connectionString, schema, log, peers } = options;
  if (peers.onSearchPort) {
    peers.onSearchPort((port) => reader.attach(port));
    return;
  }
  const writer = new SearchWriter({
    data: { connectionString, schema, snapshotFolder: snapshotFolder(config, schema) },
    maxShelfBytes: config.productIndexBytes,
    log,
    onStart() {
      const port = writer.connect();
      if (port) reader.attach(port);
    },
  });
  writer.start();
  opened.defer(() => writer.close());
}

/** Returns the snapshot folder of a schema, because two services may share a data folder. */
export function snapshotFolder({ searchSnapshotDir }: Pick<Config, 'searchSnapshotDir'>, schema: string) {
  return searchSnapshotDir === null ? null : join(searchSnapshotDir, schema);
}
