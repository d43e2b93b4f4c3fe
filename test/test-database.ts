import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Db, openDb, openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openJobQueue } from '../src/platform/jobs/job-queue.ts';
import { createLog } from '../src/platform/lib/log.ts';

/** The schema of every test's tables; the job queue's is `doorstep_jobs`. */
export const SCHEMA = 'doorstep';
/** The setting that names the database of which a run makes copies. */
export const TEMPLATE = 'DOORSTEP_TEST_TEMPLATE';

export type TestDatabase = { connectionString: string; drop(): Promise<void> };

/** The PostgreSQL of the tests: the one that `npm test` makes, or yours. Its role must be allowed to create databases. */
export function testServer(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('Run the file with `npm test -- FILE`, or set DATABASE_URL to a PostgreSQL for tests.');
  return url;
}

/**
 * A database of the test's own. Copying the run's migrated template takes PostgreSQL a fifth of the processor time of the
 * migrations and the job queue's tables; without a template, the database is empty and the service migrates it.
 */
export async function createTestDatabase(template = process.env[TEMPLATE]): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const copied = template ? `template ${template} strategy file_copy` : '';
  await onServer((client) => client.query(`create database ${name} ${copied}`));
  return {
    connectionString: urlOf(name),
    drop: () => onServer((client) => dropDatabase(client, name)),
  };
}

/** Makes the database of which `createTestDatabase` makes copies. */
export async function createTemplate(): Promise<{ name: string; drop(): Promise<void> }> {
  const { connectionString, drop } = await createTestDatabase('');
  const name = new URL(connectionString).pathname.slice(1);
  const pool = openPool({ connectionString, schema: SCHEMA, max: 1 });
  await migrate(pool, SCHEMA);
  await pool.end();
  const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(0) };
  const jobs = { connectionString, schema: `${SCHEMA}_jobs`, log: createLog('warn'), clock, works: false };
  await (await openJobQueue(jobs)).stop();
  // No database is copied while anyone is connected to it, the server's own workers included.
  await onServer((client) => client.query(`alter database ${name} allow_connections false`));
  return { name, drop };
}

/**
 * Drops a database, and ends the sessions that are left in it. The server ends its own workers and waits for them;
 * `with (force)` would refuse where a worker, which belongs to the superuser, vacuums the database at that moment.
 */
export async function dropDatabase(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
    [name],
  );
  await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
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
  // A connection that is left open would keep the test's process alive, and its failure untold.
  await work(client).finally(() => client.end());
}

export type GivenDatabase = { db: Db; close(): Promise<void> };

/** The tables of a service without a service. */
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
