import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COURIER, type CourierShop, givenCourierShop, keyOf } from '../../../test/given-couriers.ts';

let shop: CourierShop;
before(async () => {
  shop = await givenCourierShop();
});
after(() => shop.close());

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

test('the courier gets the tip as it is when the courier is asked', async () => {
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
