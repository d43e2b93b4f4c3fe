import { explainError } from './embedded-postgres-error.ts';
import { exists, pathsOf, withStartLock } from './open-embedded-postgres.ts';
import { upgradePaths } from './upgrade-paths.ts';

/**
 * Whether DATA_DIR has a database, of whatever version; an upgrade that ended between its renames has one too. A process
 * that makes the database at this moment is waited for. Nothing is written. Throws EmbeddedPostgresError where this user
 * cannot see into DATA_DIR, and where the wait takes half a minute.
 */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const paths = pathsOf(dataDir);
  const look = async () => (await exists(paths.clusterDir)) || (await exists(upgradePaths(dataDir).complete));
  try {
    if (await look()) return true;
    return (await exists(paths.startLock)) && (await withStartLock(paths, look));
  } catch (error) {
    throw explainError(error, dataDir);
  }
}
