import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { issueKey } from '../src/accounts/issue-key.flow.ts';
import { readConfig } from '../src/config.ts';
import { openDb, openPool } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { migrationNames } from '../src/db/migrations.ts';
import { createLog } from '../src/lib/log.ts';
import { randomId } from '../src/lib/random-id.ts';
import { ORDER_STATUSES } from '../src/orders/order-schema.ts';
import { type Service, startService } from '../src/service.ts';
import { NEAR_DOOR } from './feed-lines.ts';
import { contentsOf, fillTables } from './fill-tables.ts';
import { givenPaymentMethod, orderBody } from './given-orders.ts';
import { type Client, clientOf, openTestDatabase } from './harness.ts';

/**
 * Rows that earlier versions of the service wrote, and what those versions answered; a file is named by the last migration
 * that its version had. All of them were written at the same moment of a clock, with this secret.
 */
const FOLDER = join(import.meta.dirname, 'upgrades');
const SECRET = 'the-secret-of-the-upgrade-test';
const NOW = Temporal.Instant.from('2026-06-10T17:00:03Z');
/** Tables whose rows the service reads with a meaning, so that only rows of a service will do. */
const READ_WITH_MEANING = [
  ...[
    'settings',
    'change_clock',
    'accounts',
    'stores',
    'categories',
    'products',
    'menus',
    'slot_holds',
    'slot_versions',
  ],
  ...['orders', 'order_events', 'payment_methods', 'messages', 'order_refunds', 'order_refund_parts', 'order_counters'],
  ...['sandbox_gateway_cards', 'sandbox_gateway_charges', 'sandbox_gateway_refunds'],
];

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of an answer and fails where it is not there
type Answered = { accountId: string; storeId: string; tokens: Record<string, string>; orders: any };
type Line = { table: string; row: Record<string, unknown>; answer?: undefined } | { answer: Answered };

/** Triggers of products and categories have made a store's menu by the time that its row comes. */
const ON_CONFLICT: Readonly<Record<string, string>> = {
  change_clock: 'on conflict (only_row) do update set seq = greatest(excluded.seq, change_clock.seq)',
  menus: 'on conflict do nothing',
};

