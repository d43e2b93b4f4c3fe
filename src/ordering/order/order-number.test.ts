import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { comeAgain } from '../../../test/come-again.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type Client, done, givenApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { webhookBody } from '../../notify/webhooks/webhook.ts';
import type { Order } from './order.ts';
import { findEvents } from './order-events.db.ts';
import { insertOrders, placeOrders } from './order-statements.db.ts';
import { findAnyOrder, lockOrder } from './orders.db.ts';

const app = await givenApp({ start: '2026-06-10T17:00:00Z' });
const storeIds = await givenStores(
  app,
  ['one', 'two', 'three', 'four', 'west'].map((id) =>
    pizzeria({ external_id: id, ...(id === 'west' ? { time_zone: 'America/Los_Angeles' } : {}) }),
  ),
);
after(() => app.close());

/** Places orders at a store for a client, charged or free. */
async function givenBuyer(client: Client, storeId: string | undefined) {
  const product = (await productTokens(client, storeId ?? '')).Soda;
  const items = [{ product_id: product, quantity: 9 }];
  const card = await givenPaymentMethod(client);
  const post = (changes: object, headers: Record<string, string>) =>
    client.post('/order/order/v2', orderBody(product, card, { items, ...changes }), headers);
  const place = (changes: object = {}, headers: Record<string, string> = {}) => done(post(changes, headers));
  const number = async (changes: object = {}): Promise<string> => (await place(changes)).order_number;
  return { post, place, number, elementOf: (id: string) => client.get('/account/orders', { order_id: id }) };
}

const free = { charge_user: false };
const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `A${from + n}`);
const byNumber = (a: string, b: string) => Number(a.slice(1)) - Number(b.slice(1));

test('200 orders placed at once at three stores have all numbers from A1 on, each once a store', async () => {
  const shops = await Promise.all(storeIds.slice(0, 3).map((storeId) => givenBuyer(app, storeId)));
  const placed = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const shop = n % 3;
      const { post } = shops[shop] ?? assert.fail();
      const { order_number: number } = await done(comeAgain((key) => post(n % 7 === 0 ? free : {}, key)));
      return { shop, number };
    }),
  );
  for (const [shop, count] of [67, 67, 66].entries()) {
    const numbers = placed.filter((order) => order.shop === shop).map(({ number }) => number);
    assert.deepEqual(numbers.sort(byNumber), numbered(count));
  }
});

test('the placing response, the Order element and a repeated response show the number; unplaced orders have none', async () => {
  const { place, elementOf } = await givenBuyer(await app.givenClient(), storeIds[3]);
  const quoted = await place({ place_order: false });
  const unplaced = (await elementOf(quoted.order_id)).body.orders[0];
  assert.deepEqual([quoted.order_number, unplaced.order_number], [undefined, undefined]);
  const placed = await place({ order_id: quoted.order_id });
  const element = (await elementOf(placed.order_id)).body.orders[0];
  assert.deepEqual([placed.order_number, element.order_number], ['A1', 'A1']);
  const headers = { 'idempotency-key': 'numbered' };
  const answers = [await place({}, headers), await place({}, headers)];
  assert.deepEqual(
    answers.map(({ order_number }) => order_number),
    ['A2', 'A2'],
  );
});

test('an order finalized twice returns its number', async () => {
  const client = await app.givenClient();
  const { place } = await givenBuyer(client, storeIds[3]);
  const { order_id } = await place({ place_order: false });
  const answers = [
    await client.post('/order/finalize', { order_id }),
    await client.post('/order/finalize', { order_id }),
  ];
  assert.deepEqual(
    answers.map(({ body }) => body.order_number),
    ['A1', 'A1'],
  );
});

