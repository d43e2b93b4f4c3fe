import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openTestDatabase } from './harness.ts';
import { giveSchemaBack, THROWN_AWAY, takeSchema } from './used-schemas.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let client: pg.Client;
const setting = process.env[THROWN_AWAY];
before(async () => {
  database = await openTestDatabase();
  process.env[THROWN_AWAY] = database.connectionString;
  client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
});
after(async () => {
  if (setting === undefined) delete process.env[THROWN_AWAY];
  else process.env[THROWN_AWAY] = setting;
  await client.end();
  await database.close();
});

/** Every row of every table, by table. */
async function rowsOf(schema: string): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await client.query(
    `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p')`,
    [schema],
  );
  const all: Record<string, unknown[]> = {};
  for (const { name } of tables) all[name] = (await client.query(`select * from ${schema}.${name}`)).rows;
  return all;
}

const log = (schema: string) =>
  client.query(
    `insert into ${schema}.accounts (account_id, name, created_at) values ('acc_1', 'One', now());
     insert into ${schema}.import_runs (source, format, started_at) values ('one', 'ndjson', now());
     update ${schema}.change_clock set seq = seq + 7;`,
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

  const other = await takeSchema(connectionString);
  assert.notEqual(other, schema);
  assert.deepEqual(Object.keys(await rowsOf(other)).sort(), Object.keys(migrated).sort());
  await giveSchemaBack(connectionString, other);
});
