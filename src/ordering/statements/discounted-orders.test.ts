import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenConsole, givenOperator } from '../../../test/given/merchant.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { done } from '../../../test/harness.ts';
import { sumCents } from '../../platform/lib/money.ts';

const shop = await givenPizzeria();
const operator = await givenOperator(shop);
after(() => shop.close());

const LIMIT = { max_uses: 100 };
const MONTH = '2026-06';

type Amounts = Record<string, number>;
type Line = Amounts & { kind: string; shares: Amounts };

/** The amount charged to the card for an order, less refunds. */
async function keptOf(orderId: string): Promise<number> {
  type Charge = { amount: number; refunded_amount: number };
  const charges: Charge[] = await shop.chargesOf(orderId);
  return sumCents(charges.map(({ amount, refunded_amount: back }) => amount - back));
}

test('a discounted order with a missing item and a refund: every cent has its owner, on each line and in all', async () => {
  const { storeId, accountId } = shop;
  const owner = await givenConsole(shop, storeId);
  const shopConsole = await givenConsole(shop, storeId, accountId);
  await done(owner.post('/store/promotions', { kind: 'percent', percent: 20 }));
  await done(shop.post('/account/promotions', { ...LIMIT, kind: 'delivery', to_cents: 0 }));
  const five = { ...LIMIT, kind: 'amount', amount_cents: 500, code: 'WELCOME5', stores: [storeId] };
  await done(operator.post('/operator/promotions', { ...five, reason: 'A test.' }));
  const terms = { commission: 12.5, per_order_cents: 30, delivery_fee: 'store', tax: 'operator', reason: 'A test.' };
  await done(operator.post(`/operator/stores/${storeId}/terms`, terms));

  const items = [shop.bigPie(), { product_id: shop.tokens.Soda, quantity: 3 }];
  const placed = await done(shop.place('Margherita', { items, promotion_codes: ['WELCOME5'] }));
  const { order_id: orderId, final_quote: quote } = placed;
  assert.deepEqual(
    quote.discounts.map(({ slot }: { slot: string }) => slot),
    ['store', 'market', 'delivery'],
  );
  const linesOf = async (): Promise<Line[]> => {
    await shop.advance({ seconds: 1 });
    const query = { month: MONTH, sandbox_account_id: accountId };
    const { lines, totals } = await done(operator.get(`/operator/stores/${storeId}/statement`, query));
    const all = sumCents(Object.values<number>(totals.shares));
    assert.equal(all, await keptOf(orderId), 'the owners have charges less refunds');
    for (const line of lines) assert.equal(line.payout - line.tips_to_pass_on, line.shares.store);
    return lines;
  };
  const ownedBy = ({ shares }: Line) => sumCents(Object.values(shares));

  const [sale = assert.fail(), ...none] = await linesOf();
  assert.deepEqual([none, ownedBy(sale)], [[], quote.total_with_tip]);
  const own = quote.discounts[0].amount;
  assert.equal(sale.discounts, -own);
  assert.equal(sale.shares.account, -quote.quote.delivery_fee_cents);
  const items20 = quote.quote.subtotal - own;
  assert.equal(sale.commission, Math.round(items20 / 8) + 30);
  const seen = (await done(shopConsole.get('/store/orders'))).orders[0].final_quote;
  assert.deepEqual([seen.discount_cents, seen.discounts], [own, [{ title: '20% off', amount: own }]]);

  await shop.step(orderId, 'confirm');
  await done(shopConsole.post(`/store/orders/${orderId}/items/1`, { quantity: 1 }));
  const [, missing = assert.fail()] = await linesOf();
  const { adjusted_amount: off, refunded_amount: back } = await shop.orderOf(orderId);
  assert.deepEqual([missing.kind, ownedBy(missing), back], ['adjustment', -off, off]);
  // Two of three sodas at 2.50, with as much of the store's 20 %.
  assert.deepEqual([missing.sales, missing.discounts], [-500, 100]);

  const { amount } = await done(shop.post('/order/refund', { order_id: orderId, amount: 701, reason: 'cold' }));
  const [, , refund = assert.fail()] = await linesOf();
  assert.deepEqual([amount, ownedBy(refund), refund.kind], [701, -701, 'refund']);
  assert.ok((refund.discounts ?? 0) > 0, 'the store gets a part of its discount back');

  const rest = (await keptOf(orderId)) - quote.tip;
  await done(shop.post('/order/refund', { order_id: orderId, amount: rest, reason: 'late' }));
  const all = await linesOf();
  const left = (name: string) => sumCents(all.map((line) => line[name] ?? 0));
  assert.deepEqual([left('sales'), left('discounts'), left('taxes'), left('delivery_fees')], [0, 0, 0, 0]);
  const shares = ['store', 'driver', 'tax', 'operator', 'account'].map((name) =>
    sumCents(all.map((line) => line.shares[name] ?? 0)),
  );
  const commission = left('commission');
  assert.deepEqual(shares, [-commission, quote.tip, 0, commission, 0]);
});
