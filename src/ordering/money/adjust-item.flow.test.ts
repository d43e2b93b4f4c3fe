import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { productTokens } from '../../../test/given/orders.ts';
import { givenPizzeria, option } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { listEvents } from '../order/order-events.db.ts';

const sauce = { id: 'sauce', name: 'Sauce', min_choice_options: 1, max_choice_options: 1 };
const options = [
  { id: 'mole', name: 'Mole', price: 90 },
  { id: 'plain', name: 'Plain', price: 40 },
];
const PRODUCTS = [
  { id: 'cola', name: 'Cola', price: 1000 },
  { id: 'tea', name: 'Tea', price: 800 },
  { id: 'juice', name: 'Juice', price: 1400 },
  { id: 'taco', name: 'Taco', price: 700, customizations: [{ ...sauce, options }] },
  { id: 'stuck', name: 'Stuck', price: 500, customizations: [{ ...sauce, options: [] }] },
  { id: 'counted', name: 'Counted', price: 900, qty_available: 5 },
  { id: 'rare', name: 'Rare', price: 900, qty_available: 2 },
  { id: 'off', name: 'Off', price: 900, available: false },
  { id: 'wine', name: 'Wine', price: 1200, is_alcoholic: true },
  { id: 'beer', name: 'Beer', price: 600, is_alcoholic: true },
];

const shop = await givenPizzeria();
const categories = [{ id: 'all', name: 'All', products: PRODUCTS }];
const [storeId = '', otherId = ''] = await givenStores(shop, [
  pizzeria({ external_id: 'bodega', name: 'Bodega', categories }),
  pizzeria({ external_id: 'elsewhere', name: 'Elsewhere' }),
]);
const bodegaId = storeId;
const tokens = await productTokens(shop, storeId);
const otherSoda = (await productTokens(shop, otherId)).Soda ?? '';
const key = await givenStoreKey(shop, storeId, shop.accountId);
after(() => shop.close());

const ANY = { preference: 'store_choice' };
type Wanted = [name: string, quantity: number, substitution?: object, more?: object];

async function place(items: readonly Wanted[], changes: object = {}): Promise<string> {
  const body = items.map(([name, quantity, substitution, more]) => ({
    product_id: tokens[name],
    quantity,
    ...more,
    ...(substitution && { substitution }),
  }));
  const reply = await shop.place('Soda', { items: body, ...changes });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
}
const adjust = (orderId: string, index: number, body: object) =>
  key.post(`/store/orders/${orderId}/items/${index}`, body);
const eventTypes = async (orderId: string) =>
  (await listEvents(shop.service.deps.db, orderId)).map(({ type }) => type.replace('order.', ''));
const statusAndCode = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const readStock = async (name: string) => {
  const { products } = (await key.get('/store/products', { query: name })).body;
  return products[0].qty_available;
};

test('an order stores its customer’s substitution wishes, and the store reads them by name', async () => {
  const specific = { preference: 'specific', product_ids: [tokens.Tea, tokens.Juice] };
  const orderId = await place([
    ['Cola', 1, specific],
    ['Tea', 1, ANY],
    ['Juice', 1],
  ]);
  const { items } = await shop.orderOf(orderId);
  assert.deepEqual(
    items.map(({ substitution }: { substitution: object }) => substitution),
    [specific, ANY, { preference: 'refund' }],
  );
  const [listed] = (await key.get('/store/orders')).body.orders.filter(
    (order: { order_id: string }) => order.order_id === orderId,
  );
  const named = [
    { product_id: tokens.Tea, name: 'Tea' },
    { product_id: tokens.Juice, name: 'Juice' },
  ];
  assert.deepEqual([listed.items[0].named_substitutes, listed.items[1].named_substitutes], [named, []]);
});

