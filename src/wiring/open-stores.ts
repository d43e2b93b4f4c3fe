import { createInventoryCache, type InventoryCache } from '../catalog/inventory.cache.ts';
import { createKeepSellers } from '../catalog/search/keep-sellers.ts';
import { createProductIndexes, type ProductIndexes } from '../catalog/search/product-indexes.cache.ts';
import { type AheadStore, createReadAhead } from '../catalog/search/read-ahead.cache.ts';
import type { EventLoopScheduler } from '../load/event-loop-scheduler.ts';
import { createStoreOrderFeed, type StoreOrderFeed } from '../merchants/store-orders.route.ts';
import { createKnownStores, type KnownStores } from '../stores/known-stores.cache.ts';
import { loadAllStores } from '../stores/search/cold-loads/load-all-stores.flow.ts';
import type { KeepSellers } from '../stores/search/items/kept-sellers.ts';
import type { BegunSnapshot } from '../stores/search/snapshots/begin-snapshot.flow.ts';
import { hasCatalogue, storeIdAt } from '../stores/search/store-block.ts';
import { createStoreSearch, type StoreSearch } from '../stores/search/store-search.index.ts';
import { followStores, type StoreFeed } from '../stores/store-feed.cache.ts';
import { canReadStores, findStores } from '../stores/stores.db.ts';
import type { Connections } from './open-connections.ts';
import { openSnapshots } from './open-snapshots.ts';
import { openStoredIndexes } from './open-stored-indexes.ts';
import type { ServiceOptions } from './service-options.ts';

/** The name by which a worker tells its peers that its index is loading. */
const LOADING = 'loading';

/** Everything that a node keeps in memory about stores; PostgreSQL can rebuild all of it. */
export type StoresInMemory = {
  /** Finds stores; complete once `storeFeed.isLoaded`. */
  search: StoreSearch;
  storeFeed: StoreFeed;
  /** The products of stores, for product search and cart search. */
  productIndexes: ProductIndexes;
  /** Rules out stores that do not sell what is searched for. */
  keepSellers: KeepSellers;
  /** Whole stores, as fresh as search is. */
  knownStores: KnownStores;
  /** Inventories ready to send. A change of a store, its products, stock or slots evicts its inventory after the commit. */
  inventory: InventoryCache;
  /** The changes of orders, for open consoles. */
  storeOrders: StoreOrderFeed;
  /** A sentence for `/readyz`: the database does not answer or is of a newer version, or the search index is loading. */
  notReadyBecause(): Promise<string | undefined>;
};

type Used = Pick<Connections, 'db' | 'tokens' | 'schemaWatch'> & {
  scheduler: EventLoopScheduler;
  /** Undefined where the node keeps no snapshot. */
  snapshot: BegunSnapshot | undefined;
};

/** Opens the caches and the search index, and starts to follow the changes of stores. */
export function openStores(
  options: ServiceOptions,
  { db, tokens, scheduler, schemaWatch, snapshot }: Used,
  opened: AsyncDisposableStack,
): StoresInMemory {
  const { connectionString, schema, log, role, clock, peers, inventoryPollMs: pollIntervalMs } = options;
  const search = createStoreSearch();
  // A worker node reads no product index.
  const stored = role === 'worker' ? {} : { stored: openStoredIndexes(db, log) };
  const productIndexes = createProductIndexes({ db, scheduler, ...stored });
  opened.defer(() => productIndexes.close());
  const readAhead = createReadAhead({
    productIndexes,
    isLoaded: () => storeFeed.isLoaded,
    maxProducts: options.config.productsReadAhead,
    log,
  });
  opened.defer(() => readAhead.close());
  const loaded = { ...search, startBlocks: noting(search, readAhead) };
  const snapshots = openSnapshots(options, db, loaded, snapshot);
  const knownStores = createKnownStores({ read: (storeIds) => findStores(db, storeIds) });
  const storeFeed = followStores({
    db,
    connectionString,
    log,
    scheduler,
    restore: async (signal) =>
      (await snapshots?.restore(signal)) ??
      loadAllStores({ db, log, order: { connectionString, schema }, search: loaded, signal }),
    finishLoad: search.finishLoad,
    onLoaded: () => peers.counters.set(LOADING, 0),
    *apply(store) {
      productIndexes.drop(store.storeId);
      readAhead.note(store);
      knownStores.apply(store);
      yield* search.applySteps(store);
    },
  });
  opened.defer(() => storeFeed.close());
  const inventory = createInventoryCache({
    db,
    tokens,
    clock,
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
  });
  opened.defer(() => inventory.close());
  const storeOrders = createStoreOrderFeed({ db, log, connectionString });
  opened.defer(() => storeOrders.close());
  // A worker node answers no search.
  if (role !== 'worker') {
    // A replacement listens once it has loaded: the other workers are ready without it.
    if (!peers.isReplacement) peers.counters.set(LOADING, 1);
    storeFeed.start();
    // One worker keeps the file that all of them start from.
    if (snapshots && peers.number === 1) {
      const keeper = snapshots.keep(storeFeed);
      opened.defer(() => keeper.close());
    }
  }
  return {
    search,
    storeFeed,
    productIndexes,
    keepSellers: createKeepSellers(productIndexes),
    knownStores,
    inventory,
    storeOrders,
    async notReadyBecause() {
      const reason = schemaWatch.stoppedBecause();
      if (reason) return reason;
      if (!(await canReadStores(db))) return 'The database does not answer.';
      if (role === 'worker') return undefined;
      if (!storeFeed.isLoaded) return 'The search index is loading.';
      return peers.counters.ofPeers(LOADING).sum > 0 ? 'The search index of another worker is loading.' : undefined;
    },
  };
}

/** Stores of a snapshot reach the search index without the change feed. */
function noting(
  { startBlocks }: StoreSearch,
  readAhead: { note(store: AheadStore): void },
): StoreSearch['startBlocks'] {
  return (stores) => {
    const { load, ...others } = startBlocks(stores);
    return {
      ...others,
      load(block) {
        load(block);
        for (let nth = 0; nth < block.size; nth += 1) {
          if (hasCatalogue(block, nth))
            readAhead.note({ storeId: storeIdAt(block, nth), listed: true, hasCatalogue: true });
        }
      },
    };
  };
}
