import { setTimeout as pause } from 'node:timers/promises';
import { errorCode, errorMessage } from 'doorstep/files';
import pg from 'pg';
import { inOneTransaction, type Migration, readMigrations, statementsOf } from './migrations.ts';
import { findNewerSchema, SchemaError } from './newer-schema.ts';
import { otherMigrations } from './recorded-migrations.ts';

/** Advisory lock of migrations, an arbitrary constant that all nodes of a database share. */
const MIGRATION_LOCK = 7_203_114;
const LOCK_POLL_MS = 200;
/** Milliseconds that a migration waits for old nodes to stop; they check every second. */
const STOP_GRACE_MS = 3_000;

export type MigrateOptions = {
  /** Folder of the migrations; by default this version's. */
  folder?: string;
  /** Limits the run to these migrations: a backup is loaded into the schema it was taken from. */
  only?: ReadonlySet<string>;
  onWait?: (sentence: string) => void;
  /** How long a migration waits for a lock before it lets other statements through. */
  lockTimeoutMs?: number;
};

/** A statement of a migration failed. A retry may succeed: it continues where the migration stopped. */
export class MigrationError extends Error {}

export type MigrationResult = {
  applied: string[];
  /** Applied migrations that this version does not know, because a newer one applied them. */
  newer: string[];
};

/**
 * Applies missing migrations; safe while other nodes migrate or serve. Throws SchemaError if a newer version has
 * migrated the schema and stopped this one, or if other migrations of the same names made it.
 */
export async function migrate(pool: pg.Pool, schema: string, options: MigrateOptions = {}): Promise<MigrationResult> {
  const migrations = await readMigrations(options.folder);
  const client = await pool.connect();
  try {
    return await withMigrationLock(client, () => applyMissing(client, schema, migrations, options));
  } finally {
    client.release();
  }
}

/**
 * Runs the work while no other process migrates. Polls for the lock, because a waiting statement keeps a snapshot, and
 * another process's `create index concurrently` would wait for it.
 */
export async function withMigrationLock<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  const tryLock = async () => {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    return rows[0]?.taken === true;
  };
  while (!(await tryLock())) await pause(LOCK_POLL_MS);
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
  }
}

/**
 * Applies missing migrations on a connection with the schema as search path. The caller must have the migration lock.
 */
export async function applyMissing(
  client: pg.ClientBase,
  schema: string,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<MigrationResult> {
  const done = await readApplied(client, schema);
  const refused = await findRefusal(client, migrations, done);
  if (refused) throw refused;
  await makeTables(client, schema);
  const newer = newerMigrations(migrations, done.keys());
  const missing = migrations.filter(({ name }) => !done.has(name) && (options.only?.has(name) ?? true));
  if (done.size > 0) await announceStops(client, missing);
  const applied: string[] = [];
  try {
    const concurrent = missing.filter(({ runs }) => runs === 'statements');
    if (concurrent.length > 0) await dropBrokenIndexes(client, schema, concurrent);
    for (const migration of missing) {
      await applyMigration(client, migration, { ...options, isNew: done.size === 0 });
      applied.push(migration.name);
    }
  } catch (error) {
    await client.query('delete from migration_stops where name <> all(select name from migrations)').catch(() => {});
    throw error;
  }
  return { applied, newer };
}

/** The names that no migration of this version has, by number. */
export function newerMigrations(known: readonly Pick<Migration, 'name'>[], applied: Iterable<string>): string[] {
  return [...applied].filter((name) => !known.some((migration) => migration.name === name)).sort();
}

/** Why this version cannot work on a database with these migrations; the schema is the search path. */
export async function findRefusal(
  client: Pick<pg.ClientBase, 'query'>,
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Promise<SchemaError | undefined> {
  if (applied.size === 0) return undefined;
  const other = otherMigrations(migrations, applied);
  return other ? new SchemaError(other) : findNewerSchema(client, new Set(migrations.map(({ name }) => name)));
}

/** Reads the applied migrations and their hashes, empty for databases that kept none. */
export async function readApplied(client: Pick<pg.ClientBase, 'query'>, schema: string): Promise<Map<string, string>> {
  const table = `${pg.escapeIdentifier(schema)}.migrations`;
  const { rows: found } = await client.query<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [
    table,
  ]);
  if (!found[0]?.isThere) return new Map();
  const { rows } = await client.query<{ name: string; hash: string }>(
    `select name, coalesce(to_jsonb(m) ->> 'hash', '') as hash from ${table} m`,
  );
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

async function makeTables(client: pg.ClientBase, schema: string): Promise<void> {
  // A serving role may create nothing, not even existing tables.
  const { rowCount: tables } = await client.query(
    `select from pg_class where relnamespace = to_regnamespace(quote_ident($1)) and relname in ('migrations', 'migration_stops')`,
    [schema],
  );
  if (tables === 2) return;
  await client.query(`create schema if not exists ${client.escapeIdentifier(schema)}`);
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now(), hash text not null)',
  );
  await client.query('create table if not exists migration_stops (name text primary key)');
}

