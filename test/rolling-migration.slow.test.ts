import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import pg from 'pg';
import { openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { parseMigration, readMigrations } from '../src/platform/db/migrations.ts';
import { pizzeria } from './feed-lines.ts';
import { freePort, givenDatabase, runCommand, startCommand, startProgram } from './given/command.ts';
import { givenPaymentMethod, orderBody, productTokens } from './given/orders.ts';
import { givenStores } from './given/stores.ts';
import { givenOwnApp } from './harness.ts';
import { faultsOf } from './migration-rules.ts';
import { until } from './until.ts';

const CHILD = join(import.meta.dirname, 'migrate-child.ts');
const ROWS = 3000;

/** Every kind of migration that old nodes survive, including on tables that Kysely reads with all columns. */
const MIGRATIONS = {
  '9001-columns.sql': `alter table orders add column x_note text, add column x_kind text not null default 'a';
    alter table products add column x_note text;
    ${['accounts', 'brandings', 'order_events', 'messages', 'payment_methods', 'sandbox_gateway_charges', 'stores']
      .map((table) => `alter table ${table} add column x_note text;`)
      .join('\n')}`,
  '9002-index.sql':
    '-- Runs outside a transaction.\ncreate index concurrently if not exists x_orders on orders (x_note);',
  '9003-rows.sql': `-- Runs in batches.
    update orders set x_note = order_id
    where order_id in (select order_id from orders where x_note is null limit 200);`,
  '9004-check.sql': 'alter table orders add constraint x_check check (x_note <> $$$$) not valid;',
  '9005-table.sql': `create table x_things (order_id text primary key references orders, at timestamptz not null);
    create index x_things_by_age on x_things (at);`,
};

/** A newer version's migrations: this version's and its own. */
function folderOfNewer(parent: string, own: Readonly<Record<string, string>>): string {
  const made = mkdtempSync(parent);
  cpSync(join(import.meta.dirname, '../migrations'), made, { recursive: true });
  for (const [name, text] of Object.entries(own)) writeFileSync(join(made, name), text);
  return made;
}

const folder = folderOfNewer(join(tmpdir(), 'doorstep-migrations-'), MIGRATIONS);
after(() => rmSync(folder, { recursive: true, force: true }));

test('a node serves orders and searches while a newer version migrates its database, and afterwards', async (t) => {
  const app = await givenOwnApp();
  const { connectionString, schema } = app;
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` });
  // A database can only be dropped without connections.
  t.after(async () => {
    await client.end();
    await app.close();
  });
  await client.connect();
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const tokens = await productTokens(app, storeId);
  const card = await givenPaymentMethod(app);
  const body = orderBody(tokens.Margherita, card, { autofill_selected_options: true });
  const { body: first } = await app.post('/order/order/v2', body);
  await client.query(
    `insert into orders select copy.* from orders o, generate_series(1, ${ROWS}) as n,
       jsonb_populate_record(o, jsonb_build_object('order_id', 'copy-' || n, 'order_number', null)) as copy`,
  );

  const statuses: number[] = [];
  let isEnding = false;
  const shop = async () => {
    while (!isEnding) {
      for (const reply of [
        await app.post('/order/order/v2', body),
        await app.get('/search/store/v3', { latitude: 40.744, longitude: -73.988 }),
        await app.get('/details/inventory', { store_id: storeId, pickup: true }),
        await app.get('/account/orders', { limit: 5 }),
        await app.get('/sandbox/charges', { order_id: first.order_id }),
        await app.get('/tracking', { tracking_id: first.order_id }),
      ]) {
        statuses.push(reply.status);
      }
    }
  };
  const shoppers = [shop(), shop(), shop()];
  await until('requests are answered', () => statuses.length > 30);

  // An open transaction blocks the first migration's lock, which must not block anyone else.
  await client.query('begin');
  await client.query('update orders set favorited = false where order_id = $1', [first.order_id]);
  const child = startProgram(process.execPath, [CHILD, connectionString, schema, folder], {});
  await child.printed(/waits: .*9001-columns\.sql waits for a lock/);
  const answered = statuses.length;
  await until('requests are answered while the migration waits', () => statuses.length > answered + 60);
  await child.printed(/waits: .*\nwaits: /);
  await client.query('commit');
  const { status, stdout, stderr } = await child.finished;
  const migrated = statuses.length;
  await until('requests are answered afterwards', () => statuses.length > migrated + 60);
  isEnding = true;
  await Promise.all(shoppers);

  assert.equal(status, 0, stderr);
  assert.ok(stdout.endsWith(`applied: ${Object.keys(MIGRATIONS).join(' ')}\n`), stdout);
  t.diagnostic(`${statuses.length} requests, ${migrated - answered} of them while it migrated`);
  assert.deepEqual([...new Set(statuses)], [200]);
  const { rows } = await client.query(
    `select (select indisvalid from pg_index where indexrelid = 'x_orders'::regclass) as is_valid,
      (select count(*)::int from orders where x_note is null and order_id like 'copy-%') as missed,
      to_regclass('x_things') is not null as has_table`,
  );
  assert.deepEqual(rows, [{ is_valid: true, missed: 0, has_table: true }]);
  await t.test('another node of the earlier version starts on the newer schema', async () => {
    const node = await app.givenNode();
    await until('ready', async () => (await node.http.inject('/readyz')).statusCode === 200);
  });
  await t.test(
    'an index that failed is made again by the next attempt, and an index of the operator is left alone',
    async () => {
      await assert.rejects(
        client.query('create unique index concurrently operators_own on orders (x_kind)'),
        /could not create unique/,
      );
      const text =
        '-- Runs outside a transaction.\ncreate unique index concurrently if not exists x_kinds on orders (x_kind);';
      writeFileSync(join(folder, '9006-index.sql'), text);
      const pool = openPool({ connectionString, schema, max: 1 });
      await assert.rejects(
        migrate(pool, schema, { folder }),
        /Migration 9006-index\.sql failed: could not create unique/,
      );
      await client.query('update orders set x_kind = order_id');
      assert.deepEqual((await migrate(pool, schema, { folder })).applied, ['9006-index.sql']);
      await pool.end();
      const made = await client.query(`select indisvalid from pg_index where indexrelid = 'x_kinds'::regclass`);
      assert.deepEqual(made.rows, [{ indisvalid: true }]);
      const own = await client.query(`select indisvalid from pg_index where indexrelid = 'operators_own'::regclass`);
      assert.deepEqual(own.rows, [{ indisvalid: false }]);
      await client.query('drop index operators_own');
    },
  );
  await t.test('a node that a newer schema stops is not ready, and none of its version starts', async () => {
    writeFileSync(join(folder, '9007-stop.sql'), '-- Old nodes must stop.\nalter table x_things rename to x_stuff;');
    const pool = openPool({ connectionString, schema, max: 1 });
    await migrate(pool, schema, { folder });
    await pool.end();
    await app.service.deps.schemaWatch.look();
    const sentence =
      /A newer Doorstep version has migrated the database to a schema .*\(9007-stop\.sql\)\. Start the newer version\./;
    const reply = await app.get('/readyz');
    assert.deepEqual([reply.status, reply.body.code], [503, 'not_ready']);
    assert.match(reply.body.detail, sentence);
    await assert.rejects(app.givenNode(), { name: 'NewerSchemaError', message: sentence });
  });
});

test('the test’s migrations let nodes keep running', () => {
  const rules = Object.entries(MIGRATIONS).map(([name, text]) => parseMigration(name, text));
  assert.deepEqual(rules.flatMap(faultsOf), []);
});

test('a service exits with a message and status 78 before a migration that stops it, and so does its next start', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const settings = { ...env, PORT: await freePort(), LOG_LEVEL: 'silent' };
  const service = startCommand(['serve'], settings);
  await service.printed(/Doorstep is ready at/);
  const stops = folderOfNewer(join(folder, 'stops-'), {
    '9999-stop.sql': '-- Old nodes must stop.\ncreate table x_things (id text);',
  });
  const pool = openPool({ connectionString: env.DATABASE_URL ?? '', schema: 'doorstep', max: 1 });
  t.after(() => pool.end());
  await migrate(pool, 'doorstep', { folder: stops });
  for (const { status, stderr } of [await service.finished, await runCommand(['serve'], settings)]) {
    assert.equal(status, 78);
    assert.match(stderr, /^A newer Doorstep version has migrated .*\(9999-stop\.sql\)\. Start the newer version\.\n$/);
  }
});

/** A pool of a new database with this version's schema. */
async function givenMigrated(t: TestContext, max: number): Promise<pg.Pool> {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const pool = openPool({ connectionString: env.DATABASE_URL ?? '', schema: 'doorstep', max });
  t.after(() => pool.end());
  await migrate(pool, 'doorstep');
  return pool;
}

test('a migration that fails says which, takes nothing away, and stops no node', async (t) => {
  const pool = await givenMigrated(t, 1);
  const broken = folderOfNewer(join(folder, 'broken-'), {
    '9999-broken.sql': '-- Old nodes must stop.\ncreate table x_things (id text);\nselect 1 / 0;',
  });
  await assert.rejects(
    migrate(pool, 'doorstep', { folder: broken }),
    /^Error: Migration 9999-broken\.sql failed: division by zero$/,
  );
  assert.deepEqual((await pool.query(`select to_regclass('x_things') as made`)).rows, [{ made: null }]);
  assert.deepEqual((await migrate(pool, 'doorstep')).applied, []);
  assert.ok((await readMigrations()).length > 0);
});
