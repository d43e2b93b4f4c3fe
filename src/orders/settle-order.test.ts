import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import {
  type Breakage,
  Killed,
  killedAfterCharging,
  killedBeforeCharging,
  withBrokenGateway,
} from '../../test/broken-gateway.ts';
import { pizzeria } from '../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../test/given-orders.ts';
import { givenStores } from '../../test/given-stores.ts';
import { type App, givenApp, type Reply } from '../../test/harness.ts';
import { OutsideError } from '../lib/errors.ts';
import { listEvents } from './order-events.db.ts';
import { findAnyOrder } from './orders.db.ts';
import { settleLeftOrders } from './settle-left-orders.job.ts';
import { settleOrder } from './settle-order.flow.ts';

const STOCK = 1000;
let app: App;
let storeId: string;
let product: string | undefined;
let card: string;
let lastKey = 0;

before(async () => {
  app = await givenApp();
  const counted = { id: 'counted', name: 'Counted', price: 1500, qty_available: STOCK };
  const scheduling = { enabled: true, slot_minutes: 30, lead_minutes: 60, days_ahead: 1, capacity: 50 };
  [storeId = ''] = await givenStores(app, [
    pizzeria({ categories: [{ id: 'c', name: 'C', products: [counted] }], scheduling }),
  ]);
  product = (await productTokens(app, storeId)).Counted;
  card = await givenPaymentMethod(app);
});
after(() => app.close());

const newKey = () => {
  lastKey += 1;
  return `key-${lastKey}`;
};
const place = (key: string, changes: object = {}) =>
  app.post('/order/order/v2', orderBody(product, card, changes), { 'idempotency-key': key });
const runLeftOrders = () => settleLeftOrders(app.service.deps).run({}, new AbortController().signal);
const settle = (orderId: string) => settleOrder(app.service.deps, orderId);

/** An order whose process died at a point of placing it, by its key; window (the first, unless told) and stock are held. */
async function givenKilled(breakage: Breakage, key: string, window?: string): Promise<string> {
  const slot = window ?? (await slotsOf())[0];
  const reply = await withBrokenGateway(app, breakage, () => place(key, { scheduled_id: slot }));
  assert.equal(reply.status, 500, reply.text);
  const row = await app.service.deps.db
    .selectFrom('orders')
    .select('order_id')
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow();
  assert.deepEqual(await held(), { stock: 1, slots: 1 });
  return row.order_id;
}

async function slotsOf(): Promise<string[]> {
  const door = { user_latitude: 40.744, user_longitude: -73.988, include_quote: true };
  const reply = await app.get('/details/inventory', { store_id: storeId, pickup: false, ...door });
  return reply.body.quote.time_estimate.scheduled.map((slot: { id: string }) => slot.id);
}

/** What orders hold of the store now. */
async function held() {
  const { db } = app.service.deps;
  const { rows } = await sql<{ stock: number; slots: number }>`
    select ${STOCK} - (select qty_available from products where store_id = ${storeId})::int as stock,
      coalesce((select sum(held) from slot_holds where store_id = ${storeId}), 0)::int as slots`.execute(db);
  return rows[0];
}

async function stateOf(orderId: string) {
  const order = await findAnyOrder(app.service.deps.db, orderId);
  const events = await listEvents(app.service.deps.db, orderId);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    Array.from({ length: order?.lastSequence ?? -1 }, (_, index) => index + 1),
  );
  return { status: order?.status, charge: order?.chargeState, events: events.map(({ type }) => type) };
}

/** Charges of an order in the gateway's books, oldest first: [amount, given back]. */
async function books(orderId: string): Promise<[number, number][]> {
  const charges = await app.service.deps.gateways.sandbox.listCharges({ orderId });
  return charges
    .filter(({ status }) => status === 'succeeded')
    .map(({ amountCents, refundedCents }) => [amountCents, refundedCents]);
}

const PLACED = { status: 'awaiting_confirmation', charge: 'charged', events: ['order.placed'] };
const LEFT = { status: 'unplaced', charge: 'pending', events: [] };
const FREED = { status: 'unplaced', charge: 'declined', events: [] };
const GIVEN_BACK = { status: 'canceled', charge: 'refunded', events: ['order.canceled', 'order.refunded'] };

