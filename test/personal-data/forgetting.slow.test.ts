import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { PERSONAL_DATA, retentionsOf } from '../../src/app/wiring/retentions.ts';
import type { Sql } from '../../src/platform/db/connect.ts';
import { sha256 } from '../../src/platform/lib/sha256.ts';
import { runRetention } from '../given/expired-rows.ts';
import { givenOperator } from '../given/merchant.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { describedEndpoints, goodRequestOf, keyFor, sendWire, wireRequest } from '../hostile/described-endpoints.ts';
import type { Shop } from '../hostile/given-shop.ts';
import { takesAllRuns } from '../runs.ts';
import { OTHER_COLUMNS } from './columns.ts';
import {
  DRIVER_MARKS,
  givenMarkedShop,
  givenPeople,
  liveMarked,
  MARKED,
  MARKS,
  type MarkedLife,
  type MarkedShop,
} from './marked-life.ts';

let dataDir: string;
let shop: MarkedShop;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'doorstep-forgetting-'));
  shop = await givenMarkedShop(dataDir);
});
after(async () => {
  await shop.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Every row of both schemas as text, by table. */
async function dump(): Promise<Map<string, string[]>> {
  const { db } = shop.app.service.deps;
  const { rows } = await sql<{ table: string }>`select format('%I.%I', table_schema, table_name) as "table"
    from information_schema.tables where table_type = 'BASE TABLE' and table_schema like ${`${shop.app.schema}%`}`.execute(
    db,
  );
  const tables = new Map<string, string[]>();
  for (const { table } of rows) {
    const found = await sql<{ row: string }>`select t::text as row from ${sql.raw(table)} as t order by 1`.execute(db);
    tables.set(
      table.replace(/^[^.]+\./, ''),
      found.rows.map(({ row }) => row),
    );
  }
  return tables;
}

async function tablesWith(marks: RegExp): Promise<string[]> {
  return [...(await dump())]
    .filter(([, rows]) => rows.some((row) => marks.test(row)))
    .map(([table]) => table)
    .sort();
}

/** A digest of what was sold, charged and owed: amounts of orders, ledger, events and statements as they are read. */
async function digestOfBooks(): Promise<string> {
  const { db } = shop.app.service.deps;
  const tables = await dump();
  const read: unknown[] = [];
  for (const mode of ['live', 'sandbox']) {
    const query = { month: '2026-06', mode };
    read.push((await shop.admin.get('/operator/statements', query)).text);
    read.push((await shop.admin.get('/operator/statements.csv', query)).text);
    for (const storeId of Object.values(shop.storeIds)) {
      read.push((await shop.admin.get(`/operator/stores/${storeId}/statement`, query)).text);
    }
  }
  const { rows: amounts } =
    await sql`select order_id, store_id, order_number, status, total_with_tip, charge_state, charged_cents,
    refunded_cents, added_tip_cents, quote - 'items' as quote, adjustments from orders where placed_at is not null order by 1`.execute(
      db,
    );
  const { rows: events } = await sql`select order_id, sequence, type, at from order_events order by 1, 2`.execute(db);
  const kept = ['ledger_orders', 'ledger_entries', 'order_days', 'order_refund_parts', 'sandbox_gateway_charges'];
  const ledger = kept.map((table) => tables.get(table));
  assert.ok(ledger.every((rows) => rows && rows.length > 0));
  const books = { read, amounts, events, ledger };
  return sha256(JSON.stringify(books)).toString('hex');
}

/** The responses of every endpoint about the orders. */
async function answersOf(life: MarkedLife): Promise<{ name: string; status: number; text: string }[]> {
  const { app, live, storeIds } = shop;
  const people = await givenPeople(shop);
  const answers = [];
  for (const [orderId, key] of [
    [life.sandbox, app.key],
    [life.delivered, live.key],
    [life.brought, live.key],
  ] as const) {
    const ids = {
      store_id: storeIds.own,
      product_id: (await productTokens(app, storeIds.own)).Soda ?? '',
      subcategory_id: 'none',
      scheduled_id: 'none',
      payment_method_id: 'none',
      spare_payment_method_id: 'none',
      order_id: orderId,
      unplaced_order_id: orderId,
    };
    const endpointIds = {
      ...app,
      ...people,
      key,
      ids,
      goodOrder: (changes?: object) => orderBody(ids.product_id, null, changes),
    };
    const reads = describedEndpoints(endpointIds as unknown as Shop, ['account', 'store', 'operator']);
    for (const endpoint of reads.filter(({ method }) => method === 'GET')) {
      const good = goodRequestOf(endpointIds as unknown as Shop, endpoint);
      const query = endpoint.path === '/account/orders' ? { order_id: orderId, include: 'messages' } : good.query;
      const path = { ...good.path, ...('order_id' in good.path && { order_id: orderId }) };
      const wire = wireRequest(endpoint, { ...good, path, query });
      const { status, text } = await sendWire(
        endpointIds as unknown as Shop,
        keyFor(endpointIds as unknown as Shop, endpoint),
        'GET',
        wire,
      );
      answers.push({ name: `${wire.path}?${wire.query}`, status, text });
    }
  }
  for (const link of life.links) {
    const { pathname, search } = new URL(link);
    const pages = pathname.includes('/driver/')
      ? [pathname, `${pathname}/state`]
      : ['', '/receipt', '/tip', '/notes', '/cancel', '/problem', '/photo'].map(
          (page) => `${pathname}${page}${search}`,
        );
    for (const url of [...pages, `/checkout/again${search}`]) {
      const { statusCode, body } = await app.service.http.inject({ url });
      answers.push({ name: url, status: statusCode, text: body });
    }
  }
  for (const query of ['quirkmark', '12125550147', 'zelda@quirkmark.example']) {
    const { status, text } = await shop.admin.get('/operator/orders', { query, mode: 'live' });
    answers.push({ name: `operator search ${query}`, status, text: text.replaceAll(query, '') });
  }
  const csv = await shop.admin.get('/operator/orders.csv', { mode: 'live', customers: true });
  answers.push({ name: 'export', status: csv.status, text: csv.text });
  return answers;
}

/** Another customer of the same store, who stays. */
async function placeOther(): Promise<void> {
  const { Soda } = await productTokens(shop.app, shop.storeIds.own);
  const items = [{ product_id: Soda, quantity: 4 }];
  const other = { items, charge_user: false, user_id: 'kept', user_name: 'Kept Customer' };
  const reply = await shop.app.post('/order/order/v2', orderBody(undefined, null, other));
  assert.equal(reply.status, 200, reply.text);
  await shop.app.advance({ seconds: 1 });
}

async function assertForgotten(life: MarkedLife): Promise<void> {
  const { db } = shop.app.service.deps;
  assert.deepEqual(await tablesWith(MARKS), []);
  // The ledger says which of the store's drivers its tips are for.
  assert.deepEqual(await tablesWith(DRIVER_MARKS), ['ledger_orders']);
  const { rows: photos } = await sql`select from delivery_proofs where photo is not null`.execute(db);
  assert.equal(photos.length, 0);
  for (const { name, status, text } of await answersOf(life)) {
    assert.ok(status < 500, `${name}: ${status} ${text}`);
    assert.doesNotMatch(text, MARKS, name);
    if (!/statement|drivers|sales/.test(name)) assert.doesNotMatch(text, DRIVER_MARKS, name);
  }
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = (await readFile(join(entry.parentPath, entry.name))).toString('latin1');
    assert.doesNotMatch(text, MARKS, entry.name);
  }
  for (const line of shop.lines) assert.doesNotMatch(line, MARKS);
  assert.match(String((await dump()).get('orders')), /Kept Customer/);
}

test('a user is forgotten at once: in no table, file or answer, and the books are the same', async () => {
  const { app, live } = shop;
  const life = await liveMarked(shop);
  await placeOther();
  assert.deepEqual(await tablesWith(MARKS), FILLED);
  assert.ok((await answersOf(life)).some(({ text }) => MARKS.test(text)));
  const books = await digestOfBooks();
  for (const client of [app, live]) {
    const reply = await client.post('/account/forget_user', { user_id: MARKED.user_id });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.is_complete, true);
  }
  await app.advance({ seconds: 1 });
  await assertForgotten(life);
  assert.equal(await digestOfBooks(), books);
});

