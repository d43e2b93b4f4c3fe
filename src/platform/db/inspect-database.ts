import { openPool } from './connect.ts';
import { migrationNames } from './migrations.ts';

/** What operators see of a database; `missingMigrations` is undefined before the first start. */
export type DatabaseState = {
  version: string;
  versionNumber: number;
  epochMs: number;
  connections: number;
  maxConnections: number;
  missingMigrations: number | undefined;
};

const STATEMENT_MS = 10_000;

/** Reads the state of a server and of this schema, and changes nothing. */
export async function inspectDatabase(connectionString: string, schema: string): Promise<DatabaseState> {
  const pool = openPool({ connectionString, max: 1, statementMs: STATEMENT_MS });
  try {
    const { rows } = await pool.query<Omit<DatabaseState, 'missingMigrations'> & { isMigrated: boolean }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as "epochMs",
        current_setting('max_connections')::int as "maxConnections",
        (select count(*)::int from pg_stat_activity) as connections,
        to_regclass($1) is not null as "isMigrated"`,
      [`${schema}.migrations`],
    );
    const [{ isMigrated, ...state } = { isMigrated: false }] = rows;
    const missingMigrations = isMigrated ? await countMissing(pool, schema) : undefined;
    return { ...(state as Omit<DatabaseState, 'missingMigrations'>), missingMigrations };
  } finally {
    await pool.end();
  }
}

async function countMissing(pool: ReturnType<typeof openPool>, schema: string): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(`select name from "${schema}".migrations`);
  const applied = new Set(rows.map(({ name }) => name));
  return (await migrationNames()).filter((name) => !applied.has(name)).length;
}
