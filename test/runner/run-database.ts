import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  ACCESS_FILE,
  ADMIN,
  type Cluster,
  connectionStringOf,
  dataDirArgument,
  HOST_BASED_ACCESS,
  prepareCluster,
  SETTINGS,
  SETTINGS_FILE,
  SOCKET_PORT,
} from '../../src/platform/db/embedded/cluster.ts';
import { makeInDataDir, pathsOf } from '../../src/platform/db/embedded/data-dir.ts';
import { PROGRAM_ENVIRONMENT } from '../../src/platform/db/embedded/programs.ts';
import { until } from '../until.ts';

/** The server of a run: `adminUrl` is its superuser's. */
type RunServer = AsyncDisposable & { connectionString: string; adminUrl: string };

/**
 * Beside the embedded server's settings. Tests kill processes of the service, never this server, and nobody reads its
 * files after the run: nothing waits for the disk, and no full page is logged.
 */
const FOR_A_RUN = `
fsync = off
synchronous_commit = off
full_page_writes = off
max_wal_size = 1GB
checkpoint_timeout = 1h
max_connections = 400
update_process_title = off
`;

/** Makes a cluster in the folder and runs it until the end of the run; the cluster's files are the caller's to remove. */
async function startRunServer(dataDir: string): Promise<RunServer> {
  const paths = pathsOf(dataDir);
  await makeInDataDir(dataDir, paths.root);
  const cluster = await prepareCluster(paths, console);
  const sockets = await makeSocketFolder(cluster);
  await writeFile(join(cluster.clusterDir, ACCESS_FILE), HOST_BASED_ACCESS);
  await writeFile(join(cluster.clusterDir, SETTINGS_FILE), SETTINGS + FOR_A_RUN);
  const where = ['listen_addresses=', `port=${SOCKET_PORT}`, `unix_socket_directories=${sockets}`];
  const args = ['-D', dataDirArgument(cluster.clusterDir), ...where.flatMap((setting) => ['-c', setting])];
  const log = openSync(cluster.logFile, 'a');
  const child = spawn(cluster.programs.postgres, args, {
    cwd: cluster.clusterDir,
    env: PROGRAM_ENVIRONMENT,
    ...cluster.user,
    // A group of its own: Ctrl-C ends the tests, and the run ends the server after them.
    detached: true,
    stdio: ['ignore', log, log] as const,
  });
  const ended = once(child, 'exit');
  const adminUrl = connectionStringOf(sockets, ADMIN);
  await until('the server of the run answers', () => {
    assert.equal(child.exitCode, null, readFileSync(cluster.logFile, 'utf8'));
    return answers(adminUrl);
  });
  return {
    connectionString: connectionStringOf(sockets),
    adminUrl,
    async [Symbol.asyncDispose]() {
      // An immediate shutdown: the server's memory and files are discarded.
      child.kill('SIGQUIT');
      await ended;
      await rm(sockets, { recursive: true, force: true });
    },
  };
}

/** A folder with a short name that every user may enter: tests start processes as users without rights. */
async function makeSocketFolder({ user }: Cluster): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doorstep-socket-'));
  await chmod(folder, 0o755);
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

export type RunDatabase = AsyncDisposable & { connectionString: string };

/** The database of a run of many test files: DATABASE_URL's, or an embedded one that is thrown away at the end. */
export async function openRunDatabase(): Promise<RunDatabase> {
  const given = process.env.DATABASE_URL;
  if (given) return { connectionString: given, async [Symbol.asyncDispose]() {} };
  const dataDir = mkdtempSync(join(folderOfFiles(), 'doorstep-test-'));
  const server = await startRunServer(dataDir);
  await allowMore(server);
  return {
    connectionString: server.connectionString,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const MEMORY = '/dev/shm';
/** The files of a run take some 2 GB; twice that is free where the memory is used. */
const FREE_BYTES = 4 * 2 ** 30;

/** Files in memory where there is room: a run makes and removes a hundred thousand of them. */
function folderOfFiles(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > FREE_BYTES && freemem() > 2 * FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Tests make databases of their own, for which the service's role has no right elsewhere. */
async function allowMore({ connectionString, adminUrl }: RunServer): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const role = client.escapeIdentifier(new URL(connectionString).username);
  await client.query(`alter role ${role} createdb`);
  await client.end();
}