test('the tracking page and the calls to webhooks have the number, also of events that were logged before', async () => {
  const { place } = await givenBuyer(await app.givenClient(), storeIds[3]);
  const { order_id: orderId } = await place();
  const page = await app.get('/tracking', { tracking_id: orderId });
  assert.match(page.text, /Order <strong>A1<\/strong>/);
  const [event] = await findEvents(app.service.deps.db, [{ orderId, sequence: 1 }]);
  const body = JSON.parse(webhookBody(event ?? assert.fail(), { siteUrl: 'https://track.example' }));
  assert.equal(body.data.order.order_number, 'A1');
});

test('each sandbox account counts for itself at a store', async () => {
  for (const client of [await app.givenClient(), await app.givenClient()]) {
    const { number } = await givenBuyer(client, storeIds[3]);
    assert.deepEqual([await number(), await number(free)], ['A1', 'A2']);
  }
});

test("each local day of the store begins with A1, on the store's own clock", async () => {
  const night = await givenApp({ start: '2026-06-11T03:59:00Z' });
  const [east, west] = await givenStores(night, [
    pizzeria(),
    pizzeria({ external_id: 'west', time_zone: 'America/Los_Angeles' }),
  ]);
  const buyers = [await givenBuyer(night, east), await givenBuyer(night, west)];
  const numbers = () => Promise.all(buyers.map(({ number }) => number()));
  assert.deepEqual(await numbers(), ['A1', 'A1']);
  assert.deepEqual(await numbers(), ['A2', 'A2']);
  await night.advance({ minutes: 2 });
  assert.deepEqual(await numbers(), ['A1', 'A3']);
  await night.close();
});

test('a declined order takes no number, and neither does a refused one', async () => {
  const client = await app.givenClient();
  const { place, number } = await givenBuyer(client, storeIds[0]);
  assert.equal(await number(), 'A1');
  const declined = await givenPaymentMethod(client, 4000000000000002);
  await assert.rejects(place({ payment_method_id: declined }));
  const tokens = await productTokens(client, storeIds[0] ?? '');
  await assert.rejects(place({ ...free, items: [{ product_id: tokens['Few Left'], quantity: 9 }] }));
  assert.equal(await number(), 'A2');
});

/** Orders with pending charges, at the template's store unless others are given. */
async function givenPending(orders: readonly Partial<Order>[]): Promise<Order[]> {
  const { db } = app.service.deps;
  const { place } = await givenBuyer(await app.givenClient(), storeIds[0]);
  const template = (await findAnyOrder(db, (await place()).order_id)) ?? assert.fail();
  const pending = orders.map(
    (changes, n): Order => ({
      ...template,
      orderId: `${template.orderId}-${n}`,
      status: 'unplaced',
      chargeState: 'pending',
      lastSequence: 0,
      orderNumber: null,
      ...changes,
    }),
  );
  await insertOrders(db, pending);
  return pending;
}

function placedSteps(orders: readonly Order[]) {
  const event = { type: 'order.placed' as const, data: {} };
  return orders.map((order) => ({
    order: { ...order, status: 'awaiting_confirmation' as const, chargeState: 'charged' as const, lastSequence: 1 },
    event,
    at: app.now(),
    chargeState: 'pending' as const,
  }));
}

test('live orders of all accounts share the numbers of a store', async () => {
  const { db } = app.service.deps;
  const live = { mode: 'live' as const, storeId: 'live-store' };
  const orders = await givenPending([
    { ...live, accountId: 'acc_a' },
    { ...live, accountId: 'acc_b' },
  ]);
  const numbers = await placeOrders(db, placedSteps(orders));
  assert.deepEqual([...numbers.values()].sort(), ['A1', 'A2']);
});

