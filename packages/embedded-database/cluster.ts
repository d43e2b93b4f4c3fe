import { randomBytes } from 'node:crypto';
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, explainOutput, type Paths, pathExists } from './data-dir.ts';
import {
  type EmbeddedLog,
  findPostgresPrograms,
  findServerUser,
  type PostgresPrograms,
  runProgram,
  type ServerUser,
} from './programs.ts';

/*
 * The database's files in the data folder: creating a cluster, its settings, and its socket's address. Callers of
 * writing functions hold the lock.
 */

/** A cluster and its programs. Paths are absolute. */
export type Cluster = {
  name: string;
  dataDir: string;
  clusterDir: string;
  logFile: string;
  programs: PostgresPrograms;
  user: ServerUser;
};

/** The supervisor's superuser. The caller's role owns only its database. */
export const ADMIN = 'postgres';

/** Part of the socket's file name. The server listens on no TCP port. */
export const SOCKET_PORT = 5432;

export const SETTINGS_FILE = 'embedded.conf';

/** Appended to `postgresql.conf`. Settings that an operator adds below this line take precedence. */
export const INCLUDE_SETTINGS = `\ninclude_if_exists = '${SETTINGS_FILE}' # written at every start; put your own settings below\n`;

/**
 * Rewritten at every start, so existing clusters follow the program. A short WAL keeps crash recovery within five
 * seconds on slow machines; shorter would log more full pages. Statements stay out of the log, because they may hold
 * personal data.
 */
export const SETTINGS = `
max_connections = 200
shared_buffers = 256MB
effective_cache_size = 1GB
work_mem = 8MB
maintenance_work_mem = 64MB
max_parallel_workers_per_gather = 0
jit = off
random_page_cost = 1.1

max_wal_size = 512MB
min_wal_size = 80MB
checkpoint_timeout = 2min
checkpoint_completion_target = 0.9

timezone = 'UTC'
log_timezone = 'UTC'
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_checkpoints = off
log_line_prefix = '%m [%p] '
`;

const MAX_LOG_BYTES = 5 * 1024 * 1024;

/** Ensures a cluster that this version's programs can run. */
export async function prepareCluster(paths: Paths, log: Pick<EmbeddedLog, 'warn'>): Promise<Cluster> {
  const { name, dataDir, clusterDir, logFile } = paths;
  const user = await findServerUser(clusterDir, log);
  const programs = await findPostgresPrograms(paths.root, user);
  const cluster = { name, dataDir, clusterDir, logFile, programs, user };
  if (!(await pathExists(clusterDir))) {
    await createCluster(cluster);
    return cluster;
  }
  await checkVersion(cluster);
  // A cluster restored by root belongs to root, and PostgreSQL refuses to run as root.
  if (user && (await stat(clusterDir)).uid !== user.uid) {
    await runProgram('chown', ['-hR', `${user.uid}:${user.gid}`, clusterDir], { timeoutMs: CREATE_TIMEOUT_MS });
  }
  return cluster;
}

/** Refuses a cluster of another PostgreSQL major version with the way to take it over. */
async function checkVersion({ clusterDir, dataDir, programs: { major } }: Cluster): Promise<void> {
  const made = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  if (Number(made) === major) return;
  const advice =
    Number(made) > major
      ? 'use the newer version of this program that made it'
      : 'dump it with the version of this program that made it, and restore it with this one into another folder';
  throw new EmbeddedPostgresError(
    `The database in ${dataDir} was made by PostgreSQL ${made} and PostgreSQL ${major} is installed: ${advice}.`,
    Number(made) > major ? {} : { remedy: 'version' },
  );
}

const CREATE_TIMEOUT_MS = 180_000;

// PostgreSQL's built-in collation sorts alike on every machine; no upgrade of the C library changes it.
const INITDB_OPTIONS = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--text-search-config=simple',
  '--data-checksums',
  // Access is by a Unix socket in the cluster's folder (mode 700), without a password: anyone who can enter the folder
  // can already read the database files.
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
  `--username=${ADMIN}`,
];

/**
 * Creates the cluster alongside its final place and renames it: a killed start leaves a draft, which a later first
 * start removes, never half a cluster.
 */
