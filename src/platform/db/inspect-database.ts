import { systemClock } from '../lib/clock.ts';
import { type Db, openDb, openPool } from './connect.ts';
import { readEpochMs } from './database-clock.db.ts';
import { findRefusal, newerMigrations, readApplied } from './migrate.ts';
import { readMigrations } from './migrations.ts';

/** State of a database, for operators. */
export type DatabaseState = {
  version: string;
  versionNumber: number;
  clockAheadS: number;
  connections: number;
  maxConnections: number;
  /** Undefined before the first start. */
  migrations: { missing: number; newer: number; refused: string | undefined } | undefined;
};

const STATEMENT_MS = 10_000;

/** Reads the state of a server and of this schema, and `read`s the data of this version's schema. Changes nothing. */
export async function inspectDatabase<T>(
  connectionString: string,
  schema: string,
  read: (db: Db) => Promise<T>,
): Promise<DatabaseState & { found: T | undefined }> {
  const pool = openPool({ connectionString, schema, max: 1, statementMs: STATEMENT_MS });
  try {
    const { rows } = await pool.query<Omit<DatabaseState, 'migrations' | 'clockAheadS'>>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
        current_setting('max_connections')::int as "maxConnections",
        (select count(*)::int from pg_stat_activity) as connections`,
    );
    const [state] = rows;
    const migrations = await judgeMigrations(pool, schema);
    const db = openDb(pool);
    await systemClock.measure(() => readEpochMs(db));
    // An older schema lacks the tables to read.
    const found = migrations?.missing === 0 && migrations.refused === undefined ? await read(db) : undefined;
    return { ...(state as DatabaseState), clockAheadS: systemClock.aheadS, migrations, found };
  } finally {
    await pool.end();
  }
}

async function judgeMigrations(pool: ReturnType<typeof openPool>, schema: string) {
  const applied = await readApplied(pool, schema);
  if (applied.size === 0) return undefined;
  const known = await readMigrations();
  return {
    missing: known.filter(({ name }) => !applied.has(name)).length,
    newer: newerMigrations(known, applied.keys()).length,
    refused: (await findRefusal(pool, known, applied))?.message,
  };
}