/** Ends an order so that the next test finds nothing held. */
async function cancel(orderId: string): Promise<void> {
  const reply = await app.post(`/sandbox/orders/${orderId}/advance`, { event: 'cancel' });
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(await held(), { stock: 0, slots: 0 });
}

async function assertChargedOnce(orderId: string, total?: number): Promise<void> {
  const charges = await books(orderId);
  assert.deepEqual(
    charges.filter(([amount, refunded]) => refunded < amount).map(([, refunded]) => refunded),
    [0],
  );
  if (total !== undefined) assert.equal(charges.at(-1)?.[0], total);
}

test('killed before its charge, an order is left alone for ten minutes, then holds nothing and was never charged', async () => {
  const orderId = await givenKilled(killedBeforeCharging, newKey());
  for (const minutes of [0, 1, 8]) {
    await app.advance({ minutes });
    await runLeftOrders();
    assert.deepEqual(await stateOf(orderId), LEFT);
  }
  await app.advance({ minutes: 2 });
  await runLeftOrders();
  assert.deepEqual([await stateOf(orderId), await books(orderId)], [FREED, []]);
  assert.deepEqual(await held(), { stock: 0, slots: 0 });
});

test('killed after its charge, an order is placed once its request is surely gone, with one charge', async () => {
  const orderId = await givenKilled(killedAfterCharging, newKey());
  await app.advance({ seconds: 10 });
  await runLeftOrders();
  assert.deepEqual(await stateOf(orderId), LEFT);
  await app.advance({ seconds: 15 });
  await runLeftOrders();
  assert.deepEqual(await stateOf(orderId), PLACED);
  await assertChargedOnce(orderId);
  assert.deepEqual(await held(), { stock: 1, slots: 1 });
  await cancel(orderId);
});

test('a charge found after more than fifteen minutes is given back, and its customer is told of the cancelation', async () => {
  const key = newKey();
  const window = (await slotsOf()).at(-1);
  const orderId = await givenKilled(killedAfterCharging, key, window);
  await withBrokenGateway(app, silentBooks, () => app.advance({ minutes: 16 }));
  await runLeftOrders();
  assert.deepEqual(await stateOf(orderId), GIVEN_BACK);
  const [[amount = 0, refunded] = []] = await books(orderId);
  assert.ok(amount > 0 && amount === refunded);
  assert.deepEqual(await held(), { stock: 0, slots: 0 });
  const retry = await place(key, { scheduled_id: window });
  assert.deepEqual([retry.status, retry.body.order_placed, retry.body.order_id], [200, false, orderId], retry.text);
  assert.equal((await books(orderId)).length, 1);
});

const silent = async () => {
  throw new OutsideError('payment gateway', 'did not answer', { retryable: true });
};
const silentBooks: Breakage = () => ({ findCharge: silent, refund: silent });

test('while the gateway is silent an order waits, and one that cannot be settled delays no other', async () => {
  const orderId = await givenKilled(killedAfterCharging, newKey());
  const { db } = app.service.deps;
  await sql`insert into orders (order_id, account_id, mode, user_id, store_id, status, pickup, request, quote,
      total_with_tip, charge_user, charge_state, charge_attempt, charge_started_at, created_at)
    select 'stuck_' || n, account_id, 'live', user_id, store_id, status, pickup, request, quote, total_with_tip,
      charge_user, charge_state, charge_attempt, charge_started_at - interval '1 hour', created_at
    from orders, generate_series(1, 450) n where order_id = ${orderId}`.execute(db);
  await withBrokenGateway(app, silentBooks, async () => {
    await app.advance({ minutes: 11 });
    await assert.rejects(settle(orderId), OutsideError);
    await runLeftOrders();
    assert.deepEqual(await stateOf(orderId), LEFT);
  });
  await runLeftOrders();
  assert.deepEqual(await stateOf(orderId), PLACED);
  await sql`delete from orders where order_id like 'stuck_%'`.execute(db);
  await cancel(orderId);
});

