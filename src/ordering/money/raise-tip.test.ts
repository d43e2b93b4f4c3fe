import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type Breakage,
  killedAfterCharging,
  killedBeforeCharging,
  withBrokenGateway,
} from '../../../test/fakes/broken-gateway.ts';
import { givenCountedShop, silent } from '../../../test/given/counted-shop.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import type { Reply } from '../../../test/harness.ts';
import type { ChargeRequest } from '../payments/payment-gateway.ts';

const shop = await givenCountedShop();
after(() => shop.close());

const tip = (orderId: string, cents: number) => shop.post('/order/tip', { order_id: orderId, driver_tip_cents: cents });
const step = (orderId: string, event: string) => shop.post(`/sandbox/orders/${orderId}/advance`, { event });
const statusAndCode = ({ status, body }: Reply) => [status, body.code];
const readOrder = async (orderId: string) => (await shop.get('/account/orders', { order_id: orderId })).body.orders[0];
/** The cents that the gateway charged for an order and did not refund. */
const keptCents = async (orderId: string) =>
  (await shop.books(orderId)).reduce((sum, [amount, refunded]) => sum + amount - refunded, 0);

/** A confirmed delivery with a tip of 200 cents, and its total. */
async function givenOrder(changes: object = {}): Promise<{ orderId: string; total: number }> {
  const placed = await shop.place(shop.newKey(), changes);
  assert.equal(placed.status, 200, placed.text);
  const orderId: string = placed.body.order_id;
  await step(orderId, 'confirm');
  return { orderId, total: placed.body.final_quote.total_with_tip };
}

test('a tip is raised and the difference charged once, however often it is requested', async () => {
  const { orderId, total } = await givenOrder();
  const raised = await tip(orderId, 500);
  assert.deepEqual(
    [raised.status, raised.body.driver_tip_cents, raised.body.total_with_tip],
    [200, 500, total + 300],
    raised.text,
  );
  assert.equal((await tip(orderId, 500)).body.total_with_tip, total + 300);
  await Promise.all(Array.from({ length: 5 }, () => tip(orderId, 700)));
  assert.equal((await readOrder(orderId)).driver_tip_cents, 700);
  assert.deepEqual(
    (await shop.books(orderId)).map(([amount]) => amount).sort((a, b) => a - b),
    [200, 300, total],
  );
  assert.deepEqual((await shop.stateOf(orderId)).events, [
    ...['order.placed', 'order.confirmed', 'order.tipped', 'order.tipped'],
  ]);
});

test('a tip that may not be raised so is refused, and charges nothing', async () => {
  const { orderId } = await givenOrder();
  assert.deepEqual(statusAndCode(await tip(orderId, 100)), [422, 'tip_not_allowed']);
  assert.equal((await shop.books(orderId)).length, 1);
});

test('an order without a charge is tipped without a charge', async () => {
  const { orderId, total } = await givenOrder({ charge_user: false });
  const { body } = await tip(orderId, 900);
  assert.deepEqual([body.driver_tip_cents, body.total_with_tip], [900, total + 700]);
  assert.deepEqual(await shop.books(orderId), []);
});

test('refunds don’t touch a later tip, and a cancellation refunds it', async () => {
  const { orderId, total } = await givenOrder();
  await tip(orderId, 5000);
  const above = await shop.post('/order/refund', { order_id: orderId, amount: total - 199 });
  assert.deepEqual(statusAndCode(above), [422, 'refund_not_allowed']);
  const back = await shop.post('/order/refund', { order_id: orderId, amount: total - 200 });
  assert.equal(back.body.refunded_amount, total - 200, back.text);
  const canceled = await shop.post('/order/cancel', { order_id: orderId });
  assert.equal(canceled.body.refunded_amount, total + 4800);
  assert.equal(await keptCents(orderId), 0);
  assert.equal((await shop.stateOf(orderId)).charge, 'refunded');
});

