import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { applyMigration, dropBrokenIndexes } from './apply-migration.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { refuseNewerSchema } from './newer-schema.ts';

/** Any constant: all nodes that migrate the same database take the same lock. */
const MIGRATION_LOCK = 7_203_114;
const LOCK_POLL_MS = 200;
/** Old nodes read every second whether they must stop: a migration that stops them waits this long. */
const STOP_GRACE_MS = 3_000;

export type MigrateOptions = {
  /** Where the migrations are, if they are not those of this version. */
  folder?: string;
  /** Only these migrations are applied: a backup is loaded into the schema that it was made of. */
  only?: ReadonlySet<string>;
  onWait?: (sentence: string) => void;
  /** How long a migration waits for a lock before it lets others pass. */
  lockTimeoutMs?: number;
};

/** Applied migrations, in their order. */
export type Migrated = { applied: string[] };

/**
 * Applies the numbered migrations that are missing; safe beside other nodes, and beside nodes that serve. Throws
 * NewerSchemaError where a newer version has migrated the schema and stopped this one.
 */
export async function migrate(pool: pg.Pool, schema: string, options: MigrateOptions = {}): Promise<Migrated> {
  const migrations = await readMigrations(options.folder);
  const client = await pool.connect();
  try {
    return await withMigrationLock(client, () => applyMissing(client, schema, migrations, options));
  } finally {
    client.release();
  }
}

/**
 * Runs the work while no other process migrates. The lock is asked for again and again, because a statement that waits
 * for it has a snapshot, for whose end `create index concurrently` of the other process would wait.
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

/** Applies what is missing on a connection whose search path is the schema; the caller holds the lock of migrations. */
export async function applyMissing(
  client: pg.ClientBase,
  schema: string,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<Migrated> {
  const done = await readDone(client, schema);
  await refuseNewerSchema(client, new Set(migrations.map(({ name }) => name)));
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
  return { applied };
}

async function readDone(client: pg.ClientBase, schema: string): Promise<Set<string>> {
  await client.query(`create schema if not exists ${client.escapeIdentifier(schema)}`);
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  await client.query('create table if not exists migration_stops (name text primary key)');
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  return new Set(rows.map(({ name }) => name));
}

/** Tells nodes of earlier versions that they must stop, and gives them time for it. */
async function announceStops(client: pg.ClientBase, missing: readonly Migration[]): Promise<void> {
  const names = missing.filter(({ stopsOldNodes }) => stopsOldNodes).map(({ name }) => name);
  if (names.length === 0) return;
  await client.query('insert into migration_stops select unnest($1::text[]) on conflict do nothing', [names]);
  await pause(STOP_GRACE_MS);
}
