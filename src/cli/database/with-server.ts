import type { Logger } from 'pino';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/open-database.ts';
import { createLog } from '../../lib/log.ts';
import { listenForInterruption } from '../interruption.ts';
import { requireDatabase } from './require-database.ts';

export type ServerContext = { connectionString: string; log: Logger; signal: AbortSignal };

/**
 * Opens the database server of the settings as it is, without applying migrations, and closes it after the work. Throws
 * CommandFailure where the database does not exist and the command may not create it.
 */
export async function withServer<T>(
  { mayCreate }: { mayCreate: boolean },
  work: (context: ServerContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(process.env);
  const log = createLog(process.env.LOG_LEVEL?.trim() ? config.logLevel : 'warn');
  const { signal } = listenForInterruption();
  if (!mayCreate) await requireDatabase(config);
  await using resources = new AsyncDisposableStack();
  const database = await openDatabase(config, log);
  resources.defer(() => database.close());
  try {
    signal.throwIfAborted();
    return await work({ connectionString: database.connectionString, log, signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
