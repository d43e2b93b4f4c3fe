import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenAgent } from '../../../test/given/agent.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { inCash, productTokens } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { FIRST_PRINT } from '../../../test/given/ticket.ts';
import { type Client, givenApp } from '../../../test/harness.ts';
import { courierJobOf } from '../../fulfillment/deliveries/couriers/courier-job.ts';
import { kitchenTicket } from '../../fulfillment/tickets/ticket-documents.ts';
import { findAnyOrder } from '../order/orders.db.ts';

/** Every way where a line is alcohol, and ways where it is not. */
const product = (id: string, more: object = {}) => ({ id, name: id, price: 1200, ...more });
const withOption = (id: string, option: object) => {
  const customizations = [{ id: `${id}-with`, name: 'With', options: [{ id: `${id}-option`, name: 'O', ...option }] }];
  return product(id, { customizations });
};
const CATEGORIES = [
  {
    id: 'food',
    name: 'Food',
    products: [
      product('flag', { is_alcoholic: true }),
      product('flag-and-class', { is_alcoholic: true, tax_class: 'prepared_food' }),
      product('class', { tax_class: 'alcohol' }),
      withOption('option', { price: 800, tax_class: 'alcohol' }),
      withOption('free-option', { price: 0, tax_class: 'alcohol' }),
      withOption('unchosen', { price: 800, tax_class: 'alcohol' }),
      product('soda'),
    ],
  },
  {
    id: 'cellar',
    name: 'Cellar',
    tax_class: 'alcohol',
    categories: [
      { id: 'reds', name: 'Reds', products: [product('category'), product('cheese', { tax_class: 'grocery' })] },
    ],
  },
];
const SHOP = [{ id: 'all', name: 'All', products: [product('store'), product('glass', { tax_class: 'general' })] }];
const ALCOHOL = ['flag', 'flag-and-class', 'class', 'category', 'option', 'free-option', 'store'];
const NONE = ['unchosen', 'soda', 'cheese', 'glass'];

const kitchens: Record<string, Client> = {};
const tokens: Record<string, string> = {};
const shop = await givenPizzeria(givenApp);
const stores = [
  pizzeria({ external_id: 'mixed', name: 'Mixed', categories: CATEGORIES }),
  pizzeria({ external_id: 'liquor', name: 'Liquor', tax_class: 'alcohol', categories: SHOP }),
];
const [mixed = '', liquor = ''] = await givenStores(shop, stores);
Object.assign(tokens, await productTokens(shop, mixed));
Object.assign(tokens, await productTokens(shop, liquor));
for (const { subcategory_id } of (await shop.get('/details/inventory', { store_id: mixed, pickup: false })).body
  .categories) {
  const level = await shop.get('/details/inventory', { store_id: mixed, pickup: false, subcategory_id });
  for (const { menu_item_list: items } of level.body.categories)
    for (const { name, product_id } of items) tokens[name] = product_id;
}
kitchens.mixed = await givenStoreKey(shop, mixed, shop.accountId);
kitchens.liquor = await givenStoreKey(shop, liquor, shop.accountId);
const agent = await givenAgent(await shop.service.listen(), shop.key);
after(async () => {
  await agent.close();
  await shop.close();
});

const DOOR = { drop_off: { where: 'leave_at_door', utensils: false, code: false } };
const itemOf = (name: string) => ({
  product_id: tokens[name] ?? assert.fail(name),
  quantity: 1,
  ...(name.endsWith('option') ? { selected_options: [{ option_id: `${name}-option`, quantity: 1 }] } : {}),
});
const order = (name: string, changes: object = {}) => shop.place('', { items: [itemOf(name)], ...changes });
const readOrder = async (orderId: string) => (await findAnyOrder(shop.service.deps.db, orderId)) ?? assert.fail();

