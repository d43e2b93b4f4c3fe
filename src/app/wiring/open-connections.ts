import { CLOCK_OVERRIDE_SETTING } from 'pg-boss';
import type { Logger } from 'pino';
import { type Db, openDb, openPool, SERVICE_STATEMENT_MS } from '../../platform/db/connect.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { migrationNames } from '../../platform/db/migrations.ts';
import { NewerSchemaError, refuseNewerSchema } from '../../platform/db/newer-schema.ts';
import { readTokenSecrets } from '../../platform/db/token-secret.db.ts';
import { RepeatedTask } from '../../platform/jobs/repeat.ts';
import { createTokenSealer, type TokenSealer, type TokenSecrets } from '../../platform/lib/tokens.ts';
import { currentOwner } from '../../platform/load/event-loop-scheduler.ts';
import { UNAUTHENTICATED } from '../../platform/load/share-event-loop.hook.ts';
import { type ConnectionUse, shareConnections } from '../../platform/load/shared-connections.db.ts';
import type { ServiceOptions } from './service-options.ts';

export type Connections = {
  db: Db;
  /** Connections of the sandbox gateway. As an outside party it must not join an order's transaction. */
  gatewayDb: Db;
  /** Reserved for key and session look-ups, so that no other statement delays them. */
  keysDb: Db;
  /** The secrets of the service, the same on every node. */
  tokenSecrets: TokenSecrets;
  tokens: TokenSealer;
  /** Whether a newer version has migrated the schema away. */
  schemaWatch: SchemaWatch;
  /** The current use of `db`'s connections. */
  connectionUse(): ConnectionUse;
};

/** Limits of connections per process and over all workers, and the minimum per worker. */
const CONNECTIONS = { most: 16, ofAll: 48, least: 8 };
/** Limit of one account's share of connections, which leaves the rest for other accounts and jobs. */
const PART_OF_OWNER = 0.75;
/** Limit of the share of all unauthenticated requests together. */
const UNAUTHENTICATED_SHARE = 0.25;
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
  const isTraced = config.otlpEndpoint !== undefined;
  const pool = openPool({
    ...limits,
    max,
    isTraced,
    // In tests, the job queue reads the test's clock in every session that enqueues.
    settings: options.bossClock ? { [CLOCK_OVERRIDE_SETTING]: 'on' } : {},
    onError: (error) => {
      // Logs only the message: the driver attaches the whole client, password included, to the error. While the service
      // closes, a lost connection is expected.
      if (!opened.disposed) log.warn({ reason: error.message }, 'database connection lost');
    },
  });
  const ownerNow = () => currentOwner() ?? SERVICE;
  const maxOfOwner = (owner: string) =>
    Math.floor(max * (owner === UNAUTHENTICATED ? UNAUTHENTICATED_SHARE : PART_OF_OWNER));
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
  const { onNewerSchema, bossClock } = options;
  const schemaWatch = await watchSchema({ pool, log, onNewerSchema, repeats: bossClock === undefined });
  opened.defer(() => schemaWatch.stop());
  const books = { max: 4, settings: BOOKS_SETTINGS, applicationName: 'doorstep-sandbox-gateway' };
  const gatewayDb = openDb(openPool({ ...limits, ...books }));
  opened.defer(() => gatewayDb.destroy());
  const tokenSecrets = await readTokenSecrets(db, config);
  const tokens = createTokenSealer(tokenSecrets);
  return { db, keysDb, gatewayDb, tokenSecrets, tokens, schemaWatch, connectionUse };
}

/**
 * The sandbox gateway commits asynchronously. The service's following commit is later in the same WAL and synchronous,
 * so a crash that loses a gateway record also loses what followed from it.
 */
const BOOKS_SETTINGS = { synchronous_commit: 'off' };

/** Many workers share one PostgreSQL: its usual limit is 100, the embedded one's 200. */
function connectionsOf(workers: number): number {
  const { most, ofAll, least } = CONNECTIONS;
  return Math.min(most, Math.max(least, Math.floor(ofAll / workers)));
}

/** A migration may take long, so its connection has no time limit. */
export async function migrateSchema(
  options: Pick<ServiceOptions, 'connectionString' | 'schema' | 'log'>,
): Promise<void> {
  const { connectionString, schema, log } = options;
  const pool = openPool({ connectionString, schema, max: 1 });
  await migrate(pool, schema, { onWait: (sentence) => log.warn(sentence) }).finally(() => pool.end());
}

const EVERY_MS = 1000;

type SchemaWatch = {
  /** Set to an error message once a newer version has migrated the schema, when this node must stop serving. */
  stoppedBecause(): string | undefined;
  /** Checks once. */
  look(): Promise<void>;
  stop(): Promise<void>;
};

type SchemaWatchOptions = {
  pool: Parameters<typeof refuseNewerSchema>[0];
  log: Logger;
  /** Called once, when this version must stop. */
  onNewerSchema?: ((error: NewerSchemaError) => void) | undefined;
  /** A test triggers the check itself. */
  repeats: boolean;
};

/** Watches for a newer version migrating the schema beyond this version (docs/operating.md#upgrade). */
async function watchSchema({ pool, log, onNewerSchema, repeats }: SchemaWatchOptions): Promise<SchemaWatch> {
  const known = new Set(await migrationNames());
  let found: NewerSchemaError | undefined;
  const look = async () => {
    if (found) return;
    await refuseNewerSchema(pool, known).catch((error: unknown) => {
      if (!(error instanceof NewerSchemaError)) throw error;
      found = error;
      log.fatal(error.message);
      onNewerSchema?.(error);
    });
  };
  // A database outage does not mean that the schema changed, and requests report it themselves.
  const quietly = () => look().catch((error) => log.debug({ err: error }, 'the schema was not looked at'));
  const task = { name: 'watching the schema', everyMs: EVERY_MS, log, run: quietly };
  const repeating = repeats ? new RepeatedTask(task) : undefined;
  return {
    stoppedBecause: () => found?.message,
    look,
    stop: async () => repeating?.stop(),
  };
}
