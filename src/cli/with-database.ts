import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { type Db, openDb, openPool } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { createLog } from '../lib/log.ts';
import { listenForInterruption } from './interruption.ts';

/** The PostgreSQL schema of the service and of every command. */
export const SCHEMA = 'doorstep';

export type CommandContext = {
  config: Config;
  db: Db;
  log: Logger;
  connectionString: string;
  /** The migrations that this command had to apply first. */
  applied: readonly string[];
  /** Aborts on Ctrl-C; the database is closed then, and nobody waits for the work any more. */
  signal: AbortSignal;
};

/**
 * Runs one command's work on the database of the settings, which it opens, brings up to date, and closes again
 * however the work ends. Rejects with the work's error, or with `Interrupted` after a signal.
 */
export async function withDatabase<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const log = createCommandLog(config);
  const { signal } = listenForInterruption();
  await using resources = new AsyncDisposableStack();
  const database = await openDatabase(config, log);
  resources.defer(() => database.close());
  signal.throwIfAborted();
  const pool = openPool({ connectionString: database.connectionString, schema: SCHEMA, max: 4 });
  let ended: Promise<void> | undefined;
  const endPool = () => {
    ended ??= pool.end();
    return ended;
  };
  resources.defer(endPool);
  signal.addEventListener('abort', () => void endPool(), { once: true });
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {}); // the signal may come while nothing waits for this promise yet
  signal.addEventListener('abort', () => stopped.reject(signal.reason), { once: true });
  try {
    const { applied } = await migrate(pool, SCHEMA);
    const { connectionString } = database;
    const done = work({ config, db: openDb(pool), log, connectionString, applied, signal });
    // Work may wait for what never comes, such as standard input.
    return await Promise.race([done, stopped.promise]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** A short command is quiet unless LOG_LEVEL asks: what it has to say is its answer. */
function createCommandLog(config: Config): Logger {
  return createLog(process.env.LOG_LEVEL?.trim() ? config.logLevel : 'warn');
}