async function createCluster({ name, clusterDir, programs, user, dataDir }: Cluster): Promise<void> {
  if (!/^[a-z_]{1,63}$/.test(name)) throw new TypeError('A role has lower-case letters and underscores.');
  const folder = dirname(clusterDir);
  const drafts = (await readdir(folder)).filter((file) => join(folder, file).startsWith(`${clusterDir}.draft-`));
  // A draft that a dying `initdb` still writes to is left to the next start.
  await Promise.allSettled(drafts.map((file) => rm(join(folder, file), { recursive: true, force: true })));
  const draft = `${clusterDir}.draft-${randomBytes(6).toString('hex')}`;
  await mkdir(draft, { mode: 0o700 });
  try {
    if (user) await chown(draft, user.uid, user.gid);
    const where = { cwd: draft, user, timeoutMs: CREATE_TIMEOUT_MS };
    const here = dataDirArgument(draft);
    const init = await runProgram(programs.initdb, [...INITDB_OPTIONS, '-D', here], where);
    if (init.status !== 0) throw explainOutput(init.output, dataDir);
    // Single-user mode reads one statement per line.
    const input = `CREATE ROLE "${name}" LOGIN\nCREATE DATABASE "${name}" OWNER "${name}"\n`;
    const single = [
      '--single',
      '-D',
      here,
      '-c',
      'exit_on_error=on',
      '-c',
      'log_min_error_statement=panic',
      'postgres',
    ];
    const roles = await runProgram(programs.postgres, single, { ...where, input });
    if (roles.status !== 0 || /\b(ERROR|FATAL|PANIC):/.test(roles.output)) throw explainOutput(roles.output, dataDir);
    await appendFile(join(draft, 'postgresql.conf'), INCLUDE_SETTINGS, { flush: true });
    await rename(draft, clusterDir);
    await syncDirectory(folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    throw error;
  }
}

/** Syncs a directory, because a rename in it survives a power failure only then. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * Returns the cluster's path on a program's command line. The server's user may have no access to the folder's parents
 * but can use its working directory, which has an absolute name on Linux.
 */
export const dataDirArgument = (clusterDir: string) => (process.platform === 'linux' ? '/proc/self/cwd' : clusterDir);

/** Writes this version's settings and fixes the modes of log and folder. */
export async function writeSettings({ clusterDir, logFile, user }: Cluster): Promise<void> {
  const file = join(clusterDir, SETTINGS_FILE);
  // Written only on change: a full disk must not keep a readable database from starting.
  if ((await readFile(file, 'utf8').catch(() => '')) !== SETTINGS) {
    await writeFile(`${file}.draft`, SETTINGS, { mode: 0o600 });
    if (user) await chown(`${file}.draft`, user.uid, user.gid);
    await rename(`${file}.draft`, file);
  }
  // A copied or restored directory is often open to others, which PostgreSQL refuses.
  if (((await stat(clusterDir)).mode & 0o077) !== 0) await chmod(clusterDir, 0o700);
  const log = await stat(logFile).catch(() => undefined);
  if (log && log.size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`);
}

/** Maximum length of the folder in a socket's address: 104 bytes on macOS (108 on Linux) minus the socket's name. */
const MAX_FOLDER_BYTES = 104 - '/.s.PGSQL.5432\0'.length;
const isShort = (folder: string) => Buffer.byteLength(folder) <= MAX_FOLDER_BYTES;

/** A path to the socket's folder, short enough for a socket address. */
export type SocketFolder = AsyncDisposable & { folder: string };

/**
 * Returns a folder whose path fits a socket address. A longer path is reached through a link in a new private temporary
 * folder, so that no other user can redirect it to a server of their own.
 */
export async function openSocketFolder(clusterDir: string): Promise<SocketFolder> {
  if (isShort(clusterDir)) return { folder: clusterDir, async [Symbol.asyncDispose]() {} };
  const temporary = isShort(join(tmpdir(), 'postgres-XXXXXX', 'data')) ? tmpdir() : '/tmp';
  const own = await mkdtemp(join(temporary, 'postgres-'));
  const folder = join(own, 'data');
  await symlink(clusterDir, folder);
  return { folder, [Symbol.asyncDispose]: () => rm(own, { recursive: true, force: true }) };
}

/** Returns the URL of a role's database, without a password: the mode of the socket's folder is the access control. */
export const connectionStringOf = (socketFolder: string, role: string): string =>
  `postgres://${role}@localhost:${SOCKET_PORT}/${role}?host=${encodeURIComponent(socketFolder)}&sslmode=disable`;
