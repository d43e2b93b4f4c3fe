import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  ADMIN,
  type Cluster,
  connectionStringOf,
  dataDirArgument,
  prepareCluster,
  SETTINGS,
  SETTINGS_FILE,
  SOCKET_PORT,
} from '../packages/embedded-database/cluster.ts';
import { makeInDataDir, pathsOf } from '../packages/embedded-database/data-dir.ts';
import { PROGRAM_ENVIRONMENT } from '../packages/embedded-database/programs.ts';
import { until } from './until.ts';

/** `adminUrl` connects as superuser. */
type RunServer = AsyncDisposable & { connectionString: string; adminUrl: string };

/**
 * Extends the embedded server's settings. Tests never kill this server, and its files are discarded, so durability is
 * off.
 */
const FOR_A_RUN = `
fsync = off
synchronous_commit = off
full_page_writes = off
max_wal_size = 1GB
checkpoint_timeout = 1h
max_connections = 400
update_process_title = off
io_method = sync
`;

/** Runs a new cluster in the folder until the run ends; the caller removes its files. */
async function startRunServer(dataDir: string): Promise<RunServer> {
  const paths = pathsOf(dataDir, 'doorstep');
  await makeInDataDir(dataDir, paths.root);
  const cluster = await prepareCluster(paths, console);
  const sockets = await makeSocketFolder(cluster);
  await writeFile(join(cluster.clusterDir, SETTINGS_FILE), SETTINGS + FOR_A_RUN);
  const where = ['listen_addresses=', `port=${SOCKET_PORT}`, `unix_socket_directories=${sockets}`];
  const args = ['-D', dataDirArgument(cluster.clusterDir), ...where.flatMap((setting) => ['-c', setting])];
  const log = openSync(cluster.logFile, 'a');
  const child = spawn(cluster.programs.postgres, args, {
    cwd: cluster.clusterDir,
    env: PROGRAM_ENVIRONMENT,
    ...cluster.user,
    // A process group of its own: Ctrl-C ends the tests first, and the run then stops the server.
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
    connectionString: connectionStringOf(sockets, cluster.name),
    adminUrl,
    async [Symbol.asyncDispose]() {
      // Immediate shutdown, because its data is discarded.
      child.kill('SIGQUIT');
      await ended;
      await rm(sockets, { recursive: true, force: true });
    },
  };
}

/** A folder with a short path that every user may enter, because tests start processes as unprivileged users. */
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

/** A run's database: DATABASE_URL's, or an embedded one that is discarded at the end. */
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
/** Minimum free bytes for using memory: twice a run's 2 GB of files. */
const FREE_BYTES = 4 * 2 ** 30;

/** In memory if there is room: a run creates and removes a hundred thousand files. */
function folderOfFiles(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > FREE_BYTES && freemem() > 2 * FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Tests create databases, a privilege that the service's role otherwise lacks. */
async function allowMore({ connectionString, adminUrl }: RunServer): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const role = client.escapeIdentifier(new URL(connectionString).username);
  await client.query(`alter role ${role} createdb`);
  await client.end();
}
