import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../test/feed-lines.ts';
import { orderBody } from '../../test/given-orders.ts';
import { givenPizzeria, type Pizzeria } from '../../test/given-pizzeria.ts';
import { givenStores } from '../../test/given-stores.ts';

let shop: Pizzeria;

before(async () => {
  shop = await givenPizzeria();
});
after(() => shop.close());

test('an unplaced order is stored, replaced, and placed by finalize at the price it was quoted', async (t) => {
  const body = orderBody(shop.tokens.Margherita, shop.card, { place_order: false, items: [shop.bigPie()] });
  const quoted = await shop.post('/order/order/v2', body);
  const orderId = quoted.body.order_id;
  await t.test('it is unplaced and nothing is charged', async () => {
    assert.deepEqual([quoted.body.order_placed, (await shop.orderOf(orderId)).status], [false, 'unplaced']);
    assert.deepEqual(await shop.chargesOf(orderId), []);
  });
  await t.test('its id in another request replaces it', async () => {
    const replaced = await shop.post('/order/order/v2', { ...body, order_id: orderId, driver_tip_cents: 300 });
    assert.deepEqual([replaced.body.order_id, replaced.body.final_quote.tip], [orderId, 300]);
  });
  await t.test(
    '409 quote_changed with the new quote once the total has changed; the same call again accepts it',
    async () => {
      const raised = pizzeria({ fees: { order_minimum: 500, sales_tax_percent: 10 } });
      await givenStores(shop, [raised]);
      const changed = await shop.post('/order/finalize', { order_id: orderId });
      assert.deepEqual([changed.status, changed.body.code], [409, 'quote_changed']);
      assert.equal(changed.body.final_quote.quote.sales_tax_cents, 250);
      const placed = await shop.post('/order/finalize', { order_id: orderId });
      assert.deepEqual(
        [placed.status, placed.body.order_placed, placed.body.final_quote.total_with_tip],
        [200, true, 3050],
      );
      const again = await shop.post('/order/finalize', { order_id: orderId });
      assert.deepEqual(again.body, placed.body);
      assert.equal((await shop.chargesOf(orderId)).length, 1);
      await givenStores(shop, [pizzeria()]);
    },
  );
  await t.test('409 for replacing what is placed', async () => {
    const late = await shop.post('/order/order/v2', { ...body, order_id: orderId });
    assert.deepEqual([late.status, late.body.code], [409, 'transition_not_allowed']);
  });
});
