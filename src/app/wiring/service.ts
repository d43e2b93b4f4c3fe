import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthenticate, createListsOrigin } from '../../access/accounts/authenticate.hook.ts';
import { createLookUpKey, createRevocationCheck } from '../../access/accounts/key-look-ups.cache.ts';
import { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { createAuthenticateAtSite } from '../../access/customers/authenticate-customer.hook.ts';
import { createAuthenticateConsole } from '../../access/sessions/authenticate-console.hook.ts';
import { createPolledTickets } from '../../fulfillment/store-channels/polled-printers.flow.ts';
import { findLinkedOrder } from '../../fulfillment/store-channels/store-notices.db.ts';
import { createFollowEvent } from '../../ordering/order/follow-event.flow.ts';
import { createOrderStatements } from '../../ordering/order/order-statements.db.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { commitsWaitForStandby } from '../../platform/db/standby.db.ts';
import type { Http } from '../../platform/http/http.ts';
import { loadPages } from '../../platform/http/send-web-file.ts';
import { createCountUnavailable } from '../../platform/http/unavailable.ts';
import { UndeclaredProxies } from '../../platform/http/undeclared-proxies.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import { RepeatedTask } from '../../platform/jobs/repeat.ts';
import { createReportLeftOut } from '../../platform/lib/left-out.ts';
import { createMetrics } from '../../platform/lib/metrics.ts';
import { EventLoopScheduler } from '../../platform/load/event-loop-scheduler.ts';
import { StreamSlots } from '../../platform/load/stream-slots.ts';
import { Geocoding } from '../../supply/addresses/geocoding.cache.ts';
import { StoreGeocoder } from '../../supply/addresses/store-geocoder.cache.ts';
import { createPhotoTurns } from '../../supply/photos/keep-photo.flow.ts';
import { CodeGuesses } from '../../supply/promotions/code-guesses.flow.ts';
import { SHARED_OFFERS } from '../../supply/promotions/shown-promotions.db.ts';
import { createApp, createPrivateApp } from './app.ts';
import { dataDirFault } from './data-dir-fault.ts';
import type { Deps } from './deps.ts';
import { measureDatabase, measureMemory } from './measure-service.ts';
import { openAdapters } from './open-adapters.ts';
import { openConnections } from './open-connections.ts';
import { openRoutes, openTracer } from './open-plugins.ts';
import { type Queues, startQueues } from './open-queues.ts';
import { openStores } from './open-stores.ts';
import { type Peers, SINGLE_PROCESS } from './peers.ts';
import { REFUSALS } from './refusals.ts';
import type { ServiceOptions } from './service-options.ts';

/** The default schema of a service; tests and benches name others. */
const SCHEMA = 'doorstep';

/** Interval for closing idle connections during shutdown. */
const IDLE_SWEEP_INTERVAL_MS = 50;
/** Time when a running request, or a connection without one, may end during shutdown. */
const SHUTDOWN_GRACE_MS = 8000;

type OptionalSetting = 'role' | 'schema' | 'peers';
export type StartOptions = Omit<ServiceOptions, OptionalSetting> & Partial<Pick<ServiceOptions, OptionalSetting>>;

export type Service = {
  http: Http;
  deps: Deps & Queues;
  /** Starts to listen and returns the address, for example http://127.0.0.1:8080. */
  listen(): Promise<string>;
  /** `listen` for METRICS_PORT; resolves to undefined if it is not set. */
  listenPrivately(): Promise<string | undefined>;
  /** Makes /readyz answer 503 from now on, so that proxies send new requests elsewhere; the node still answers them. */
  drain(): void;
  /** Ends open requests and background work, then closes everything in reverse order. */
  close(): Promise<void>;
};

/** Opens everything that a node of this role needs. Migrates the schema and starts the workers; does not listen yet. */
export async function startService(settings: StartOptions): Promise<Service> {
  const options: ServiceOptions = { role: 'all', schema: SCHEMA, peers: SINGLE_PROCESS, ...settings };
  const opened = new AsyncDisposableStack();
  try {
    return await open(options, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Maximum age of a revocation that a key may outlive while the database is away. */
const REVOCATIONS_MS = 10_000;

/** Kinds of data left out without an error (docs/monitoring.md#metrics). */
const LEFT_OUT_KINDS = ['product', 'product_word', 'place', 'courier_report', 'gateway_event', 'address'];

async function open(options: ServiceOptions, opened: AsyncDisposableStack): Promise<Service> {
  const { config, clock, log, peers } = options;
  if (peers.number === 1) for (const { setting, text } of config.warnings) log.warn({ setting }, text);
  await requireDataDir(config);
  const tracer = await openTracer(options);
  opened.defer(() => tracer?.close());
  const scheduler = new EventLoopScheduler();
  const metrics = createMetrics(peers.count > 1 ? { worker: String(peers.number) } : {});
  const reportLeftOut = createReportLeftOut({ log, clock, metrics }, LEFT_OUT_KINDS);
  const connections = await openConnections(options, opened);
  // Background work acts by itself, so a quiet node has none, like an API node.
  const background: ServiceOptions = connections.quietBecause === undefined ? options : { ...options, role: 'api' };
  const adapters = await openAdapters(options, { ...connections, reportLeftOut, metrics }, opened);
  const stores = openStores(options, { ...connections, reportLeftOut }, opened);
  const trackingSites = new TrackingSites({ ...connections, config, log, connectionString: options.connectionString });
  await trackingSites.start();
  opened.defer(() => trackingSites.stop());
  const lookUpKey = createLookUpKey();
  const run = createRevocationCheck(connections.keysDb, lookUpKey);
  await run();
  const revocations = new RepeatedTask({ name: 'counting revoked keys', everyMs: REVOCATIONS_MS, log, run });
  opened.defer(() => revocations.stop());
  const jobs = createJobs(clock);
  let isDraining = false;
  const lookingUp = { db: connections.keysDb, clock, lookUpKey, offers: SHARED_OFFERS };
  const authenticate = createAuthenticate(lookingUp);
  const deps: Deps = {
    config,
    clock,
    log,
    jobs,
    scheduler,
    peers,
    streets: options.streets ?? [],
    metrics,
    countUnavailable: createCountUnavailable(metrics, REFUSALS, () => commitsWaitForStandby(connections.keysDb)),
    reportLeftOut,
    tracer,
    ...connections,
    ...adapters,
    ...stores,
    notReadyBecause: async (check) => (isDraining ? 'This node is stopping.' : stores.notReadyBecause(check)),
    geocoding: new Geocoding({
      config,
      clock,
      db: connections.db,
      geocoder: adapters.geocoder,
      storeGeocoder: new StoreGeocoder({ db: connections.db, clock, reportLeftOut }),
    }),
    authenticate,
    authenticateAtSite: createAuthenticateAtSite({ ...lookingUp, authenticate }),
    listsOrigin: createListsOrigin({ db: connections.keysDb, lookUpKey }),
    authenticateConsole: createAuthenticateConsole({
      db: connections.keysDb,
      clock,
      config,
      lookUpKey,
      findLinkedOrder,
    }),
    followEvent: createFollowEvent(connections.db, tracer),
    orderStatements: createOrderStatements(connections.db),
    codeGuesses: new CodeGuesses({ clock, db: connections.db }),
    streamSlots: new StreamSlots(peers.counters),
    photoTurns: createPhotoTurns(),
    pluginRoutes: await openRoutes(
      options,
      createPolledTickets({ ...connections, ...adapters, config, clock, jobs, trackingSites }),
    ),
    undeclaredProxies: new UndeclaredProxies(config.trustProxy, (proxy) =>
      log.warn(
        { proxy },
        'X-Forwarded-For came from an address that is not in TRUST_PROXY; if it is your proxy, add it',
      ),
    ),
    trackingSites,
  };
  measureMemory(deps, { isSearching: options.role !== 'worker' });
  measureDatabase(deps);
  const queues = await startQueues(deps, background, opened);
  const http = await createApp(deps);
  opened.defer(() => closeHttp(http.server, () => http.close()));
  const privately = config.metrics && (await createPrivateApp(deps, http));
  if (privately) opened.defer(() => closeHttp(privately.server, () => privately.close()));
  return {
    http,
    deps: { ...deps, ...queues },
    listen: () => listenOn(http, config, peers),
    listenPrivately: async () => privately && config.metrics && listenOn(privately, config.metrics, peers),
    drain() {
      isDraining = true;
      // A response closes its connection, so that proxies send their next requests to another node.
      http.server.prependListener('request', (_request, response) => {
        response.shouldKeepAlive = false;
      });
      log.info('draining');
    },
    close: () => opened.disposeAsync(),
  };
}

/** Refuses an unusable DATA_DIR: without its snapshots, each start would read all stores, and no one would know why. */
async function requireDataDir({ searchSnapshotDir, dataDir }: ServiceOptions['config']): Promise<void> {
  const fault = searchSnapshotDir === null ? undefined : await dataDirFault(dataDir);
  if (fault !== undefined) throw new ConfigError([`DATA_DIR ${fault}.`]);
}

/** Listens once the pages can be served. Workers listen on one port, and the kernel distributes connections. */
async function listenOn(http: Http, at: { host: string; port: number }, { count }: Peers): Promise<string> {
  const options = { host: at.host, port: at.port, reusePort: count > 1 };
  await loadPages(http);
  await http.listen(options);
  const { address, family, port } = http.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * Closes an HTTP server. `close` stops accepting at once and resolves when the last connection has ended. Keep-alive
 * connections are ended once their request is answered, instead of after a minute.
 */
async function closeHttp(server: Server, close: () => Promise<unknown>): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_INTERVAL_MS);
  const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS);
  try {
    await close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
