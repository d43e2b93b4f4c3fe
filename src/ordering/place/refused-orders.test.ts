import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { productTokens } from '../../../test/given/orders.ts';
import { givenPizzeria, option } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';

const shop = await givenPizzeria(givenApp);
after(() => shop.close());

const byName = ({ name }: { name: string }) => name;

test('every error of an order is reported in one response, and the table’s first gives the code', async () => {
  const items = [
    { product_id: shop.tokens['Breakfast Pie'] },
    { product_id: shop.tokens['Few Left'], quantity: 4 },
    { product_id: shop.tokens.Margherita, selected_options: [option('sq'), option('nope')] },
  ];
  const reply = await shop.place('Soda', {
    items,
    scheduled_id: 'forged',
    payment_method_id: shop.card,
    user_id: 'somebody-else',
  });
  assert.deepEqual([reply.status, reply.body.code], [422, 'product_unavailable']);
  assert.deepEqual(reply.body.invalid_product_ids, [shop.tokens['Breakfast Pie'], shop.tokens['Few Left']]);
  assert.deepEqual([...reply.body.invalid_option_ids].sort(), ['nope', 'sq']);
  const names = reply.body.errors.map((fault: { name: string }) => fault.name);
  for (const name of [
    'items[0].product_id',
    'items[1].quantity',
    'items[2].selected_options',
    'scheduled_id',
    'payment_method_id',
  ])
    assert.ok(names.includes(name), name);
});

