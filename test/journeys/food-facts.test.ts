import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentStoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { kitchenTicket } from '../../src/fulfillment/tickets/ticket-documents.ts';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import { NEAR_DOOR, pizzeria } from '../feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStore } from '../given/stores.ts';
import { FIRST_PRINT } from '../given/ticket.ts';
import { givenOwnApp } from '../harness.ts';

const app = await givenOwnApp();

const NUTS = { allergens: ['tree_nuts'], may_contain: ['peanuts'] };
const VEGAN = { allergens: [], may_contain: [], diets: ['vegan', 'vegetarian', 'gluten_free'], source: 'the kitchen' };
const product = (name: string, food?: object, more: object = {}) => ({ id: name, name, price: 1000, food, ...more });
const toppings = {
  id: 'top',
  name: 'Toppings',
  options: [
    { id: 'pesto', name: 'Pesto', food: NUTS },
    { id: 'oil', name: 'Oil' },
  ],
};
const menu = (salad: object = VEGAN) => [
  {
    id: 'c',
    name: 'Bowls',
    products: [
      product('Green bowl', salad, { customizations: [toppings] }),
      product('Cheese bowl', { allergens: ['milk'], may_contain: [], diets: ['vegetarian'] }),
      product('Nut bowl', { allergens: [], may_contain: ['peanuts'] }),
      product('Half-known bowl', { allergens: [] }),
      product('Unknown bowl'),
    ],
  },
];
const importMenu = (salad?: object) =>
  givenStore(app.service.deps.db, pizzeria({ external_id: 'bowls', categories: menu(salad) }));

const storeId = await importMenu();
await app.catchUp();

const found = async (query: Record<string, string>): Promise<string[]> => {
  const reply = await app.get('/search/product/v4', { ...NEAR_DOOR, query: 'bowl', store_id: storeId, ...query });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.products.map(({ name }: { name: string }) => name).sort();
};
const inventory = async () => {
  const { body } = await app.get('/details/inventory', { store_id: storeId, pickup: true });
  return { menuId: body.menu_id, items: body.categories[0].menu_item_list };
};

test('diet and without keep the products that state it: unknown contents and unknown traces state nothing', async () => {
  assert.equal((await found({})).length, 5);
  assert.deepEqual(await found({ diet: 'vegetarian' }), ['Cheese bowl', 'Green bowl']);
  assert.deepEqual(await found({ diet: 'vegan,gluten_free' }), ['Green bowl']);
  assert.deepEqual(await found({ diet: 'halal' }), []);
  assert.deepEqual(await found({ query: '', diet: 'vegetarian' }), ['Cheese bowl', 'Green bowl'], 'without words');
  assert.deepEqual(await found({ without: 'peanuts' }), ['Cheese bowl', 'Green bowl']);
  assert.deepEqual(await found({ without: 'peanuts, milk,' }), ['Green bowl']);
  assert.deepEqual(await found({ diet: 'vegetarian', without: 'milk' }), ['Green bowl']);
  assert.equal((await found({ diet: '', without: '' })).length, 5);
});

test('another word is refused by the name of its parameter, in product search and in cart search', async () => {
  for (const [name, value] of [
    ['diet', 'vegan,keto'],
    ['diet', 'Vegan'],
    ['without', 'nuts'],
    ['without', 'constructor'],
  ] as const) {
    for (const [path, query] of [
      ['/search/product/v4', 'bowl'],
      ['/search/cart', '{"bowl":1}'],
    ] as const) {
      const { status, body } = await app.get(path, { ...NEAR_DOOR, query, [name]: value });
      assert.deepEqual([status, body.code, body.errors[0].name], [400, 'invalid_request', name]);
    }
  }
});

test('a cart contains only products that state the required facts', async () => {
  const cart = async (query: Record<string, string>) => {
    const { body } = await app.get('/search/cart', { ...NEAR_DOOR, query: '{"bowl":1}', store_id: storeId, ...query });
    return (body.carts[0]?.products.bowl ?? []).map(({ name }: { name: string }) => name).sort();
  };
  assert.deepEqual(await cart({ diet: 'vegetarian' }), ['Cheese bowl', 'Green bowl']);
  assert.deepEqual(await cart({ without: 'milk,tree_nuts,peanuts' }), ['Green bowl']);
  assert.deepEqual(await cart({ diet: 'kosher' }), []);
});

test('inventory, product details and product search show one shape', async () => {
  const unknown = { allergens: null, may_contain: null, diets: null, nutrition: null, source: null };
  const { items } = await inventory();
  const [green, , , half, nothing] = items;
  assert.deepEqual(green.food, { ...unknown, ...VEGAN });
  assert.deepEqual(half.food, { ...unknown, allergens: [] });
  assert.equal(nothing.food, null);
  const options = green.customizations[0].options.map(({ food }: { food: unknown }) => food);
  assert.deepEqual(options, [{ ...unknown, ...NUTS }, null]);
  const details = await app.get('/details/product', { product_id: green.product_id });
  assert.deepEqual(details.body.food, green.food);
  const reply = await app.get('/search/product/v4', { ...NEAR_DOOR, query: 'green bowl', store_id: storeId });
  assert.deepEqual(reply.body.products[0].food, green.food);
});

test('an order keeps the facts that held when it was quoted, for the kitchen', async () => {
  const tokens = await productTokens(app, storeId);
  const items = [{ product_id: tokens['Green bowl'], quantity: 1, selected_options: [{ option_id: 'pesto' }] }];
  const card = await givenPaymentMethod(app);
  const placed = await app.post('/order/order/v2', orderBody(tokens['Green bowl'], card, { items }));
  assert.equal(placed.status, 200, placed.text);
  await importMenu({ allergens: ['sesame'] });
  const order = await findAnyOrder(app.service.deps.db, placed.body.order_id);
  assert.ok(order);
  const [item] = presentStoreOrder(order, { refunds: [], siteUrl: 'https://track.example' }, order.createdAt).items;
  assert.deepEqual([item?.allergens, item?.may_contain], [['tree_nuts'], ['peanuts']]);
  const alerts = kitchenTicket(order, FIRST_PRINT).flatMap((line) =>
    line.kind === 'text' && line.style === 'alert' ? [line.text] : [],
  );
  assert.deepEqual(alerts.slice(-2), ['ALLERGENS: TREE NUTS', 'MAY CONTAIN: PEANUTS']);
});

test('changed facts change the menu_id and search results, and restored facts restore both', async () => {
  await importMenu();
  await app.catchUp();
  const start = await inventory();
  assert.deepEqual(await found({ diet: 'vegan' }), ['Green bowl']);
  await importMenu({ ...VEGAN, diets: ['vegetarian'] });
  assert.deepEqual(await found({ diet: 'vegan' }), [], 'what an index of before the change states is not believed');
  await app.catchUp();
  assert.deepEqual(await found({ diet: 'vegetarian' }), ['Cheese bowl', 'Green bowl']);
  assert.notEqual((await inventory()).menuId, start.menuId);
  await importMenu({ ...VEGAN, diets: VEGAN.diets.toReversed() });
  await app.catchUp();
  assert.equal((await inventory()).menuId, start.menuId, 'the sequence of words changes nothing');
  assert.deepEqual(await found({ diet: 'vegan' }), ['Green bowl']);
});