test('named substitutes are products of the same store, and the preference for them names some', async () => {
  const substitutesBody = (product_ids?: readonly unknown[]) => ({
    items: [{ product_id: tokens.Cola, substitution: { preference: 'specific', product_ids } }],
  });
  const refused = async (ids: readonly unknown[] | undefined) =>
    statusAndCode(await shop.place('Soda', substitutesBody(ids)));
  assert.deepEqual(await refused(undefined), [400, 'invalid_request']);
  assert.deepEqual(await refused([]), [400, 'invalid_request']);
  assert.deepEqual(await refused(['forged']), [404, 'product_not_found']);
  assert.deepEqual(await refused([tokens.Tea, otherSoda]), [422, 'mixed_stores']);
  const missing = await shop.place('Soda', substitutesBody());
  assert.equal(missing.body.errors[0].name, 'items[0].substitution.product_ids');
  const odd = await shop.place('Soda', { items: [{ product_id: tokens.Cola, substitution: { preference: 'any' } }] });
  assert.deepEqual(statusAndCode(odd), [400, 'invalid_request']);
});

test('fewer units are given back with their part of the fees and taxes, at once and once', async () => {
  const orderId = await place([
    ['Cola', 3],
    ['Tea', 1],
  ]);
  const { total_with_tip: total } = await shop.orderOf(orderId);
  const reply = await adjust(orderId, 0, { quantity: 1 });
  assert.equal(reply.status, 200, reply.text);
  // The subtotal drops from 3800 to 1800: the service fee from 380 to 180, and the tax from 8.875 % of 4180 to 8.875 %
  // of 1980.
  const less = 2000 + 200 + (371 - 176);
  const { items, adjusted_amount: adjusted } = reply.body;
  const { quantity, ordered_quantity: ordered, fulfilled_quantity: fulfilled, substituted_for: replaced } = items[0];
  assert.deepEqual([quantity, ordered, fulfilled, replaced, adjusted], [3, 3, 1, null, less]);
  assert.equal((await adjust(orderId, 0, { quantity: 1 })).status, 200);
  await shop.advance({ seconds: 5 });
  const order = await shop.orderOf(orderId);
  assert.deepEqual([order.total_with_tip, order.refunded_amount], [total, less]);
  const [charge] = await shop.chargesOf(orderId);
  assert.deepEqual([charge.amount, charge.refunded_amount], [total, less]);
  assert.deepEqual(await eventTypes(orderId), ['placed', 'item_changed', 'refunded']);
});

test('a dearer substitute costs the original price; a cheaper one refunds the difference, markup included', async () => {
  const marked = { product_marked_price: 1100 };
  const receipt = { email_receipt_specifications: { prices_marked: true } };
  const orderId = await place(
    [
      ['Cola', 2, ANY, marked],
      ['Cola', 1, ANY, marked],
    ],
    receipt,
  );
  const dearer = (await adjust(orderId, 0, { quantity: 2, substitute_product_id: tokens.Juice })).body;
  assert.deepEqual([dearer.adjusted_amount, dearer.items[0].name, dearer.items[0].ordered_name], [0, 'Juice', 'Cola']);
  assert.deepEqual([dearer.items[0].product_id, dearer.items[0].substituted_for], [tokens.Juice, tokens.Cola]);
  const cheaper = (await adjust(orderId, 1, { quantity: 1, substitute_product_id: 'tea' })).body;
  // The subtotal drops from 3000 to 2800: the service fee from 300 to 280, and the tax from 8.875 % of 3300 to 8.875 %
  // of 3080; the markup of 300 stays.
  assert.deepEqual([cheaper.adjusted_amount, cheaper.items[1].name], [200 + 20 + (293 - 273), 'Tea']);
});

test('the customer gets no substitute that was not agreed to', async () => {
  const orderId = await place([
    ['Cola', 1],
    ['Cola', 1, { preference: 'specific', product_ids: [tokens.Tea] }],
    ['Cola', 1, ANY],
  ]);
  const substitute = (index: number, id: string | undefined) =>
    adjust(orderId, index, { quantity: 1, substitute_product_id: id });
  const refusal = [409, 'transition_not_allowed'];
  assert.deepEqual(statusAndCode(await substitute(0, 'tea')), refusal);
  assert.deepEqual(statusAndCode(await substitute(1, tokens.Taco)), refusal);
  assert.match((await substitute(1, tokens.Taco)).body.detail, /accepts only "Tea"/);
  assert.deepEqual(statusAndCode(await substitute(2, 'beer')), refusal, 'no alcohol where none was ordered');
  assert.equal((await substitute(1, 'tea')).status, 200);
  assert.deepEqual(statusAndCode(await substitute(2, 'off')), [422, 'product_unavailable']);
  assert.deepEqual(statusAndCode(await substitute(2, 'nothing')), [404, 'product_not_found']);
  assert.deepEqual(statusAndCode(await substitute(2, otherSoda)), [404, 'product_not_found']);
});

