import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { errorMessage, makeFolder } from 'doorstep/files';
import type pg from 'pg';
import * as copyStreams from 'pg-copy-streams';
import { listSequences, listTables, type TableColumns } from './catalog.db.ts';
import { BackupError, countBytes, type Manifest, type TableCopy, tableFile, writeManifest } from './manifest.ts';
import { withClient } from './with-client.ts';

/**
 * Streams a snapshot of a live database into an empty folder. The files hold secrets and are readable only by their
 * owner. A failed backup leaves no file. Throws BackupError.
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  await makeEmptyFolder(options.directory);
  try {
    return await withClient(options.connectionString, (client) => backUp(client, options));
  } catch (error) {
    for (const name of await readdir(options.directory)) await rm(join(options.directory, name), { force: true });
    throw error;
  }
}

export type BackupOptions = {
  connectionString: string;
  schema: string;
  directory: string;
  signal?: AbortSignal;
  /** Called before each table. */
  onTable?: (table: string) => void;
};

async function makeEmptyFolder(directory: string): Promise<void> {
  try {
    await makeFolder(directory, 0o700);
    if ((await readdir(directory)).length > 0) {
      throw new BackupError(`${directory} is not empty: name a new folder for the backup.`);
    }
    await chmod(directory, 0o700);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The backup cannot be written to ${directory}: ${errorMessage(error)}.`, { cause: error });
  }
}

async function backUp(client: pg.ClientBase, options: BackupOptions): Promise<Manifest> {
  const { schema, directory, signal } = options;
  const sources = await lockTables(client, schema);
  const facts = await readFacts(client, schema);
  const tables: TableCopy[] = [];
  for (const source of sources) {
    signal?.throwIfAborted();
    options.onTable?.(source.table);
    tables.push(await copyTable(client, schema, source, { directory, signal }));
  }
  await client.query('commit');
  const manifest = { ...facts, sequences: await listSequences(client, schema), tables };
  await writeManifest(directory, manifest);
  return { format: 1, ...manifest };
}

/**
 * Opens the backup's snapshot transaction and locks every table before the snapshot is taken: a rewriting migration
 * must wait, since the snapshot would see its table empty.
 */
async function lockTables(client: pg.ClientBase, schema: string): Promise<TableColumns[]> {
  const found = await listTables(client, schema);
  if (found.length === 0) {
    throw new BackupError(
      `The database contains no Doorstep tables (schema ${schema}), so there is nothing to back up.`,
    );
  }
  await client.query('begin transaction isolation level repeatable read read only');
  const names = found.map(({ table }) => [schema, table].map((name) => client.escapeIdentifier(name)).join('.'));
  await client.query(`lock table ${names.join(', ')} in access share mode`);
  const sources = await listTables(client, schema);
  if (sources.length === found.length) return sources;
  await client.query('rollback');
  return lockTables(client, schema); // a migration has added a table in the meantime
}

async function readFacts(client: pg.ClientBase, schema: string) {
  const name = client.escapeIdentifier(schema);
  const { rows } = await client.query<Omit<Manifest, 'format' | 'sequences' | 'tables'>>(
    `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "snapshotAt",
       current_setting('server_version') as postgres,
       array(select name from ${name}.migrations order by name) as migrations,
       (select seq::float8 from ${name}.change_clock) as "changeNumber"`,
  );
  const [facts] = rows;
  if (!facts) throw new BackupError('The database did not report its contents.');
  return facts;
}

async function copyTable(
  client: pg.ClientBase,
  schema: string,
  { table, columns }: TableColumns,
  given: { directory: string; signal: AbortSignal | undefined },
): Promise<TableCopy> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const from = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`;
  const copy = client.query(copyStreams.to(`copy (select ${list} from ${from}) to stdout`));
  const statementEnded = streamEnd(copy);
  const hash = createHash('sha256');
  const stored = countBytes((chunk) => void hash.update(chunk));
  const file = createWriteStream(join(given.directory, tableFile({ table })), {
    mode: 0o600,
    flags: 'wx',
    flush: true,
  });
  const more = given.signal ? { signal: given.signal } : {};
  await pipeline([copy, createZstdCompress(), stored.stream, file], more);
  await statementEnded;
  return { table, columns, rows: copy.rowCount, bytes: stored.total(), sha256: hash.digest('hex') };
}

function streamEnd(copy: ReturnType<typeof copyStreams.to>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  copy.handleReadyForQuery = resolve;
  copy.on('error', reject);
  promise.catch(() => {}); // the pipeline reports errors from before its end
  return promise;
}
