import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import pg from 'pg';
import { saveBranding } from '../src/access/accounts/brandings.db.ts';
import { openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { parseMigration } from '../src/platform/db/migrations.ts';
import { pizzeria } from './feed-lines.ts';
import { contentsOf, fillTables } from './fill-tables.ts';
import { givenPaymentMethod, orderBody, productTokens } from './given/orders.ts';
import { givenStores } from './given/stores.ts';
import { type App, givenApp } from './harness.ts';
import { faultsOf } from './migration-rules.ts';
import { createTestDatabase, SCHEMA } from './test-database.ts';

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
  ...[
    'settings',
    'change_clock',
    'accounts',
    'brandings',
    'stores',
    'categories',
    'products',
    'menus',
    'payment_methods',
  ],
  ...['orders', 'order_events', 'order_counters', 'messages', 'order_refunds', 'order_refund_parts'],
  ...['slot_holds', 'slot_versions', 'sandbox_gateway_cards', 'sandbox_gateway_charges', 'sandbox_gateway_refunds'],
];

const folder = mkdtempSync(join(tmpdir(), 'doorstep-next-'));
after(() => rmSync(folder, { recursive: true, force: true }));
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

test('an upgrade loses no row of any table, and what this version wrote is read as before', async (t) => {
  const app = await givenApp();
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

/** The last migration of the version that wrote `orders-before-tax-classes.ndjson`. */
const LAST_BEFORE = '0016-orders-to-forget.sql';

// biome-ignore lint/suspicious/noExplicitAny: an order as the version before answered it
type Answered = any;

/**
 * A database that the version before tax classes wrote: an unplaced order, one that waits for its store, one of which a
 * unit was refunded and whose tip was raised, and one that lacks units. The first line has what `GET /account/orders`
 * answered there; a row follows on each.
 */
async function givenBefore(t: TestContext) {
  const text = readFileSync(join(import.meta.dirname, 'given/orders-before-tax-classes.ndjson'), 'utf8');
  const [first = '', ...lines] = text.trimEnd().split('\n');
  const { at, key, orders }: { at: string; key: string; orders: Answered[] } = JSON.parse(first);
  const rows: { table: string; row: Answered }[] = lines.map((line) => JSON.parse(line));
  const older = mkdtempSync(join(folder, 'before-'));
  const all = join(import.meta.dirname, '../migrations');
  for (const name of readdirSync(all)) if (name <= LAST_BEFORE) cpSync(join(all, name), join(older, name));
  const { connectionString, drop } = await createTestDatabase('');
  const pool = openPool({ connectionString, schema: SCHEMA, max: 1 });
  await migrate(pool, SCHEMA, { folder: older });
  const tables = new Set(rows.map(({ table }) => table));
  // The rows are as triggers left them.
  for (const table of tables) await pool.query(`alter table ${table} disable trigger user`);
  for (const { table, row } of rows) {
    const names = Object.keys(row).join(', ');
    await pool.query(
      `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1) on conflict do nothing`,
      [JSON.stringify(row)],
    );
  }
  for (const table of tables) await pool.query(`alter table ${table} enable trigger user`);
  await pool.end();
  const app = await givenApp({ connectionString, start: at });
  t.after(async () => {
    await app.close();
    await drop();
  });
  const unplaced = rows.find(({ table, row }) => table === 'orders' && row.status === 'unplaced')?.row;
  return { app, orders, unplaced, by: { 'id-token': key } };
}

/** Members that the version before answered as they are answered now; later ones may stand beside them. */
function sameMembers(before: Answered, now: Answered): Answered {
  if (Array.isArray(before)) return before.map((one, at) => sameMembers(one, now?.[at]));
  if (typeof before !== 'object' || before === null) return now;
  return Object.fromEntries(Object.entries(before).map(([name, one]) => [name, sameMembers(one, now?.[name])]));
}

test('an upgrade from before tax classes keeps the total of every open order, what is charged and what goes back', async (t) => {
  const { app, orders, unplaced, by } = await givenBefore(t);
  const read = async () => (await app.get('/account/orders', {}, by)).body.orders as Answered[];
  const now = await read();
  assert.deepEqual(
    orders.map((order, at) => sameMembers(order, now[at])),
    orders,
  );
  assert.equal(orders.length, 3);
  const send = async (path: string, body: object) => {
    const reply = await app.post(path, body, by);
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
    return reply.body;
  };
  const chargesOf = async (orderId: string) =>
    (await app.get('/sandbox/charges', { order_id: orderId }, by)).body.charges as Answered[];
  const keptOf = async (orderId: string) =>
    (await chargesOf(orderId)).reduce((sum, { amount, refunded_amount: back }) => sum + amount - back, 0);

  await t.test('an unplaced order is charged what it was quoted', async () => {
    await send('/order/finalize', { order_id: unplaced.order_id });
    assert.equal(await keptOf(unplaced.order_id), unplaced.quote.totalWithTipCents);
  });
  await t.test('an order that waits gives everything back when it is canceled', async () => {
    const waiting = orders.find(({ status }) => status === 'awaiting_confirmation');
    assert.equal(await keptOf(waiting.order_id), waiting.total_with_tip);
    const canceled = await send('/order/cancel', { order_id: waiting.order_id });
    assert.deepEqual([canceled.refunded_amount, await keptOf(waiting.order_id)], [waiting.total_with_tip, 0]);
  });
  await t.test('an order on its way gives back all of its items, and then all but its tip', async () => {
    const tipped = orders.find(({ driver_tip_cents: tip }) => tip === 500);
    const items = [
      { index: 0, quantity: 1 },
      { index: 1, quantity: 3 },
    ];
    const { quote } = tipped.final_quote;
    const before = await keptOf(tipped.order_id);
    const back = await send('/order/refund', { order_id: tipped.order_id, items, reason: 'missing' });
    // The fees and their part of the tax are left.
    assert.equal(before - (await keptOf(tipped.order_id)), back.amount);
    const leftTax = tipped.total_with_tip - back.refunded_amount - quote.delivery_fee_cents - quote.service_fee_cents;
    assert.ok(leftTax - 500 >= 0 && leftTax - 500 < quote.sales_tax_cents, `${leftTax - 500} cents of tax are left`);
    await send('/order/refund', {
      order_id: tipped.order_id,
      amount: (await keptOf(tipped.order_id)) - 500,
      reason: 'late',
    });
    assert.equal(await keptOf(tipped.order_id), 500);
  });
  await t.test('an order that lacks units is completed for what it came to', async () => {
    const lacking = orders.find(({ refunded_amount: cents, pickup }) => cents > 0 && pickup);
    await send(`/sandbox/orders/${lacking.order_id}/advance`, { event: 'complete' });
    assert.equal(await keptOf(lacking.order_id), lacking.total_with_tip - lacking.refunded_amount);
  });
});