test('more units than were ordered, and an unknown item, are refused', async () => {
  const orderId = await place([['Cola', 2]]);
  assert.deepEqual(statusAndCode(await adjust(orderId, 0, { quantity: 3 })), [400, 'invalid_request']);
  assert.deepEqual(statusAndCode(await adjust(orderId, 1, { quantity: 0 })), [404, 'not_found']);
  assert.deepEqual(statusAndCode(await adjust(orderId, 0, { quantity: -1 })), [400, 'invalid_request']);
  assert.deepEqual(statusAndCode(await adjust(orderId, 0, {})), [400, 'invalid_request']);
  assert.deepEqual(await eventTypes(orderId), ['placed']);
});

test('a refund of missing units and an adjustment of their item total the same in either order', async () => {
  const refund = (orderId: string, quantity: number) =>
    shop.post('/order/refund', { order_id: orderId, items: [{ index: 0, quantity }], reason: 'missing' });
  const backOf = async (orderId: string) => {
    await shop.advance({ seconds: 5 });
    const [charge] = await shop.chargesOf(orderId);
    assert.equal((await shop.orderOf(orderId)).refunded_amount, charge.refunded_amount);
    return charge.refunded_amount;
  };
  const cases = [
    // Of 4 units: all that the account reports, more than the store lacks, and fewer.
    { adjusted: { quantity: 3 }, units: 1, later: 422 },
    { adjusted: { quantity: 3 }, units: 3, later: 200 },
    { adjusted: { quantity: 1 }, units: 1, later: 422 },
    { adjusted: { quantity: 0 }, units: 4, later: 422 },
    { adjusted: { quantity: 4, substitute_product_id: 'tea' }, units: 3, later: 200 },
    { adjusted: { quantity: 3, substitute_product_id: 'tea' }, units: 2, later: 200 },
  ];
  for (const { adjusted, units, later } of cases) {
    const place4 = async () => {
      const orderId = await place([
        ['Cola', 4, ANY],
        ['Juice', 1],
      ]);
      await shop.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' });
      return orderId;
    };
    const [refundedFirst, adjustedFirst, adjustedOnly] = [await place4(), await place4(), await place4()];
    assert.equal((await refund(refundedFirst, units)).status, 200);
    for (const orderId of [refundedFirst, adjustedFirst, adjustedOnly])
      assert.equal((await adjust(orderId, 0, adjusted)).status, 200);
    const again = await refund(adjustedFirst, units);
    assert.equal(again.status, later, again.text);
    if (later === 422) assert.match(again.body.detail, /reported these units as missing/);
    assert.equal(await backOf(refundedFirst), await backOf(adjustedFirst));
    if (later === 422) assert.equal(await backOf(refundedFirst), await backOf(adjustedOnly));
  }
});

test('an order without remaining items is canceled and fully refunded', async () => {
  const orderId = await place([
    ['Cola', 1],
    ['Tea', 2],
  ]);
  assert.equal((await adjust(orderId, 0, { quantity: 0 })).body.status, 'awaiting_confirmation');
  const { status, cancel_reason: reason } = (await adjust(orderId, 1, { quantity: 0 })).body;
  assert.deepEqual([status, reason], ['canceled', 'out_of_stock']);
  assert.equal((await adjust(orderId, 1, { quantity: 0 })).status, 200);
  await shop.advance({ seconds: 5 });
  const order = await shop.orderOf(orderId);
  assert.deepEqual([order.refunded_amount, order.adjusted_amount], [order.total_with_tip, order.total_with_tip]);
  assert.deepEqual((await eventTypes(orderId)).slice(0, 2), ['placed', 'item_changed']);
});

