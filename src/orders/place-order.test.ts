import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../test/given-orders.ts';
import { givenStores } from '../../test/given-stores.ts';
import { type App, givenApp } from '../../test/harness.ts';

let app: App;
let storeId: string;
let tokens: Record<string, string>;
let card: string;

before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  tokens = await productTokens(app, storeId);
  card = await givenPaymentMethod(app);
});
after(() => app.close());

const option = (id: string, more: object = {}) => ({ option_id: id, quantity: 1, ...more });
const nameOf = ({ name }: { name: string }) => name;
const place = (product: string, changes: object = {}) =>
  app.post('/order/order/v2', orderBody(tokens[product], card, changes));
const bigPie = () => ({
  product_id: tokens.Margherita,
  selected_options: [option('l'), option('olives', { quantity: 2 }), option('sq')],
});
const orderOf = async (orderId: string) => (await app.get('/account/orders', { order_id: orderId })).body.orders[0];
const advance = (orderId: string, event: string, more: object = {}) =>
  app.post(`/sandbox/orders/${orderId}/advance`, { event, ...more });
const chargesOf = async (orderId: string) => (await app.get('/sandbox/charges', { order_id: orderId })).body.charges;

test('a delivery order is priced to the cent, charged exactly that, and followed to the door', async (t) => {
  const reply = await place('Margherita', { items: [bigPie()] });
  const { final_quote: quote, order_id: orderId } = reply.body;
  await t.test('the answer says that it was placed, and where to follow it', () => {
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.order_placed, reply.body.is_sandbox], [true, true]);
    assert.equal(reply.body.tracking_link, `${app.config.trackingUrl}/tracking?tracking_id=${orderId}`);
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
      delivery_time_min: 12,
      delivery_time_max: 22,
      total_without_tips: 3293,
      scheduled: {},
    });
    assert.deepEqual([quote.tip, quote.total_with_tip, quote.store_id], [200, 3493, storeId]);
    const size = quote.items[0].customizations[0].selected_options[0];
    assert.deepEqual(
      [size.name, size.price, size.customizations[0].selected_options[0].name],
      ['18 inch', 600, 'Squares'],
    );
    assert.equal(quote.items[0].customizations[1].selected_options[0].price, 250);
  });
  await t.test('the gateway took exactly the total, once', async () => {
    const charges = await chargesOf(orderId);
    assert.deepEqual(
      charges.map((c: { amount: number; status: string }) => [c.amount, c.status]),
      [[3493, 'succeeded']],
    );
  });
  await t.test('polling shows each step, and the driver once assigned', async () => {
    assert.deepEqual(
      [(await orderOf(orderId)).status, (await orderOf(orderId)).tracking],
      ['awaiting_confirmation', {}],
    );
    assert.equal((await advance(orderId, 'confirm')).body.status, 'in_progress');
    assert.equal((await advance(orderId, 'ready')).body.is_ready, true);
    const assigned = (await advance(orderId, 'assign_driver')).body.tracking;
    assert.ok(assigned.driver_name && assigned.driver_phone && assigned.driver_latitude && assigned.vehicle_type);
    assert.equal((await advance(orderId, 'pick_up')).status, 200);
    const near = await advance(orderId, 'approach', { driver_latitude: 40.7441, driver_longitude: -73.9881 });
    assert.deepEqual([near.body.tracking.driver_latitude, near.body.tracking.driver_longitude], [40.7441, -73.9881]);
    const done = await advance(orderId, 'complete');
    assert.deepEqual([done.body.status, typeof done.body.tracking.completion_timestamp], ['completed', 'number']);
    assert.equal((await orderOf(orderId)).final_quote.quote.total, 3293);
  });
  await t.test('409 for a step that its state does not allow', async () => {
    const again = await advance(orderId, 'cancel');
    assert.deepEqual([again.status, again.body.code], [409, 'transition_not_allowed']);
  });
});

test('a pickup order has the pickup price, no delivery or service fee, no tip and an empty tracking', async () => {
  const reply = await place('Margherita', {
    pickup: true,
    items: [{ product_id: tokens.Margherita, selected_options: [option('s')] }],
  });
  const { quote, tip, total_with_tip: total } = reply.body.final_quote;
  assert.deepEqual([quote.subtotal, quote.delivery_fee_cents, quote.service_fee_cents, tip], [1300, 0, 0, 0]);
  assert.equal(total, 1300 + 115);
  assert.deepEqual((await orderOf(reply.body.order_id)).tracking, {});
});

