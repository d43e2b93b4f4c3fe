import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Db, openDb, openPool } from '../../platform/db/connect.ts';
import { readEpochMs } from '../../platform/db/database-clock.db.ts';
import { type MigrationResult, migrate } from '../../platform/db/migrate.ts';
import { openDatabase } from '../../platform/db/open-database.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';
import { loadSettings, type ServiceConfig } from '../wiring/read-settings.ts';
import { runningDemoUrl } from './account/saved-demo.ts';
import { requireDatabase } from './database/require-database.ts';
import { listenForInterruption } from './interruption.ts';

/** The PostgreSQL schema of the service and of every command. */
export const SCHEMA = 'doorstep';

/** Time that a running statement may take after a signal. */
const STATEMENT_GRACE_MS = 1000;

export type ServerContext = {
  config: ServiceConfig;
  log: Logger;
  connectionString: string;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
};

export type CommandContext = ServerContext & {
  db: Db;
  /** Migrations that this command applied before its work, and migrations of a newer version. */
  migrations: MigrationResult;
};

type Access = {
  /** Whether the command may create DATA_DIR's database. */
  mayCreate?: boolean;
  /** The settings, if the command has read them. */
  settings?: ServiceConfig;
};

/**
 * Opens the configured database, runs a command's work, and always closes the database. Rejects with the work's error,
 * `Interrupted` after a signal, or CommandFailure if the database is missing and may not be created.
 */
export async function withServer<T>(
  work: (context: ServerContext) => Promise<T>,
  { mayCreate = false, settings }: Access = {},
): Promise<T> {
  const config = withDemoUrl(settings ?? (await loadSettings(process.env)));
  if (!mayCreate) await requireDatabase(config);
  const log = createCommandLog(config);
  const { signal } = listenForInterruption();
  await using resources = new AsyncDisposableStack();
  try {
    const database = await openDatabase(config, log);
    resources.defer(() => database.close());
    signal.throwIfAborted();
    return await work({ config, log, connectionString: database.connectionString, signal });
  } catch (error) {
    // Ctrl-C also ends the child processes that create a database, so such a failure is reported as the signal's.
    throw signal.aborted ? signal.reason : error;
  }
}

/** `withServer` with a connection pool and a migrated schema. A signal does not wait for the work. */
export async function withDatabase<T>(work: (context: CommandContext) => Promise<T>, access: Access = {}): Promise<T> {
  return withServer(async (server) => {
    const { log, connectionString, signal } = server;
    await using resources = new AsyncDisposableStack();
    const pool = openPool({ connectionString, schema: SCHEMA, max: 4 });
    let ended: Promise<void> | undefined;
    const endPool = () => {
      ended ??= pool.end();
      return ended;
    };
    const graceOver = () => pause(STATEMENT_GRACE_MS, undefined, { ref: false });
    resources.defer(() => (signal.aborted ? Promise.race([endPool(), graceOver()]) : endPool()));
    const stopped = Promise.withResolvers<never>();
    const stop = () => {
      stopped.reject(signal.reason);
      void endPool();
    };
    signal.addEventListener('abort', stop, { once: true });
    const done = migrate(pool, SCHEMA, { onWait: (sentence) => log.warn(sentence) }).then(async (migrations) => {
      const db = openDb(pool);
      await systemClock.measure(() => readEpochMs(db));
      return work({ ...server, db, migrations });
    });
    // Ends at once on a signal, even while a statement waits for a lock or the work for standard input.
    return await Promise.race([done, stopped.promise]);
  }, access);
}

/** A short command logs only warnings unless LOG_LEVEL is set. */
export function createCommandLog(config: ServiceConfig): Logger {
  return createLog(process.env.LOG_LEVEL?.trim() ? config.logLevel : 'warn');
}

/** A command's links use the URL of the demo on DATA_DIR, unless settings name the service's URL. */
function withDemoUrl(config: ServiceConfig): ServiceConfig {
  const url = process.env.BASE_URL?.trim() ? undefined : runningDemoUrl(process.env, config.dataDir);
  if (url === undefined) return config;
  return { ...config, baseUrl: url, trackingUrl: process.env.TRACKING_URL?.trim() ? config.trackingUrl : url };
}
