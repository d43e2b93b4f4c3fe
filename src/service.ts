import type { AddressInfo } from 'node:net';
import { type Clock as BossClock, CLOCK_OVERRIDE_SETTING } from 'pg-boss';
import type { Logger } from 'pino';
import { createAuthenticate } from './accounts/authenticate.hook.ts';
import { createMailFrame } from './adapters/mail/mjml.ts';
import { createSmtpMailer } from './adapters/mail/smtp.ts';
import { createSandboxGateway } from './adapters/payments/sandbox.ts';
import { createStripeGateway } from './adapters/payments/stripe.ts';
import { createGooglePlaces } from './adapters/places/google.ts';
import { createLocalPlaces } from './adapters/places/local.ts';
import { createTwilioTexter } from './adapters/sms/twilio.ts';
import { createApp } from './app.ts';
import { createInventoryCache } from './catalog/inventory.cache.ts';
import { createShelves } from './catalog/search/shelves.cache.ts';
import type { Config } from './config.ts';
import { openDb, openPool } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { settleSetting } from './db/settings.db.ts';
import type { Deps } from './deps.ts';
import { FOLLOWERS } from './followers.ts';
import type { Http } from './http.ts';
import { startBoss } from './jobs/boss.ts';
import { repeat } from './jobs/repeat.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { closeHttp } from './lib/close-http.ts';
import { createMetrics } from './lib/metrics.ts';
import { createPublicHttp, type PublicHttpOptions } from './lib/public-http/public-http.ts';
import { randomId } from './lib/random-id.ts';
import { createTokenSealer } from './lib/tokens.ts';
import { messageLoops } from './messages/send-messages.flow.ts';
import { dispatchAllEvents } from './orders/dispatch-events.flow.ts';
import { createPlacing } from './orders/placing.flow.ts';
import type { PlaceDirectory } from './places/place-directory.ts';
import { createKnownStores } from './stores/known-stores.cache.ts';
import { followStores } from './stores/store-feed.cache.ts';
import { createStoreSearch } from './stores/store-search.ts';
import { findStores } from './stores/stores.db.ts';
import { callEndpoints } from './webhooks/call-endpoints.flow.ts';
import { workersOf } from './workers.ts';

/** What follows from a step begins this soon after it. */
const DISPATCH_EVERY_MS = 200;

export type Role = 'all' | 'api' | 'worker';

export type ServiceOptions = {
  config: Config;
  connectionString: string;
  log: Logger;
  role?: Role;
  /** The PostgreSQL schema to live in; the job queue's is beside it. */
  schema?: string;
  clock?: Clock;
  /** How often hot inventories are compared with the database; 0 compares at every request. */
  inventoryPollMs?: number;
  bossClock?: BossClock;
  /** Where Google's places are, where it is not as in production. */
  googlePlacesUrl?: string;
  /** How accounts' endpoints are called, where it is not as in production. */
  publicHttp?: Partial<PublicHttpOptions>;
};

export type Service = {
  http: Http;
  deps: Deps;
  /** Where it listens, for example http://127.0.0.1:8080. */
  listen(): Promise<string>;
  close(): Promise<void>;
};

/** A node that only works looks for no places, and reads no file of them. */
function openPlaceDirectory({ config, log, role, googlePlacesUrl: baseUrl }: ServiceOptions): Promise<PlaceDirectory> {
  const { googlePlacesApiKey: apiKey, placesFile: file } = config;
  if (apiKey === undefined) return createLocalPlaces({ file: role === 'worker' ? undefined : file, log });
  return Promise.resolve(createGooglePlaces({ apiKey, log, ...(baseUrl === undefined ? {} : { baseUrl }) }));
}

async function notStarted(): Promise<never> {
  throw new Error('The job queue is still starting.');
}

