import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertShape, type Got, givenGroceries, givenShopApp, openShop, SHOPPING } from './given-shop.ts';

/* Goods by weight as a platform orders them: steps of a unit, or pieces whose price follows their weight. */

const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
const byWeight = (weight: object) => ({ sold_by: 'weight', weight });
const products = [
  { id: 'chicken', name: 'Chicken', price: 899, ...byWeight({ unit: 'lb', min: 0.5 }) },
  { id: 'ham', name: 'Ham', price: 229, ...byWeight({ unit: 'g', price_per: 100 }) },
  { id: 'bananas', name: 'Bananas', price: 79, ...byWeight({ unit: 'lb', piece_weight: 0.367, step: 0.001 }) },
  { id: 'soap', name: 'Soap', price: 300 },
];
const [storeId = ''] = await givenGroceries(app, [
  { external_id: 'g', name: 'Grocer', categories: [{ id: 'all', name: 'All', products }] },
]);
const items = await openShop(app, [storeId], true);
after(() => app.close());

const LBR = { unit: 'LBR', scale: 2, display_text: 'lb' };
const line = (name: string, quantity: number, unit?: object) => ({
  item: { id: items[name], ...(unit && { quantity_unit: unit }) },
  quantity,
});
const codes = ({ body }: Got) =>
  (body.messages ?? [])
    .filter(({ type }: { type: string }) => type !== 'info')
    .map(({ code }: { code: string }) => code);
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const estimateOf = ({ messages = [] }: { messages?: { code: string }[] }) =>
  messages.filter(({ code }) => code === 'total_estimated');
let keys = 0;
const headers = () => ({ 'x-api-key': app.key, 'idempotency-key': `key-${++keys}` });
const ask = (path: string, body: object) => app.ask(path, body, { headers: headers() });

async function cartOf(...lines: object[]): Promise<Got> {
  const got = await ask('/carts', { line_items: lines });
  assertShape('shopping/cart.json', got.body);
  return got;
}

test('a catalog states the steps of items sold by weight, and the price of a whole unit or piece', async () => {
  const { body } = await ask('/catalog/lookup', {
    ids: ['Chicken', 'Ham', 'Bananas', 'Soap'].map((name) => items[name]),
  });
  assertShape('shopping/catalog_lookup.json#/$defs/lookup_response', body);
  const shown = body.products.map(({ variants: [one] }: { variants: Record<string, { amount: number }>[] }) => [
    one?.price?.amount,
    one?.quantity_unit,
    one?.unit_price?.amount,
  ]);
  assert.deepEqual(shown, [
    [899, { ...LBR, increment: 25 }, undefined],
    [2290, { unit: 'KGM', scale: 2, increment: 5, display_text: 'kg' }, undefined],
    [29, undefined, 79],
    [300, undefined, undefined],
  ]);
});

test('quantities count steps: kept on the grid, otherwise rounded to the nearest with a warning, other weights converted', async () => {
  const exact = await cartOf(line('Chicken', 150), line('Ham', 35), line('Bananas', 3));
  assert.deepEqual(codes(exact), []);
  assert.deepEqual(
    exact.body.line_items.map(({ quantity, totals }: { quantity: number; totals: { amount: number }[] }) => [
      quantity,
      totals[0]?.amount,
    ]),
    [
      [150, 1349],
      [35, 802],
      [3, 87],
    ],
  );
  const changed: [object, number, string[]][] = [
    [line('Chicken', 137), 125, ['quantity_increment_revised']],
    [line('Chicken', 1), 50, ['quantity_increment_revised']],
    [line('Chicken', 99_999), 5000, ['quantity_increment_revised', 'quantity_adjusted']],
    [line('Chicken', 150, LBR), 150, []],
    [line('Chicken', 24, { unit: 'ONZ' }), 150, ['quantity_unit_converted']],
  ];
  for (const [wanted, quantity, revisions] of changed) {
    const got = await cartOf(wanted);
    assert.deepEqual([got.body.line_items[0].quantity, codes(got)], [quantity, revisions], JSON.stringify(wanted));
    assert.deepEqual(got.body.line_items[0].item.quantity_unit, { ...LBR, increment: 25 });
  }
  const foreign = await cartOf(line('Soap', 1), line('Chicken', 2, { unit: 'C62' }), line('Bananas', 2, LBR));
  assert.deepEqual(codes(foreign), ['quantity_unit_mismatch', 'quantity_unit_mismatch']);
  assert.deepEqual(foreign.body.line_items.length, 1);
});

