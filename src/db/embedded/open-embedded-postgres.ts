import { readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { errorCode } from '../../lib/error-code.ts';
import { checkVersion, createCluster, giveTo, removeDrafts } from './create-cluster.ts';
import { makeInDataDir } from './data-dir.ts';
import type { DirectoryLock } from './directory-lock.ts';
import { tryLock, waitForLock } from './directory-lock.ts';
import { EmbeddedPostgresError, explainError } from './embedded-postgres-error.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import type { Cluster } from './postmaster.ts';
import { findPostmaster, hasPostmasterFile, stopPostmaster } from './postmaster.ts';
import { runServer, type Watch } from './run-server.ts';
import { findServerUser } from './server-user.ts';
import { connectionStringOf, openSocketFolder, type SocketFolder } from './socket-folder.ts';
import type { EmbeddedLog } from './supervise.ts';
import { supervise } from './supervise.ts';
import { upgradePaths } from './upgrade-paths.ts';

/** A running database of ours, and the way to its Unix socket. */
export type EmbeddedPostgres = { connectionString: string; close(): Promise<void> };

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 30_000;

/**
 * Opens the PostgreSQL whose files live in `dataDir`: joins a running server, starts it otherwise, and creates the cluster
 * the first time. Any number of processes may have it open at once. While a process has it open, a server that ends by
 * itself is started again at the same socket; the last `close` stops the server.
 *
 * Two locks in `dataDir`, which the operating system takes back from a process that dies, keep the processes apart:
 * the process that starts or stops the server holds `start.lock`, and all processes that use it share `users.lock`.
 * Killing Node alone leaves the server running, and the next process joins it.
 *
 * Throws EmbeddedPostgresError, whose message is one sentence: half a minute is the longest wait for another process,
 * and for the server.
 */
export async function openEmbeddedPostgres(options: { dataDir: string; log: EmbeddedLog }): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    const paths = pathsOf(dataDir);
    await makeInDataDir(dataDir, paths.root);
    return await open(paths, options.log);
  } catch (error) {
    throw explainError(error, dataDir);
  }
}

export type Paths = ReturnType<typeof pathsOf>;

export function pathsOf(dataDir: string) {
  const root = join(dataDir, 'postgres');
  const file = (name: string) => join(root, name);
  return {
    dataDir,
    root,
    clusterDir: file('data'),
    startLock: file('start.lock'),
    usersLock: file('users.lock'),
    hostFile: file('host'),
    logFile: file('postgres.log'),
  };
}

async function open(paths: Paths, log: EmbeddedLog): Promise<EmbeddedPostgres> {
  return withStartLock(paths, async () => {
    const { lock, isAlone } = await joinUsers(paths);
    try {
      const cluster = await prepare(paths, isAlone);
      const socket = await openSocketFolder(cluster.clusterDir);
      // Making the cluster has a limit of its own: a slow disk leaves the server its whole time.
      const run = () => runServer(cluster, socket.folder, performance.now() + START_TIMEOUT_MS);
      const watch = await run().catch(async (error) => {
        await socket[Symbol.asyncDispose]();
        throw error;
      });
      await writeFile(paths.hostFile, await thisHost()).catch(() => {}); // a full disk is no reason to stay shut
      log.info({}, 'The embedded database is open.');
      const restart = () => withStartLock(paths, run);
      return session(paths, { watch, socket, users: lock, restart, log });
    } catch (error) {
      lock.release();
      await stopIfUnused(paths).catch(() => {});
      throw error;
    }
  });
}

