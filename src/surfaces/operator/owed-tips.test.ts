import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { COURIER, type CourierShop, givenCourierShop, keyOf } from '../../../test/given/couriers.ts';
import { givenConsole } from '../../../test/given/merchant.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import { setStoreCourier } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';

const MONTH = { month: '2026-06' };

/** A shop whose live orders are charged, and its operator. */
async function givenChargingShop(t: TestContext, settings: object = {}) {
  const shop = await givenCourierShop(undefined, settings);
  t.after(() => shop.close());
  const { app, client } = shop;
  const { gateways } = app.service.deps;
  gateways.live = gateways.sandbox;
  const card = await givenPaymentMethod(client);
  const operator = await givenConsole(app, null);
  const owed = async () => (await operator.get('/operator/tips')).body.tips;
  return {
    ...shop,
    operator,
    owed,
    givenOrder: () => shop.givenRequested({ charge_user: true, payment_method_id: card, driver_tip_cents: 200 }),
    async raise(orderId: string, cents: number) {
      const reply = await client.post('/order/tip', { order_id: orderId, driver_tip_cents: cents });
      assert.equal(reply.status, 200, reply.text);
      await app.advance({ seconds: 1 });
    },
  };
}

async function deliver({ uber, receive, at }: CourierShop, orderId: string, onTheWay: () => Promise<void>) {
  await receive(uber.move(keyOf(orderId), 'pickup', at(2), { courier: COURIER }));
  await receive(uber.move(keyOf(orderId), 'pickup_complete', at(10)));
  await onTheWay();
  await receive(uber.move(keyOf(orderId), 'delivered', at(20)));
}

test('a tip that is raised on the way reaches the courier; one raised later is owed to it until it is marked paid', async (t) => {
  const shop = await givenChargingShop(t, { UBER_DIRECT_CUSTOMER_ID: 'cus_1' });
  const { operator, owed, uber } = shop;
  const orderId = await shop.givenOrder();
  await deliver(shop, orderId, () => shop.raise(orderId, 500));
  assert.equal(uber.deliveryOf(keyOf(orderId)).tip_by_customer, 500);
  assert.deepEqual(await owed(), []);
  await shop.raise(orderId, 900);
  assert.equal(uber.deliveryOf(keyOf(orderId)).tip_by_customer, 500, 'the delivery has ended');
  const order = await shop.orderOf(orderId);
  const tip = {
    order_id: orderId,
    order_number: order.orderNumber,
    store_id: shop.storeId,
    store_name: 'Test Pizzeria',
    driver_name: 'Cori R.',
    courier: 'uber_direct',
    amount: 400,
    currency: 'USD',
  };
  assert.deepEqual(await owed(), [tip]);
  const { totals } = (await operator.get(`/operator/stores/${shop.storeId}/statement`, MONTH)).body;
  assert.deepEqual([totals.tip, totals.tips_to_pass_on, totals.shares.driver], [900, 0, 900]);

  const pay = (amount: number) =>
    operator.post(`/operator/orders/${orderId}/tip_paid`, { amount, reason: 'with the invoice' });
  const wrong = await pay(300);
  assert.deepEqual([wrong.status, wrong.body.code], [409, 'transition_not_allowed']);
  assert.match(wrong.body.detail, /\$4\.00/);
  assert.deepEqual((await pay(400)).body, tip);
  assert.deepEqual(await owed(), []);
  assert.equal((await pay(400)).status, 409, 'it is paid once');
  const { actions } = (await operator.get('/operator/actions', { target: orderId })).body;
  const paid = actions.map(({ action, details }: { action: string; details: object }) => [action, details]);
  assert.deepEqual(paid, [['order.tip_paid', { amount: 400, reason: 'with the invoice' }]]);

  await shop.raise(orderId, 950);
  assert.deepEqual(await owed(), [{ ...tip, amount: 50 }], 'a tip that is raised once more is owed alone');
});

test('a company that takes no raised tip leaves it owed to its driver, and a store passes the tip of its own driver on', async (t) => {
  const shop = await givenChargingShop(t);
  const orderId = await shop.givenOrder();
  await shop.raise(orderId, 500);
  assert.deepEqual(await shop.owed(), [], 'the order is under way');
  await deliver(shop, orderId, async () => {});
  const early = await shop.owed();
  assert.deepEqual(
    early.map(({ amount }: { amount: number }) => amount),
    [300],
  );

  await setStoreCourier(shop.app.service.deps.db, shop.storeId, undefined, shop.app.now());
  const own = await shop.givenOrder();
  await shop.step(own, 'assign_driver', 'pick_up', 'complete');
  await shop.raise(own, 900);
  assert.deepEqual(await shop.owed(), early);
});