const files = readdirSync(FOLDER).sort();
const linesOf = (file: string): Line[] =>
  readFileSync(join(FOLDER, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const database = await openTestDatabase();
const { connectionString } = database;
const schema = `up_${randomId('', 6).toLowerCase().replaceAll('-', '_')}`;
const pool = openPool({ connectionString, schema, max: 2 });
const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` });
await client.connect();
let service: Service | undefined;
after(async () => {
  await service?.close();
  await pool.end();
  for (const name of [schema, `${schema}_jobs`]) await client.query(`drop schema if exists ${name} cascade`);
  await client.end();
  await database.close();
});

async function load(lines: readonly Line[]): Promise<void> {
  for (const line of lines) {
    if (line.answer !== undefined) continue;
    const names = Object.keys(line.row)
      .map((name) => client.escapeIdentifier(name))
      .join(', ');
    const onConflict = ON_CONFLICT[line.table] ?? '';
    await client.query(
      `insert into ${line.table} (${names}) select ${names} from json_populate_record(null::${line.table}, $1) ${onConflict}`,
      [JSON.stringify(line.row)],
    );
  }
}

/** Loads each version's rows at its own schema, with rows of every other table, and then brings everything to the newest. */
async function liveThroughVersions(): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const [at, file] of files.entries()) {
    const last = `${basename(file, '.ndjson')}.sql`;
    const names = (await migrationNames()).filter((name) => name <= last);
    assert.equal(names.at(-1), last);
    await migrate(pool, schema, { only: new Set(names) });
    await load(linesOf(file));
    await fillTables(client, schema, 10 * (at + 1), READ_WITH_MEANING);
  }
  for (const [table, contents] of Object.entries(await contentsOf(client, schema))) rows.set(table, contents.length);
  await migrate(pool, schema);
  return rows;
}

test('what earlier versions wrote is read by this version as those versions told it', async (t) => {
  const before = await liveThroughVersions();
  await t.test('no row of any table is lost', async () => {
    const now = await contentsOf(client, schema);
    const missing = [...before].filter(([table, count]) => (now[table]?.length ?? 0) < count);
    assert.deepEqual(missing, []);
    assert.ok([...before.values()].filter((count) => count > 0).length > 25, 'most tables had rows');
  });
  await t.test('nodes of an earlier version are not stopped where there are stores', async () => {
    assert.deepEqual((await client.query('select name from migration_stops')).rows, []);
  });
  const config = readConfig({
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
    SANDBOX_PACE: 'manual',
    PORT: '0',
    TOKEN_SECRET: SECRET,
    SEARCH_SNAPSHOT_DIR: 'off',
  });
  service = await startService({
    config,
    connectionString,
    log: createLog('silent'),
    role: 'api',
    schema,
    clock: { now: () => NOW },
  });
  await service.deps.storeFeed.catchUp();
  for (const file of files) {
    const found = linesOf(file).find((line) => line.answer !== undefined);
    const told = found?.answer ?? assert.fail(file);
    const { key } = await issueKey(openDb(pool), told.accountId, 'sandbox', NOW);
    const customer = clientOf(service, told.accountId, key);
    await t.test(`${file}: orders`, () => assertOrders(customer, told));
    await t.test(`${file}: search, inventory and products`, () => assertCatalogue(customer, told, file));
    await t.test(`${file}: an order goes on, and is refunded`, () => assertGoesOn(customer, told));
    await t.test(`${file}: a new order is placed`, async () => {
      const card = await givenPaymentMethod(customer);
      const body = orderBody(told.tokens.Margherita, card, { autofill_selected_options: true });
      const reply = await customer.post('/order/order/v2', body);
      assert.deepEqual([reply.status, reply.body.order_placed], [200, true], reply.text);
    });
  }
});

/** Every member that the earlier version told has the same value; members may have been added. */
async function assertOrders(customer: Client, told: Answered): Promise<void> {
  const reply = await customer.get('/account/orders', { status: ORDER_STATUSES.join(',') });
  assert.equal(reply.status, 200, reply.text);
  const now = new Map(reply.body.orders.map((order: { order_id: string }) => [order.order_id, order]));
  for (const order of told.orders.orders) {
    assert.deepEqual(partOf(now.get(order.order_id), order), withFilledIn(order, told));
  }
  assert.equal(reply.body.orders.length, told.orders.orders.length);
}

/** Earlier versions left out the options that were filled in: of these pizzas, the small size. */
function withFilledIn(order: Answered['orders']['orders'][number], { tokens }: Answered) {
  const chosen = { selected_options: [{ option_id: 's', quantity: 1 }] };
  const items: { product_id: string }[] = order.items;
  return {
    ...order,
    items: items.map((item) => (item.product_id === tokens.Margherita ? { ...item, ...chosen } : item)),
  };
}

/** The members of `whole` that `part` has, at every depth. */
function partOf(whole: unknown, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) return whole;
  if (Array.isArray(part)) return Array.isArray(whole) ? whole.map((each, at) => partOf(each, part[at])) : whole;
  const entries = Object.entries(part).map(([name, value]) => [
    name,
    partOf((whole as Record<string, unknown>)[name], value),
  ]);
  return Object.fromEntries(entries);
}

async function assertCatalogue(customer: Client, { storeId, tokens }: Answered, file: string): Promise<void> {
  const query = `Pizzeria of ${file.slice(0, 4)}`;
  const { latitude, longitude } = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
  const found = await customer.get('/search/store/v3', { latitude, longitude, maximum_miles: 5 });
  assert.equal(found.status, 200, found.text);
  const ids = found.body.stores.map((store: { _id: string }) => store._id);
  assert.ok(ids.includes(storeId), query);
  const inventory = await customer.get('/details/inventory', {
    store_id: storeId,
    pickup: false,
    include_quote: true,
    ...NEAR_DOOR,
  });
  assert.equal(inventory.status, 200, inventory.text);
  assert.ok(inventory.body.quote.quote_id || inventory.body.quote, 'the store delivers to the door as before');
  for (const productId of Object.values(tokens)) {
    const product = await customer.get('/details/product', { product_id: productId, pickup: false });
    assert.equal(product.status, 200, product.text);
  }
}

async function assertGoesOn(customer: Client, { orders }: Answered): Promise<void> {
  const waiting = orders.orders.find(
    (order: { status: string; scheduled: object }) =>
      order.status === 'awaiting_confirmation' || order.status === 'in_progress',
  );
  assert.ok(waiting, 'the earlier version left an order on its way');
  const reply = await customer.post('/order/cancel', { order_id: waiting.order_id });
  assert.equal(reply.status, 200, reply.text);
  const now = (await customer.get('/account/orders')).body.orders.find(
    (order: { order_id: string }) => order.order_id === waiting.order_id,
  );
  assert.deepEqual([now.status, now.refunded_amount], ['canceled', waiting.total_with_tip]);
}
