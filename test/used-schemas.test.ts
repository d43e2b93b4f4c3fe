import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openTestDatabase } from './harness.ts';
import { FREE_SCHEMAS, giveSchemaBack, THROWN_AWAY, takeSchema } from './used-schemas.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let client: pg.Client;
const settings = { [THROWN_AWAY]: process.env[THROWN_AWAY], [FREE_SCHEMAS]: process.env[FREE_SCHEMAS] };
const folder = mkdtempSync(join(tmpdir(), 'doorstep-schemas-'));
before(async () => {
  database = await openTestDatabase();
  process.env[THROWN_AWAY] = database.connectionString;
  process.env[FREE_SCHEMAS] = folder;
  client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
});
after(async () => {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await client.end();
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Every row of every table of a service and of its job queue, by table. */
async function rowsOf(schema: string): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await client.query(
    `select case when nspname = $1 then 'service' else 'jobs' end || '.' || relname as name,
       format('%I.%I', nspname, relname) as path
     from pg_class join pg_namespace on relnamespace = pg_namespace.oid
     where nspname in ($1, $1 || '_jobs') and relkind in ('r', 'p')`,
    [schema],
  );
  const all: Record<string, unknown[]> = {};
  for (const { name, path } of tables) all[name] = (await client.query(`select * from ${path}`)).rows;
  return all;
}

const log = (schema: string) =>
  client.query(
    `insert into ${schema}.accounts (account_id, name, created_at) values ('acc_1', 'One', now());
     insert into ${schema}.api_keys (key_id, account_id, mode, key_hash, hint, created_at)
       select 'key_' || n, 'acc_1', 'live', ('hash ' || n)::bytea, 'hint', now() from generate_series(1, 3000) as n;
     insert into ${schema}.import_runs (source, format, started_at) values ('one', 'ndjson', now());
     update ${schema}.change_clock set seq = seq + 7;
     update ${schema}_jobs.version set cron_on = now();
     insert into ${schema}_jobs.warning (type, message) values ('slow', 'tea');`,
  );
const firstRun = async (schema: string) =>
  (await client.query(`select min(run_no) as run from ${schema}.import_runs`)).rows[0].run;

test('a schema comes back as the migrations left it, and one that a test has altered does not', async () => {
  const { connectionString } = database;
  const schema = await takeSchema(connectionString);
  const migrated = await rowsOf(schema);
  await log(schema);
  assert.notDeepEqual(await rowsOf(schema), migrated);
  const run = await firstRun(schema);
  await giveSchemaBack(connectionString, schema);

  assert.equal(await takeSchema(connectionString), schema);
  assert.deepEqual(await rowsOf(schema), migrated);
  await log(schema);
  assert.equal(await firstRun(schema), run);
  await client.query(`alter table ${schema}.accounts add column later text`);
  await giveSchemaBack(connectionString, schema);
  assert.deepEqual(await rowsOf(schema), {});

  const other = await takeSchema(connectionString);
  assert.notEqual(other, schema);
  assert.deepEqual(Object.keys(await rowsOf(other)).sort(), Object.keys(migrated).sort());
  await giveSchemaBack(connectionString, other);
});

test('of all processes of a run one takes a schema that is free, and a schema whose job queue has changed is none', async () => {
  const { connectionString } = database;
  const [schema] = await Promise.all([takeSchema(connectionString), takeSchema(connectionString)]).then((both) => {
    assert.notEqual(both[0], both[1]);
    return both.toSorted();
  });
  assert.deepEqual(readdirSync(folder), []);
  await client.query(`create table ${schema}_jobs.later (a int)`);
  await giveSchemaBack(connectionString, schema ?? '');
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(await rowsOf(schema ?? ''), {});
});
