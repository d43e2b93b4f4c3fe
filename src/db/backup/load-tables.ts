import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import * as copyStreams from 'pg-copy-streams';
import { BackupError } from './backup-error.ts';
import { listLoadObstacles, listTables, readJobsVersion } from './catalog.db.ts';
import { fileOf, type Manifest, type TableCopy } from './manifest.ts';
import type { RestoreProgress } from './restore-backup.ts';

export type LoadOptions = {
  schema: string;
  signal?: AbortSignal;
  onProgress?: (progress: RestoreProgress) => void;
};

/**
 * Loads the tables of the service in one transaction, without triggers: the backup has what they wrote. Returns the tables
 * of the backup that the schema does not have. Throws BackupError where the rows are not those of the backup.
 */
export async function loadTables(
  client: pg.ClientBase,
  schema: string,
  { directory, manifest }: Backup,
  options: LoadOptions,
): Promise<string[]> {
  const copies = manifest.tables.filter(({ part }) => part === 'service');
  const report = reporter(manifest, options);
  await client.query(`set search_path to ${client.escapeIdentifier(schema)}`);
  await client.query('begin');
  const tables = await listTables(client, schema);
  const loaded = copies.filter(({ table }) => tables.some((each) => each.table === table));
  const obstacles = await listLoadObstacles(client, schema);
  await client.query(`truncate ${tables.map(({ table }) => client.escapeIdentifier(table)).join(', ')}`);
  for (const { drop } of obstacles) await client.query(drop);
  for (const copy of loaded) await loadTable(client, copy, { ...options, directory, report });
  for (const { create } of obstacles.toReversed()) await client.query(create);
  await checkChangeNumber(client, manifest);
  await setSequences(client, manifest);
  await client.query('commit');
  for (const { table } of tables) await client.query(`analyze ${client.escapeIdentifier(table)}`);
  return copies.filter((copy) => !loaded.includes(copy)).map(({ table }) => table);
}

type Backup = { directory: string; manifest: Manifest };
type Report = (copy: TableCopy, bytes: number) => void;
type CopyOptions = LoadOptions & { directory: string; report: Report };

function reporter(manifest: Manifest, { onProgress }: LoadOptions): Report {
  const bytesTotal = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const before = (copy: TableCopy) =>
    manifest.tables.slice(0, manifest.tables.indexOf(copy)).reduce((sum, { bytes }) => sum + bytes, 0);
  return (copy, bytes) => onProgress?.({ table: copy.table, bytes: before(copy) + bytes, bytesTotal });
}

async function loadTable(client: pg.ClientBase, copy: TableCopy, options: CopyOptions): Promise<void> {
  const table = client.escapeIdentifier(copy.table);
  await client.query(`alter table ${table} disable trigger user`);
  // Rows of a table that this transaction has emptied are written as they stay: no vacuum rewrites them later.
  await copyIn(client, `copy ${table} (${listOf(client, copy)}) from stdin with (freeze)`, copy, options);
  await client.query(`alter table ${table} enable trigger user`);
}

const listOf = (client: pg.ClientBase, { columns }: TableCopy) =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ');

async function copyIn(
  client: pg.ClientBase,
  statement: string,
  copy: TableCopy,
  { directory, signal, report }: CopyOptions,
): Promise<void> {
  const target = client.query(copyStreams.from(statement));
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      report(copy, bytes);
      done(null, chunk);
    },
  });
  const file = createReadStream(join(directory, fileOf(copy)));
  await pipeline([file, count, createZstdDecompress(), target], signal ? { signal } : {});
  if (target.rowCount === copy.rows) return;
  throw new BackupError(`${fileOf(copy)} has ${target.rowCount} rows instead of ${copy.rows}.`);
}

async function checkChangeNumber(client: pg.ClientBase, { changeNumber }: Manifest): Promise<void> {
  const { rows } = await client.query<{ seq: number }>('select seq::float8 as seq from change_clock');
  if (rows[0]?.seq === changeNumber) return;
  throw new BackupError(`The change clock stands at ${rows[0]?.seq} instead of ${changeNumber}.`);
}

/** A sequence that gave out no number begins at its first number, as in a new table. */
async function setSequences(client: pg.ClientBase, { sequences }: Manifest): Promise<void> {
  for (const { table, column, last } of sequences) {
    if (last > 0) await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [table, column, last]);
  }
}

/**
 * Loads the waiting jobs into the queue that this version's library has made, by the columns that both have: the library
 * changes its own schema. Jobs that ran are in the state of a worker that died, and are given to another one.
 */
export async function loadJobs(
  client: pg.ClientBase,
  { directory, manifest }: Backup,
  options: LoadOptions,
): Promise<void> {
  const schema = `${options.schema}_jobs`;
  const version = await readJobsVersion(client, schema);
  if (manifest.jobsVersion !== null && version !== null && manifest.jobsVersion > version) {
    throw new BackupError('The backup has a job queue of a newer Doorstep: restore it with that version.');
  }
  const report = reporter(manifest, options);
  await client.query('begin');
  // The queue that a job belongs to is loaded first.
  for (const name of ['queue', 'job']) {
    const copy = manifest.tables.find(({ part, table }) => part === 'jobs' && table === name);
    if (!copy) continue;
    const columns = copy.columns.map((column) => `${client.escapeIdentifier(column)} text`).join(', ');
    await client.query(`create temporary table staged_rows (${columns}) on commit drop`);
    const staging = `copy pg_temp.staged_rows (${listOf(client, copy)}) from stdin`;
    await copyIn(client, staging, copy, { ...options, directory, report });
    await insertStaged(client, schema, copy);
    await client.query('drop table pg_temp.staged_rows');
  }
  await client.query('commit');
}

async function insertStaged(client: pg.ClientBase, schema: string, { table, columns }: TableCopy): Promise<void> {
  const target = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`;
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [target],
  );
  const known = rows.filter(({ name }) => columns.includes(name));
  const names = known.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  const values = known.map(({ name, type }) => `${client.escapeIdentifier(name)}::${type}`).join(', ');
  await client.query(
    `insert into ${target} (${names}) select ${values} from pg_temp.staged_rows on conflict do nothing`,
  );
}
