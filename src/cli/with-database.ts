import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { type Db, openDb, openPool } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { createLog } from '../lib/log.ts';
import { requireDatabase } from './database/require-database.ts';
import { listenForInterruption } from './interruption.ts';

/** The PostgreSQL schema of the service and of every command. */
export const SCHEMA = 'doorstep';

/** After a signal, a running statement may finish for this long; then the process ends without the statement. */
const STATEMENT_GRACE_MS = 1000;

export type CommandContext = {
  config: Config;
  db: Db;
  log: Logger;
  connectionString: string;
  /** The migrations that this command applied before its work. */
  applied: readonly string[];
  /** Aborts on Ctrl-C: the command closes the database and does not wait for its work. */
  signal: AbortSignal;
};

/**
 * Opens the database of the settings, brings it up to date, runs the work of a command, and closes the database,
 * also when the work fails. Rejects with the error of the work, with `Interrupted` after a signal, and with CommandFailure
 * where the database does not exist and the command may not create it.
 */
export async function withDatabase<T>(
  work: (context: CommandContext) => Promise<T>,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<T> {
  const config = readConfig(process.env);
  if (!mayCreate) await requireDatabase(config);
  const log = createCommandLog(config);
  const { signal } = listenForInterruption();
  await using resources = new AsyncDisposableStack();
  const database = await openDatabase(config, log).catch((error: unknown) => {
    // Ctrl-C in a terminal also ends the programs that create a database; that failure has the signal as its reason.
    throw signal.aborted ? signal.reason : error;
  });
  resources.defer(() => database.close());
  signal.throwIfAborted();
  const pool = openPool({ connectionString: database.connectionString, schema: SCHEMA, max: 4 });
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
  const { connectionString } = database;
  const done = migrate(pool, SCHEMA, { onWait: (sentence) => log.warn(sentence) }).then(({ applied }) =>
    work({ config, db: openDb(pool), log, connectionString, applied, signal }),
  );
  try {
    // A statement may wait for a lock, and the work for standard input: a signal waits for neither.
    return await Promise.race([done, stopped.promise]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** A short command logs only warnings unless LOG_LEVEL is set. */
function createCommandLog(config: Config): Logger {
  return createLog(process.env.LOG_LEVEL?.trim() ? config.logLevel : 'warn');
}