export async function withStartLock<T>(paths: Paths, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(paths.startLock, 'exclusive', performance.now() + START_TIMEOUT_MS);
  if (!lock) {
    throw new EmbeddedPostgresError(
      `Another process has been starting or stopping the database in DATA_DIR (${paths.dataDir}) for ${START_TIMEOUT_MS / 1000} s: end it, or try again later.`,
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Only the holder of the start lock changes the users' lock from free to taken. */
async function joinUsers(paths: Paths): Promise<{ lock: DirectoryLock; isAlone: boolean }> {
  const exclusive = tryLock(paths.usersLock, 'exclusive');
  exclusive?.release();
  const lock = await waitForLock(paths.usersLock, 'shared', performance.now() + START_TIMEOUT_MS);
  if (!lock) throw new EmbeddedPostgresError(`The lock file ${paths.usersLock} is held by another program.`);
  return { lock, isAlone: exclusive !== undefined };
}

/** Makes sure that there is a cluster that these programs can run: those of this version where none are given. */
export async function prepare(paths: Paths, isAlone: boolean, programs?: PostgresBinaries): Promise<Cluster> {
  const { dataDir, clusterDir, logFile } = paths;
  await refuseOtherHost(paths, isAlone);
  const user = await findServerUser(clusterDir);
  const binaries = programs ?? (await findPostgresBinaries(paths.root, user));
  await refuseHalfUpgrade(paths);
  await removeDrafts(clusterDir);
  if (await exists(clusterDir)) {
    if (user) await giveTo(clusterDir, user);
    await checkVersion(clusterDir, binaries.major, dataDir);
  } else {
    await createCluster(clusterDir, { binaries, user, dataDir });
  }
  return { dataDir, clusterDir, logFile, postgres: binaries.postgres, user };
}

export const exists = (path: string) =>
  stat(path).then(
    () => true,
    (error) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );

/** An upgrade that ended between its two renames has both clusters beside their place. */
async function refuseHalfUpgrade({ dataDir, clusterDir }: Paths): Promise<void> {
  if ((await exists(clusterDir)) || !(await exists(upgradePaths(dataDir).complete))) return;
  throw new EmbeddedPostgresError(
    `An upgrade of DATA_DIR (${dataDir}) was interrupted at its end: run \`doorstep database upgrade\` again.`,
  );
}

/** A machine and its process namespace: a process number is unique only within them. */
async function thisHost(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${namespace}`.trim();
}

/**
 * DATA_DIR may be on a disk that several machines or containers see. From here a postmaster of another host looks dead, so
 * a directory that another host used last, and still holds, is refused.
 */
async function refuseOtherHost(paths: Paths, isAlone: boolean): Promise<void> {
  if (isAlone || !(await hasPostmasterFile(paths.clusterDir))) return;
  if (await findPostmaster(paths.clusterDir)) return;
  const host = (await readFile(paths.hostFile, 'utf8').catch(() => '')).trim();
  if (!host || host === (await thisHost())) return;
  throw new EmbeddedPostgresError(
    `DATA_DIR (${paths.dataDir}) is in use on another machine or container (${host.split(' ')[0]}): stop Doorstep there, or choose another DATA_DIR.`,
  );
}

function session(
  paths: Paths,
  given: {
    watch: Watch;
    socket: SocketFolder;
    users: DirectoryLock;
    restart: () => Promise<Watch>;
    log: EmbeddedLog;
  },
): EmbeddedPostgres {
  const { socket, users, log } = given;
  const watch = supervise(given.watch, given.restart, log);
  const close = async () => {
    await watch.stop();
    await leave(paths, users, log);
    await socket[Symbol.asyncDispose]();
  };
  let closing: Promise<void> | undefined;
  return {
    connectionString: connectionStringOf(socket.folder),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** The last process stops the server. If that fails the server stays up, and the next process joins it. */
async function leave(paths: Paths, users: DirectoryLock, log: EmbeddedLog): Promise<void> {
  try {
    await withStartLock(paths, async () => {
      users.release();
      if (await stopIfUnused(paths)) log.info({}, 'The embedded database is stopped.');
    });
  } catch (error) {
    log.warn({ err: error }, 'The embedded database was left running.');
  } finally {
    users.release();
  }
}

/** Stops the server when no process uses it; the caller holds the start lock. A recovering server may finish first. */
async function stopIfUnused(paths: Paths): Promise<boolean> {
  const last = tryLock(paths.usersLock, 'exclusive');
  if (!last) return false;
  try {
    const running = await findPostmaster(paths.clusterDir);
    if (running?.status === 'starting') return false;
    await stopPostmaster(paths.clusterDir, performance.now() + STOP_TIMEOUT_MS);
    return true;
  } finally {
    last.release();
  }
}
