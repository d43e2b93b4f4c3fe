import { resolve } from 'node:path';
import { tryLock } from './directory-lock.ts';
import { EmbeddedPostgresError, explainError } from './embedded-postgres-error.ts';
import { pathsOf, prepare, withStartLock } from './open-embedded-postgres.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { stopPostmaster } from './postmaster.ts';
import { runServer } from './run-server.ts';
import { connectionStringOf, openSocketFolder } from './socket-folder.ts';

const TIMEOUT_MS = 60_000;

/**
 * Runs the work on the database of DATA_DIR with the given programs, stops the database, and runs `afterStop`. No other
 * process can open the database until `afterStop` is over. Throws EmbeddedPostgresError where a process uses it now.
 */
export async function useAlone<T>(
  { dataDir, programs }: { dataDir: string; programs: PostgresBinaries },
  work: (connectionString: string) => Promise<T>,
  afterStop: (result: T) => Promise<void>,
): Promise<T> {
  const paths = pathsOf(resolve(dataDir));
  return withStartLock(paths, async () => {
    const users = tryLock(paths.usersLock, 'exclusive');
    if (!users)
      throw new EmbeddedPostgresError(`DATA_DIR (${paths.dataDir}) is in use: stop every service on it first.`);
    try {
      const cluster = await prepare(paths, true, programs);
      await using socket = await openSocketFolder(cluster.clusterDir);
      const watch = await runServer(cluster, socket.folder, performance.now() + TIMEOUT_MS);
      const result = await work(connectionStringOf(socket.folder)).finally(async () => {
        await watch.client.end().catch(() => {});
        await stopPostmaster(paths.clusterDir, performance.now() + TIMEOUT_MS);
      });
      await afterStop(result);
      return result;
    } catch (error) {
      throw explainError(error, paths.dataDir);
    } finally {
      users.release();
    }
  });
}
