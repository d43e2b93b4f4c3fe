import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { AMOUNT_5, endPromotions, givenPromotion, usedOf } from '../../../test/given/promotions.ts';

const shop = await givenPizzeria();
after(() => shop.close());
const { db } = shop.service.deps;
afterEach(() => endPromotions(db));

const order = (changes: object = {}) => shop.place('Margherita', { items: [shop.bigPie()], ...changes });

test('a code that is a word of SQL is a code', async () => {
  for (const code of ['NULL', 'NaN-', '----']) {
    await givenPromotion(db, { terms: AMOUNT_5, code: code.toUpperCase() });
    const { body } = await order({ place_order: false, promotion_codes: [code] });
    assert.equal(body.final_quote.discount_cents, 500, JSON.stringify(body.final_quote.rejected_codes));
    await endPromotions(db);
  }
});

test('an order that is free by a promotion is placed without a charge, and its cancelation gives the use back once', async () => {
  const promotionId = await givenPromotion(db, {
    terms: { kind: 'percent', percent: 100 },
    offeredBy: 'store',
    ownerId: shop.storeId,
    funding: [{ payer: 'store', percent: 100 }],
    maxUses: 1,
  });
  const lined = { items: [shop.bigPie()], pickup: true, driver_tip_cents: 0, include_final_quote: true };
  for (const paying of [{}, { charge_user: false }]) {
    const { status, body, text } = await shop.place('Margherita', { ...lined, ...paying });
    assert.equal(status, 200, text);
    assert.deepEqual([body.final_quote.total_with_tip, body.final_quote.discount_cents], [0, 2400], text);
    assert.deepEqual(await usedOf(db, promotionId), [1, 2400, 1]);
    assert.deepEqual(
      (await shop.chargesOf(body.order_id)).filter(({ amount }: { amount: number }) => amount !== 0),
      [],
    );
    for (let n = 0; n < 2; n += 1) await shop.step(body.order_id, 'cancel');
    assert.deepEqual(await usedOf(db, promotionId), [0, 0, 0]);
  }
});

test('a missing unit of a waived order refunds 0 cents and lowers the store’s part by its price and tax', async () => {
  const terms = { kind: 'amount', amountCents: 4770 } as const;
  await givenPromotion(db, { terms, offeredBy: 'store', ownerId: shop.storeId });
  const { body } = await order({ items: [{ ...shop.bigPie(), quantity: 2 }], pickup: true, driver_tip_cents: 0 });
  const store = await givenStoreKey(shop, shop.storeId, shop.accountId);
  const changed = await store.post(`/store/orders/${body.order_id}/items/0`, { quantity: 1 });
  const { adjusted_amount: less, refunded_amount: back } = changed.body;
  assert.deepEqual([changed.status, less, back], [200, 17, 17], changed.text);
  assert.equal((await shop.orderOf(body.order_id)).refunded_amount, 0);
});
