import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Breakage, heldGateway, Killed, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { FREED, givenCountedShop, orderOfKey, PLACED, silent } from '../../../test/given/counted-shop.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import type { Reply } from '../../../test/harness.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

const shop = await givenCountedShop();
after(() => shop.close());

test('an unanswered refund is retried by its job, and happens once', async () => {
  const { order_id: orderId } = (await shop.place(shop.newKey())).body;
  const killedAfterRefund: Breakage = (real) => ({
    refund: async (request) => {
      await real.refund(request);
      throw new Killed();
    },
  });
  await withBrokenGateway(shop, killedAfterRefund, async () => {
    const canceled = await shop.post(`/sandbox/orders/${orderId}/advance`, { event: 'cancel' });
    assert.equal(canceled.body.status, 'canceled');
    await shop.advance({ seconds: 1 });
    assert.equal((await shop.stateOf(orderId)).charge, 'refund_pending');
  });
  await shop.advance({ minutes: 2 });
  assert.deepEqual(await shop.stateOf(orderId), {
    status: 'canceled',
    charge: 'refunded',
    events: ['order.placed', 'order.canceled', 'order.refunded'],
  });
  const [[amount, refunded] = []] = await shop.books(orderId);
  assert.equal(amount, refunded);
});

test('a charge that lands after its order timed out is refunded', async (t) => {
  const lateCharge = async (key: string, slot?: string) => {
    const requests: Parameters<typeof shop.service.deps.gateways.sandbox.charge>[0][] = [];
    const breakage: Breakage = () => ({
      charge: async (request) => {
        requests.push(request);
        throw new Killed();
      },
    });
    const orderId = await shop.givenKilled(breakage, key, slot);
    await shop.advance({ minutes: 11 });
    await shop.runLeftOrders();
    assert.deepEqual(await shop.stateOf(orderId), FREED);
    const land = async () => {
      for (const request of requests) await shop.service.deps.gateways.sandbox.charge(request);
    };
    return { orderId, land };
  };
  const givenBack = (charges: [number, number][]) => charges.filter(([amount, refunded]) => amount === refunded).length;

  await t.test('when the order is never requested again', async () => {
    const { orderId, land } = await lateCharge(shop.newKey());
    await land();
    await shop.advance({ hours: 2 });
    assert.deepEqual([(await shop.books(orderId)).length, givenBack(await shop.books(orderId))], [1, 1]);
    assert.deepEqual(await shop.stateOf(orderId), FREED);
  });
  await t.test('when a retry has placed it by another charge', async () => {
    const key = shop.newKey();
    const slot = (await shop.slotsOf()).at(-1);
    const { orderId, land } = await lateCharge(key, slot);
    const retry = await shop.place(key, { scheduled_id: slot });
    assert.deepEqual([retry.body.order_id, retry.body.order_placed], [orderId, true], retry.text);
    await land();
    await shop.advance({ minutes: 6 });
    assert.deepEqual([(await shop.books(orderId)).length, givenBack(await shop.books(orderId))], [2, 1]);
    assert.deepEqual(await shop.stateOf(orderId), PLACED);
    await shop.cancel(orderId);
    assert.equal(givenBack(await shop.books(orderId)), 2);
  });
});

test('a request that wakes up after its order timed out refunds its charge and says so', async (t) => {
  const [slot] = await shop.slotsOf();
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  t.after(() => go.resolve());
  const asleep: Breakage = (real) => ({
    charge: async (request) => {
      reached.resolve();
      await go.promise;
      return real.charge(request);
    },
  });
  const key = shop.newKey();
  const sleeping = withBrokenGateway(shop, asleep, () => shop.place(key, { scheduled_id: slot }));
  await reached.promise;
  const orderId = await orderOfKey(shop, key);
  await shop.advance({ minutes: 11 });
  await shop.runLeftOrders();
  assert.deepEqual(await shop.stateOf(orderId), FREED);
  go.resolve();
  const reply: Reply = await sleeping;
  assert.deepEqual([reply.status, reply.body.code], [503, 'upstream_unavailable'], reply.text);
  await shop.advance({ seconds: 30 });
  const [[amount, refunded] = []] = await shop.books(orderId);
  assert.equal(amount, refunded);
  const again = await shop.place(key, { scheduled_id: slot });
  assert.deepEqual([again.status, again.body.order_id, again.body.order_placed], [200, orderId, true], again.text);
  await shop.assertChargedOnce(orderId, again.body.final_quote.total_with_tip);
  await shop.cancel(orderId);
});

test('a gateway that rejects a repetition leaves no charge without an order', async () => {
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
  const [key, slot] = [shop.newKey(), (await shop.slotsOf())[0]];
  const reply = await withBrokenGateway(shop, refusesTheSecond, () => shop.place(key, { scheduled_id: slot }));
  assert.deepEqual([reply.status, calls], [503, 2], reply.text);
  assert.deepEqual(await shop.held(), { stock: 1, slots: 1 });
  await shop.advance({ seconds: 25 });
  await shop.runLeftOrders();
  const retry = await shop.place(key, { scheduled_id: slot });
  assert.deepEqual(await shop.stateOf(retry.body.order_id), PLACED);
  await shop.assertChargedOnce(retry.body.order_id);
  await shop.cancel(retry.body.order_id);
});

const statusAndCode = ({ status, body }: Reply) => [status, body.code];
const NOT_FOUND = [404, 'payment_method_not_found'];

/** Sends requests whose charges reach the gateway after the card has been deleted there. */
async function whileDeleting(card: string, send: () => Promise<Reply>[]): Promise<Reply[]> {
  const gateway = heldGateway(shop);
  try {
    const replies = Promise.all(send());
    await gateway.reached;
    const deleted = await shop.post('/payment/delete', { user_id: 'u1', payment_method_id: card });
    assert.equal(deleted.status, 200, deleted.text);
    await shop.advance({ seconds: 1 });
    gateway.letGo();
    return await replies;
  } finally {
    gateway.fix();
  }
}

test('an order whose card is deleted while it is charged is refused for its card, and holds and charges nothing', async () => {
  const card = await givenPaymentMethod(shop);
  const key = shop.newKey();
  const [reply] = await whileDeleting(card, () => [shop.place(key, { payment_method_id: card })]);
  assert.ok(reply);
  assert.deepEqual(statusAndCode(reply), NOT_FOUND, reply.text);
  assert.deepEqual(
    statusAndCode(await shop.place(key, { payment_method_id: card })),
    NOT_FOUND,
    'the refusal is replayed',
  );
  assert.deepEqual(await shop.held(), { stock: 0, slots: 0 });
  const orderId = await orderOfKey(shop, key);
  assert.deepEqual(await shop.books(orderId), []);
});

test('tips on a card deleted during the charge are rejected for the card, also a joining tip', async () => {
  const card = await givenPaymentMethod(shop);
  const { body } = await shop.place(shop.newKey(), { payment_method_id: card });
  const tip = () => shop.post('/order/tip', { order_id: body.order_id, driver_tip_cents: 900 });
  const charged = await shop.books(body.order_id);
  const replies = await whileDeleting(card, () => [tip(), tip()]);
  assert.deepEqual(replies.map(statusAndCode), [NOT_FOUND, NOT_FOUND]);
  assert.deepEqual(await shop.books(body.order_id), charged);
  assert.deepEqual(statusAndCode(await tip()), NOT_FOUND);
});
