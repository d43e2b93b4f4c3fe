import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { saveBranding } from '../src/access/accounts/brandings.db.ts';
import { openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { parseMigration } from '../src/platform/db/migrations.ts';
import { pizzeria } from './feed-lines.ts';
import { contentsOf, fillTables } from './fill-tables.ts';
import { givenFolder } from './given/folder.ts';
import { givenPaymentMethod, orderBody, productTokens } from './given/orders.ts';
import { givenStores } from './given/stores.ts';
import { type App, givenOwnApp } from './harness.ts';
import { faultsOf } from './migration-rules.ts';

/** A made-up next version: a column in every table, one with a default, an index and a table. */
const columnsFor = (tables: readonly string[]) =>
  tables.map((table) => `alter table ${table} add column next_note text;`).join('\n');
const NEXT = {
  '9002-index.sql':
    '-- Runs outside a transaction.\ncreate index concurrently if not exists next_orders on orders (next_note);',
  '9003-rows.sql': `-- Runs in batches.
    update orders set next_note = order_id
    where order_id in (select order_id from orders where next_note is null limit 2);`,
  '9004-table.sql': `create table next_things (order_id text primary key references orders, at timestamptz not null);`,
  '9005-default.sql': `alter table stores add column next_kind text not null default 'a';`,
};
/** Tables whose row contents the service interprets; theirs are written by the service. */
const WRITTEN = [
  ...'settings change_clock accounts brandings stores categories products menus payment_methods'.split(' '),
  ...['orders', 'order_events', 'order_counters', 'messages', 'order_refunds', 'order_refund_parts'],
  ...['slot_holds', 'store_loads', 'sandbox_gateway_cards', 'sandbox_gateway_charges', 'sandbox_gateway_refunds'],
];

const folder = givenFolder('doorstep-next');
cpSync(join(import.meta.dirname, '../migrations'), folder, { recursive: true });

/** An account's orders, a store and its menu, as clients see them. */
async function answersOf(app: Pick<App, 'get'>, storeId: string, tokens: Record<string, string>) {
  const replies = [
    await app.get('/account/orders'),
    await app.get('/search/store/v3', { latitude: 40.744, longitude: -73.988 }),
    await app.get('/details/inventory', { store_id: storeId, pickup: true }),
    await app.get('/details/product', { product_id: tokens.Margherita ?? '', pickup: true }),
  ];
  for (const { status, text } of replies) assert.equal(status, 200, text);
  return replies.map(({ body }) => body);
}

test('an upgrade loses no row of any table, and reads this version’s data as before', async (t) => {
  const app = await givenOwnApp();
  const { connectionString, schema } = app;
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` });
  const pool = openPool({ connectionString, schema, max: 1 });
  // A database can only be dropped without connections.
  t.after(async () => {
    await Promise.all([client.end(), pool.end()]);
    await app.close();
  });
  await client.connect();
  await saveBranding(app.service.deps.db, app.accountId, { displayName: 'Corner Table' }, app.now());
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const tokens = await productTokens(app, storeId);
  const body = orderBody(tokens.Margherita, await givenPaymentMethod(app), { autofill_selected_options: true });
  const [{ body: canceled }, { body: waiting }] = [
    await app.post('/order/order/v2', body),
    await app.post('/order/order/v2', body),
  ];
  assert.equal((await app.post('/order/cancel', { order_id: canceled.order_id })).status, 200);
  await fillTables(client, schema, 10, WRITTEN);
  const seen = await answersOf(app, storeId, tokens);
  const before = await contentsOf(client, schema);
  assert.ok(Object.values(before).filter((rows) => rows.length > 0).length > 45, 'nearly every table has rows');

  const tables = Object.keys(before).filter((table) => !table.startsWith('migration'));
  const migrations = { '9001-columns.sql': columnsFor(tables), ...NEXT };
  for (const [name, text] of Object.entries(migrations)) {
    assert.deepEqual(faultsOf(parseMigration(name, text)), []);
    writeFileSync(join(folder, name), text);
  }
  assert.deepEqual((await migrate(pool, schema, { folder })).applied, Object.keys(migrations));

  const now = await contentsOf(client, schema);
  // A row as text ends with the added columns; the rest must be unchanged.
  const lost = (table: string) =>
    before[table]?.filter((row) => !now[table]?.some((each) => each.startsWith(`${row.slice(0, -1)},`)));
  for (const table of tables) assert.deepEqual(lost(table), [], table);
  await t.test('a node that starts on the newer schema answers as before', async () => {
    const { http, deps, close } = await app.givenNode();
    t.after(close);
    await deps.storeFeed.catchUp();
    assert.equal((await http.inject('/readyz')).statusCode, 200);
  });
  assert.deepEqual(await answersOf(app, storeId, tokens), seen);
  await t.test('an order goes on, and is refunded', async () => {
    assert.equal((await app.post('/order/cancel', { order_id: waiting.order_id })).status, 200);
    const { body: list } = await app.get('/account/orders');
    const order = list.orders.find(({ order_id }: { order_id: string }) => order_id === waiting.order_id);
    assert.deepEqual([order.status, order.refunded_amount], ['canceled', order.total_with_tip]);
  });
});