test('marked prices, an added fee, its tax and misc fees are charged; the store’s part stays as it is', async () => {
  const specifications = {
    prices_marked: true,
    added_fee: { added_fee_flat: 50, added_fee_percent: 1.5, is_added_fee_taxable: true },
    misc_fees: [{ fee_name: 'Bag', fee_amount: 10 }],
  };
  const item = { ...bigPie(), product_marked_price: 1500, quantity: 2 };
  const reply = await place('Margherita', { items: [item], email_receipt_specifications: specifications });
  const { final_quote: quote } = reply.body;
  assert.deepEqual(quote.added_fees, {
    flat_fee_cents: 50,
    percent_fee: 1.5,
    is_fee_taxable: true,
    total_fee_cents: 125,
    sales_tax_cents: 29,
  });
  assert.equal(quote.total_with_tip, quote.quote.total_without_tips + 200 + 200 + 125 + 29 + 10);
  assert.equal((await orderOf(reply.body.order_id)).profit, 325);
});

test('every fault of an order is reported in one answer, and the first of the table gives the code', async () => {
  const items = [
    { product_id: tokens['Breakfast Pie'] },
    { product_id: tokens['Few Left'], quantity: 4 },
    { product_id: tokens.Margherita, selected_options: [option('sq'), option('nope')] },
  ];
  const reply = await place('Soda', {
    items,
    scheduled_id: 'forged',
    payment_method_id: card,
    user_id: 'somebody-else',
  });
  assert.deepEqual([reply.status, reply.body.code], [422, 'product_unavailable']);
  assert.deepEqual(reply.body.invalid_product_ids, [tokens['Breakfast Pie'], tokens['Few Left']]);
  assert.deepEqual([...reply.body.invalid_option_ids].sort(), ['nope', 'sq']);
  const names = reply.body.errors.map((fault: { name: string }) => fault.name);
  for (const name of ['items[0].product_id', 'items[2].selected_options', 'scheduled_id', 'payment_method_id'])
    assert.ok(names.includes(name), name);
});

test('each fault alone has its own code', async (t) => {
  const cases: [string, string, number, string, object][] = [
    ['a token that names no product', 'Soda', 404, 'product_not_found', { items: [{ product_id: 'forged' }] }],
    ['a product off sale', 'Soda', 422, 'product_unavailable', { items: [{ product_id: tokens['Breakfast Pie'] }] }],
    ['a subtotal under the minimum', 'Soda', 422, 'order_minimum_not_met', {}],
    ['an address out of range', 'Last Slice', 422, 'quote_unavailable', { user_latitude: 41.9 }],
    ['a payment method that is none', 'Last Slice', 404, 'payment_method_not_found', { payment_method_id: 'pm_none' }],
    ['a missing required choice', 'Margherita', 422, 'invalid_options', {}],
    ['an unplaced order that is none', 'Last Slice', 404, 'order_not_found', { order_id: 'ord_none' }],
  ];
  for (const [name, product, status, code, changes] of cases) {
    await t.test(`${status} ${code} for ${name}`, async () => {
      const reply = await place(product, changes);
      assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text);
    });
  }
  await t.test('quote_unavailable tells the error type of the quote', async () => {
    assert.equal((await place('Last Slice', { user_latitude: 41.9 })).body.quote_error, 'OUT_OF_RANGE');
  });
  await t.test('400 names every field that is missing to place it', async () => {
    const reply = await app.post('/order/order/v2', {
      place_order: true,
      items: [{ product_id: tokens.Soda }],
      pickup: false,
    });
    const names = reply.body.errors.map((fault: { name: string }) => fault.name).sort();
    const expected = [
      'payment_method_id',
      'user_city',
      'user_email',
      'user_id',
      'user_latitude',
      'user_longitude',
      'user_name',
    ];
    assert.deepEqual(names, [
      ...expected,
      'user_phone',
      'user_state',
      'user_street_name',
      'user_street_num',
      'user_zipcode',
    ]);
  });
});

test('what is not chosen is not kept, and an order too large to be kept is refused', async (t) => {
  await t.test('an option of quantity 0 leaves no trace', async () => {
    const options = [option('s'), option('x'.repeat(500), { quantity: 0 })];
    const items = [{ product_id: tokens.Margherita, selected_options: options }];
    const { body } = await place('Margherita', { items, place_order: false });
    assert.deepEqual((await orderOf(body.order_id)).items[0].selected_options, [{ option_id: 's', quantity: 1 }]);
  });
  await t.test('400 for more options than an order may hold, and for long names in metadata', async () => {
    const many = Array.from({ length: 300 }, (_, n) => option(`${n}${'z'.repeat(400)}`));
    const items = [{ product_id: tokens.Margherita, selected_options: many }];
    const reply = await place('Margherita', { items, metadata: { ['k'.repeat(5000)]: 1 } });
    assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request']);
    assert.deepEqual(reply.body.errors.map(nameOf).sort(), ['items', 'metadata']);
  });
});