test('items sold by weight cost the same before a checkout has its destination', async () => {
  for (const [name, quantity] of [
    ['Ham', 3],
    ['Ham', 35],
    ['Chicken', 200],
    ['Bananas', 2],
  ] as const) {
    const { body: cart } = await cartOf(line(name, quantity));
    const { body } = await ask('/checkout-sessions', { cart_id: cart.id });
    assert.deepEqual(body.totals[0].amount, cart.totals[0].amount, name);
    assert.deepEqual(body.line_items[0].totals, cart.line_items[0].totals, name);
  }
  const [few] = (await cartOf(line('Ham', 3))).body.messages;
  assert.match(few.content, /\b0\.05 kg/);
});

test('an order of weights is held and placed; weighing settles steps, or the price of pieces', async () => {
  const { body: cart } = await cartOf(line('Chicken', 150), line('Bananas', 3));
  const buyer = { first_name: 'Dana', last_name: 'Reyes', email: 'dana@example.com', phone_number: '+12125550142' };
  const pickup = { fulfillment: { methods: [{ type: 'pickup' }] } };
  const { body: checkout } = await ask('/checkout-sessions', { cart_id: cart.id, buyer, ...pickup });
  assertShape('shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout', checkout);
  assert.equal(checkout.status, 'ready_for_complete', JSON.stringify(checkout.messages));
  assert.deepEqual(checkout.line_items[0].item.quantity_unit, { ...LBR, increment: 25 });
  assert.equal(checkout.line_items[0].totals[0].amount, 1349);
  const credential = { type: 'token', token: 'tok_visa' };
  const payment = { instruments: [{ id: 'card', handler_id: 'card_token', credential }] };
  const { body: done } = await ask(`/checkout-sessions/${checkout.id}/complete`, { payment });
  assert.equal(done.status, 'completed', JSON.stringify(done));
  const { id } = done.order;
  const { db } = app.service.deps;
  const stored = await db.selectFrom('orders').select('authorizedCents').where('orderId', '=', id).executeTakeFirst();
  const [total, limit] = [checkout.totals.at(-1).amount, Number(stored?.authorizedCents)].map(dollars);
  const content = `Estimated ${total}. Sold by weight: you’ll pay up to ${limit}.`;
  const disclosed = { type: 'warning', code: 'total_estimated', path: '$.totals', presentation: 'disclosure', content };
  assert.deepEqual(estimateOf(checkout), [disclosed]);
  const read = async () => (await app.ask(`/orders/${id}`, {}, { method: 'GET', headers: headers() })).body;
  const before = await read();
  assertShape('shopping/order.json', before);
  assert.deepEqual(estimateOf(before), [disclosed]);
  assert.deepEqual(
    before.line_items.map(({ quantity }: { quantity: object }) => quantity),
    [
      { original: 150, total: 150, fulfilled: 0 },
      { original: 3, total: 3, fulfilled: 0 },
    ],
  );
  for (const event of ['confirm', 'ready', 'complete']) {
    const reply = await app.post(`/sandbox/orders/${id}/advance`, { event });
    assert.equal(reply.status, 200, reply.text);
  }
  const weighed = await read();
  assertShape('shopping/order.json', weighed);
  assert.deepEqual(estimateOf(weighed), []);
  // The sandbox's store hands off 98 % of what was ordered.
  assert.deepEqual(
    weighed.line_items.map(({ quantity }: { quantity: object }) => quantity),
    [
      { original: 150, total: 147, fulfilled: 147 },
      { original: 3, total: 3, fulfilled: 3 },
    ],
  );
  assert.deepEqual(
    weighed.adjustments.map(({ type, line_items, totals }: Record<string, unknown>) => [type, line_items, totals]),
    [
      ['price_adjustment', [{ id: 'li_1', quantity: -3 }], [{ type: 'total', amount: -27 }]],
      [
        'price_adjustment',
        [{ id: 'li_2', quantity: 0, measure: { value: 1079, unit: 'LBR', scale: 3, display_text: 'lb' } }],
        [{ type: 'total', amount: -2 }],
      ],
    ],
  );
  assert.deepEqual(weighed.totals, before.totals, 'as placed');
});