/** Wires everything by hand: the only file that names vendors. Migrates the schema, starts the workers, does not listen yet. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, connectionString, log, role = 'all', schema = 'doorstep', clock = systemClock } = options;
  let isClosing = false;
  const placeDirectory = await openPlaceDirectory(options);
  const pool = openPool({
    connectionString,
    schema,
    max: 16,
    // A test's clock is the job queue's too, on every session that enqueues.
    settings: options.bossClock ? { [CLOCK_OVERRIDE_SETTING]: 'on' } : {},
    onError: (error) => {
      // The driver hangs the whole client on the error, which belongs in no log; and at the end losing it is the aim.
      if (!isClosing) log.warn({ reason: error.message }, 'database connection lost');
    },
  });
  await migrate(pool, schema);
  const db = openDb(pool);
  // The sandbox gateway plays an outside party: no transaction of ours can hold or undo what it writes.
  const gatewayDb = openDb(openPool({ connectionString, schema, max: 4, applicationName: 'doorstep-sandbox-gateway' }));
  const tokenSecret = config.tokenSecret ?? (await settleSetting(db, 'token_secret', randomId('', 32)));
  const tokens = createTokenSealer(tokenSecret);
  const { inventoryPollMs: pollIntervalMs } = options;
  const search = createStoreSearch();
  const shelves = createShelves({ db });
  const knownStores = createKnownStores({ read: (storeIds) => findStores(db, storeIds) });
  const storeFeed = followStores({
    db,
    connectionString,
    log,
    apply(store) {
      shelves.drop(store.storeId);
      knownStores.apply(store);
      search.apply(store);
    },
  });
  const deps: Deps = {
    config,
    clock,
    log,
    db,
    tokenSecret,
    tokens,
    authenticate: createAuthenticate({ db, clock }),
    metrics: createMetrics(),
    placeDirectory,
    publicHttp: createPublicHttp({ allowPrivate: config.webhookAllowPrivate, ...options.publicHttp }),
    placing: createPlacing(db),
    inventory: createInventoryCache({ db, tokens, clock, ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }) }),
    // A job that runs before the queue is whole must fail and run again, not lose what follows from it.
    jobs: { enqueue: notStarted, enqueueMany: notStarted },
    gateways: {
      sandbox: createSandboxGateway({ db: gatewayDb, clock }),
      live: config.stripeSecretKey ? createStripeGateway({ secretKey: config.stripeSecretKey }) : undefined,
    },
    messaging: {
      frame: createMailFrame(),
      mailer: config.smtpUrl ? createSmtpMailer({ url: config.smtpUrl }) : undefined,
      texter: config.twilio ? createTwilioTexter(config.twilio) : undefined,
      textFrom: config.twilio?.from,
    },
    loops: [],
    search,
    storeFeed,
    shelves,
    knownStores,
    async notReadyBecause() {
      const alive = await db
        .selectFrom('change_clock')
        .select('seq')
        .execute()
        .then(
          () => true,
          () => false,
        );
      if (!alive) return 'The database does not answer.';
      return storeFeed.isLoaded || role === 'worker' ? undefined : 'The search index is loading.';
    },
  };
  deps.loops = [callEndpoints(deps), ...messageLoops(deps)];
  const boss = await startBoss(
    {
      connectionString,
      schema: `${schema}_jobs`,
      log,
      works: role !== 'api',
      ...(options.bossClock ? { clock: options.bossClock } : {}),
    },
    workersOf(deps),
  );
  deps.jobs = boss;
  // A node that only works answers no search.
  if (role !== 'worker') storeFeed.start();
  // With a test's clock nothing runs by itself: the test dispatches and runs the loops.
  const repeating =
    role === 'api' || options.bossClock
      ? []
      : [
          repeat('dispatching events', DISPATCH_EVERY_MS, log, () => dispatchAllEvents(deps, FOLLOWERS)),
          ...deps.loops.map((loop) => repeat(loop.name, loop.everyMs, log, async () => void (await loop.runOnce()))),
        ];
  // The frame of e-mail is made while nobody waits for it.
  if (repeating.length > 0)
    deps.messaging.frame().catch((error) => log.error({ err: error }, 'no e-mail can be written'));
  const http = await createApp(deps);
  return {
    http,
    deps,
    async listen() {
      await http.listen({ host: config.host, port: config.port });
      const { address, family, port } = http.server.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    },
    async close() {
      isClosing = true;
      await closeHttp(http.server, () => http.close());
      deps.inventory.close();
      await Promise.all(repeating.map((task) => task.stop()));
      await Promise.all(deps.loops.map((loop) => loop.idle()));
      deps.messaging.mailer?.close();
      deps.publicHttp.close();
      await boss.stop();
      await storeFeed.close();
      await gatewayDb.destroy();
      await db.destroy();
    },
  };
}