test('autofill chooses the defaults that are missing', async () => {
  const reply = await place('Margherita', { autofill_selected_options: true });
  assert.equal(reply.body.final_quote.items[0].customizations[0].selected_options[0].option_id, 's');
});

test('a declined card is 402 with its code, and leaves nothing held and nothing placed', async (t) => {
  for (const [number, code] of [
    ['4000000000000002', 'generic_decline'],
    ['4000000000009995', 'insufficient_funds'],
  ] as const) {
    await t.test(code, async () => {
      const declined = await givenPaymentMethod(app, number);
      const reply = await place('Last Slice', { payment_method_id: declined });
      assert.deepEqual([reply.status, reply.body.code, reply.body.decline_code], [402, 'payment_declined', code]);
      const { menu_item_list: items } = (await app.get('/details/inventory', { store_id: storeId, pickup: false })).body
        .categories[1];
      assert.equal(items.find((item: { name: string }) => item.name === 'Last Slice').qty_available, 1);
    });
  }
});

test('a charge whose answer is lost ends with one charge and a placed order', async () => {
  const lossy = await givenPaymentMethod(app, '4000000000000259');
  const reply = await place('Few Left', { payment_method_id: lossy });
  assert.deepEqual([reply.status, reply.body.order_placed], [200, true], reply.text);
  const charges = await chargesOf(reply.body.order_id);
  assert.deepEqual(
    charges.map((charge: { status: string }) => charge.status),
    ['succeeded'],
  );
  await advance(reply.body.order_id, 'cancel');
});

test('a cancelation refunds in full and gives stock and window back', async () => {
  const slots = await slotsOf();
  const reply = await place('Last Slice', { scheduled_id: slots[0] });
  assert.equal(reply.status, 200, reply.text);
  assert.equal((await place('Last Slice')).body.code, 'product_unavailable');
  const canceled = await advance(reply.body.order_id, 'cancel');
  assert.deepEqual(
    [canceled.body.status, canceled.body.refunded_amount],
    ['canceled', reply.body.final_quote.total_with_tip],
  );
  const [charge] = await chargesOf(reply.body.order_id);
  assert.equal(charge.refunded_amount, charge.amount);
  const again = await place('Last Slice');
  assert.equal(again.status, 200, again.text);
  await advance(again.body.order_id, 'cancel');
});

test('a store that does not confirm in time cancels the order, and the money goes back', async () => {
  const { order_id: orderId } = (await place('Few Left')).body;
  await app.advance({ minutes: 14 });
  assert.equal((await orderOf(orderId)).status, 'awaiting_confirmation');
  await app.advance({ minutes: 2 });
  const order = await orderOf(orderId);
  assert.deepEqual(
    [order.status, order.cancel_reason, order.refunded_amount > 0],
    ['canceled', 'store_did_not_confirm', true],
  );
});

async function slotsOf(): Promise<string[]> {
  const door = { user_latitude: 40.744, user_longitude: -73.988, include_quote: true };
  const reply = await app.get('/details/inventory', { store_id: storeId, pickup: false, ...door });
  return reply.body.quote.time_estimate.scheduled.map((slot: { id: string }) => slot.id);
}

test('40 buyers at once: the last window and the last item are sold exactly as often as there are any', async (t) => {
  const outcomes = async (changes: (index: number) => object) => {
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => place('Margherita', changes(index))));
    return replies.map((reply) => (reply.status === 200 ? 'placed' : reply.body.code));
  };
  await t.test('a window for two orders takes two', async () => {
    const slot = (await slotsOf()).at(-1);
    const codes = await outcomes(() => ({ items: [bigPie()], scheduled_id: slot }));
    assert.deepEqual([codes.filter((code) => code === 'placed').length, new Set(codes).size], [2, 2], codes.join());
    assert.ok(codes.includes('slot_unavailable'));
    assert.ok(!(await slotsOf()).includes(slot ?? ''));
  });
  await t.test('one item left is sold once', async () => {
    const codes = await outcomes(() => ({ items: [{ product_id: tokens['Last Slice'] }] }));
    assert.deepEqual([codes.filter((code) => code === 'placed').length, new Set(codes).size], [1, 2], codes.join());
    assert.ok(codes.includes('product_unavailable'));
  });
});