test('stock follows the handoff: substitutes are held, and missing units stay off sale', async () => {
  const orderId = await place([['Counted', 3, ANY]]);
  assert.equal(await readStock('Counted'), 2);
  await adjust(orderId, 0, { quantity: 2 });
  assert.equal(await readStock('Counted'), 2, 'the store lacks it: nobody else can have it');
  const tooMany = await adjust(orderId, 0, { quantity: 3, substitute_product_id: 'rare' });
  assert.deepEqual(statusAndCode(tooMany), [409, 'transition_not_allowed']);
  await adjust(orderId, 0, { quantity: 2, substitute_product_id: 'rare' });
  assert.deepEqual([await readStock('Counted'), await readStock('Rare')], [2, 0]);
  assert.equal((await adjust(orderId, 0, { quantity: 2, substitute_product_id: 'rare' })).status, 200);
  await adjust(orderId, 0, { quantity: 1, substitute_product_id: 'rare' });
  assert.equal(await readStock('Rare'), 1);
  const other = await place([['Cola', 2, ANY]]);
  const gone = await adjust(other, 0, { quantity: 2, substitute_product_id: 'rare' });
  assert.deepEqual(statusAndCode(gone), [422, 'product_unavailable']);
  assert.match(gone.body.detail, /"Rare" has only 1 left/);
  await adjust(orderId, 0, { quantity: 1, substitute_product_id: 'tea' });
  assert.equal(await readStock('Rare'), 2, 'a substitute that is not handed over is back on sale');
  await adjust(orderId, 0, { quantity: 0 });
  assert.deepEqual([await readStock('Counted'), await readStock('Rare')], [2, 2]);
});

test('of two orders that substitute the last unit at once, one gets it', async () => {
  const orders = await Promise.all([place([['Cola', 1, ANY]]), place([['Cola', 1, ANY]])]);
  const before = await readStock('Rare');
  assert.equal(before, 2);
  await (await givenStoreKey(shop, bodegaId)).patch('/store/products/rare', { qty_available: 1 });
  const taking = orders.map((orderId) => adjust(orderId, 0, { quantity: 1, substitute_product_id: 'rare' }));
  const statuses = (await Promise.all(taking)).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 422]);
  assert.equal(await readStock('Rare'), 0);
});

test('an adjustment racing a cancellation or pickup returns 200 or 409, and no cent is refunded twice', async () => {
  for (let round = 0; round < 6; round += 1) {
    const orderId = await place([['Cola', 3]]);
    for (const event of ['confirm', 'assign_driver']) await shop.step(orderId, event);
    const rival = round % 2 === 0 ? 'cancel' : 'pick_up';
    const replies = await Promise.all([
      adjust(orderId, 0, { quantity: 2 }),
      shop.step(orderId, rival),
      adjust(orderId, 0, { quantity: 2 }),
    ]);
    assert.equal(replies[1]?.status, 200);
    assert.ok(replies.every(({ status }) => status === 200 || status === 409));
    await shop.advance({ seconds: 5 });
    const { total_with_tip: total, refunded_amount: refunded, adjusted_amount: adjusted } = await shop.orderOf(orderId);
    assert.equal(refunded, rival === 'cancel' ? total : adjusted);
    assert.equal((await shop.chargesOf(orderId))[0].refunded_amount, refunded);
  }
});

test('the customer reads each change on the page, and in one email per change', async () => {
  const orderId = await place([
    ['Cola', 3],
    ['Tea', 2, ANY],
    ['Juice', 1],
  ]);
  await adjust(orderId, 0, { quantity: 1 });
  await adjust(orderId, 1, { quantity: 2, substitute_product_id: 'taco' });
  const { text } = await shop.get('/tracking', { tracking_id: orderId });
  for (const line of ['Only 1 of 3 available', 'Replaced with 2 × Taco']) assert.ok(text.includes(line), line);
  const { messages } = (await shop.get('/sandbox/messages', { order_id: orderId })).body;
  const mails = messages.filter(({ kind }: { kind: string }) => kind === 'order_item_changed');
  const [first, second] = mails.map((mail: { text: string }) => mail.text);
  assert.equal(mails.length, 2);
  assert.match(first, /Cola\n {2}Only 1 of 3 available/);
  assert.match(first, /We’re refunding \$23\.95 to your Visa ending in 4242\./);
  assert.ok(!first.includes('Taco') && second.includes('Replaced with 2 × Taco'));
});

