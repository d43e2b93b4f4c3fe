import { type Db, openDb, openPool, SERVICE_STATEMENT_MS } from '../../platform/db/connect.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { migrationNames } from '../../platform/db/migrations.ts';
import { findNewerSchema, type NewerSchemaError } from '../../platform/db/newer-schema.ts';
import { findQuietReason } from '../../platform/db/quiet.db.ts';
import { readTokenSecrets } from '../../platform/db/token-secret.db.ts';
import { RepeatedTask } from '../../platform/jobs/repeat.ts';
import { createTokenSealer, type TokenSealer, type TokenSecrets } from '../../platform/lib/tokens.ts';
import { currentOwner } from '../../platform/load/event-loop-scheduler.ts';
import { UNAUTHENTICATED } from '../../platform/load/share-event-loop.hook.ts';
import { type ConnectionUse, shareConnections } from '../../platform/load/shared-connections.db.ts';
import { ClockWatch } from './clock-watch.ts';
import type { ServiceOptions } from './service-options.ts';

/* Opens the pools of the service, migrates the schema, and watches the database's clock and version. */

export type Connections = {
  db: Db;
  /** Connections of the sandbox gateway, which as an external service must not join an order's transaction. */
  gatewayDb: Db;
  /** Connections reserved for key and session look-ups, so that no other statement delays them. */
  keysDb: Db;
  /** The service's secrets, equal on every node. */
  tokenSecrets: TokenSecrets;
  tokens: TokenSealer;
  /** Why this node must not act on the outside world, as a sentence; undefined if it may. */
  quietBecause: string | undefined;
  /** Detects that a newer version has migrated the schema. */
  schemaWatch: SchemaWatch;
  clockWatch: ClockWatch;
  /** Returns the current use of `db`'s connections. */
  connectionUse(): ConnectionUse;
};

/** Connections: maximum per process, maximum over all workers, minimum per worker. */
const CONNECTIONS = { most: 16, ofAll: 48, least: 8 };
/** Maximum share of the connections for one account, which leaves the rest for other accounts and jobs. */
const MAX_OWNER_SHARE = 0.75;
/** Maximum share of the connections for all unauthenticated requests together. */
const MAX_UNAUTHENTICATED_SHARE = 0.25;
/** Connections per worker reserved for key look-ups. */
const KEY_CONNECTIONS = 2;
/** The owner of work that no request started. */
const SERVICE = 'the service';

/** Connects to the database and applies missing migrations. */
export async function openConnections(options: ServiceOptions, opened: AsyncDisposableStack): Promise<Connections> {
  const { config, connectionString, log, schema, peers } = options;
  const max = connectionsOf(peers.count) - KEY_CONNECTIONS;
  await migrateSchema(options);
  const limits = { connectionString, schema, statementMs: SERVICE_STATEMENT_MS };
  const isTraced = config.tracer !== undefined;
  const pool = openPool({
    ...limits,
    max,
    isTraced,
    onError: (error) => {
      // Logs only the message, because the driver attaches the whole client, including the password, to the error. A
      // lost connection is expected while the service closes.
      if (!opened.disposed) log.warn({ reason: error.message }, 'database connection lost');
    },
  });
  const ownerNow = () => currentOwner() ?? SERVICE;
  const maxOfOwner = (owner: string) =>
    Math.floor(max * (owner === UNAUTHENTICATED ? MAX_UNAUTHENTICATED_SHARE : MAX_OWNER_SHARE));
  const shared = shareConnections(pool, { ownerNow, maxOfOwner });
  const db = openDb(shared);
  opened.defer(() => db.destroy());
  const keysPool = openPool({ ...limits, isTraced, max: KEY_CONNECTIONS, applicationName: 'doorstep-keys' });
  const keysDb = openDb(keysPool);
  opened.defer(() => keysDb.destroy());
  const connectionUse = (): ConnectionUse => {
    const { busy, idle, max: most, waiting } = shared.use();
    const { totalCount, idleCount } = keysPool;
    return { busy: busy + totalCount - idleCount, idle: idle + idleCount, max: most + KEY_CONNECTIONS, waiting };
  };
  const schemaWatch = await watchSchema(options, pool);
  const clockWatch = new ClockWatch({ ...options, db });
  // Nothing may be dated before the node knows the database's time.
  await clockWatch.look();
  if (!options.isDriven) {
    // A database outage does not mean that the schema has changed, and requests report it themselves.
    const run = () =>
      Promise.all([schemaWatch.look(), clockWatch.look()]).catch((error) =>
        log.debug({ err: error }, 'the database was not watched'),
      );
    const watching = new RepeatedTask({ name: 'watching the database', everyMs: WATCH_INTERVAL_MS, log, run });
    opened.defer(() => watching.stop());
  }
  const books = { max: 4, settings: BOOKS_SETTINGS, applicationName: 'doorstep-sandbox-gateway' };
  const gatewayDb = openDb(openPool({ ...limits, ...books }));
  opened.defer(() => gatewayDb.destroy());
  const quietBecause = await findQuietReason(db, config);
  if (quietBecause !== undefined) log.warn(quietBecause);
  const tokenSecrets = await readTokenSecrets(db, config);
  const tokens = createTokenSealer(tokenSecrets);
  return { db, keysDb, gatewayDb, tokenSecrets, tokens, quietBecause, schemaWatch, clockWatch, connectionUse };
}

/**
 * The sandbox gateway commits asynchronously. The service's next commit is later in the same WAL and synchronous, so a
 * crash that loses a gateway record also loses everything that followed from it.
 */
const BOOKS_SETTINGS = { synchronous_commit: 'off' };

/** Connections per worker. Many workers share one PostgreSQL, whose usual limit is 100, or 200 if embedded. */
function connectionsOf(workers: number): number {
  const { most, ofAll, least } = CONNECTIONS;
  return Math.min(most, Math.max(least, Math.floor(ofAll / workers)));
}

/** Applies missing migrations on a connection without a time limit, because they may take long. */
export async function migrateSchema(options: Pick<ServiceOptions, 'connectionString' | 'schema' | 'log'>) {
  const { connectionString, schema, log } = options;
  const pool = openPool({ connectionString, schema, max: 1 });
  const onWait = (sentence: string) => log.warn(sentence);
  const { newer } = await migrate(pool, schema, { onWait }).finally(() => pool.end());
  if (newer.length > 0) log.warn({ migrations: newer.length, last: newer.at(-1) }, 'a newer version made the schema');
}

/** Interval for reading the database's clock, and checking whether a newer version has migrated the schema. */
const WATCH_INTERVAL_MS = 1000;

type SchemaWatch = {
  /** Returns the reason, once a newer version has migrated the schema and this node must stop serving. */
  stoppedBecause(): string | undefined;
  look(): Promise<void>;
};

/** Checks whether a newer version has migrated the schema beyond this version (docs/upgrades.md). */
async function watchSchema({ log, onNewerSchema }: ServiceOptions, pool: Parameters<typeof findNewerSchema>[0]) {
  const known = new Set(await migrationNames());
  let found: NewerSchemaError | undefined;
  const look = async () => {
    if (found) return;
    found = await findNewerSchema(pool, known);
    if (!found) return;
    log.fatal(found.message);
    onNewerSchema?.(found);
  };
  return { stoppedBecause: () => found?.message, look };
}
