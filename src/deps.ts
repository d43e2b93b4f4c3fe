import type { Logger } from 'pino';
import type { Authenticate } from './accounts/authenticate.hook.ts';
import type { InventoryCache } from './catalog/inventory.cache.ts';
import type { Shelves } from './catalog/search/shelves.cache.ts';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Loop } from './jobs/loop.ts';
import type { Clock } from './lib/clock.ts';
import type { Metrics } from './lib/metrics.ts';
import type { PublicHttp } from './lib/public-http/public-http.ts';
import type { TokenSealer } from './lib/tokens.ts';
import type { Messaging } from './messages/messaging.ts';
import type { Placing } from './orders/placing.flow.ts';
import type { Gateways } from './payments/payment-gateway.ts';
import type { PlaceDirectory } from './places/place-directory.ts';
import type { KnownStores } from './stores/known-stores.cache.ts';
import type { StoreFeed } from './stores/store-feed.cache.ts';
import type { StoreSearch } from './stores/store-search.ts';

/** What the composition root wires once and every route and job takes its part of. */
export type Deps = {
  config: Config;
  clock: Clock;
  log: Logger;
  db: Db;
  tokens: TokenSealer;
  /** The service's own secret; the same on every node. */
  tokenSecret: string;
  jobs: Jobs;
  gateways: Gateways;
  messaging: Messaging;
  /** What a worker does again and again beside its jobs: sending what waits in its own queues. */
  loops: readonly Loop[];
  metrics: Metrics;
  /** Where places are looked for that are no stores yet. */
  placeDirectory: PlaceDirectory;
  /** Calls URLs that accounts have named, on public hosts alone. */
  publicHttp: PublicHttp;
  /** Inventories ready to send; who changes a store, its products, stock or slots evicts it after the commit. */
  inventory: InventoryCache;
  placing: Placing;
  authenticate: Authenticate;
  /** Finds stores in memory; complete once `storeFeed.isLoaded`. */
  search: StoreSearch;
  storeFeed: StoreFeed;
  /** What stores sell, in memory, for product search and cart search. */
  shelves: Shelves;
  /** Whole stores, as fresh as search is. */
  knownStores: KnownStores;
  /** Whether the database answers and the search index is loaded; a sentence for `/readyz` when not. */
  notReadyBecause(): Promise<string | undefined>;
};
