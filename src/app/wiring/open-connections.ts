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
import { STRANGERS } from '../../platform/load/share-event-loop.hook.ts';
import { type ConnectionUse, shareConnections } from '../../platform/load/shared-connections.db.ts';
import type { ServiceOptions } from './service-options.ts';

export type Connections = {
  db: Db;
  /** The sandbox gateway's own connections: it plays an outside party, so no transaction of an order may contain it. */
  gatewayDb: Db;
  /** Reserved for key and session look-ups, so that no other statement delays them. */
  keysDb: Db;
  /** The secrets of the service, the same on every node. */
  tokenSecrets: TokenSecrets;
  tokens: TokenSealer;
  /** Whether a newer version has taken the schema over. */
  schemaWatch: SchemaWatch;
  /** How the connections of `db` are used now. */
  connectionUse(): ConnectionUse;
};

/** Connections of a process, of all workers together, and those that each worker has however many there are. */
const CONNECTIONS = { most: 16, ofAll: 48, least: 8 };
/** Part of them that the requests of one account use at a time: the others stay free for its neighbors and for jobs. */
const PART_OF_OWNER = 0.75;
/** Part of them for the requests of all strangers together. */
const PART_OF_STRANGERS = 0.25;
/** Connections of each worker that are for look-ups of keys alone. */
const KEY_CONNECTIONS = 2;
/** The owner of work that no request began. */
const SERVICE = 'the service';

/** Connects to the database and applies the migrations that are missing. */
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
    // The job queue reads the test's clock on every session that enqueues.
    settings: options.bossClock ? { [CLOCK_OVERRIDE_SETTING]: 'on' } : {},
    onError: (error) => {
      // Log the message only: the driver attaches the whole client, password included, to the error. While the service
      // closes, a lost connection is no news.
      if (!opened.disposed) log.warn({ reason: error.message }, 'database connection lost');
    },
  });
  const ownerNow = () => currentOwner() ?? SERVICE;
  const maxOfOwner = (owner: string) => Math.floor(max * (owner === STRANGERS ? PART_OF_STRANGERS : PART_OF_OWNER));
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
 * Commits of the sandbox gateway are asynchronous. The service's own commit that follows is later in the same WAL and is
 * synchronous, so a crash that loses a gateway record loses what followed from it too.
 */
const BOOKS_SETTINGS = { synchronous_commit: 'off' };

/** Many workers share what one PostgreSQL takes: its usual limit is 100, and the embedded one has 200. */
function connectionsOf(workers: number): number {
  const { most, ofAll, least } = CONNECTIONS;
  return Math.min(most, Math.max(least, Math.floor(ofAll / workers)));
}

/** A migration may take long, so that it has a connection without a limit. */
export async function migrateSchema(
  options: Pick<ServiceOptions, 'connectionString' | 'schema' | 'log'>,
): Promise<void> {
  const { connectionString, schema, log } = options;
  const pool = openPool({ connectionString, schema, max: 1 });
  await migrate(pool, schema, { onWait: (sentence) => log.warn(sentence) }).finally(() => pool.end());
}

const EVERY_MS = 1000;

type SchemaWatch = {
  /** A sentence once a newer version has migrated the schema away from this one: this node serves no more. */
  stoppedBecause(): string | undefined;
  /** Looks once. */
  look(): Promise<void>;
  stop(): Promise<void>;
};

type SchemaWatchOptions = {
  pool: Parameters<typeof refuseNewerSchema>[0];
  log: Logger;
  /** Called once, when this version must stop. */
  onNewerSchema?: ((error: NewerSchemaError) => void) | undefined;
  /** A test looks itself. */
  repeats: boolean;
};

/** Watches for a newer version that migrates the schema to what this version cannot work on (docs/operating.md#upgrade). */
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
  // A database that is away for a while says nothing of its schema; requests report that themselves.
  const quietly = () => look().catch((error) => log.debug({ err: error }, 'the schema was not looked at'));
  const task = { name: 'watching the schema', everyMs: EVERY_MS, log, run: quietly };
  const repeating = repeats ? new RepeatedTask(task) : undefined;
  return {
    stoppedBecause: () => found?.message,
    look,
    stop: async () => repeating?.stop(),
  };
}