test('an open order refuses to be forgotten, and nothing of its user changes', async () => {
  const { app } = shop;
  const user = { user_id: 'busy', charge_user: false, user_name: 'Kept Customer' };
  const { Soda } = await productTokens(app, shop.storeIds.own);
  const order = (changes: object) =>
    app.post(
      '/order/order/v2',
      orderBody(undefined, null, { items: [{ product_id: Soda, quantity: 4 }], ...user, ...changes }),
    );
  const [open, unplaced] = [(await order({})).body.order_id, (await order({ place_order: false })).body.order_id];
  await app.advance({ seconds: 1 });
  const forget = (accountId = app.accountId) =>
    shop.admin.post(`/operator/accounts/${accountId}/forget_user`, { user_id: 'busy', mode: 'sandbox' });
  const find = async (orderId: string) => (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
  const before = await Promise.all([open, unplaced].map(find));
  for (const reply of [await app.post('/account/forget_user', { user_id: 'busy' }), await forget()]) {
    assert.deepEqual([reply.status, reply.body.code], [409, 'order_open']);
  }
  assert.deepEqual(await Promise.all([open, unplaced].map(find)), before);
  assert.equal((await forget('acc_none')).status, 404);

  await app.post('/order/cancel', { order_id: open });
  await app.advance({ seconds: 1 });
  const { status, body } = await forget();
  assert.deepEqual([status, body], [200, { orders: 1, unplaced_orders: 1, cards: 0, is_complete: true }]);
  assert.equal((await find(open)).user_name, '');
  assert.equal(await find(unplaced), undefined);
  const [entry] = (await shop.admin.get('/operator/actions')).body.actions;
  assert.deepEqual([entry.action, entry.target, entry.details.orders], ['user.forget', app.accountId, 1]);
  assert.doesNotMatch(JSON.stringify(entry), /busy/);
  assert.deepEqual((await forget()).body, { orders: 0, unplaced_orders: 0, cards: 0, is_complete: true });
});

test('nothing of a forgotten order is sent again, and it is not ordered again', async () => {
  const { app, live, admin } = shop;
  const retry = { 'idempotency-key': 'again' };
  const { Soda } = await productTokens(app, shop.storeIds.own);
  const body = orderBody(undefined, null, {
    items: [{ product_id: Soda, quantity: 4 }],
    charge_user: false,
    user_id: 'gone',
  });
  const placed = await live.post('/order/order/v2', body, retry);
  const orderId = placed.body.order_id;
  await live.post('/order/cancel', { order_id: orderId });
  await app.advance({ seconds: 1 });
  const { webhook_calls: calls } = (await admin.get(`/operator/orders/${orderId}`)).body;
  assert.equal((await live.post('/account/forget_user', { user_id: 'gone' })).status, 200);
  const refusals = [
    await admin.post(`/operator/orders/${orderId}/resend`, { webhook_id: calls[0].webhook_id, preview: true }),
    await admin.post(`/operator/webhook-calls/${calls[0].webhook_id}/replay`, {}),
    await live.post('/order/order/v2', body, retry),
  ];
  assert.deepEqual(
    refusals.map((reply) => [reply.status, reply.body.code]),
    [
      [410, 'order_forgotten'],
      [404, 'not_found'],
      [410, 'answer_forgotten'],
    ],
  );
  const again = await app.service.http.inject({ url: `/checkout/again${new URL(placed.body.tracking_link).search}` });
  assert.ok(again.statusCode >= 400 && again.statusCode < 500, `${again.statusCode}`);
});

/** Columns that may hold personal data, as `table.column`, and are neither cleared nor deleted nor listed as others. */
async function unconsidered(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ column: string; table: string }>`
    select table_name as "table", table_name || '.' || column_name as "column" from information_schema.columns
    where table_schema = current_schema() and data_type not in ('boolean', 'integer', 'bigint', 'double precision', 'date',
      'timestamp with time zone') order by 2`.execute(db);
  const retentions = retentionsOf({ recordsKeepDays: 90, personalDataDays: 730 });
  const clearings = retentions.flatMap(({ clears }) => clears?.tables ?? []);
  const deleted = [...retentions, ...clearings]
    .filter((one) => !('clears' in one || 'set' in one || one.table === 'orders'))
    .map(({ table }) => table);
  const cleared = clearings.flatMap(({ table, set }) => Object.keys(set ?? {}).map((column) => `${table}.${column}`));
  const names = rows.map(({ column }) => column);
  const stale = OTHER_COLUMNS.filter((column) => !names.includes(column) || cleared.includes(column));
  assert.deepEqual(stale, []);
  return rows
    .filter(({ table, column }) => !deleted.includes(table) && ![...cleared, ...OTHER_COLUMNS].includes(column))
    .map(({ column }) => column);
}