test('a line is alcohol by its product, its class, its category, its store or a chosen option', async () => {
  for (const name of [...ALCOHOL, ...NONE]) {
    const isAlcohol = ALCOHOL.includes(name);
    const placed = await order(name);
    assert.equal(placed.status, 200, placed.text);
    const { order_id: orderId } = placed.body;
    const facts = { key: 'k', readyAt: shop.now(), tipCents: null };
    const job = courierJobOf(await readOrder(orderId), facts, undefined);
    assert.equal(job.minAge, isAlcohol ? 21 : null, `courier, ${name}`);
    const ticket = JSON.stringify(kitchenTicket(await readOrder(orderId), FIRST_PRINT));
    assert.equal(ticket.includes('CHECK ID'), isAlcohol, `ticket, ${name}`);
    const kitchen = kitchens[SHOP[0]?.products.some(({ id }) => id === name) ? 'liquor' : 'mixed'] ?? assert.fail();
    const pickup = (await order(name, { pickup: true })).body.order_id;
    await kitchen.post(`/store/orders/${pickup}/confirm`, { preparation_minutes: 10 });
    const handedOver = await kitchen.post(`/store/orders/${pickup}/complete`, {});
    assert.equal(handedOver.status, isAlcohol ? 422 : 200, `${name} ${handedOver.text}`);
  }
});

test('alcohol is never left at the door: by the API, by agents, when finalized and when changed', async () => {
  for (const name of [...ALCOHOL, ...NONE]) {
    const isAlcohol = ALCOHOL.includes(name);
    const left = await order(name, { ...DOOR, place_order: false });
    const faults = (left.body.errors ?? []).map((fault: { name: string }) => fault.name);
    const expected = isAlcohol ? [400, 'invalid_request', ['drop_off.where']] : [200, undefined, []];
    assert.deepEqual([left.status, left.body.code, faults], expected, `${name} ${left.text}`);
    assert.equal((await order(name, { ...DOOR, pickup: true, place_order: false })).status, 200);
    if (isAlcohol) {
      const { items, ...rest } = shop.bodyOf('', { items: [itemOf(name)], ...DOOR }) as Record<string, unknown>;
      const { place_order: _, ...quoteRequest } = rest;
      assert.equal((await agent.refusal('quote_order', { ...quoteRequest, items })).code, 'invalid_request', name);
    }
    const { order_id: orderId } = (await order(name)).body;
    const changed = await shop.post('/order/update', { order_id: orderId, ...DOOR });
    assert.equal(changed.status, isAlcohol ? 400 : 200, changed.text);
  }
});

test('an order with cash to collect is never left at the door', async () => {
  const cash = await inCash(shop);
  const placed = await order('soda', { ...DOOR, ...cash });
  assert.deepEqual([placed.status, placed.body.errors?.[0]?.name], [400, 'drop_off.where'], placed.text);
  const { order_id: quoted } = (await order('soda', { ...DOOR, place_order: false, payment_method_id: undefined }))
    .body;
  const finalized = await shop.post('/order/finalize', { order_id: quoted, ...cash });
  assert.deepEqual([finalized.status, finalized.body.code], [400, 'invalid_request'], finalized.text);
  const { order_id: orderId } = (await order('soda', cash)).body;
  assert.equal((await shop.post('/order/update', { order_id: orderId, ...DOOR })).status, 400);
});

test('alcohol never replaces a non-alcoholic item, and product details name alcohol', async () => {
  for (const name of [...ALCOHOL, ...NONE].filter((one) => !['store', 'glass'].includes(one))) {
    const isOfProduct = ALCOHOL.includes(name) && !name.endsWith('option');
    const { body } = await shop.get('/details/product', { product_id: tokens[name] ?? '' });
    assert.equal(body.is_alcoholic, isOfProduct, name);
    const shown = await agent.ask('get_product', { product_id: tokens[name] });
    assert.equal(shown.is_alcoholic ?? false, isOfProduct, name);
    if (name === 'soda') continue;
    const items = [{ ...itemOf('soda'), substitution: { preference: 'store_choice' } }];
    const { order_id: orderId } = (await shop.place('', { items })).body;
    await shop.step(orderId, 'confirm');
    const change = { quantity: 1, substitute_product_id: name };
    const replaced = await kitchens.mixed?.post(`/store/orders/${orderId}/items/0`, change);
    assert.equal(replaced?.status, isOfProduct ? 409 : 200, `${name} ${replaced?.text}`);
  }
});
