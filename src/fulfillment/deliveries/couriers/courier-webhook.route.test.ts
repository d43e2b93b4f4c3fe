import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { NEAR_DOOR } from '../../../../test/feed-lines.ts';
import { COURIER, givenCourierShop, keyOf } from '../../../../test/given/couriers.ts';
import { takeStep } from '../../../ordering/money/take-step.flow.ts';
import { confirmedDetails } from '../../../ordering/order/kitchen-times.ts';
import { findSettings, writeSetting } from '../../../platform/db/settings.db.ts';
import { UNWEIGHED_ORDERS } from './apply-report.flow.ts';

const shop = await givenCourierShop();
after(() => shop.close());

const post = async (url: string, payload: Buffer | string, headers: Record<string, string> = {}) => {
  const all = { 'content-type': 'application/json', ...headers };
  const reply = await shop.app.service.http.inject({ method: 'POST', url, payload, headers: all });
  return { status: reply.statusCode, code: reply.json().code };
};
const HOOK = '/couriers/uber_direct/webhook';

test('200 for a signed report, which takes no key', async () => {
  const orderId = await shop.givenRequested();
  const { body, headers } = shop.uber.move(keyOf(orderId), 'pickup', shop.at(1), { courier: COURIER });
  assert.deepEqual(await post(HOOK, body, headers), { status: 200, code: undefined });
  assert.equal((await shop.orderOf(orderId)).driver.name, 'Cori R.');
});

test('a courier that takes goods before they are weighed is a report like any other, and the operator sees the order', async () => {
  const { db } = shop.app.service.deps;
  const orderId = await shop.givenRequested();
  const seen = async () => (await findSettings(db, [UNWEIGHED_ORDERS])).get(UNWEIGHED_ORDERS);
  assert.equal(await seen(), undefined);
  const at = (hours: number) => shop.app.now().subtract({ hours });
  await writeSetting(db, UNWEIGHED_ORDERS, JSON.stringify({ ord_old: at(25), ord_earlier: at(23) }));
  const weight = JSON.stringify({ unit: 'lb', per: 1000, ordered: 1500, max: 1650 });
  await sql`update orders set quote = jsonb_set(quote, '{items,0,weight}', ${weight}::jsonb) where order_id = ${orderId}`.execute(
    db,
  );
  const { body, headers } = shop.uber.move(keyOf(orderId), 'dropoff', shop.at(4), { courier: COURIER });
  assert.deepEqual(await post(HOOK, body, headers), { status: 200, code: undefined });
  assert.equal((await shop.orderOf(orderId)).driverStage, 'picked_up');
  assert.deepEqual(Object.keys(JSON.parse((await seen()) ?? '{}')), ['ord_earlier', orderId]);
});

test('200 for a signed report of a delivery that is not known here, which changes nothing', async () => {
  const orderId = await shop.givenRequested();
  const before = await shop.deliveriesOf(orderId);
  const { deliveryId = '' } = { deliveryId: before[0]?.deliveryId ?? '' };
  shop.uber.books.deliveries.push({ id: 'del_other', status: 'canceled', external_id: 'other' });
  const { body, headers } = shop.uber.move('other', 'canceled', shop.at(2));
  assert.deepEqual(await post(HOOK, body, headers), { status: 200, code: undefined });
  assert.notEqual(deliveryId, '');
  assert.deepEqual(await shop.deliveriesOf(orderId), before);
});

test('200 for a signed report that cannot be read, which changes nothing and is counted', async () => {
  const orderId = await shop.givenRequested();
  const { body, headers } = shop.uber.move(keyOf(orderId), 'levitating', shop.at(2));
  assert.deepEqual(await post(HOOK, body, headers), { status: 200, code: undefined });
  const text = await shop.app.service.deps.metrics.text();
  assert.match(text, /^doorstep_left_out_total\{kind="courier_report"\} 1$/m);
});

test('400 for a body that is unsigned, signed by another, or changed by one space', async () => {
  const orderId = await shop.givenRequested();
  const { body, headers } = shop.uber.move(keyOf(orderId), 'delivered', shop.at(3));
  const changed = Buffer.concat([body, Buffer.from(' ')]);
  const forged = { 'x-uber-signature': 'f'.repeat(64) };
  for (const [bytes, given] of [
    [body, {}],
    [body, forged],
    [changed, headers],
    ['', headers],
    ['{"kind":', headers],
  ] as const) {
    assert.deepEqual(await post(HOOK, bytes, given), { status: 400, code: 'invalid_request' });
  }
  assert.equal((await shop.orderOf(orderId)).driverStage, 'none');
});