test('a missing last item sends only the cancellation email', async () => {
  const orderId = await place([['Cola', 1]]);
  await adjust(orderId, 0, { quantity: 0 });
  const { messages } = (await shop.get('/sandbox/messages', { order_id: orderId })).body;
  const kinds = messages.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds, ['order_placed', 'order_confirmation', 'order_canceled']);
});

test('an order with options keeps them, and an adjustment of another item', async () => {
  const [orderId] = [(await shop.place('Soda', { items: [shop.bigPie(), shop.bigPie()] })).body.order_id];
  const own = await givenStoreKey(shop, shop.storeId, shop.accountId);
  const { items } = (await own.post(`/store/orders/${orderId}/items/1`, { quantity: 0 })).body;
  assert.deepEqual(
    items.map(({ fulfilled_quantity: fulfilled }: { fulfilled_quantity: number }) => fulfilled),
    [1, 0],
  );
  assert.deepEqual(items[0].selected_options, [
    option('l', { name: '18 inch', price: 600, customization_name: 'Size' }),
    option('olives', { quantity: 2, name: 'Olives', price: 250, customization_name: 'Toppings' }),
    option('sq', { name: 'Squares', price: 0, customization_name: 'Cut', parent_option_id: 'l' }),
  ]);
});

test('an order is shown from its element as ordered; events only say what changed', async () => {
  const orderId = await place([
    ['Cola', 3, ANY],
    ['Taco', 1, ANY, { selected_options: [option('mole')] }],
  ]);
  const change = (index: number, body: object) => key.post(`/store/orders/${orderId}/items/${index}`, body);
  await change(0, { quantity: 2 });
  await change(0, { quantity: 1, substitute_product_id: 'tea' });
  const refunded = { order_id: orderId, items: [{ index: 1, quantity: 1 }], reason: 'cold' };
  await shop.step(orderId, 'confirm');
  assert.equal((await shop.post('/order/refund', refunded)).status, 200);
  await shop.post('/order/cancel', { order_id: orderId, reason: 'late' });
  const [cola, taco] = (await shop.orderOf(orderId)).items;
  assert.deepEqual(
    [cola.name, cola.unit_price, cola.total_price, cola.product_id, cola.substituted_for, cola.substitute_name],
    ['Cola', 1000, 3000, tokens.Tea, tokens.Cola, 'Tea'],
  );
  assert.deepEqual([taco.name, taco.unit_price, 'substitute_name' in taco], ['Taco', 790, false]);
  assert.deepEqual(taco.selected_options, [
    { option_id: 'mole', quantity: 1, name: 'Mole', price: 90, customization_name: 'Sauce' },
  ]);
  const { events } = (await shop.get(`/account/orders/${orderId}/events`)).body;
  const said = events.map(({ data: { sequence: _, order: __, ...what } }: { data: Record<string, unknown> }) => what);
  const first = { product_id: tokens.Cola, from_quantity: 3, to_quantity: 2 };
  const second = { product_id: tokens.Cola, from_quantity: 2, to_quantity: 1 };
  const refunds = said.filter(hasItems).map(({ refund }: { refund: Said }) => refund);
  const unitsOf = (index: number, product_id: string | undefined, quantity: number, { amount }: Said) => [
    { index, product_id, quantity, amount },
  ];
  assert.deepEqual(
    said.filter((what: object) => 'change' in what),
    [{ change: first }, { change: { ...second, substitute: { product_id: tokens.Tea, name: 'Tea' } } }],
  );
  assert.deepEqual(
    refunds.map(({ reason, items }: Said) => [reason, items]),
    [
      ['missing', unitsOf(0, tokens.Cola, 1, refunds[0])],
      ['substituted', unitsOf(0, tokens.Cola, 2, refunds[1])],
      ['cold', unitsOf(1, tokens.Taco, 1, refunds[2])],
    ],
  );
  assert.ok(said.some((what: { reason?: string }) => what.reason === 'late'));
});

type Said = { reason: string; amount: number; items: unknown[] };
const hasItems = (what: { refund?: Said }) => (what.refund?.items.length ?? 0) > 0;
