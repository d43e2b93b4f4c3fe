import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { inCash } from '../../../test/given/orders.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';

/** A promotion's budget counts an order by weight at its most while it is open, and at its discount once it has ended. */

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

async function spent(): Promise<number> {
  const { db } = app.service.deps;
  const counts = db.selectFrom('promotionCounts').select('spentCents').where('promotionId', '=', promotionId);
  return Number((await counts.executeTakeFirst())?.spentCents ?? 0);
}

/** A tenth of what so many thousandths of a pound cost at $8.99, each rounded half away from zero. */
const discountOf = (milli: number) => Math.round(Math.round((899 * milli) / 1000) / 10);

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
  const before = await spent();
  const orderId = await shop.placed({ items, ...payment });
  const most = Math.ceil((ordered * 11) / 10);
  assert.equal((await spent()) - before, discountOf(most), 'an open order');
  await shop.advance(orderId, 'confirm');
  const weighed = Math.round((most * part) / 1000);
  if (ends !== 'canceled') {
    const reply = await store.post(`/store/orders/${orderId}/items/0`, { weight: weighed / 1000 });
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await spent()) - before, discountOf(most), 'a weighed order');
  }
  await shop.advance(orderId, ...(ends === 'handed over' ? ['ready', 'complete'] : ['cancel']));
  await app.advance({ seconds: 1 });
  assert.equal((await spent()) - before, ends === 'handed over' ? discountOf(weighed) : 0, 'an ended order');
}

test('a budget ends with what it took off, however an order by weight is paid and ends', async () => {
  const withoutHolds = (): object => ({ authorize: undefined, capture: undefined });
  await fc.assert(
    fc.asyncProperty(lives, (life) =>
      life.pays === 'most at placing' ? withBrokenGateway(app, withoutHolds, () => live(life)) : live(life),
    ),
    { numRuns: runs(400, 25) },
  );
});