test('B1 follows A9999, and the day begins again after Z9999', async () => {
  const { db } = app.service.deps;
  const busy = { storeId: 'busy', accountId: 'acc_busy' };
  const orders = await givenPending([busy, busy, busy]);
  const count = (last: number) => sql`update order_counters set last = ${last} where store_id = 'busy'`.execute(db);
  const place = async (pending: readonly Order[]) => [...(await placeOrders(db, placedSteps(pending))).values()].sort();
  await place(await givenPending([busy]));
  await count(9998);
  assert.deepEqual(await place(orders), ['A9999', 'B1', 'B2']);
  await count(26 * 9999 - 1);
  const later = await givenPending([busy, busy]);
  assert.deepEqual([await place(later.slice(0, 1)), await place(later.slice(1))], [['Z9999'], ['A1']]);
});

test('a statement that fails numbers nothing, and its orders are numbered when they are placed again', async () => {
  const { db } = app.service.deps;
  const orders = await givenPending([{ storeId: 'failing' }, { storeId: 'failing' }]);
  const steps = placedSteps(orders);
  const log = sql`insert into order_events (order_id, sequence, type, at, data, progress)
    values (${orders[1]?.orderId}, 1, 'order.placed', now(), '{}', '{}')`;
  await log.execute(db);
  await assert.rejects(placeOrders(db, steps), /order_events_pkey/);
  await sql`delete from order_events where order_id = ${orders[1]?.orderId}`.execute(db);
  assert.deepEqual([...(await placeOrders(db, steps)).values()].sort(), ['A1', 'A2']);
});

test('orders of the same stores placed at once in opposite order don’t deadlock', async () => {
  const { db } = app.service.deps;
  const stores = ['circle-a', 'circle-m', 'circle-z'];
  const given = (sorted: string[]) => givenPending(sorted.map((storeId) => ({ storeId, accountId: 'acc_circle' })));
  // A statement sorts its rows by id, so the second statement gets the stores in the opposite order.
  const [first, second] = [await given(stores), await given(stores.toReversed())];
  const [counted, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = db.transaction().execute(async (tx) => {
    const held = await givenPending([{ storeId: 'circle-m', accountId: 'acc_circle' }]);
    await placeOrders(tx, placedSteps(held));
    counted.resolve();
    await leave.promise;
  });
  await counted.promise;
  const both = Promise.all([placeOrders(db, placedSteps(first)), placeOrders(db, placedSteps(second))]);
  both.catch(() => {});
  await until('both wait', async () => (await countWaiting()) === 2).finally(leave.resolve);
  await holder;
  const numbers = (await both).flatMap((placed) => [...placed.values()]);
  assert.deepEqual(numbers.sort(), ['A1', 'A1', 'A2', 'A2', 'A2', 'A3']);
});

test('an order waiting for its own row doesn’t hold its store’s numbers from others', async () => {
  const { db } = app.service.deps;
  const ofStore = { storeId: 'waits', accountId: 'acc_waits' };
  const [waiting, other] = [await givenPending([ofStore]), await givenPending([ofStore])];
  const [locked, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Another process finishes the first order's attempt: it holds the row lock and then needs the order's slot.
  const holder = db.transaction().execute(async (tx) => {
    await lockOrder(tx, waiting[0]?.orderId ?? '');
    locked.resolve();
    await leave.promise;
  });
  await locked.promise;
  const placing = placeOrders(db, placedSteps(waiting));
  placing.catch(() => {});
  const text = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%with open as%'`;
  const waits = async () => (await text.execute(db)).rows.length > 0;
  await until('the first waits', waits).catch((error) => {
    leave.resolve();
    throw error;
  });
  const placed = db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '10s'`.execute(tx);
    return placeOrders(tx, placedSteps(other));
  });
  assert.deepEqual([...(await placed.finally(leave.resolve)).values()], ['A1']);
  await holder;
  assert.deepEqual([...(await placing).values()], ['A2']);
});

/** Statements in this test's schema that wait for another transaction. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct waiting.pid)::int as count from pg_locks waiting, pg_locks held
    where not waiting.granted and held.relation = 'order_counters'::regclass and held.granted
      and held.pid = waiting.pid`.execute(app.service.deps.db);
  return rows[0]?.count ?? 0;
}
