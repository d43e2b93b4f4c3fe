import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
/** Any constant: all nodes that migrate the same schema take the same lock. */
const MIGRATION_LOCK = 7_203_114;

/** Applies the numbered migrations that are missing, each in its own transaction; safe beside other nodes. */
export async function migrate(pool: pg.Pool, schema: string): Promise<{ applied: string[] }> {
  const files = (await readdir(MIGRATIONS)).filter((file) => /^\d{4}-.*\.sql$/.test(file)).sort();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`create schema if not exists ${client.escapeIdentifier(schema)}`);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const done = new Set((await client.query<{ name: string }>('select name from migrations')).rows.map((r) => r.name));
    const applied: string[] = [];
    for (const file of files.filter((name) => !done.has(name))) {
      await applyMigration(client, file);
      applied.push(file);
    }
    return { applied };
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
    client.release();
  }
}

async function applyMigration(client: pg.PoolClient, file: string): Promise<void> {
  const text = await readFile(join(MIGRATIONS, file), 'utf8');
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into migrations (name) values ($1)', [file]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${file} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
