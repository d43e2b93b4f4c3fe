import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { errorMessage } from 'doorstep/files';
import type pg from 'pg';
import * as copyStreams from 'pg-copy-streams';
import { openPool } from '../connect.ts';
import { applyMissing, type MigrateOptions, readApplied, withMigrationLock } from '../migrate.ts';
import { type Migration, readMigrations } from '../migrations.ts';
import { markRestored } from '../quiet.db.ts';
import { otherMigrations } from '../recorded-migrations.ts';
import { hasRelations, listLoadObstacles, listTables } from './catalog.db.ts';
import { BackupError, type Manifest, readManifest, type TableCopy, tableFile } from './manifest.ts';
import { withClient } from './with-client.ts';

/** A backup whose files match their checksums, and the migrations of this version. */
export type CheckedBackup = { directory: string; manifest: Manifest; migrations: Migration[] };

/**
 * Reads a backup completely and compares every file with its checksum; touches no database. Throws BackupError for an
 * unfinished or damaged backup, and for a schema that this version does not know.
 */
export async function checkBackup(directory: string, signal?: AbortSignal): Promise<CheckedBackup> {
  const manifest = await readManifest(directory);
  const migrations = await readMigrations();
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = manifest.migrations.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    // A newer version includes all migrations of this one. Backups have no hashes.
    const isNewer = manifest.migrations.length === known.size + unknown.length;
    const applied = new Map(manifest.migrations.map((name) => [name, '']));
    throw new BackupError(
      (isNewer ? undefined : otherMigrations(migrations, applied)) ??
        `The backup was created by a newer Doorstep version with an unknown schema (${unknown.join(', ')}). Restore it with that version.`,
    );
  }
  await verifyFiles(directory, manifest, signal);
  return { directory, manifest, migrations };
}

export type RestoreOptions = {
  connectionString: string;
  schema: string;
  signal?: AbortSignal;
  /** Called before each table. */
  onTable?: (table: string) => void;
};

export type RestoreResult = {
  /** Newer migrations, applied to the restored data. */
  applied: string[];
  /** Tables that no migration creates, such as an operator's own. They are not restored. */
  leftOut: string[];
};

/**
 * Loads a checked backup into a database without Doorstep's tables and migrates it. Works in a schema under another
 * name, renamed at the very end, so a failed restore can be repeated. Throws BackupError.
 */
export async function restoreBackup(backup: CheckedBackup, options: RestoreOptions): Promise<RestoreResult> {
  const { connectionString, schema } = options;
  const draft = `${schema}_restoring`;
  return withClient(connectionString, (client) =>
    withMigrationLock(client, async () => {
      await refuseNonEmptySchema(client, schema, backup.migrations);
      await dropSchema(client, draft);
      try {
        return await load(client, backup, options);
      } catch (error) {
        // An open transaction locks the draft's tables, and the drop would wait for it.
        await client.query('rollback').catch(() => {});
        await withClient(connectionString, (other) => dropSchema(other, draft)).catch(() => {});
        throw error;
      }
    }),
  );
}

async function load(client: pg.ClientBase, backup: CheckedBackup, options: RestoreOptions): Promise<RestoreResult> {
  const { manifest, migrations } = backup;
  const { connectionString, schema } = options;
  const draft = `${schema}_restoring`;
  const migrateTo = (more: MigrateOptions) =>
    onSchema(connectionString, draft, (other) => applyMissing(other, draft, migrations, more));
  await migrateTo({ only: new Set(manifest.migrations) });
  const leftOut = await loadTables(client, draft, backup, options);
  const { applied } = await migrateTo({});
  await markRestored(client);
  await client.query(
    `drop schema if exists ${client.escapeIdentifier(schema)};
     alter schema ${client.escapeIdentifier(draft)} rename to ${client.escapeIdentifier(schema)}`,
  );
  return { applied, leftOut };
}

/** Refuses a database that already has tables. */
async function refuseNonEmptySchema(client: pg.ClientBase, schema: string, migrations: Migration[]): Promise<void> {
  if (!(await hasRelations(client, schema))) return;
  throw new BackupError(
    otherMigrations(migrations, await readApplied(client, schema)) ??
      'The database already contains Doorstep tables, and a restore replaces nothing. Specify an empty database, or a new DATA_DIR.',
  );
}

async function dropSchema(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`drop schema if exists ${client.escapeIdentifier(schema)} cascade`);
}

