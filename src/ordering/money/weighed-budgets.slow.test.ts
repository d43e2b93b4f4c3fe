import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { inCash } from '../../../test/given/orders.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';

/**
 * A promotion's budget and sales count an order by weight at its most while it is open, and as it was handed off once
 * it has ended.
 */

const app = await givenApp();
const shop = await givenHeldShop(app);
const store = await givenStoreKey(app, shop.storeId, app.accountId);
const operator = await givenOperator(app);
const made = await operator.post('/operator/promotions', {
  kind: 'percent',
  percent: 10,
  items: { products: ['chicken'] },
  budget_cents: 10_000_000,
  funding: [{ payer: 'operator', percent: 100 }],
  stores: [shop.storeId],
  reason: 'A test.',
});
assert.equal(made.status, 200, made.text);
const promotionId = made.body.promotion_id;
await app.catchUp();
after(() => app.close());

async function counted() {
  const { db } = app.service.deps;
  const counts = db.selectFrom('promotionCounts').select(['spentCents', 'salesCents']);
  const row = await counts.where('promotionId', '=', promotionId).executeTakeFirst();
  return { spent: Number(row?.spentCents ?? 0), sales: Number(row?.salesCents ?? 0) };
}

/** The price of these thousandths of a pound at $8.99, rounded half away from zero, as a tenth is. */
const goodsOf = (milli: number) => Math.round((899 * milli) / 1000);
const SODA_CENTS = 250;
/** A promotion's count for an order of this much chicken, and of soda. */
const countOf = (milli: number) => ({ spent: Math.round(goodsOf(milli) / 10), sales: goodsOf(milli) + SODA_CENTS });

const lives = fc.record({
  pays: fc.constantFrom('card', 'most at placing', 'cash', 'elsewhere'),
  ordered: fc.integer({ min: 1, max: 20 }).map((quarters) => quarters * 250),
  part: fc.integer({ min: 0, max: 1000 }),
  ends: fc.constantFrom('handed over', 'handed over', 'canceled', 'canceled once it is weighed'),
});
type Life = typeof lives extends fc.Arbitrary<infer One> ? One : never;

async function live({ pays, ordered, part, ends }: Life): Promise<void> {
  const items = [{ product_id: shop.tokens.Chicken, quantity: ordered / 1000 }, { product_id: shop.tokens.Soda }];
  const payment = pays === 'cash' ? await inCash(app) : pays === 'elsewhere' ? { charge_user: false } : {};
  const before = await counted();
  const ofOrder = async () => {
    const { spent, sales } = await counted();
    return { spent: spent - before.spent, sales: sales - before.sales };
  };
  const orderId = await shop.placed({ items, ...payment });
  const most = Math.ceil((ordered * 11) / 10);
  assert.deepEqual(await ofOrder(), countOf(most), 'an open order');
  await shop.advance(orderId, 'confirm');
  const weighed = Math.round((most * part) / 1000);
  if (ends !== 'canceled') {
    const reply = await store.post(`/store/orders/${orderId}/items/0`, { weight: weighed / 1000, accept: true });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(await ofOrder(), countOf(most), 'a weighed order');
  }
  await shop.advance(orderId, ...(ends === 'handed over' ? ['ready', 'complete'] : ['cancel']));
  await app.advance({ seconds: 1 });
  const isHandedOver = ends === 'handed over';
  assert.deepEqual(await ofOrder(), isHandedOver ? countOf(weighed) : { spent: 0, sales: 0 }, 'an ended order');
}

const withoutHolds = (): object => ({ authorize: undefined, capture: undefined });

test('a budget ends at the discount given, for every way an order by weight is paid and ends', async () => {
  await fc.assert(
    fc.asyncProperty(lives, (life) =>
      life.pays === 'most at placing' ? withBrokenGateway(app, withoutHolds, () => live(life)) : live(life),
    ),
    { numRuns: runs(400, 25) },
  );
});

test('a canceled order whose maximum was charged adds nothing to the day’s sales', async () => {
  const trends = async () => (await operator.get('/operator/trends', { mode: 'sandbox', days: '7' })).body.days;
  const sales = async () => (await trends()).map((day: { sales: number }) => day.sales);
  const before = await sales();
  await withBrokenGateway(app, withoutHolds, async () => {
    await shop.advance(await shop.placed(), 'confirm', 'cancel');
    await app.advance({ seconds: 1 });
  });
  assert.deepEqual(await sales(), before);
});