/** Tells nodes of earlier versions to stop, and waits for the grace period. */
async function announceStops(client: pg.ClientBase, missing: readonly Migration[]): Promise<void> {
  const names = missing.filter(({ stopsOldNodes }) => stopsOldNodes).map(({ name }) => name);
  if (names.length === 0) return;
  await client.query('insert into migration_stops select unnest($1::text[]) on conflict do nothing', [names]);
  await pause(STOP_GRACE_MS);
}

/**
 * How long an altering statement waits for transactions that use its table. All later statements queue behind it, so it
 * gives up after this time and retries.
 */
const LOCK_TIMEOUT_MS = 400;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** Maximum attempts to get a lock. A transaction that stays open for longer is the cause, and is reported. */
const MAX_ATTEMPTS = 150;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
const NO_PRIVILEGE = '42501';

type ApplyOptions = {
  onWait?: (sentence: string) => void;
  lockTimeoutMs?: number;
  /** Whether the schema is new: then no lock is contended, and all migrations run in transactions. */
  isNew?: boolean;
};

/** Applies one migration and records it. A part that ran outside a transaction runs again after a failure. */
async function applyMigration(client: pg.ClientBase, migration: Migration, options: ApplyOptions): Promise<void> {
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, isNew } = options;
  const attempt = () => tryOnce(client, isNew ? inOneTransaction(migration) : migration, lockTimeoutMs);
  try {
    await retryWhenLocked(attempt, () => {
      options.onWait?.(`Migration ${migration.name} waits for a lock that another transaction holds.`);
    });
  } catch (error) {
    const wayOut = errorCode(error) === NO_PRIVILEGE ? '; run `doorstep migrate` as the owner of the tables' : '';
    throw new MigrationError(`Migration ${migration.name} failed: ${errorMessage(error)}${wayOut}`, { cause: error });
  }
}

async function retryWhenLocked(work: () => Promise<void>, onWait: () => void): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isLocked = [LOCK_NOT_AVAILABLE, DEADLOCK].includes(errorCode(error) ?? '');
      if (!isLocked || attempt === MAX_ATTEMPTS) throw error;
      onWait();
    }
    await pause(pauseMs);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}

async function tryOnce(client: pg.ClientBase, migration: Migration, lockTimeoutMs: number): Promise<void> {
  if (migration.runs === 'transaction') {
    await inTransaction(client, lockTimeoutMs, async () => {
      await client.query(migration.text);
      await record(client, migration);
    });
    return;
  }
  for (const statement of statementsOf(migration)) {
    // Nothing queues behind `create index concurrently`, so its lock wait has no limit.
    if (migration.runs === 'statements') await client.query(statement);
    else await repeatInBatches(client, statement, lockTimeoutMs);
  }
  await record(client, migration);
}

/** Commits each batch separately, so that no row stays locked for longer than a batch. */
async function repeatInBatches(client: pg.ClientBase, statement: string, lockTimeoutMs: number): Promise<void> {
  for (let changed = 1; changed > 0; ) {
    await inTransaction(client, lockTimeoutMs, async () => {
      changed = (await client.query(statement)).rowCount ?? 0;
    });
  }
}

async function inTransaction(client: pg.ClientBase, lockTimeoutMs: number, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function record(client: pg.ClientBase, { name, hash }: Migration): Promise<void> {
  await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash]);
}

const CONCURRENT_INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?\s+on\b/i;

function builtConcurrently(migrations: readonly Migration[]): string[] {
  return migrations.flatMap((migration) =>
    statementsOf(migration).flatMap((statement) => CONCURRENT_INDEX.exec(statement)?.[1]?.toLowerCase() ?? []),
  );
}

/**
 * Drops invalid indexes left by a failed `create index concurrently`, which `if not exists` would keep. Only the
 * indexes of unrecorded migrations: others are an operator's, perhaps being built now.
 */
async function dropBrokenIndexes(client: pg.ClientBase, schema: string, migrations: readonly Migration[]) {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relnamespace = to_regnamespace(quote_ident($1)) and c.relname = any($2)`,
    [schema, builtConcurrently(migrations)],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${client.escapeIdentifier(name)}`);
}