/** Runs the work with the schema as search path, as migrations expect. */
async function onSchema<T>(connectionString: string, schema: string, work: (client: pg.ClientBase) => Promise<T>) {
  const pool = openPool({ connectionString, schema, max: 1 });
  try {
    const client = await pool.connect();
    return await work(client).finally(() => client.release());
  } finally {
    await pool.end();
  }
}

type LoadOptions = Pick<RestoreOptions, 'schema' | 'signal' | 'onTable'>;

/**
 * Loads the service's tables in one transaction, without triggers, because the backup includes the rows that they
 * wrote. Returns tables of the backup missing from the schema. Throws BackupError if the loaded rows differ from the
 * backup's.
 */
async function loadTables(
  client: pg.ClientBase,
  schema: string,
  { directory, manifest }: Backup,
  options: LoadOptions,
): Promise<string[]> {
  const copies = manifest.tables;
  await client.query(`set search_path to ${client.escapeIdentifier(schema)}`);
  await client.query('begin');
  const tables = await listTables(client, schema);
  const loaded = copies.filter(({ table }) => tables.some((each) => each.table === table));
  const obstacles = await listLoadObstacles(client, schema);
  await client.query(`truncate ${tables.map(({ table }) => client.escapeIdentifier(table)).join(', ')}`);
  for (const { drop } of obstacles) await client.query(drop);
  for (const copy of loaded) await loadTable(client, copy, { ...options, directory });
  for (const { create } of obstacles.toReversed()) await client.query(create);
  await checkChangeNumber(client, manifest);
  await setSequences(client, manifest);
  await client.query('commit');
  for (const { table } of tables) await client.query(`analyze ${client.escapeIdentifier(table)}`);
  return copies.filter((copy) => !loaded.includes(copy)).map(({ table }) => table);
}

type Backup = { directory: string; manifest: Manifest };
type CopyOptions = LoadOptions & { directory: string };

async function loadTable(client: pg.ClientBase, copy: TableCopy, options: CopyOptions): Promise<void> {
  const table = client.escapeIdentifier(copy.table);
  options.onTable?.(copy.table);
  await client.query(`alter table ${table} disable trigger user`);
  // COPY into a table emptied in the same transaction can write frozen rows, which need no later vacuum.
  await copyIn(client, `copy ${table} (${columnList(client, copy)}) from stdin with (freeze)`, copy, options);
  await client.query(`alter table ${table} enable trigger user`);
}

const columnList = (client: pg.ClientBase, { columns }: TableCopy) =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ');

async function copyIn(
  client: pg.ClientBase,
  statement: string,
  copy: TableCopy,
  { directory, signal }: CopyOptions,
): Promise<void> {
  const target = client.query(copyStreams.from(statement));
  const file = createReadStream(join(directory, tableFile(copy)));
  await pipeline([file, createZstdDecompress(), target], signal ? { signal } : {});
  if (target.rowCount === copy.rows) return;
  throw new BackupError(`${tableFile(copy)} has ${target.rowCount} rows instead of ${copy.rows}.`);
}

async function checkChangeNumber(client: pg.ClientBase, { changeNumber }: Manifest): Promise<void> {
  const { rows } = await client.query<{ seq: number }>('select seq::float8 as seq from change_clock');
  if (rows[0]?.seq === changeNumber) return;
  throw new BackupError(`The change clock is ${rows[0]?.seq} instead of ${changeNumber}.`);
}

/** Sets sequences to their last numbers. An unused one starts at its first number, as in a new table. */
async function setSequences(client: pg.ClientBase, { sequences }: Manifest): Promise<void> {
  for (const { table, column, last } of sequences) {
    if (last > 0) await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last]);
  }
}

/** Reads every file of a backup and compares it with the manifest. Throws BackupError that names the first bad file. */
async function verifyFiles(directory: string, manifest: Manifest, signal?: AbortSignal): Promise<void> {
  for (const copy of manifest.tables) {
    const name = tableFile(copy);
    const path = join(directory, name);
    const damaged = (what: string, cause?: unknown) =>
      new BackupError(`The backup in ${directory} is damaged: ${name} ${what}.`, { cause });
    const found = await stat(path).catch((error) => {
      throw damaged(`cannot be read (${errorMessage(error)})`, error);
    });
    if (found.size !== copy.bytes) throw damaged(`has ${found.size} bytes instead of ${copy.bytes}`);
    const hash = createHash('sha256');
    await pipeline([createReadStream(path), hash], signal ? { signal } : {});
    if (hash.digest('hex') !== copy.sha256) throw damaged('has other content than was written');
  }
}
