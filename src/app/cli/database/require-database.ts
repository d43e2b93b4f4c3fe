import { resolve } from 'node:path';
import { hasCluster } from 'doorstep/embedded-database';
import type { Config } from '../../../platform/config/config.ts';
import { CommandFailure } from '../failure.ts';

/**
 * Throws CommandFailure if DATABASE_URL is not set and DATA_DIR has no database, so that commands which manage a
 * service never create one by accident (docs/database.md). Writes nothing.
 */
export async function requireDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<void> {
  if (config.databaseUrl) return;
  const folder = resolve(config.dataDir);
  if (await hasCluster(folder)) return;
  throw new CommandFailure(
    `DATABASE_URL isn't set, and DATA_DIR (${folder}) contains no database. Set the service's, or create a new one with \`doorstep migrate\` or \`doorstep serve\`.`,
    { exitStatus: 2 },
  );
}