test('every column with text, JSON or bytes is cleared, deleted by age, or known to hold none', async () => {
  const { db } = shop.app.service.deps;
  const advice =
    'a customer’s: declare it in PersonalData of its room; any other: list it in test/personal-data/columns.ts';
  assert.deepEqual(await unconsidered(db), [], advice);
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await sql`create table visitors (id integer, diary text)`.execute(tx);
      await sql`alter table order_tips add column thanks jsonb`.execute(tx);
      assert.deepEqual(await unconsidered(tx), ['order_tips.thanks', 'visitors.diary']);
      throw new Error('undone');
    }),
    /undone/,
  );
});

test('forgotten orders are found by an index, and so is everything of theirs', async () => {
  const { db } = shop.app.service.deps;
  await db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    for (const { table, where } of PERSONAL_DATA) {
      const statement = where.replaceAll('$1', "'{a,b}'");
      const { rows } = await sql<
        Record<string, string>
      >`explain select from ${sql.table(table)} where ${sql.raw(statement)}`.execute(tx);
      const plan = rows.map((row) => Object.values(row)[0]).join('\n');
      assert.doesNotMatch(plan, /Seq Scan/, `${table}: ${plan}`);
    }
  });
});

test('orders are forgotten by age, in the same way', { skip: !takesAllRuns() && 'npm run test:all' }, async () => {
  const { app } = shop;
  const user = { user_id: 'quirk-2', user_email: 'two@quirkmark.example' };
  const life = await liveMarked(shop, user);
  await app.advance({ hours: 24 * 730 - 1 });
  await runRetention(app);
  shop.admin = await givenOperator(app);
  const books = await digestOfBooks();
  assert.match(String((await dump()).get('orders')), MARKS);
  // The card stays until it is deleted, and so do favorites.
  const cards = (await app.get('/payment/list', { user_id: user.user_id })).body.payment_methods;
  for (const { payment_method_id } of cards) {
    await app.post('/payment/delete', { user_id: user.user_id, payment_method_id });
  }
  await app.advance({ hours: 2 });
  await runRetention(app);
  await assertForgotten(life);
  assert.equal(await digestOfBooks(), books);
});

/** Tables where the life above leaves marks. */
const FILLED = [
  ...'card_setups idempotency_keys messages operator_actions order_events order_refunds orders'.split(' '),
  ...'payment_methods sms_opt_outs sms_recipients webhook_calls'.split(' '),
];
