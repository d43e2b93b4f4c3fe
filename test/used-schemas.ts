import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openPool } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { openJobQueue } from '../src/jobs/job-queue.ts';
import { errorCode } from '../src/lib/error-code.ts';
import { createLog } from '../src/lib/log.ts';
import { randomId } from '../src/lib/random-id.ts';

/** The setting of a run whose database is thrown away: schemas of closed services are kept for later services. */
export const THROWN_AWAY = 'DOORSTEP_TEST_DATABASE_IS_THROWN_AWAY';
/** The folder in which the processes of such a run leave schemas to each other, a file for each. */
export const FREE_SCHEMAS = 'DOORSTEP_TEST_FREE_SCHEMAS';

/** Tables as they were made: a digest of what they are, and the few rows that they have, by their names. */
type Made = { schema: string; shape: string; rows: Record<string, string> };
/** The schema of a service, and that of its job queue. */
type Migrated = { schema: string; parts: readonly Made[] };

const FREE = '.json';
/** Rows of a file of this size are deleted in a millisecond; a truncated table, with its indexes, has new files after three. */
const MAX_DELETED_BYTES = 128 * 1024;
const inUse = new Map<string, Migrated>();

/**
 * A schema for a service of this process: with the tables of a service that has closed where there is one, because
 * applying the migrations and making a job queue take the database 0.25 s of processor time, and emptying their tables a
 * tenth of that.
 */
export async function takeSchema(connectionString: string): Promise<string> {
  const name = randomId('t_', 6).toLowerCase().replaceAll('-', '_');
  const folder = folderOf(connectionString);
  if (folder === undefined) return name;
  const taken = takeFree(folder) ?? (await migrateSchema(connectionString, name));
  inUse.set(taken.schema, taken);
  return taken.schema;
}

/** Empties a schema for the next service, or drops what a test has altered. */
export async function giveSchemaBack(connectionString: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    const taken = inUse.get(schema);
    inUse.delete(schema);
    const folder = folderOf(connectionString);
    if (folder !== undefined && taken !== undefined && (await isAsMade(client, taken))) {
      await empty(client, taken);
      giveFree(folder, taken);
    } else {
      const names = [schema, `${schema}_jobs`].map((name) => client.escapeIdentifier(name));
      await client.query(`drop schema if exists ${names.join(', ')} cascade`);
    }
  } finally {
    await client.end();
  }
}

const folderOf = (connectionString: string): string | undefined =>
  process.env[THROWN_AWAY] === connectionString ? process.env[FREE_SCHEMAS] : undefined;

/** A file has one taker: of two processes that rename a file, the later finds none. */
function takeFree(folder: string): Migrated | undefined {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(FREE))) {
    const taken = join(folder, `${name}.taken-by-${process.pid}`);
    try {
      renameSync(join(folder, name), taken);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') continue;
      throw error;
    }
    const migrated: Migrated = JSON.parse(readFileSync(taken, 'utf8'));
    rmSync(taken);
    return migrated;
  }
  return undefined;
}

function giveFree(folder: string, migrated: Migrated): void {
  const draft = join(folder, `${migrated.schema}.draft`);
  writeFileSync(draft, JSON.stringify(migrated));
  renameSync(draft, join(folder, `${migrated.schema}${FREE}`));
}

async function migrateSchema(connectionString: string, schema: string): Promise<Migrated> {
  const pool = openPool({ connectionString, schema, max: 1 });
  await migrate(pool, schema);
  const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(0) };
  const jobs = { connectionString, schema: `${schema}_jobs`, log: createLog('warn'), clock, works: false };
  await (await openJobQueue(jobs)).stop();
  const client = await pool.connect();
  const parts: Made[] = [];
  for (const part of [schema, jobs.schema]) {
    const rows: Record<string, string> = {};
    for (const { name: table } of await filledTables(client, part)) {
      const { rows: found } = await client.query(`select json_agg(t)::text as all from ${table} as t`);
      rows[table] = found[0].all;
    }
    parts.push({ schema: part, rows, shape: await shapeOf(client, part) });
  }
  client.release();
  await pool.end();
  return { schema, parts };
}

async function isAsMade(client: pg.Client, { parts }: Migrated): Promise<boolean> {
  for (const { schema, shape } of parts) if ((await shapeOf(client, schema)) !== shape) return false;
  return true;
}

/** Tables that have, or had, a row, and the size of their files. */
async function filledTables(client: pg.ClientBase, schema: string): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `select format('%s.%I', relnamespace::regnamespace, relname) as name, size::int as bytes
     from pg_class, lateral (select pg_relation_size(oid) as size) as file
     where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and size > 0 order by relname`,
    [schema],
  );
  return rows;
}

/** Makes the tables what they were when they were made. No trigger runs: nothing is told of rows that were never there. */
async function empty(client: pg.Client, { parts }: Migrated): Promise<void> {
  const tables: { name: string; bytes: number }[] = [];
  for (const { schema } of parts) tables.push(...(await filledTables(client, schema)));
  const [small = [], large = []] = [true, false].map((isSmall) =>
    tables.filter(({ bytes }) => bytes <= MAX_DELETED_BYTES === isSmall).map(({ name }) => name),
  );
  await client.query(
    `begin;
     set local session_replication_role = replica;
     ${large.length > 0 ? `truncate ${large.join(', ')} cascade;` : ''}
     ${small.map((table) => `delete from ${table};`).join(' ')}`,
  );
  await client.query(
    `select setval(seqrelid, seqstart, false) from pg_sequence join pg_class on pg_class.oid = seqrelid
     where relnamespace = any($1::regnamespace[])`,
    [parts.map(({ schema }) => schema)],
  );
  for (const [table, text] of parts.flatMap(({ rows }) => Object.entries(rows))) {
    await client.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
      [text],
    );
  }
  await client.query('commit');
}

/** A digest of the tables, columns, constraints, indexes, triggers and functions of a schema. */
async function shapeOf(client: pg.ClientBase, schema: string): Promise<string> {
  const { rows } = await client.query(
    `with own as (select classid, objid as oid from pg_depend where refclassid = 'pg_namespace'::regclass and refobjid = to_regnamespace($1)::oid),
       tables as (select oid, relname, relkind from pg_class where oid in (select oid from own where classid = 'pg_class'::regclass))
     select md5(concat(
       (select string_agg(concat(oid, relname, relkind), ',' order by oid) from tables),
       (select string_agg(concat(attrelid, attnum, attname, atttypid, attnotnull, attisdropped, atthasdef), ',' order by attrelid, attnum)
        from pg_attribute where attrelid in (select oid from tables)),
       (select string_agg(concat(indexrelid, indisvalid), ',' order by indexrelid) from pg_index where indrelid in (select oid from tables)),
       (select string_agg(concat(oid, conname), ',' order by oid) from pg_constraint where conrelid in (select oid from tables)),
       (select string_agg(concat(oid, tgname, tgenabled), ',' order by oid) from pg_trigger where tgrelid in (select oid from tables)),
       (select string_agg(concat(oid, proname, md5(prosrc)), ',' order by oid) from pg_proc
        where oid in (select oid from own where classid = 'pg_proc'::regclass))
     )) as shape`,
    [schema],
  );
  return rows[0].shape;
}
