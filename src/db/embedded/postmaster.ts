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
import {
  ACCESS_FILE,
  HOST_BASED_ACCESS,
  SETTINGS,
  SETTINGS_FILE,
  SOCKET_PORT,
  safetyArguments,
} from './server-settings.ts';

/** A cluster and the programs that run it. Paths are absolute. */
export type Cluster = {
  dataDir: string;
  clusterDir: string;
  logFile: string;
  postgres: string;
  user: ServerUser;
};

const ORPHAN_GRACE_MS = 1_000;
const KILLED = 'killed';
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;

/** The name that PostgreSQL gives its socket. */
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;

const pidFile = (clusterDir: string) => join(clusterDir, 'postmaster.pid');

/** A name for `cluster_name` that belongs to the directory: a moved directory keeps it, a copy gets another name. */
async function nameOf(clusterDir: string): Promise<string> {
  const { dev, ino } = await stat(clusterDir, { bigint: true });
  return `doorstep-${dev.toString(36)}-${ino.toString(36)}.`;
}

/** The live postmaster of this cluster; undefined for a file that a crash left behind, and for a reused process number. */
export async function findPostmaster(clusterDir: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(pidFile(clusterDir), 'utf8').catch(() => '');
  const file = parsePostmasterFile(text);
  return file && (await isClusterProcess(file.pid, await nameOf(clusterDir))) ? file : undefined;
}

/** Whether some postmaster left its file here: after a crash, or because it lives on another machine. */
export const hasPostmasterFile = (clusterDir: string): Promise<boolean> =>
  stat(pidFile(clusterDir)).then(
    () => true,
    () => false,
  );

/** `killed`: a signal ended the server while it started, from a person or from a system short of memory. */
export type StartResult = 'ready' | 'still starting' | 'killed';

/**
 * Starts the postmaster in a session of its own, out of reach of Ctrl-C and of our own death, and waits until it
 * answers. The caller holds the start lock and has found no live postmaster. Throws EmbeddedPostgresError.
 */
export async function startPostmaster(cluster: Cluster, deadline: number): Promise<StartResult> {
  const { clusterDir, logFile } = cluster;
  await endOrphans(await nameOf(clusterDir), ORPHAN_GRACE_MS);
  await removeMisleadingFiles(clusterDir);
  await prepareFiles(cluster);
  const log = await open(logFile, 'a', 0o600);
  try {
    const { size } = await log.stat();
    const server = spawnPostmaster(cluster, safetyArguments(await nameOf(clusterDir)), log.fd);
    const isReady = async () => (await findPostmaster(clusterDir))?.status === 'ready';
    await waitUntil(async () => server.ended() !== undefined || (await isReady()), deadline);
    const failure = server.ended();
    if (failure === undefined) return (await isReady()) ? 'ready' : 'still starting';
    const output = (await readFile(logFile)).subarray(size).toString('utf8');
    if (failure === KILLED) return 'killed';
    throw explainOutput(output || failure, cluster.dataDir);
  } finally {
    await log.close();
  }
}

/** Runs PostgreSQL; `ended` gives the way it ended, once it has. */
function spawnPostmaster(cluster: Cluster, args: readonly string[], logFd: number): { ended(): string | undefined } {
  const child = spawn(cluster.postgres, ['-D', dataDirArgument(cluster.clusterDir), ...args], {
    cwd: cluster.clusterDir,
    env: PROGRAM_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', logFd, logFd],
    ...cluster.user,
  });
  let end: string | undefined;
  child.on('error', (error) => {
    end = `error: ${error.message}`;
  });
  child.on('exit', (status, signal) => {
    end = signal ? KILLED : `error: it ended with status ${status}`;
  });
  child.unref();
  return { ended: () => end };
}

/**
 * PostgreSQL itself overwrites the file of a dead process. It stops at a file without a number (a power cut), and
 * at one whose number an unrelated process has now; likewise at the lock of its socket. The caller has made sure that no
 * server of the cluster runs.
 */
async function removeMisleadingFiles(clusterDir: string): Promise<void> {
  for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) await rm(join(clusterDir, name), { force: true });
  const text = await readFile(pidFile(clusterDir), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const file = parsePostmasterFile(text);
  if (!file || isAlive(file.pid)) await rm(pidFile(clusterDir), { force: true });
}

async function prepareFiles({ clusterDir, logFile, user }: Cluster): Promise<void> {
  for (const [name, text] of [
    [SETTINGS_FILE, SETTINGS],
    [ACCESS_FILE, HOST_BASED_ACCESS],
  ] as const) {
    const file = join(clusterDir, name);
    // Written only when it differs: a full disk must not keep a database from starting that could still be read.
    if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
    await writeFile(`${file}.draft`, text, { mode: 0o600 });
    if (user) await chown(`${file}.draft`, user.uid, user.gid);
    await rename(`${file}.draft`, file);
  }
  // A copied or restored directory is often open to others, and PostgreSQL refuses that.
  if (((await stat(clusterDir)).mode & 0o077) !== 0) await chmod(clusterDir, 0o700);
  const log = await stat(logFile).catch(() => undefined);
  if (log && log.size > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
}

/** Stops the postmaster (fast: open transactions are rolled back) and waits until no process of the cluster is left. */
export async function stopPostmaster(clusterDir: string, deadline: number): Promise<void> {
  const name = await nameOf(clusterDir).catch(() => undefined);
  if (!name) return; // the first start failed, or somebody deleted the directory
  const running = await findPostmaster(clusterDir);
  if (running) {
    sendSignal(running.pid, 'SIGINT');
    if (!(await waitUntil(async () => !(await isClusterProcess(running.pid, name)), deadline))) {
      throw new EmbeddedPostgresError(`PostgreSQL (process ${running.pid}) is still shutting down.`);
    }
  }
  await endOrphans(name, ORPHAN_GRACE_MS);
}
