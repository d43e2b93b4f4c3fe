import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode } from '../lib/error-code.ts';
import { checkBackup, type RestoreOptions, restoreBackup } from './backup/restore-backup.ts';
import { writeBackup } from './backup/write-backup.ts';
import { EmbeddedPostgresError, pathExists, upgradePaths } from './embedded/data-dir.ts';
import { openEmbeddedPostgres, stopLeftServer, withExclusiveUse } from './embedded/embedded-postgres.ts';
import { type EmbeddedLog, type PostgresPrograms, probePrograms } from './embedded/programs.ts';

export type UpgradeOptions = {
  dataDir: string;
  /** Folder of the programs of DATA_DIR's current major version. */
  oldBindir: string;
  schema: string;
  log: EmbeddedLog;
  createJobs: (connectionString: string) => RestoreOptions['createJobs'];
  onStep?: (step: UpgradeStep) => void;
};

export type UpgradeStep = 'dump' | 'load' | 'swap';
/** `kept` is the old cluster's folder. */
export type UpgradeResult = { from: string; kept: string; rows: number };

type Paths = ReturnType<typeof upgradePaths>;

/**
 * Upgrades a DATA_DIR to this major version of PostgreSQL: dumps it into a new cluster, swaps the new cluster in, and
 * keeps the old one. Restartable, because the old cluster stays complete until the swap. Throws EmbeddedPostgresError.
 */
export async function upgradeDataDir(options: UpgradeOptions): Promise<UpgradeResult> {
  const dataDir = resolve(options.dataDir);
  const paths = upgradePaths(dataDir);
  const begun = await readMarker(paths);
  if (begun && (await pathExists(paths.oldPostgres(begun.from)))) return finish(paths, begun);
  await discard(paths, options.log);
  const from = await readMajor(dataDir);
  const programs = await findOldPrograms(options.oldBindir, from, dataDir);
  const kept = paths.oldPostgres(from);
  if (await pathExists(kept)) {
    throw new EmbeddedPostgresError(`${kept} is there already, from an earlier upgrade: move it away first.`);
  }
  await mkdir(paths.root, { mode: 0o700 });
  try {
    const rows = await withExclusiveUse(
      { dataDir, programs, log: options.log },
      (connectionString) => dumpAndLoad(paths, connectionString, options),
      async (rows) => {
        options.onStep?.('swap');
        await writeMarker(paths, { from, kept, rows });
        await rename(paths.postgres, kept);
      },
    );
    return await finish(paths, { from, kept, rows });
  } catch (error) {
    // Discards the new cluster only while the old one has its place: after the first rename, the new one is the only
    // complete cluster.
    if (!(await pathExists(kept))) await discard(paths, options.log);
    throw error;
  }
}

/** Discards an unfinished upgrade. After a crash its new cluster's server may still run. */
async function discard(paths: Paths, log: EmbeddedLog): Promise<void> {
  await stopLeftServer(paths.root, log);
  await rm(paths.root, { recursive: true, force: true, maxRetries: 3 });
}

/** Dumps the old database into a new cluster. Returns the number of rows. */
async function dumpAndLoad(paths: Paths, oldConnectionString: string, options: UpgradeOptions): Promise<number> {
  const { schema } = options;
  options.onStep?.('dump');
  await writeBackup({ connectionString: oldConnectionString, schema, directory: paths.backup });
  options.onStep?.('load');
  const backup = await checkBackup(paths.backup);
  const database = await openEmbeddedPostgres({ dataDir: paths.root, log: options.log });
  const { connectionString } = database;
  try {
    const createJobs = options.createJobs(connectionString);
    await restoreBackup(backup, { connectionString, schema, createJobs, isSuccessor: true });
  } finally {
    await database.close();
  }
  await rm(paths.backup, { recursive: true });
  return backup.manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** The last step; repeatable after a crash at any line. */
async function finish(paths: Paths, upgraded: UpgradeResult): Promise<UpgradeResult> {
  if (await pathExists(paths.newPostgres)) {
    // A start between the two renames found no cluster and left an empty folder.
    await rm(paths.postgres, { recursive: true, force: true });
    await rename(paths.newPostgres, paths.postgres);
  }
  await rm(paths.root, { recursive: true, force: true });
  return upgraded;
}

async function readMarker(paths: Paths): Promise<UpgradeResult | undefined> {
  const text = await readFile(paths.complete, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

async function writeMarker(paths: Paths, upgraded: UpgradeResult): Promise<void> {
  const draft = `${paths.complete}.draft`;
  await writeFile(draft, JSON.stringify(upgraded), { mode: 0o600, flush: true });
  await rename(draft, paths.complete);
}

async function readMajor(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres', 'data', 'PG_VERSION');
  const made = await readFile(file, 'utf8').catch((cause) => {
    if (errorCode(cause) !== 'ENOENT') throw cause;
    throw new EmbeddedPostgresError(`DATA_DIR (${dataDir}) has no database.`, { cause });
  });
  return made.trim();
}

async function findOldPrograms(bindir: string, major: string, dataDir: string): Promise<PostgresPrograms> {
  const { programs } = await probePrograms(resolve(bindir));
  if (programs && String(programs.major) === major) return programs;
  const what = programs ? `the programs of PostgreSQL ${programs.major}` : 'no PostgreSQL that runs';
  throw new EmbeddedPostgresError(
    `DATA_DIR (${dataDir}) was made by PostgreSQL ${major}, and ${bindir} has ${what}: name the folder of PostgreSQL ${major}.`,
  );
}
