import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { givenOperator } from '../../../test/given/merchant.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenPromotion } from '../../../test/given/promotions.ts';
import { done } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { sumCents } from '../../platform/lib/money.ts';

const shop = await givenPizzeria();
const operator = await givenOperator(shop);
after(() => shop.close());
// Items and delivery are free; only tips and fees remain to be paid.
await givenPromotion(shop.service.deps.db, {
  terms: { kind: 'percent', percent: 100 },
  offeredBy: 'store',
  ownerId: shop.storeId,
});

const MINIMUM = 50;
type Line = { order_id: string; kind: string; shares: Record<string, number>; payout: number };

/** A pickup that costs this much. */
const costing = (cents: number, changes: object = {}) =>
  shop.place('Margherita', {
    items: [shop.bigPie()],
    pickup: true,
    email_receipt_specifications: { misc_fees: [{ fee_name: 'Bag', fee_amount: cents }] },
    ...changes,
  });

async function linesOf(orderId: string): Promise<Line[]> {
  await shop.advance({ seconds: 1 });
  const query = { month: '2026-06', sandbox_account_id: shop.accountId };
  const { lines } = await done(operator.get(`/operator/stores/${shop.storeId}/statement`, query));
  return lines.filter((line: Line) => line.order_id === orderId);
}

test('an order below the minimum is placed uncharged, and from the minimum on it is charged in full', async () => {
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 2 * MINIMUM }), async (cents) => {
    const { order_id: orderId, final_quote: quote } = await done(costing(cents));
    const isWaived = cents < MINIMUM;
    assert.equal(quote.total_with_tip, isWaived ? 0 : cents);
    const waivers = quote.discounts.filter(({ slot }: { slot: string }) => slot === 'waived');
    assert.deepEqual(
      waivers.map(({ amount, paid_by }: { amount: number; paid_by: object[] }) => [amount, paid_by]),
      isWaived ? [[cents, [{ payer: 'operator', amount: cents }]]] : [],
    );
    const taken = (await shop.chargesOf(orderId)).map(({ amount }: { amount: number }) => amount);
    assert.deepEqual(taken, isWaived ? [] : [cents]);
    const [sale = assert.fail()] = await linesOf(orderId);
    assert.equal(sumCents(Object.values(sale.shares)), quote.total_with_tip, 'the owners have what was paid');
    assert.equal(sale.shares.account, cents);
  });
  await fc.assert(property, { numRuns: runs(40, 8), examples: [[1], [MINIMUM - 1], [MINIMUM]] });
});

test('a tip raise below the minimum is a tip that the operator pays, and a cancelation takes it back', async () => {
  const { order_id: orderId } = await done(shop.place('Margherita', { items: [shop.bigPie()], driver_tip_cents: 100 }));
  const { total_with_tip: total, final_quote: before } = await shop.orderOf(orderId);
  await done(shop.post('/order/tip', { order_id: orderId, driver_tip_cents: 130 }));
  const order = await shop.orderOf(orderId);
  assert.deepEqual([order.total_with_tip, order.driver_tip_cents, order.final_quote.tip], [total, 130, 130]);
  assert.equal(order.final_quote.discount_cents, (before.discount_cents ?? 0) + 30);
  assert.equal((await shop.chargesOf(orderId)).length, 1);
  const [, tip = assert.fail()] = await linesOf(orderId);
  assert.deepEqual([tip.kind, tip.shares.driver, tip.shares.operator], ['tip', 30, -30]);
  await done(shop.post('/order/tip', { order_id: orderId, driver_tip_cents: 230 }));
  assert.equal((await shop.orderOf(orderId)).total_with_tip, total + 100);
  await done(shop.post('/order/cancel', { order_id: orderId }));
  const sums = (await linesOf(orderId)).reduce((sum, { shares }) => sum + (shares.driver ?? 0), 0);
  assert.equal(sums, 0, 'the driver has nothing of an order that nobody drove');
  const { total_with_tip, refunded_amount } = await shop.orderOf(orderId);
  assert.equal(total_with_tip - refunded_amount, 0);
});

test('raises that are too small to charge do not add up to a free tip', async () => {
  const { order_id: orderId } = await done(shop.place('Margherita', { items: [shop.bigPie()], driver_tip_cents: 100 }));
  let tip = 100;
  const raise = async () => {
    tip += MINIMUM - 1;
    return shop.post('/order/tip', { order_id: orderId, driver_tip_cents: tip });
  };
  for (let nth = 1; nth <= 10; nth += 1) assert.equal((await raise()).status, 200);
  assert.equal((await raise()).body.code, 'tip_not_allowed');
});

test('an order of nothing needs no payment method, and any other does', async () => {
  for (const cents of [0, 1, MINIMUM - 1]) {
    const placed = await costing(cents, { payment_method_id: null });
    assert.deepEqual([placed.status, placed.body.final_quote?.total_with_tip], [200, 0], placed.text);
    const quoted = await done(costing(cents, { payment_method_id: null, place_order: false }));
    assert.equal((await shop.post('/order/finalize', { order_id: quoted.order_id })).status, 200);
  }
  const refused = await costing(MINIMUM, { payment_method_id: null });
  assert.deepEqual([refused.status, refused.body.errors[0].name], [400, 'payment_method_id'], refused.text);
  const quoted = await done(costing(MINIMUM, { payment_method_id: null, place_order: false }));
  const unpaid = await shop.post('/order/finalize', { order_id: quoted.order_id });
  assert.deepEqual([unpaid.status, unpaid.body.errors[0].name], [400, 'payment_method_id'], unpaid.text);
});
