import { resolve } from 'node:path';
import { openEmbeddedPostgres } from 'doorstep/embedded-database';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';

export type OpenDatabase = {
  connectionString: string;
  /** Closes the database; an embedded server stops once no process uses it. */
  close(): Promise<void>;
};

/** Opens DATABASE_URL's server, or joins or starts DATA_DIR's embedded one. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
): Promise<OpenDatabase> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl, close: async () => {} };
  return openEmbeddedPostgres({ dataDir: resolve(config.dataDir), name: 'doorstep', log });
}