test('404 for couriers that the settings do not name', async () => {
  for (const name of ['none', 'constructor', 'doordash']) {
    assert.deepEqual(await post(`/couriers/${name}/webhook`, '{}'), { status: 404, code: 'route_not_found' });
  }
});

test('413 and 415 for a body that is too large or no JSON', async () => {
  assert.equal((await post(HOOK, 'x'.repeat(1024 * 1024 + 1))).status, 413);
  assert.equal((await post(HOOK, '{}', { 'content-type': 'text/plain' })).status, 415);
});

test('reports at the same time step the order once', async () => {
  const orderId = await shop.givenRequested();
  const pickup = shop.uber.move(keyOf(orderId), 'pickup', shop.at(4), { courier: COURIER });
  const taken = shop.uber.move(keyOf(orderId), 'pickup_complete', shop.at(5));
  const calls = Array.from({ length: 4 }, () => [pickup, taken]).flat();
  const replies = await Promise.all(calls.map(({ body, headers }) => post(HOOK, body, headers)));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  const { driverStage, lastSequence } = await shop.orderOf(orderId);
  assert.deepEqual([driverStage, lastSequence], ['picked_up', 4]);
});

/** A delivery for the store's last slot, confirmed with 20 minutes of preparation. */
async function givenScheduled(): Promise<{ orderId: string; startEpochS: number }> {
  const query = { store_id: shop.storeId, pickup: false, include_quote: true, ...NEAR_DOOR };
  const { quote } = (await shop.client.get('/details/inventory', query)).body;
  const slot = quote.time_estimate.scheduled.at(-1);
  const orderId = await shop.place({ scheduled_id: slot.id });
  await takeStep(shop.app.service.deps, orderId, {
    event: 'confirm',
    detailsOf: (order, now) => confirmedDetails(order, 20, now),
  });
  await shop.app.advance({ seconds: 1 });
  return { orderId, startEpochS: slot.minimum };
}

const requestFor = (orderId: string) =>
  shop.uber.requests.find(
    ({ operation, body }) => operation === 'create' && String(body.external_id).startsWith(orderId),
  )?.body ?? assert.fail('no courier was asked');

test('a courier who gives up at once is replaced, though the assignment is not followed up yet', async () => {
  const { uber, app, at } = shop;
  const orderId = await shop.givenRequested();
  const { body, headers } = uber.move(keyOf(orderId), 'pickup', at(2), { courier: COURIER });
  const request = { method: 'POST', url: '/couriers/uber_direct/webhook', payload: body, headers } as const;
  assert.equal((await app.service.http.inject(request)).statusCode, 200);
  await shop.receive(uber.move(keyOf(orderId), 'canceled', at(3)));
  const deliveries = await shop.deliveriesOf(orderId);
  assert.deepEqual(
    deliveries.map(({ state, isWanted }) => [state, isWanted]),
    [
      ['canceled', true],
      ['pending', true],
    ],
  );
});

test('the courier gets the tip as of the request', async () => {
  const orderId = await shop.place({ driver_tip_cents: 200 });
  const tipped = await shop.client.post('/order/tip', { order_id: orderId, driver_tip_cents: 700 });
  assert.equal(tipped.status, 200, tipped.text);
  await shop.step(orderId, 'confirm');
  assert.equal(requestFor(orderId).tip, 700);
});

test('alcohol that was ordered as alcohol is delivered with an ID, whatever the menu says meanwhile', async () => {
  const { db } = shop.app.service.deps;
  await db.updateTable('products').set({ isAlcoholic: true }).execute();
  shop.app.service.deps.inventory.evict(shop.storeId);
  const orderId = await shop.place();
  await db.updateTable('products').set({ isAlcoholic: false }).execute();
  await shop.step(orderId, 'confirm');
  assert.deepEqual(requestFor(orderId).dropoff_verification, { identification: { min_age: 21 } });
});

test('the courier of a scheduled order arrives for its slot, however soon the food could be ready', async () => {
  const { orderId, startEpochS } = await givenScheduled();
  const readyAt = Temporal.Instant.from(String(requestFor(orderId).pickup_ready_dt));
  assert.equal(readyAt.epochMilliseconds, startEpochS * 1000);
  assert.equal(String((await shop.orderOf(orderId)).readyBy), String(readyAt));
});
