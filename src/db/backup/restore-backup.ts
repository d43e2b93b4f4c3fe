import type pg from 'pg';
import { openPool } from '../connect.ts';
import { applyMissing, type MigrateOptions, withMigrationLock } from '../migrate.ts';
import { type Migration, readMigrations } from '../migrations.ts';
import { BackupError } from './backup-error.ts';
import { hasRelations } from './catalog.db.ts';
import { loadJobs, loadTables } from './load-tables.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { verifyFiles } from './verify-files.ts';
import { withClient } from './with-client.ts';

/** Bytes are those of the backup's files. */
export type RestoreProgress = { table: string; bytes: number; bytesTotal: number };

export type RestoreOptions = {
  connectionString: string;
  /** The schema of the service; that of its job queue has `_jobs` behind it. */
  schema: string;
  /** Creates the schema of the job queue, and leaves the queue. */
  createJobs: (schema: string) => Promise<void>;
  signal?: AbortSignal;
  onProgress?: (progress: RestoreProgress) => void;
};

export type Restored = {
  /** Newer migrations, which were applied to what the backup holds. */
  applied: string[];
  /** Tables that no migration of the backup makes: an operator's own. They are left out. */
  leftOut: string[];
};

/** A backup that was read whole and found good, and the migrations of this version. */
export type CheckedBackup = { directory: string; manifest: Manifest; migrations: Migration[] };

/**
 * Reads a backup whole, compares every file with what was written, and touches no database. Throws BackupError for an
 * unfinished or damaged backup, and for a backup whose schema this version does not know.
 */
export async function checkBackup(directory: string, signal?: AbortSignal): Promise<CheckedBackup> {
  const manifest = await readManifest(directory);
  const migrations = await readMigrations();
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = manifest.migrations.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new BackupError(
      `The backup is of a newer Doorstep, whose schema this version does not know (${unknown.join(', ')}): restore it with that version.`,
    );
  }
  await verifyFiles(directory, manifest, signal);
  return { directory, manifest, migrations };
}

/**
 * Loads a checked backup into a database without tables of Doorstep, and brings it to the schema of this version. The
 * tables are made in a schema of another name, which gets its own name at the very end: a restore that fails, or whose
 * process dies, leaves a database into which the backup can be restored again. Throws BackupError.
 */
export async function restoreBackup(backup: CheckedBackup, options: RestoreOptions): Promise<Restored> {
  const { connectionString, schema } = options;
  const drafts = [`${schema}_restoring`, `${schema}_jobs`];
  return withClient(connectionString, (client) =>
    withMigrationLock(client, async () => {
      await refuseFilled(client, schema);
      await dropSchemas(client, drafts);
      try {
        return await load(client, backup, options);
      } catch (error) {
        // An open transaction holds locks on the tables of the draft, and the drop would wait for their end.
        await client.query('rollback').catch(() => {});
        await withClient(connectionString, (other) => dropSchemas(other, drafts)).catch(() => {});
        throw error;
      }
    }),
  );
}

async function load(client: pg.ClientBase, backup: CheckedBackup, options: RestoreOptions): Promise<Restored> {
  const { manifest, migrations } = backup;
  const { connectionString, schema } = options;
  const draft = `${schema}_restoring`;
  const migrateTo = (more: MigrateOptions) =>
    onSchema(connectionString, draft, (other) => applyMissing(other, draft, migrations, more));
  await migrateTo({ only: new Set(manifest.migrations) });
  const leftOut = await loadTables(client, draft, backup, options);
  const { applied } = await migrateTo({});
  await options.createJobs(`${schema}_jobs`);
  await loadJobs(client, backup, options);
  await client.query(
    `drop schema if exists ${client.escapeIdentifier(schema)};
     alter schema ${client.escapeIdentifier(draft)} rename to ${client.escapeIdentifier(schema)}`,
  );
  return { applied, leftOut };
}

/** The job queue's schema alone is what an unfinished restore leaves. */
async function refuseFilled(client: pg.ClientBase, schema: string): Promise<void> {
  if (!(await hasRelations(client, schema))) return;
  throw new BackupError(
    'The database holds tables of Doorstep already, and a restore replaces nothing: name an empty database, or a new DATA_DIR.',
  );
}

async function dropSchemas(client: pg.ClientBase, schemas: readonly string[]): Promise<void> {
  for (const schema of schemas) {
    await client.query(`drop schema if exists ${client.escapeIdentifier(schema)} cascade`);
  }
}

/** Runs the work on a connection whose search path is the schema, as migrations expect. */
async function onSchema<T>(
  connectionString: string,
  schema: string,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const pool = openPool({ connectionString, schema, max: 1 });
  try {
    const client = await pool.connect();
    return await work(client).finally(() => client.release());
  } finally {
    await pool.end();
  }
}