test('each single error has its own code', async (t) => {
  const cases: [string, string, number, string, object][] = [
    ['a token that names no product', 'Soda', 404, 'product_not_found', { items: [{ product_id: 'forged' }] }],
    [
      'a product off sale',
      'Soda',
      422,
      'product_unavailable',
      { items: [{ product_id: shop.tokens['Breakfast Pie'] }] },
    ],
    ['a subtotal under the minimum', 'Soda', 422, 'order_minimum_not_met', {}],
    ['an address out of range', 'Last Slice', 422, 'quote_unavailable', { user_latitude: 41.9 }],
    ['a payment method that is none', 'Last Slice', 404, 'payment_method_not_found', { payment_method_id: 'pm_none' }],
    ['a missing required choice', 'Margherita', 422, 'invalid_options', {}],
    ['an unplaced order that is none', 'Last Slice', 404, 'order_not_found', { order_id: 'ord_none' }],
  ];
  for (const [name, product, status, code, changes] of cases) {
    await t.test(`${status} ${code} for ${name}`, async () => {
      const reply = await shop.place(product, changes);
      assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text);
    });
  }
  await t.test('quote_unavailable tells the error type of the quote', async () => {
    assert.equal((await shop.place('Last Slice', { user_latitude: 41.9 })).body.quote_error, 'OUT_OF_RANGE');
  });
  await t.test('quote_unavailable names the field that can be changed, and says how', async () => {
    const { errors, detail } = (await shop.place('Last Slice', { user_latitude: 41.9 })).body;
    assert.equal(errors[0].name, 'user_latitude');
    assert.match(detail, /^This store is out of range for the provided address\. Use a closer delivery address, /);
  });
  await t.test('user_phone is a number, or a string as people write it', async () => {
    for (const user_phone of [3125550123, '(312) 555-0123 x12']) {
      const { body } = await shop.place('Last Slice', { user_phone, place_order: false });
      const order = await shop.orderOf(body.order_id);
      assert.equal(order.user_phone, 13125550123);
      assert.equal(order.user_phone_extension, String(user_phone).endsWith('x12') ? '12' : undefined);
    }
    const { status, body } = await shop.place('Last Slice', { user_phone: 555 });
    assert.deepEqual([status, body.errors[0].name], [400, 'user_phone']);
    assert.match(body.detail, /^user_phone must be a phone number: ten digits, or \+ and the country code, such as /);
  });
  await t.test("400 names an invalid time zone; an empty one means the store's", async () => {
    const refused = await shop.place('Last Slice', { user_time_zone: 'Eastern' });
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
    const message = 'must be the IANA name of a time zone, such as America/New_York';
    assert.deepEqual(refused.body.errors, [{ in: 'body', name: 'user_time_zone', message }]);
    for (const [given, shown] of [
      ['', 'America/New_York'],
      ['US/Pacific', 'US/Pacific'],
    ] as const) {
      const { body } = await shop.place('Last Slice', { user_time_zone: given, place_order: false });
      const { orders } = (await shop.get('/account/orders', { order_id: body.order_id })).body;
      assert.equal(orders[0].user_time_zone, shown);
    }
  });
  await t.test('400 names every field that is missing to place it', async () => {
    const reply = await shop.post('/order/order/v2', {
      place_order: true,
      items: [{ product_id: shop.tokens.Soda }],
      pickup: false,
    });
    const names = reply.body.errors.map((fault: { name: string }) => fault.name).sort();
    const expected = [
      ...'payment_method_id user_city user_email user_id user_latitude user_longitude user_name'.split(' '),
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

test('unchosen options aren’t stored, and an order too large to store is rejected', async (t) => {
  await t.test('an option of quantity 0 leaves no trace', async () => {
    const options = [option('s'), option('x'.repeat(500), { quantity: 0 })];
    const items = [{ product_id: shop.tokens.Margherita, selected_options: options }];
    const { body } = await shop.place('Margherita', { items, place_order: false });
    const chosen = [{ option_id: 's', quantity: 1, name: '12 inch', price: 0, customization_name: 'Size' }];
    assert.deepEqual((await shop.orderOf(body.order_id)).items[0].selected_options, chosen);
  });
  await t.test('400 for more options than an order may hold, and for long names in metadata', async () => {
    const many = Array.from({ length: 300 }, (_, n) => option(`${n}${'z'.repeat(400)}`));
    const items = [{ product_id: shop.tokens.Margherita, selected_options: many }];
    const reply = await shop.place('Margherita', { items, metadata: { ['k'.repeat(5000)]: 1 } });
    assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_request']);
    assert.deepEqual(reply.body.errors.map(byName).sort(), ['items', 'metadata']);
  });
});

test('an order with very many errors returns under a megabyte and the number omitted', async () => {
  const customizations = Array.from({ length: 1000 }, (_, n) => ({
    id: `c${n}`,
    name: `${n}${'n'.repeat(490)}`,
    min_choice_options: 1,
    options: [{ id: `o${n}`, name: 'Option' }],
  }));
  const picky = { id: 'picky', name: 'Picky', price: 900, customizations };
  const line = pizzeria({ external_id: 'picky', categories: [{ id: 'c', name: 'C', products: [picky] }] });
  const [pickyId = ''] = await givenStores(shop, [line]);
  const { Picky } = await productTokens(shop, pickyId);
  const items = [...Array.from({ length: 99 }, () => ({ product_id: Picky })), { product_id: 'forged' }];
  const reply = await shop.place('Soda', { items });
  assert.deepEqual([reply.status, reply.body.code], [404, 'product_not_found']);
  assert.ok(reply.text.length < 1_000_000, String(reply.text.length));
  assert.match(reply.body.errors.at(-1).message, /^At least \d{4,5} more errors are not listed\.$/);
});

test('items of two stores are refused together', async () => {
  const [otherId = ''] = await givenStores(shop, [pizzeria({ external_id: 'other', name: 'Other Pizzeria' })]);
  const others = await productTokens(shop, otherId);
  const reply = await shop.place('Last Slice', { items: [shop.bigPie(), { product_id: others.Soda }] });
  assert.deepEqual([reply.status, reply.body.code], [422, 'mixed_stores'], reply.text);
});

test('a live order that charges is refused before anything else while no gateway is configured', async () => {
  const live = await shop.givenClient('live');
  const reply = await live.post('/order/order/v2', { nonsense: true });
  assert.deepEqual([reply.status, reply.body.code], [503, 'payment_gateway_not_configured']);
});