test('a refund that the gateway did not answer is asked for again by its job, and happens once', async () => {
  const { order_id: orderId } = (await place(newKey())).body;
  const killedAfterRefund: Breakage = (real) => ({
    refund: async (request) => {
      await real.refund(request);
      throw new Killed();
    },
  });
  await withBrokenGateway(app, killedAfterRefund, async () => {
    const canceled = await app.post(`/sandbox/orders/${orderId}/advance`, { event: 'cancel' });
    assert.equal(canceled.body.status, 'canceled');
    await app.advance({ seconds: 1 });
    assert.equal((await stateOf(orderId)).charge, 'refund_pending');
  });
  await app.advance({ minutes: 2 });
  assert.deepEqual(await stateOf(orderId), {
    status: 'canceled',
    charge: 'refunded',
    events: ['order.placed', 'order.canceled', 'order.refunded'],
  });
  const [[amount, refunded] = []] = await books(orderId);
  assert.equal(amount, refunded);
});

test('settled by many at once, an order ends once', async (t) => {
  const many = (orderId: string) => Promise.all(Array.from({ length: 10 }, () => settle(orderId)));
  await t.test('placed', async () => {
    const orderId = await givenKilled(killedAfterCharging, newKey());
    await app.advance({ seconds: 5 });
    await withBrokenGateway(app, silentBooks, () => app.advance({ minutes: 1 }));
    await many(orderId);
    assert.deepEqual(await stateOf(orderId), PLACED);
    await cancel(orderId);
  });
  await t.test('given back', async () => {
    const orderId = await givenKilled(killedAfterCharging, newKey());
    await withBrokenGateway(app, silentBooks, () => app.advance({ minutes: 16 }));
    await many(orderId);
    assert.deepEqual(await stateOf(orderId), GIVEN_BACK);
    assert.deepEqual(await held(), { stock: 0, slots: 0 });
  });
  await t.test('unplaced again', async () => {
    const orderId = await givenKilled(killedBeforeCharging, newKey());
    await withBrokenGateway(app, silentBooks, () => app.advance({ minutes: 16 }));
    await many(orderId);
    assert.deepEqual([await stateOf(orderId), await held()], [FREED, { stock: 0, slots: 0 }]);
  });
});

test('a charge that lands after its order was given up is given back', async (t) => {
  const lateCharge = async (key: string, window?: string) => {
    const requests: Parameters<typeof app.service.deps.gateways.sandbox.charge>[0][] = [];
    const breakage: Breakage = () => ({
      charge: async (request) => {
        requests.push(request);
        throw new Killed();
      },
    });
    const orderId = await givenKilled(breakage, key, window);
    await app.advance({ minutes: 11 });
    await runLeftOrders();
    assert.deepEqual(await stateOf(orderId), FREED);
    const land = async () => {
      for (const request of requests) await app.service.deps.gateways.sandbox.charge(request);
    };
    return { orderId, land };
  };
  const givenBack = (charges: [number, number][]) => charges.filter(([amount, refunded]) => amount === refunded).length;

  await t.test('when nobody asks for the order again', async () => {
    const { orderId, land } = await lateCharge(newKey());
    await land();
    await app.advance({ hours: 2 });
    assert.deepEqual([(await books(orderId)).length, givenBack(await books(orderId))], [1, 1]);
    assert.deepEqual(await stateOf(orderId), FREED);
  });
  await t.test('when a retry has placed it by another charge', async () => {
    const key = newKey();
    const window = (await slotsOf()).at(-1);
    const { orderId, land } = await lateCharge(key, window);
    const retry = await place(key, { scheduled_id: window });
    assert.deepEqual([retry.body.order_id, retry.body.order_placed], [orderId, true], retry.text);
    await land();
    await app.advance({ minutes: 6 });
    assert.deepEqual([(await books(orderId)).length, givenBack(await books(orderId))], [2, 1]);
    assert.deepEqual(await stateOf(orderId), PLACED);
    await cancel(orderId);
    assert.equal(givenBack(await books(orderId)), 2);
  });
});

