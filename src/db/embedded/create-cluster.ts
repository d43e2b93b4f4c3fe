import { randomBytes } from 'node:crypto';
import { appendFile, chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError, explainOutput } from './embedded-postgres-error.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { ServerUser } from './run-program.ts';
import { runProgram } from './run-program.ts';
import { INCLUDE_SETTINGS } from './server-settings.ts';

const TIMEOUT_MS = 180_000;

/** The superuser of the supervisor, and the role and database of the service: it rules its database, not the cluster. */
export const ADMIN = 'postgres';
export const ROLE = 'doorstep';
export const DATABASE = 'doorstep';

/**
 * How a server's command line names its cluster. The server's user may not be allowed to walk to DATA_DIR (a clone
 * below /root), but the kernel lets it use the directory it was started in; on Linux that has an absolute name.
 */
export const dataDirArgument = (clusterDir: string) => (process.platform === 'linux' ? '/proc/self/cwd' : clusterDir);

/**
 * Makes the cluster beside its final place and moves it there whole: a start that is killed half way leaves a
 * draft, which a later start removes, and never half a cluster. The caller holds the start lock.
 */
export async function createCluster(
  clusterDir: string,
  given: { binaries: PostgresBinaries; user: ServerUser; dataDir: string },
): Promise<void> {
  const draft = `${clusterDir}.draft-${randomBytes(6).toString('hex')}`;
  await mkdir(draft, { mode: 0o700 });
  try {
    if (given.user) await chown(draft, given.user.uid, given.user.gid);
    await initialise(draft, given);
    await rename(draft, clusterDir);
    await syncDirectory(dirname(clusterDir));
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    throw error;
  }
}

/** Removes the drafts of starts that were killed. A dying `initdb` may still write there; then the next start removes the draft. */
export async function removeDrafts(clusterDir: string): Promise<void> {
  for (const name of await readdir(dirname(clusterDir))) {
    if (!name.startsWith(`${basename(clusterDir)}.draft-`)) continue;
    await rm(join(dirname(clusterDir), name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

// The collation is PostgreSQL's own: it sorts alike on every machine and no upgrade of the C library changes it.
const INITDB_OPTIONS = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--text-search-config=simple',
  '--data-checksums',
  '--auth=trust', // replaced by HOST_BASED_ACCESS at each start
  '--no-instructions',
  `--username=${ADMIN}`,
];

async function initialise(
  draft: string,
  given: { binaries: PostgresBinaries; user: ServerUser; dataDir: string },
): Promise<void> {
  const where = { cwd: draft, user: given.user, timeoutMs: TIMEOUT_MS };
  const here = dataDirArgument(draft);
  const init = await runProgram(given.binaries.initdb, [...INITDB_OPTIONS, '-D', here], where);
  if (init.status !== 0) throw explainOutput(init.output, given.dataDir);
  // Statements of the single-user mode end with the line.
  const input = [`CREATE ROLE ${ROLE} LOGIN`, `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`].join('\n');
  const single = ['--single', '-D', here, '-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic', 'postgres'];
  const roles = await runProgram(given.binaries.postgres, single, { ...where, input: `${input}\n` });
  if (roles.status !== 0 || /\b(ERROR|FATAL|PANIC):/.test(roles.output))
    throw explainOutput(roles.output, given.dataDir);
  await appendFile(join(draft, 'postgresql.conf'), INCLUDE_SETTINGS, { flush: true });
}

/** A rename survives a power cut only once its directory is on the disk too. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Refuses a cluster that these programs cannot read, in a sentence that says what to do. */
export async function checkVersion(clusterDir: string, major: number, dataDir: string): Promise<void> {
  const made = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  if (Number(made) === major) return;
  const advice =
    Number(made) > major
      ? 'use the newer Doorstep that made it'
      : `run \`doorstep database upgrade --old-bindir DIR\` with the programs of PostgreSQL ${made}, or restore a backup of the older Doorstep into another DATA_DIR`;
  throw new EmbeddedPostgresError(
    `DATA_DIR (${dataDir}) was made by PostgreSQL ${made} and this Doorstep carries PostgreSQL ${major}: ${advice}.`,
  );
}

/** A cluster that root restored from a copy belongs to root, as whom PostgreSQL does not run. */
export async function giveTo(clusterDir: string, user: { uid: number; gid: number }): Promise<void> {
  const { uid } = await stat(clusterDir);
  if (uid === user.uid) return;
  for (const path of await readdir(clusterDir, { recursive: true })) {
    await lchown(join(clusterDir, path), user.uid, user.gid);
  }
  await chown(clusterDir, user.uid, user.gid);
}
