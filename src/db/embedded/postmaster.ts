import { spawn } from 'node:child_process';
import { chmod, chown, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endOrphans, isAlive, isClusterProcess, sendSignal, waitUntil } from './cluster-processes.ts';
import { dataDirArgument } from './create-cluster.ts';
import { EmbeddedPostgresError, explainOutput } from './embedded-postgres-error.ts';
import type { PostmasterFile } from './postmaster-file.ts';
import { parsePostmasterFile } from './postmaster-file.ts';
import type { ServerUser } from './run-program.ts';
import { PROGRAM_ENVIRONMENT } from './run-program.ts';
import { SETTINGS, SETTINGS_FILE, safetyArguments } from './server-settings.ts';

/** One cluster, and what is needed to run it. Paths are absolute. */
export type Cluster = {
  dataDir: string;
  clusterDir: string;
  logFile: string;
  postgres: string;
  user: ServerUser;
};

const ORPHAN_GRACE_MS = 1_000;
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;

const pidFile = (clusterDir: string) => join(clusterDir, 'postmaster.pid');

/** The live postmaster of this cluster; a file that a crash left behind, or a process number used anew, is none. */
export async function findPostmaster(clusterDir: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(pidFile(clusterDir), 'utf8').catch(() => '');
  const file = parsePostmasterFile(text);
  return file && (await isClusterProcess(file.pid, clusterDir)) ? file : undefined;
}

/** Whether some postmaster left its file here: after a crash, or because it lives on another machine. */
export const hasPostmasterFile = (clusterDir: string): Promise<boolean> =>
  stat(pidFile(clusterDir)).then(
    () => true,
    () => false,
  );

export type StartResult = 'ready' | 'port busy' | 'still starting';

/**
 * Starts the postmaster in a session of its own, out of reach of Ctrl-C and of our own death, and waits until it
 * answers. The caller holds the start lock and has found no live postmaster. Throws EmbeddedPostgresError.
 */
export async function startPostmaster(cluster: Cluster, port: number, deadline: number): Promise<StartResult> {
  await endOrphans(cluster.clusterDir, ORPHAN_GRACE_MS);
  await prepareFiles(cluster);
  const log = await open(cluster.logFile, 'a+', 0o600);
  try {
    const { size } = await log.stat();
    const exited = spawnPostmaster(cluster, port, log.fd);
    let failure: string | undefined;
    exited.then((reason) => {
      failure = reason;
    });
    const isReady = async () => (await findPostmaster(cluster.clusterDir))?.status === 'ready';
    await waitUntil(async () => failure !== undefined || (await isReady()), deadline);
    if (failure === undefined) return (await isReady()) ? 'ready' : 'still starting';
    const output = (await readFile(cluster.logFile)).subarray(size).toString('utf8');
    if (/Address already in use|could not create any TCP\/IP sockets/.test(output)) return 'port busy';
    throw explainOutput(output || failure, cluster.dataDir);
  } finally {
    await log.close();
  }
}

/** Runs PostgreSQL; the promise tells how it ended. */
function spawnPostmaster(cluster: Cluster, port: number, logFd: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const args = ['-D', dataDirArgument(cluster.clusterDir), ...safetyArguments(port)];
  const child = spawn(cluster.postgres, args, {
    cwd: cluster.clusterDir,
    env: PROGRAM_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', logFd, logFd],
    ...cluster.user,
  });
  child.on('error', (error) => resolve(`error: ${error.message}`));
  child.on('exit', (status, signal) => resolve(`error: it ended with ${signal ?? `status ${status}`}`));
  child.unref();
  return promise;
}

async function prepareFiles(cluster: Cluster): Promise<void> {
  const { clusterDir, logFile, user } = cluster;
  await removeMisleadingFile(clusterDir);
  const settings = join(clusterDir, SETTINGS_FILE);
  await writeFile(settings, SETTINGS, { mode: 0o600 });
  if (user) await chown(settings, user.uid, user.gid);
  // A copied or restored directory is often open to others, and PostgreSQL refuses that.
  if (((await stat(clusterDir)).mode & 0o077) !== 0) await chmod(clusterDir, 0o700);
  const log = await stat(logFile).catch(() => undefined);
  if (log && log.size > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
}

/**
 * PostgreSQL itself overwrites the file of a dead process. It stops at a file without a number (a power cut), and
 * at one whose number an unrelated process has now; the caller has made sure that no server of the cluster lives.
 */
async function removeMisleadingFile(clusterDir: string): Promise<void> {
  const text = await readFile(pidFile(clusterDir), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const file = parsePostmasterFile(text);
  if (!file || isAlive(file.pid)) await rm(pidFile(clusterDir), { force: true });
}

/** Stops the postmaster (fast: open transactions are rolled back) and waits until it and its file are gone. */
export async function stopPostmaster(clusterDir: string, deadline: number): Promise<void> {
  const running = await findPostmaster(clusterDir);
  if (!running) return;
  sendSignal(running.pid, 'SIGINT');
  if (await waitForEnd(clusterDir, running.pid, deadline)) return;
  throw new EmbeddedPostgresError(`PostgreSQL (process ${running.pid}) is still shutting down.`);
}

/** Waits until the given postmaster is gone; false when it still lives at the deadline. */
export const waitForEnd = (clusterDir: string, pid: number, deadline: number): Promise<boolean> =>
  waitUntil(async () => !(await isClusterProcess(pid, clusterDir)), deadline);