test('a request that wakes up after its order was given up gives its charge back and says so', async (t) => {
  const [slot] = await slotsOf();
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  t.after(() => go.resolve());
  const asleep: Breakage = (real) => ({
    charge: async (request) => {
      reached.resolve();
      await go.promise;
      return real.charge(request);
    },
  });
  const key = newKey();
  const sleeping = withBrokenGateway(app, asleep, () => place(key, { scheduled_id: slot }));
  await reached.promise;
  const { rows } = await sql<{ order_id: string }>`
    select order_id from orders where idempotency_key = ${key}`.execute(app.service.deps.db);
  const orderId = rows[0]?.order_id ?? '';
  await app.advance({ minutes: 11 });
  await runLeftOrders();
  assert.deepEqual(await stateOf(orderId), FREED);
  go.resolve();
  const reply: Reply = await sleeping;
  assert.deepEqual([reply.status, reply.body.code], [503, 'upstream_unavailable'], reply.text);
  await app.advance({ seconds: 30 });
  const [[amount, refunded] = []] = await books(orderId);
  assert.equal(amount, refunded);
  const again = await place(key, { scheduled_id: slot });
  assert.deepEqual([again.status, again.body.order_id, again.body.order_placed], [200, orderId, true], again.text);
  await assertChargedOnce(orderId, again.body.final_quote.total_with_tip);
  await cancel(orderId);
});

test('a gateway that refuses to repeat what it has already done leaves no charge without its order', async () => {
  let calls = 0;
  const refusesTheSecond: Breakage = (real) => ({
    charge: async (request) => {
      calls += 1;
      if (calls > 1) throw new OutsideError('payment gateway', 'knows no such key', { retryable: false });
      await real.charge(request);
      return silent();
    },
    findCharge: silent,
  });
  const [key, slot] = [newKey(), (await slotsOf())[0]];
  const reply = await withBrokenGateway(app, refusesTheSecond, () => place(key, { scheduled_id: slot }));
  assert.deepEqual([reply.status, calls], [503, 2], reply.text);
  assert.deepEqual(await held(), { stock: 1, slots: 1 });
  await app.advance({ seconds: 25 });
  await runLeftOrders();
  const retry = await place(key, { scheduled_id: slot });
  assert.deepEqual(await stateOf(retry.body.order_id), PLACED);
  await assertChargedOnce(retry.body.order_id);
  await cancel(retry.body.order_id);
});

test('a retry with the same Idempotency-Key gives the one outcome, wherever the first request died', async (t) => {
  const slotBody = async () => ({ scheduled_id: (await slotsOf())[0] });
  const points: [string, Breakage][] = [
    ['before the charge', killedBeforeCharging],
    ['after the charge', killedAfterCharging],
  ];
  const delays: [string, Temporal.DurationLike][] = [
    ['at once', { seconds: 0 }],
    ['after half a minute', { seconds: 31 }],
    ['after twelve minutes', { minutes: 12 }],
    ['after five hours', { hours: 5 }],
  ];
  for (const [point, breakage] of points) {
    for (const [delay, duration] of delays) {
      await t.test(`${point}, retried ${delay}`, async () => {
        const [key, body] = [newKey(), await slotBody()];
        await withBrokenGateway(app, breakage, () => place(key, body));
        await withBrokenGateway(app, silentBooks, () => app.advance(duration));
        const replies = await Promise.all([place(key, body), place(key, body), settleAll(), place(key, body)]);
        const [first, second, , third] = replies;
        assert.deepEqual([second.status, third.status], [first.status, first.status], first.text);
        if (first.status !== 200) assert.equal(first.body.code, 'slot_unavailable', first.text);
        await assertOneOutcome(key, first);
      });
    }
  }
  await t.test('after it was placed but not answered', async () => {
    const key = newKey();
    const first = await place(key);
    await sql`update idempotency_keys set state = 'running', status = null, body = null where key = ${key}`.execute(
      app.service.deps.db,
    );
    const early = place(key);
    await app.advance({ seconds: 31 });
    assert.deepEqual((await early).body, first.body);
    await assertOneOutcome(key, first);
  });
});

async function settleAll() {
  await runLeftOrders();
}

/** One order of the key: placed and charged once, or nothing kept of its money and nothing held. */
async function assertOneOutcome(key: string, reply: Reply): Promise<void> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from orders where idempotency_key = ${key}`.execute(app.service.deps.db);
  assert.equal(rows.length, 1);
  const orderId = rows[0]?.order_id ?? '';
  await app.advance({ seconds: 30 });
  if (reply.status === 200 && reply.body.order_placed) {
    assert.equal((await stateOf(orderId)).status, 'awaiting_confirmation');
    await assertChargedOnce(orderId);
    return cancel(orderId);
  }
  assert.ok((await books(orderId)).every(([amount, refunded]) => amount === refunded));
  assert.deepEqual(await held(), { stock: 0, slots: 0 });
}
