import { readFile, readlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, QueryConfig } from 'pg';
import { connectionStringOf, openSocketFolder, prepareCluster, type SocketFolder } from './cluster.ts';
import { EmbeddedPostgresError, explainError, makeInDataDir, type Paths, pathExists, pathsOf } from './data-dir.ts';
import { type DirectoryLock, tryLock, waitForLock } from './directory-lock.ts';
import type { EmbeddedLog } from './programs.ts';
import { findServer, joinOrStart, START_TIMEOUT_MS, stopServer } from './server.ts';

/*
 * A folder's PostgreSQL, shared by any number of processes. Each watches the server and restarts it; the last to leave
 * stops it. Its lock file: `shared` by users, `reserved` to start, `exclusive` to stop; the OS releases locks
 * of dead processes.
 */

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;
const HOST_WAIT_MS = 3_000;
const LEAVE_TIMEOUT_MS = 60_000;

/**
 * Joins the running server or starts it, creating the cluster the first time. Throws EmbeddedPostgresError with a
 * one-sentence message: waits up to half a minute for another process, and for the server. `name` is the name of the
 * role and its database, in lower-case letters.
 */
export async function openEmbeddedPostgres(options: {
  dataDir: string;
  log: EmbeddedLog;
  name?: string;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const paths = pathsOf(resolve(options.dataDir), options.name);
  try {
    await makeInDataDir(paths.dataDir, paths.root);
    await refuseOtherHost(paths);
    return await reserve(paths, async () => {
      await using opening = new AsyncDisposableStack();
      const users = await waitForLock(paths.lockFile, 'shared', performance.now() + START_TIMEOUT_MS);
      if (!users) throw new EmbeddedPostgresError(`The lock file ${paths.lockFile} is held by another program.`);
      opening.defer(() => users.release());
      const cluster = await prepareCluster(paths, log);
      const socket = opening.use(await openSocketFolder(cluster.clusterDir));
      const run = () => joinOrStart(cluster, socket.folder);
      const supervisor = await run();
      await writeFile(paths.hostFile, await hostIdentity()).catch(() => {}); // a full disk must not prevent the start
      opening.move();
      log.info({}, 'The embedded database is open.');
      return new EmbeddedPostgres({
        paths,
        log,
        users,
        socket,
        supervisor,
        restart: () => reserve(paths, run),
        stop: () => stopServer(cluster),
      });
    });
  } catch (error) {
    throw explainError(error, paths.dataDir);
  }
}

type OpenedServer = {
  paths: Paths;
  log: EmbeddedLog;
  users: DirectoryLock;
  socket: SocketFolder;
  supervisor: Client;
  restart: () => Promise<Client>;
  stop: () => Promise<void>;
};

/** A database opened by this process. A server that dies is restarted at the same socket. */
export class EmbeddedPostgres {
  readonly connectionString: string;
  private readonly opened: OpenedServer;
  private supervisor: Client;
  private readonly closingSoon = new AbortController();
  private recovery = Promise.resolve();
  private closing: Promise<void> | undefined;

  constructor(opened: OpenedServer) {
    this.opened = opened;
    this.connectionString = connectionStringOf(opened.socket.folder, opened.paths.name);
    this.supervisor = opened.supervisor;
    this.watch(opened.supervisor);
  }

  /** Closes the database; the last process to do so stops the server. */
  close(): Promise<void> {
    this.closing ??= this.leave();
    return this.closing;
  }

  /** Watches the server through the supervisor's connection, which does not keep this process alive. */
  private watch(supervisor: Client): void {
    this.supervisor = supervisor;
    setRef(supervisor, 'unref');
    supervisor.once('end', () => {
      if (!this.closingSoon.signal.aborted) this.recovery = this.recover();
    });
  }

  private async recover(): Promise<void> {
    const { log, restart } = this.opened;
    const { signal } = this.closingSoon;
    log.warn({}, 'The embedded database ended by itself; starting it again.');
    for (let backoffMs = FIRST_BACKOFF_MS; !signal.aborted; backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS)) {
      try {
        this.watch(await restart());
        log.info({}, 'The embedded database runs again.');
        return;
      } catch (error) {
        log.error({ err: error, backoffMs }, 'The embedded database does not start.');
      }
      await pause(backoffMs, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  /** Stops the server if no other process uses it. If that fails, it stays up and the next process joins it. */
  private async leave(): Promise<void> {
    const { paths, log, users, socket, stop } = this.opened;
    this.closingSoon.abort();
    await this.recovery;
    setRef(this.supervisor, 'ref');
    try {
      // Without the connection the server has died, and the process that restarts it uses it now.
      await leaveOneByOne(this.supervisor).catch(() => {});
      users.release();
      using alone = tryLock(paths.lockFile, 'exclusive');
      if (alone) {
        await stop();
        log.info({}, 'The embedded database is stopped.');
      }
    } catch (error) {
      log.warn({ err: error }, 'The embedded database was left running.');
    }
    users.release();
    await this.supervisor.end().catch(() => {});
    await socket[Symbol.asyncDispose]();
  }
}

/**
 * Waits until no other process is leaving, or the connection ends: two processes testing at once whether they are the
 * last would each take the other for a user.
 */
async function leaveOneByOne(supervisor: Client): Promise<void> {
  await supervisor.query({ text: 'SELECT pg_advisory_lock(1)', query_timeout: LEAVE_TIMEOUT_MS } as QueryConfig);
}

/** Calls `ref` or `unref`, which exist since pg 8 but are missing from its types. */
function setRef(client: Client, change: 'ref' | 'unref'): void {
  (client as unknown as Record<typeof change, () => void>)[change]();
}

/**
 * Whether the folder has a database of any version. Waits up to half a minute for one being created; writes nothing.
 * Throws EmbeddedPostgresError after that, or without access.
 */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const paths = pathsOf(dataDir);
  const look = () => pathExists(paths.clusterDir);
  try {
    if (await look()) return true;
    return (await pathExists(paths.lockFile)) && (await reserve(paths, look));
  } catch (error) {
    throw explainError(error, dataDir);
  }
}

/** Runs the work while no other process starts or stops the server. */
async function reserve<T>({ lockFile, dataDir }: Paths, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(lockFile, 'reserved', performance.now() + START_TIMEOUT_MS);
  if (!lock) {
    throw new EmbeddedPostgresError(
      `Another process has been starting or stopping the database in ${dataDir} for ${START_TIMEOUT_MS / 1000} s: end it, or try again later.`,
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Identifies a machine and its process namespace, because a pid is unique only within them. */
async function hostIdentity(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${namespace}`.trim();
}

/**
 * Refuses a directory that another host used last and still locks: it may be on a shared disk, and a server on
 * another host looks dead from here.
 */
async function refuseOtherHost(paths: Paths): Promise<void> {
  const deadline = performance.now() + HOST_WAIT_MS;
  for (;;) {
    const host = (await readFile(paths.hostFile, 'utf8').catch(() => '')).trim();
    if (!host || host === (await hostIdentity())) return;
    if (!(await pathExists(join(paths.clusterDir, 'postmaster.pid'))) || (await findServer(paths.clusterDir))) return;
    const alone = tryLock(paths.lockFile, 'exclusive');
    alone?.release();
    if (alone) return;
    // Another process of this host may be restarting the server of a dead host.
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The folder ${paths.dataDir} is in use on another machine or container (${host.split(' ')[0]}): stop the program there, or choose another one.`,
        { remedy: 'folder' },
      );
    }
    await pause(100);
  }
}
