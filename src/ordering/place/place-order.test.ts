import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { productTokens } from '../../../test/given/orders.ts';
import { givenPizzeria, option } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';

const shop = await givenPizzeria(givenApp);

test('a delivery order is priced to the cent, charged exactly that, and followed to the door', async (t) => {
  const reply = await shop.place('Margherita', { items: [shop.bigPie()] });
  const { final_quote: quote, order_id: orderId } = reply.body;
  await t.test('the answer says that it was placed, and where to follow it', () => {
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.order_placed, reply.body.is_sandbox], [true, true]);
    const { origin, pathname, searchParams } = new URL(reply.body.tracking_link);
    assert.equal(origin + pathname, `${shop.config.trackingUrl}/tracking`);
    assert.deepEqual([...searchParams.keys()], ['tracking_id', 'key']);
    assert.equal(searchParams.get('tracking_id'), orderId);
  });
  await t.test('conditional prices, fees and the tax on taxable fees are in the quote', () => {
    const { expected_time_of_arrival: eta, ...amounts } = quote.quote;
    assert.match(eta, /^\d\d:\d\d [AP]M$/);
    assert.deepEqual(amounts, {
      subtotal: 2500,
      delivery_fee_cents: 299,
      service_fee_cents: 250,
      small_order_fee_cents: 0,
      sales_tax_cents: 244,
      taxes: [{ name: 'Sales tax', amount: 244 }],
      delivery_time_min: 12,
      delivery_time_max: 22,
      time_min: 12,
      time_max: 22,
      total_without_tips: 3293,
      total: 3293,
      scheduled: {},
    });
    assert.deepEqual([quote.tip, quote.total_with_tip, quote.store_id], [200, 3493, shop.storeId]);
    const size = quote.items[0].customizations[0].selected_options[0];
    assert.deepEqual(
      [size.name, size.price, size.customizations[0].selected_options[0].name],
      ['18 inch', 600, 'Squares'],
    );
    assert.equal(quote.items[0].customizations[1].selected_options[0].price, 250);
  });
  await t.test('the gateway took exactly the total, once', async () => {
    const charges = await shop.chargesOf(orderId);
    assert.deepEqual(
      charges.map((c: { amount: number; status: string }) => [c.amount, c.status]),
      [[3493, 'succeeded']],
    );
  });
  await t.test('polling shows each step, and the driver once assigned', async () => {
    assert.deepEqual(
      [(await shop.orderOf(orderId)).status, (await shop.orderOf(orderId)).tracking],
      ['awaiting_confirmation', {}],
    );
    assert.equal((await shop.step(orderId, 'confirm')).body.status, 'in_progress');
    assert.equal((await shop.step(orderId, 'ready')).body.is_ready, true);
    const assigned = (await shop.step(orderId, 'assign_driver')).body.tracking;
    assert.ok(assigned.driver_name && assigned.driver_phone && assigned.driver_latitude && assigned.vehicle_type);
    const early = await shop.step(orderId, 'approach', { driver_latitude: 41, driver_longitude: -74 });
    assert.match(early.body.detail, /^The order is in progress, ready with a driver assigned/);
    assert.equal((await shop.step(orderId, 'pick_up')).status, 200);
    const near = await shop.step(orderId, 'approach', { driver_latitude: 40.7441, driver_longitude: -73.9881 });
    assert.deepEqual([near.body.tracking.driver_latitude, near.body.tracking.driver_longitude], [40.7441, -73.9881]);
    const done = await shop.step(orderId, 'complete');
    assert.deepEqual([done.body.status, typeof done.body.tracking.completion_timestamp], ['completed', 'number']);
    assert.equal((await shop.orderOf(orderId)).final_quote.quote.total, 3293);
  });
  await t.test('409 for a step that its state does not allow', async () => {
    const again = await shop.step(orderId, 'cancel');
    assert.deepEqual([again.status, again.body.code], [409, 'transition_not_allowed']);
  });
});

test('a pickup order uses the pickup price, no delivery or service fee, no tip and an empty tracking', async () => {
  const reply = await shop.place('Margherita', {
    pickup: true,
    items: [{ product_id: shop.tokens.Margherita, selected_options: [option('s')] }],
  });
  const { quote, tip, total_with_tip: total } = reply.body.final_quote;
  assert.deepEqual([quote.subtotal, quote.delivery_fee_cents, quote.service_fee_cents, tip], [1300, 0, 0, 0]);
  assert.equal(total, 1300 + 115);
  assert.deepEqual((await shop.orderOf(reply.body.order_id)).tracking, {});
});

test('marked prices, an added fee, its tax and misc fees are charged; the store’s part stays as it is', async () => {
  const specifications = {
    prices_marked: true,
    added_fee: { added_fee_flat: 50, added_fee_percent: 1.5, is_added_fee_taxable: true },
    misc_fees: [{ fee_name: 'Bag', fee_amount: 10 }],
  };
  const item = { ...shop.bigPie(), product_marked_price: 1500, quantity: 2 };
  const reply = await shop.place('Margherita', { items: [item], email_receipt_specifications: specifications });
  const { final_quote: quote } = reply.body;
  assert.deepEqual(quote.added_fees, {
    flat_fee_cents: 50,
    percent_fee: 1.5,
    is_fee_taxable: true,
    total_fee_cents: 125,
    sales_tax_cents: 29,
    taxes: [{ name: 'Sales tax', amount: 29 }],
  });
  assert.equal(quote.total_with_tip, quote.quote.total_without_tips + 200 + 200 + 125 + 29 + 10);
  assert.equal((await shop.orderOf(reply.body.order_id)).profit, 325);
});

test('autofill chooses the missing defaults', async () => {
  const reply = await shop.place('Margherita', { autofill_selected_options: true });
  assert.equal(reply.body.final_quote.items[0].customizations[0].selected_options[0].option_id, 's');
  const { items } = await shop.orderOf(reply.body.order_id);
  assert.deepEqual(items[0].selected_options, [
    { option_id: 's', quantity: 1, name: '12 inch', price: 0, customization_name: 'Size' },
  ]);
});

test('with substitution an order moves to the nearest store of the same name that can fulfill all of it', async () => {
  const soldOut = pizzeria({
    external_id: 'a',
    name: 'Corner Shop',
    categories: [{ id: 'c', name: 'C', products: [{ id: 'x', name: 'Thing', price: 900, qty_available: 0 }] }],
  });
  const stocked = pizzeria({
    external_id: 'b',
    name: 'Corner Shop',
    latitude: 40.74,
    categories: [{ id: 'c', name: 'C', products: [{ id: 'y', name: 'thing', price: 950 }] }],
  });
  const [firstId = '', secondId = ''] = await givenStores(shop, [soldOut, stocked]);
  const { Thing } = await productTokens(shop, firstId);
  const items = [{ product_id: Thing }];
  assert.equal((await shop.place('Soda', { items })).body.code, 'product_unavailable');
  const moved = await shop.place('Soda', { items, enable_substitution: true });
  assert.deepEqual(
    [moved.status, moved.body.final_quote.store_id, moved.body.final_quote.quote.subtotal],
    [200, secondId, 950],
  );
});