test('a tip whose order is canceled meanwhile is refused, and nothing of it is kept', async () => {
  const canceledBefore: Breakage = (real) => ({
    charge: async (request) => {
      await shop.post('/order/cancel', { order_id: request.orderId });
      return real.charge(request);
    },
  });
  const { orderId } = await givenOrder();
  assert.deepEqual(statusAndCode(await withBrokenGateway(shop, canceledBefore, () => tip(orderId, 500))), [
    ...[409, 'transition_not_allowed'],
  ]);
  assert.equal(await keptCents(orderId), 0);
  const left = await givenOrder();
  await withBrokenGateway(shop, killedBeforeCharging, () => tip(left.orderId, 500));
  await shop.post('/order/cancel', { order_id: left.orderId });
  assert.deepEqual(statusAndCode(await tip(left.orderId, 500)), [409, 'transition_not_allowed']);
  assert.deepEqual(await shop.books(left.orderId), [[left.total, left.total]]);
});

test('a declined card, and a card that asks its customer, change nothing', async (t) => {
  const cards = {
    declined: ['4000000000009995', 'insufficient_funds'],
    asks: ['4000002500003155', 'authentication_required'],
  };
  for (const [name, [card, code]] of Object.entries(cards)) {
    await t.test(name, async () => {
      const { orderId, total } = await givenOrder();
      const other = await givenPaymentMethod(shop, card);
      await shop.payLaterWith(orderId, other);
      const reply = await tip(orderId, 500);
      assert.deepEqual([reply.status, reply.body.decline_code], [402, code], reply.text);
      const { driver_tip_cents: left, total_with_tip: sum } = await readOrder(orderId);
      assert.deepEqual([left, sum, await keptCents(orderId)], [200, total, total]);
    });
  }
});

test('a tip charge with a lost response or a killed process happens once or is refunded', async (t) => {
  await t.test('the same request again completes it', async () => {
    const { orderId, total } = await givenOrder();
    assert.equal((await withBrokenGateway(shop, killedAfterCharging, () => tip(orderId, 500))).status, 500);
    assert.deepEqual(statusAndCode(await tip(orderId, 600)), [409, 'idempotency_in_progress']);
    assert.equal((await tip(orderId, 500)).body.driver_tip_cents, 500);
    assert.equal(await keptCents(orderId), total + 300);
  });
  await t.test('a job completes it within a quarter of an hour', async () => {
    const { orderId, total } = await givenOrder();
    await withBrokenGateway(shop, killedAfterCharging, () => tip(orderId, 500));
    await shop.advance({ minutes: 1 });
    await shop.runLeftOrders();
    assert.deepEqual([(await readOrder(orderId)).driver_tip_cents, await keptCents(orderId)], [500, total + 300]);
  });
  await t.test('found later, or after a cancelation, it is given back', async () => {
    for (const isCanceled of [false, true]) {
      const { orderId, total } = await givenOrder();
      await withBrokenGateway(shop, killedAfterCharging, () => tip(orderId, 500));
      if (isCanceled) await shop.post('/order/cancel', { order_id: orderId });
      await shop.advance({ minutes: isCanceled ? 1 : 16 });
      await shop.runLeftOrders();
      const { driver_tip_cents: left } = await readOrder(orderId);
      assert.deepEqual([left, await keptCents(orderId)], [200, isCanceled ? 0 : total]);
    }
  });
  await t.test('a charge that lands after its attempt timed out is refunded', async () => {
    const { orderId, total } = await givenOrder();
    const requests: ChargeRequest[] = [];
    const lands: Breakage = () => ({
      charge: async (request) => {
        requests.push(request);
        return silent();
      },
    });
    const reply = await withBrokenGateway(shop, lands, () => tip(orderId, 500));
    assert.deepEqual(statusAndCode(reply), [503, 'upstream_unavailable']);
    await shop.advance({ minutes: 11 });
    await shop.runLeftOrders();
    for (const request of requests) await shop.service.deps.gateways.sandbox.charge(request);
    await shop.advance({ hours: 2 });
    assert.deepEqual([(await readOrder(orderId)).driver_tip_cents, await keptCents(orderId)], [200, total]);
    assert.equal((await tip(orderId, 500)).body.driver_tip_cents, 500);
  });
  await t.test('a card that loses its answer is charged once', async () => {
    const { orderId, total } = await givenOrder();
    await shop.payLaterWith(orderId, await givenPaymentMethod(shop, '4000000000000259'));
    assert.equal((await tip(orderId, 500)).status, 200);
    assert.equal(await keptCents(orderId), total + 300);
  });
});
