import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode, errorMessage } from 'doorstep/files';
import type { Client } from 'pg';
import { ADMIN, type Cluster, connectionStringOf, dataDirArgument, SOCKET_PORT, writeSettings } from './cluster.ts';
import { EmbeddedPostgresError, explainOutput } from './data-dir.ts';
import { type ProgramResult, runProgram } from './programs.ts';

/*
 * Runs the server of a cluster with `pg_ctl`. PostgreSQL itself refuses a second server on the cluster: by
 * `postmaster.pid` and, while a backend of a killed server still runs, by its shared memory. The caller holds the lock.
 */

/** Time-outs for starting a server, crash recovery included, and for stopping it. */
export const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
const POLL_MS = 25;
const MAX_KILLS = 3;

const pidFile = (clusterDir: string) => join(clusterDir, 'postmaster.pid');

/**
 * Joins the running server or starts it. Returns a superuser's connection, which shows that the server works and closes
 * when it ends. Throws EmbeddedPostgresError at the deadline.
 */
export async function joinOrStart(cluster: Cluster, socketFolder: string): Promise<Client> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  let kills = 0;
  for (;;) {
    if ((await findServer(cluster.clusterDir)) === undefined) {
      const outcome = await startServer(cluster, deadline);
      if (outcome === 'killed') kills += 1;
      if (kills === MAX_KILLS) {
        throw new EmbeddedPostgresError(
          'PostgreSQL is killed whenever it starts: give this machine more memory, or use another server.',
          { remedy: 'server' },
        );
      }
    }
    try {
      return await connectAsAdmin(socketFolder);
    } catch (cause) {
      // The server is starting, recovering or stopping.
      if (performance.now() > deadline) {
        throw new EmbeddedPostgresError(
          `The database in ${cluster.dataDir} is not ready (${errorMessage(cause)}): try again in a minute, ${cluster.logFile} says more.`,
          { cause },
        );
      }
    }
    await pause(POLL_MS);
  }
}

async function connectAsAdmin(socketFolder: string): Promise<Client> {
  // Loaded at the first connection: every command imports this package for its errors.
  const { Client } = await import('pg');
  const client = new Client({
    connectionString: connectionStringOf(socketFolder, ADMIN),
    application_name: 'embedded-database supervisor',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {}); // the caller watches for its end; without a listener an error would end this process
  await client.connect();
  return client;
}

/**
 * Starts the server in its own session, out of reach of Ctrl-C and of this process's end. `killed`: ended by a signal.
 * `started`: may still be recovering, or waiting for backends of a killed server.
 */
async function startServer(cluster: Cluster, deadline: number): Promise<'started' | 'killed'> {
  const { clusterDir, logFile, dataDir } = cluster;
  await removeStaleFiles(clusterDir);
  await writeSettings(cluster);
  const options = safetySettings(await nameCluster(clusterDir)).map((setting) => `-c ${setting}`);
  const log = await open(logFile, 'a', 0o600);
  try {
    const { size } = await log.stat();
    const timeoutMs = Math.max(1000, deadline - performance.now());
    const { status, output } = await pgCtl(cluster, ['start', '-o', options.join(' ')], { timeoutMs, logFd: log.fd });
    if (status === 0 || (await findServer(clusterDir)) !== undefined) return 'started';
    const lines = output + (await readFile(logFile)).subarray(size).toString('utf8');
    if (!/FATAL|PANIC|error:/.test(lines)) return 'killed';
    // Backends of a killed server end by themselves after their statement.
    if (!/pre-existing shared memory block/.test(lines)) throw explainOutput(lines, dataDir);
    if (performance.now() < deadline) return 'started';
    throw new EmbeddedPostgresError(
      `Old PostgreSQL processes still use ${dataDir} and do not end: end them, or restart the machine.`,
    );
  } finally {
    await log.close();
  }
}

/** Returns the settings that no configuration file may override: durability, access, and the cluster's name. */
const safetySettings = (clusterName: string): string[] => [
  'listen_addresses=',
  `port=${SOCKET_PORT}`,
  // A relative path, because a socket path may have only about a hundred bytes.
  'unix_socket_directories=.',
  'unix_socket_permissions=0700',
  'fsync=on',
  'full_page_writes=on',
  'synchronous_commit=on',
  'logging_collector=off',
  `cluster_name=${clusterName}`,
  'update_process_title=on',
];

/** Stops a running server in fast mode, which rolls back open transactions, and waits for its process to exit. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = await findServer(cluster.clusterDir);
  if (pid === undefined) return;
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  await pgCtl(cluster, ['stop', '-m', 'fast'], { timeoutMs: STOP_TIMEOUT_MS });
  while (await runsCluster(cluster.clusterDir, pid)) {
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(`PostgreSQL (process ${pid}) is still shutting down.`);
    }
    await pause(POLL_MS);
  }
}

function pgCtl(
  { clusterDir, programs, user }: Cluster,
  args: readonly string[],
  { timeoutMs, ...options }: { timeoutMs: number; logFd?: number },
): Promise<ProgramResult> {
  const seconds = Math.ceil(timeoutMs / 1000);
  const wait = ['-D', dataDirArgument(clusterDir), '--wait', '--silent', '-t', String(seconds)];
  return runProgram(programs.pgCtl, [...args, ...wait], {
    cwd: clusterDir,
    user,
    // Longer than pg_ctl's own limit, when it leaves the server running.
    timeoutMs: (seconds + 10) * 1000,
    ...options,
  });
}

/** Returns the pid of this cluster's live server; undefined if the file is stale or the pid was reused. */
export async function findServer(clusterDir: string): Promise<number | undefined> {
  const pid = parsePid(await readFile(pidFile(clusterDir), 'utf8').catch(() => ''));
  return pid !== undefined && (await runsCluster(clusterDir, pid)) ? pid : undefined;
}

/** Parses the first line of `postmaster.pid`; undefined if it has no number, as after a power failure. */
function parsePid(text: string): number | undefined {
  const pid = Number(text.split('\n', 1)[0]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

/**
 * Whether a process is a server of this cluster. The pid does not show that, because it may have been reused after a
 * crash. A server's command line has its cluster's name and is readable by any user; a zombie's is empty.
 */
async function runsCluster(clusterDir: string, pid: number): Promise<boolean> {
  const name = await nameCluster(clusterDir).catch(() => undefined);
  if (name === undefined) return false;
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(name);
  }
  return (await runProgram('ps', ['-p', String(pid), '-o', 'command='])).output.includes(name);
}

/** Returns a `cluster_name` derived from the directory's identity: a moved directory keeps it, a copy gets another. */
async function nameCluster(clusterDir: string): Promise<string> {
  const { dev, ino } = await stat(clusterDir, { bigint: true });
  return `embedded-${dev.toString(36)}-${ino.toString(36)}.`;
}

/**
 * Removes leftovers that would block a start: the socket and its lock, and a `postmaster.pid` that is empty or names an
 * unrelated process. Any other `postmaster.pid` stays, because PostgreSQL uses it to find shared memory of old
 * backends.
 */
async function removeStaleFiles(clusterDir: string): Promise<void> {
  const socket = join(clusterDir, `.s.PGSQL.${SOCKET_PORT}`);
  for (const file of [socket, `${socket}.lock`]) await rm(file, { force: true });
  const pid = parsePid(await readFile(pidFile(clusterDir), 'utf8').catch(() => ''));
  if (pid === undefined || isAlive(pid)) await rm(pidFile(clusterDir), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
