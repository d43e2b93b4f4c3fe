import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { findAnyOrder } from '../order/orders.db.ts';

const GOODS = [
  { id: 'chicken', name: 'Chicken', price: 899, sold_by: 'weight', weight: { unit: 'lb', scale_code: '12345' } },
  { id: 'bananas', name: 'Bananas', price: 79, sold_by: 'weight', weight: { unit: 'lb', piece_weight: 0.367 } },
  { id: 'beef', name: 'Beef', price: 229, sold_by: 'weight', weight: { unit: 'g', price_per: 100 } },
  { id: 'soda', name: 'Soda', price: 899 },
];

const FEES = { delivery_fee: {}, service_fee: {}, small_order_fee: {}, sales_tax_percent: 0 };
const store = (products: readonly object[]) =>
  pizzeria({ fees: FEES, categories: [{ id: 'goods', name: 'Goods', products }] });

const app = await givenApp();
const [storeId = ''] = await givenStores(app, [store(GOODS)]);
const ids = await productTokens(app, storeId);
const card = await givenPaymentMethod(app);
after(() => app.close());

type Sent = { name: string; quantity?: unknown; pieces?: unknown };

const order = (items: readonly Sent[], changes: object = {}) => {
  const sent = items.map(({ name, ...item }) => ({ product_id: ids[name], ...item }));
  return app.post('/order/order/v2', orderBody('', card, { items: sent, ...changes }));
};

const pick = (from: Record<string, unknown>, like: object) =>
  Object.fromEntries(Object.keys(like).map((name) => [name, from[name]]));

async function quoted(item: Sent) {
  const reply = await order([item]);
  assert.equal(reply.status, 200, reply.text);
  const found = await findAnyOrder(app.service.deps.db, reply.body.order_id);
  return { order: found ?? assert.fail(), body: reply.body };
}

test('an order stores its ordered and maximum weight in thousandths', async () => {
  const { order: chicken } = await quoted({ name: 'Chicken', quantity: '1.5' });
  assert.deepEqual(chicken.quote.items[0]?.weight, {
    unit: 'lb',
    per: 1000,
    ordered: 1500,
    max: 1650,
    scaleCode: '12345',
  });
  const { order: bananas } = await quoted({ name: 'Bananas', pieces: 3 });
  assert.deepEqual(bananas.quote.items[0]?.weight, { unit: 'lb', per: 1000, ordered: 1101, max: 1322, pieces: 3 });
  assert.deepEqual(
    [chicken, bananas].map(({ quote }) => quote.items[0]?.quantity),
    [1, 1],
  );
});

test('an element shows the ordered and the maximum amount, marked as an estimate', async () => {
  const { body } = await quoted({ name: 'Beef', quantity: 350 });
  const found = await app.get('/account/orders', { order_id: body.order_id });
  const [shown] = found.body.orders;
  const weight = { sold_by: 'weight', unit: 'g', price_per: 100, quantity: 350, max_quantity: 385 };
  const { items, ...quote } = shown.final_quote;
  assert.deepEqual([pick(shown.items[0], weight), pick(body.final_quote.items[0], weight)], [weight, weight]);
  const priced = {
    ordered_quantity: 350,
    fulfilled_quantity: 350,
    unit_price: 229,
    total_price: 802,
    is_weighed: false,
    final_price: null,
  };
  assert.deepEqual(pick(shown.items[0], priced), priced);
  assert.deepEqual([shown.is_estimate, shown.weighed_quote, shown.captured_cents], [true, null, null]);
  assert.deepEqual(
    [items, shown.total_with_tip, quote.total_with_tip, quote.at_most_cents],
    [undefined, 1002, 1002, 1082],
  );
});

test('orders without goods by weight have no member of them', async () => {
  const { body } = await quoted({ name: 'Soda' });
  const found = await app.get('/account/orders', { order_id: body.order_id });
  const [shown] = found.body.orders;
  const all = [shown, shown.items[0], shown.final_quote, body.final_quote, body.final_quote.items[0]];
  const names = ['sold_by', 'unit', 'max_quantity', 'final_price', 'is_weighed', 'is_estimate', 'weighed_quote'];
  for (const name of [...names, 'at_most_cents', 'authorized_cents', 'captured_cents'])
    assert.ok(
      all.every((one) => !(name in one)),
      name,
    );
});

test('a client without weights orders pounds by whole numbers', async () => {
  for (const [sent, ordered] of [
    [{}, 1000],
    [{ quantity: 2 }, 2000],
  ] as const) {
    const { order: placed } = await quoted({ name: 'Chicken', ...sent });
    assert.equal(placed.quote.items[0]?.weight?.ordered, ordered);
  }
});

test('an item without weight is stored as ever', async () => {
  const { order: soda } = await quoted({ name: 'Soda', quantity: 2 });
  assert.equal('amount' in (soda.request.items[0] ?? {}) || 'weight' in (soda.quote.items[0] ?? {}), false);
});

test('an order isn’t placed at a limit above the one its customer saw', async () => {
  const unplaced = { place_order: false, payment_method_id: card };
  const { body } = await order([{ name: 'Chicken', quantity: 2 }], unplaced);
  assert.equal(body.final_quote.at_most_cents, 2178);
  const [chicken, ...others] = GOODS;
  const looser = { ...chicken, weight: { unit: 'lb', scale_code: '12345', tolerance_percent: 25 } };
  await givenStores(app, [store([looser, ...others])]);
  const refused = await app.post('/order/finalize', { order_id: body.order_id });
  assert.deepEqual([refused.status, refused.body.code], [409, 'quote_changed'], refused.text);
  assert.equal(refused.body.final_quote.at_most_cents, 2448);
  await givenStores(app, [store(GOODS)]);
});

test('every wrong quantity is named, and nothing is stored', async () => {
  const wrong: Sent[] = [
    ...[0, 0.1, 1.1, 50.25, 1.0001, -1, '1.5 kg', 'two', '', true].map((quantity) => ({ name: 'Chicken', quantity })),
    ...[
      { name: 'Chicken', pieces: 2 },
      { name: 'Bananas', pieces: 2, quantity: 1 },
      { name: 'Bananas', pieces: 99_999 },
    ],
    ...[1.5, '2', 0, 100].map((quantity) => ({ name: 'Soda', quantity })),
    { name: 'Soda', pieces: 2 },
  ];
  for (const one of wrong) {
    const { status, body } = await order([{ name: 'Soda' }, one]);
    assert.deepEqual([status, body.code], [400, 'invalid_request'], JSON.stringify(one));
    assert.match(body.errors[0].name, /^items\[1\]\.(quantity|pieces)$/);
  }
  const all = await order([{ name: 'Soda', quantity: 1.5 }, { name: 'Chicken' }, { name: 'Chicken', quantity: 0.1 }]);
  assert.deepEqual(
    all.body.errors.map(({ name, message }: { name: string; message: string }) => `${name} ${message}`),
    ['items[0].quantity must be a whole number', 'items[2].quantity must be at least 0.25 lb'],
  );
});
