import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { runOrderTimers } from '../../ordering/money/order-timer.job.ts';
import { recordStep } from '../../ordering/money/take-step.flow.ts';
import { advanceOrder } from '../../ordering/order/advance-order.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { lockOrder } from '../../ordering/order/orders.db.ts';
import { simulateOrders } from './simulate-orders.flow.ts';

const PACE_S = 60;
/** Each job advances the test clock by a second, and a driver's moves are several jobs. */
const MARGIN_S = 10;
const DELIVERY = ['placed', 'confirmed', 'ready', 'driver_assigned', 'picked_up', 'driver_nearby', 'completed'];
const PICKUP = ['placed', 'confirmed', 'ready', 'completed'];

/** A service with a simulated store and courier, or with manual steps. */
async function givenShop(pace: string) {
  const app = await givenApp({ env: { SANDBOX_PACE: pace } });
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const tokens = await productTokens(app, storeId);
  const card = await givenPaymentMethod(app);
  const place = async (changes: object = {}): Promise<string> => {
    const body = orderBody(tokens.Margherita, card, { autofill_selected_options: true, ...changes });
    const reply = await app.post('/order/order/v2', body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.order_id;
  };
  return { app, place };
}

const eventTypes = async (app: App, orderId: string) =>
  (await listEvents(app.service.deps.db, orderId)).map(({ type }) => type.replace('order.', ''));
const readOrder = async (app: App, orderId: string) =>
  (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
const advance = (app: App, orderId: string, event: string) => app.post(`/sandbox/orders/${orderId}/advance`, { event });
const runTimer = (app: App, orderId: string, sequence: number, clock = app.service.deps.clock) =>
  runOrderTimers({
    ...app.service.deps,
    clock,
    simulation: simulateOrders({ ...app.service.deps, isStorePlayed: async () => false }),
  }).run({ orderId, sequence }, new AbortController().signal);

const simulated = await givenShop(String(PACE_S));
const manual = await givenShop('manual');
after(async () => {
  await simulated.app.close();
  await manual.app.close();
});

/** The events after each step of the pace, until no more follow. */
async function assertLives(app: App, orderId: string, life: readonly string[]): Promise<void> {
  assert.deepEqual(await eventTypes(app, orderId), life.slice(0, 1));
  for (let step = 2; step <= life.length; step += 1) {
    await app.advance({ seconds: PACE_S - MARGIN_S });
    assert.deepEqual(await eventTypes(app, orderId), life.slice(0, step - 1), 'not before its time');
    await app.advance({ seconds: MARGIN_S + 1 });
    assert.deepEqual(await eventTypes(app, orderId), life.slice(0, step));
  }
  await app.advance({ minutes: 30 });
  assert.deepEqual(await eventTypes(app, orderId), life);
}

test('a simulated delivery is confirmed, made, driven and handed over, one step each pace', async () => {
  const orderId = await simulated.place();
  await assertLives(simulated.app, orderId, DELIVERY);
  assert.equal((await readOrder(simulated.app, orderId)).status, 'completed');
});

test('a simulated pickup is confirmed, made ready and fetched', async () => {
  const orderId = await simulated.place({ pickup: true });
  await assertLives(simulated.app, orderId, PICKUP);
});

test('a step by hand between two simulated ones neither breaks nor doubles the chain', async () => {
  const { app, place } = simulated;
  const orderId = await place();
  await app.advance({ seconds: PACE_S / 2 + 1 });
  assert.equal((await advance(app, orderId, 'confirm')).status, 200);
  await app.advance({ seconds: PACE_S / 2 + 1 });
  assert.deepEqual(await eventTypes(app, orderId), DELIVERY.slice(0, 2), 'the timer of the first step is past');
  assert.equal((await advance(app, orderId, 'assign_driver')).status, 200);
  for (let step = 0; step < DELIVERY.length; step += 1) await app.advance({ seconds: PACE_S + 1 });
  const life = await eventTypes(app, orderId);
  assert.deepEqual([...life].sort(), [...DELIVERY].sort());
  assert.deepEqual([life[2], life.at(-1)], ['driver_assigned', 'completed']);
});

test('a cancelation by hand ends the chain', async () => {
  const { app, place } = simulated;
  const orderId = await place();
  await app.advance({ seconds: PACE_S + 1 });
  await advance(app, orderId, 'cancel');
  await app.advance({ hours: 1 });
  assert.deepEqual(await eventTypes(app, orderId), ['placed', 'confirmed', 'canceled', 'refunded']);
});

test('a store that confirms in time never times out, and a late one does, to the minute', async () => {
  const { app, place } = manual;
  const [late, inTime] = [await place(), await place()];
  await app.advance({ minutes: 14 });
  assert.equal((await advance(app, inTime, 'confirm')).status, 200);
  await app.advance({ seconds: 70 });
  await app.advance({ hours: 3 });
  assert.deepEqual(await eventTypes(app, inTime), ['placed', 'confirmed']);
  assert.deepEqual(await eventTypes(app, late), ['placed', 'canceled', 'refunded']);
  assert.equal((await readOrder(app, late)).cancel_reason, 'store_did_not_confirm');
});

test('an order is not canceled while the database’s clock settles, and is when its store has not confirmed then', async () => {
  const { app, place } = manual;
  const orderId = await place();
  const now = app.now().add({ minutes: 20 });
  await runTimer(app, orderId, 1, { now: () => now, settlesAt: () => now.add({ minutes: 10 }) });
  assert.deepEqual(await eventTypes(app, orderId), ['placed']);
  await runTimer(app, orderId, 1, { now: () => now.add({ minutes: 10 }), settlesAt: () => undefined });
  assert.deepEqual((await eventTypes(app, orderId)).slice(0, 2), ['placed', 'canceled']);
});

test('timers of past events, twice or of orders that are none, do nothing', async () => {
  const { app, place } = simulated;
  const orderId = await place();
  await app.advance({ seconds: PACE_S + 1 });
  for (const sequence of [0, 1, 1, 3, 99]) await runTimer(app, orderId, sequence);
  await runTimer(app, 'ord_none', 1);
  assert.deepEqual(await eventTypes(app, orderId), DELIVERY.slice(0, 2));
  await sql`update order_events set at = at - interval '61 seconds' where order_id = ${orderId}`.execute(
    app.service.deps.db,
  );
  await Promise.all(Array.from({ length: 8 }, () => runTimer(app, orderId, 2)));
  assert.deepEqual(await eventTypes(app, orderId), DELIVERY.slice(0, 3));
});

test('a store that confirms at the very moment its time is up keeps its order', async () => {
  const { app, place } = manual;
  const { db, config } = app.service.deps;
  const orderId = await place();
  await sql`update orders set confirm_by = ${app.now().subtract({ seconds: 1 }).toString()} where order_id = ${orderId}`.execute(
    db,
  );
  const [confirmed, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const confirming = db.transaction().execute(async (tx) => {
    const locked = (await lockOrder(tx, orderId)) ?? assert.fail();
    await recordStep(tx, advanceOrder(locked, 'confirm', app.now()), app.now());
    confirmed.resolve();
    await committed.promise;
  });
  await confirmed.promise;
  // Reads the order as overdue, then waits for the lock that the confirmation holds.
  const timer = runTimer(app, orderId, 1);
  await until('the timer waits for the lock', () => isLockAwaited(app));
  committed.resolve();
  await Promise.all([confirming, timer]);
  assert.deepEqual(await eventTypes(app, orderId), ['placed', 'confirmed']);
  assert.equal(config.sandboxPace, 'manual');
});

/**
 * PostgreSQL shows only the first kilobyte of a query, which is an order's column list; only this statement locks and
 * can wait.
 */
async function isLockAwaited(app: App): Promise<boolean> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where wait_event_type = 'Lock' and query like 'select "order_id", "account_id"%'`.execute(app.service.deps.db);
  return (rows[0]?.waiting ?? 0) > 0;
}

test('an order placed at one pace is still timed out after a restart without any', async () => {
  const { app, place } = manual;
  const { config } = app.service.deps;
  Object.assign(config, { sandboxPace: 5 });
  const orderId = await place();
  await app.advance({ seconds: 1 });
  Object.assign(config, { sandboxPace: 'manual' });
  await app.advance({ minutes: 14 });
  assert.deepEqual(await eventTypes(app, orderId), ['placed']);
  await app.advance({ minutes: 2 });
  assert.deepEqual(await eventTypes(app, orderId), ['placed', 'canceled', 'refunded']);
});
