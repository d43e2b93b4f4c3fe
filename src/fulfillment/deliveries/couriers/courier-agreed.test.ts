import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NEAR_DOOR } from '../../../../test/feed-lines.ts';
import { COURIER, type CourierShop, givenCourierShop, keyOf } from '../../../../test/given/couriers.ts';
import { takeStep } from '../../../ordering/money/take-step.flow.ts';
import { confirmedDetails } from '../../../ordering/order/kitchen-times.ts';

let shop: CourierShop;
before(async () => {
  shop = await givenCourierShop();
});
after(() => shop.close());

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
  await shop.hear(uber.move(keyOf(orderId), 'canceled', at(3)));
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
