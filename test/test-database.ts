import { randomBytes } from 'node:crypto';
import { errorCode } from 'doorstep/files';
import pg from 'pg';
import { type Db, openDb, openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';

/** The schema of all tests' tables. */
export const SCHEMA = 'doorstep';
/** The environment variable that names the run's template database. */
export const TEMPLATE = 'DOORSTEP_TEST_TEMPLATE';

const OBJECT_IN_USE = '55006';

export type TestDatabase = { connectionString: string; drop(): Promise<void> };

/** The tests' PostgreSQL: `npm test`'s, or yours, whose role must be allowed to create databases. */
export function testServer(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('Run the file with `npm test -- FILE`, or set DATABASE_URL to a PostgreSQL for tests.');
  return url;
}

/**
 * A test's own database. Copying the run's migrated template costs a fifth of the processor time of migrating; without
 * a template the database is empty, and the service migrates it.
 */
export async function createTestDatabase(template = process.env[TEMPLATE]): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const copied = template ? `template ${template} strategy file_copy` : '';
  await onServer((client) => client.query(`create database ${name} ${copied}`));
  return { connectionString: urlOf(name), drop: () => onServer((client) => dropDatabase(client, name)) };
}

/** Makes the template of `createTestDatabase`. */
export async function createTemplate(): Promise<{ name: string; drop(): Promise<void> }> {
  const { connectionString, drop } = await createTestDatabase('');
  const name = new URL(connectionString).pathname.slice(1);
  const pool = openPool({ connectionString, schema: SCHEMA, max: 1 });
  await migrate(pool, SCHEMA);
  await pool.end();
  // A template cannot be copied while anything is connected to it, the server's own workers included.
  await onServer((client) => client.query(`alter database ${name} allow_connections false`));
  return { name, drop };
}

/**
 * Drops a database and ends its remaining sessions. Not `with (force)`, which fails if a superuser's autovacuum worker
 * is connected; a plain drop waits for it.
 */
export async function dropDatabase(client: pg.ClientBase, name: string, tries = 5): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
    [name],
  );
  try {
    await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // A client that connects again may do so between both statements.
    if (tries === 1 || errorCode(error) !== OBJECT_IN_USE) throw error;
    await dropDatabase(client, name, tries - 1);
  }
}

function urlOf(database: string): string {
  const url = new URL(testServer());
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: testServer() });
  client.on('error', () => {});
  await client.connect();
  // An open connection would keep the test's process alive and hide its failure.
  await work(client).finally(() => client.end());
}

export type GivenDatabase = { db: Db; close(): Promise<void> };

export async function givenDatabase(): Promise<GivenDatabase> {
  const { connectionString, drop } = await createTestDatabase();
  const pool = openPool({ connectionString, schema: SCHEMA });
  await migrate(pool, SCHEMA);
  const db = openDb(pool);
  return {
    db,
    async close() {
      await db.destroy();
      await drop();
    },
  };
}