test('an unplaced order is stored, replaced, and placed by finalize at the price it was quoted', async (t) => {
  const body = orderBody(tokens.Margherita, card, { place_order: false, items: [bigPie()] });
  const quoted = await app.post('/order/order/v2', body);
  const orderId = quoted.body.order_id;
  await t.test('it is unplaced and nothing is charged', async () => {
    assert.deepEqual([quoted.body.order_placed, (await orderOf(orderId)).status], [false, 'unplaced']);
    assert.deepEqual(await chargesOf(orderId), []);
  });
  await t.test('its id in another request replaces it', async () => {
    const replaced = await app.post('/order/order/v2', { ...body, order_id: orderId, driver_tip_cents: 300 });
    assert.deepEqual([replaced.body.order_id, replaced.body.final_quote.tip], [orderId, 300]);
  });
  await t.test(
    '409 quote_changed with the new quote once the total has changed; the same call again accepts it',
    async () => {
      const raised = pizzeria({ fees: { order_minimum: 500, sales_tax_percent: 10 } });
      await givenStores(app, [raised]);
      const changed = await app.post('/order/finalize', { order_id: orderId });
      assert.deepEqual([changed.status, changed.body.code], [409, 'quote_changed']);
      assert.equal(changed.body.final_quote.quote.sales_tax_cents, 250);
      const placed = await app.post('/order/finalize', { order_id: orderId });
      assert.deepEqual(
        [placed.status, placed.body.order_placed, placed.body.final_quote.total_with_tip],
        [200, true, 3050],
      );
      const again = await app.post('/order/finalize', { order_id: orderId });
      assert.deepEqual(again.body, placed.body);
      assert.equal((await chargesOf(orderId)).length, 1);
      await givenStores(app, [pizzeria()]);
    },
  );
  await t.test('409 for replacing what is placed', async () => {
    const late = await app.post('/order/order/v2', { ...body, order_id: orderId });
    assert.deepEqual([late.status, late.body.code], [409, 'transition_not_allowed']);
  });
});

test('items of two stores are refused together', async () => {
  const [otherId = ''] = await givenStores(app, [pizzeria({ external_id: 'other', name: 'Other Pizzeria' })]);
  const others = await productTokens(app, otherId);
  const reply = await place('Last Slice', { items: [bigPie(), { product_id: others.Soda }] });
  assert.deepEqual([reply.status, reply.body.code], [422, 'mixed_stores'], reply.text);
});

test('with substitution an order moves to the nearest store of the same name that can fulfil all of it', async () => {
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
  const [firstId = '', secondId = ''] = await givenStores(app, [soldOut, stocked]);
  const { Thing } = await productTokens(app, firstId);
  const items = [{ product_id: Thing }];
  assert.equal((await place('Soda', { items })).body.code, 'product_unavailable');
  const moved = await place('Soda', { items, enable_substitution: true });
  assert.deepEqual(
    [moved.status, moved.body.final_quote.store_id, moved.body.final_quote.quote.subtotal],
    [200, secondId, 950],
  );
});

test('an order of another account, or of the other kind of key, is as good as none', async () => {
  const { order_id: orderId } = (await place('Margherita', { items: [bigPie()] })).body;
  const other = await app.givenClient();
  assert.deepEqual((await other.get('/account/orders', { order_id: orderId })).body, { orders: [] });
  for (const [path, body] of [
    ['/order/finalize', { order_id: orderId }],
    [`/sandbox/orders/${orderId}/advance`, { event: 'confirm' }],
  ] as const) {
    const [foreign, unknown] = [
      await other.post(path, body),
      await other.post(path.replace(orderId, 'ord_x'), { ...body, order_id: 'ord_x' }),
    ];
    assert.deepEqual(
      [foreign.status, foreign.body.code, foreign.body.detail],
      [404, 'order_not_found', unknown.body.detail],
    );
  }
});

test('a live order that charges is refused before anything else while no gateway is configured', async () => {
  const live = await app.givenClient('live');
  const reply = await live.post('/order/order/v2', { nonsense: true });
  assert.deepEqual([reply.status, reply.body.code], [503, 'payment_gateway_not_configured']);
});

test('orders are filtered, counted and paged', async () => {
  const all = await app.get('/account/orders', { include_order_count: true });
  assert.equal(all.body.order_count, all.body.orders.length);
  const canceled = await app.get('/account/orders', { status: 'canceled,completed' });
  assert.ok(canceled.body.orders.every((order: { status: string }) => /canceled|completed/.test(order.status)));
  assert.deepEqual((await app.get('/account/orders', { user_id: 'nobody' })).body.orders, []);
  assert.deepEqual((await app.get('/account/orders', { start_date: '01/01/2027' })).body.orders, []);
  const today = await app.get('/account/orders', { start_date: '06/10/2026', end_date: '06/10/2026', page: 0 });
  assert.equal(today.body.orders.length, all.body.orders.length);
  const bad = await app.get('/account/orders', { status: 'lost', start_date: '02/30/2026', end_date: '2026-01-01' });
  assert.deepEqual(
    bad.body.errors.map((fault: { name: string }) => fault.name),
    ['status', 'start_date', 'end_date'],
  );
});
