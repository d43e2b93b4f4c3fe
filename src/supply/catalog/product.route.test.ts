import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { NUTRIENTS } from './food.ts';
import { setProduct } from './set-product.flow.ts';

const NEAR = { user_latitude: 40.7383, user_longitude: -73.9927 };

// Wednesday, 1 p.m. in New York.
const PRODUCTS = [
  {
    id: 'full',
    name: 'Full',
    description: 'All of it',
    price: 1400,
    pickup_price: 1300,
    original_price: 1600,
    image: 'https://cdn.example/m.jpg',
    thumbnail_image: 'https://cdn.example/m-s.jpg',
    qty_available: 7,
    unit_size: 12.5,
    unit_of_measurement: 'oz',
    upc_code: '012345678905',
    is_alcoholic: true,
    food: { allergens: ['wheat', 'milk'], diets: [], nutrition: { calories: 270, sodium: 0.6 }, source: 'the label' },
    customizations: [
      {
        id: 'size',
        name: 'Size',
        min_choice_options: 1,
        max_choice_options: 1,
        options: [
          {
            id: 's',
            name: 'Small',
            price: 150,
            food: { may_contain: [] },
            customizations: [
              { id: 'cut', name: 'Cut', max_choice_options: 1, options: [{ id: 'sq', name: 'Squares' }] },
            ],
          },
        ],
      },
    ],
  },
  { id: 'bare', name: 'Bare', price: 100 },
  { id: 'counter', name: 'Counter', price: 100, pickup_price: 90, modes: ['pickup'] },
  { id: 'sold-out', name: 'Sold out', price: 100, qty_available: 0 },
  { id: 'last', name: 'Last', price: 100, qty_available: 0 },
  { id: 'off', name: 'Off', price: 100 },
  { id: 'dinner', name: 'Dinner', price: 100, hours: 'Mo-Su 18:00-22:00' },
];
const CATEGORIES = [
  {
    id: 'lunch',
    name: 'Lunch',
    hours: 'Mo-Su 11:00-13:03',
    categories: [{ id: 'c', name: 'C', hours: 'Mo-Su 00:00-23:00', products: PRODUCTS }],
  },
];

const ids = new Map<string, string>();
const app = await givenOwnApp();
const storeId = await givenStore(app.service.deps.db, { categories: CATEGORIES });
for (const pickup of [false, true]) {
  const { body } = await app.get('/details/inventory', { store_id: storeId, pickup });
  for (const item of body.categories[0].menu_item_list) ids.set(item.name, item.product_id);
}
after(() => app.close());

const productId = (name: string) => ids.get(name) ?? assert.fail(`No product ${name}`);
const details = (
  name: string,
  query: Record<string, string | number | boolean> = {},
  headers?: Record<string, string>,
) => app.get('/details/product', { product_id: productId(name), ...query }, headers);
const isAvailable = async (name: string, query = {}) => (await details(name, query)).body.is_available;

const NOTHING_MEASURED = Object.fromEntries(['calories', ...NUTRIENTS].map((name) => [name, null]));

test('product details return every field of the contract, with all customizations', async () => {
  const { status, body } = await details('Full', { pickup: true });
  assert.equal(status, 200);
  const unknown = { allergens: null, may_contain: null, diets: null, nutrition: null, source: null };
  const option = { default_qty: 0, min_qty: 0, max_qty: 1, conditional_price: {} };
  assert.deepEqual(body, {
    name: 'Full',
    description: 'All of it',
    price: 1300,
    min_price: 1450,
    original_price: 1600,
    formatted_price: '$13.00',
    image: 'https://cdn.example/m.jpg',
    thumbnail_image: 'https://cdn.example/m-s.jpg',
    product_id: productId('Full'),
    store_id: storeId,
    qty_available: 7,
    unit_size: 12.5,
    unit_of_measurement: 'oz',
    unit_price: { cents: 104, per: 1, unit: 'oz' },
    food: {
      ...unknown,
      allergens: ['milk', 'wheat'],
      diets: [],
      nutrition: { ...NOTHING_MEASURED, calories: 270, sodium: 0.6 },
      source: 'the label',
    },
    tax_class: 'alcohol',
    is_alcoholic: true,
    upc_code: '012345678905',
    supports_image_scaling: false,
    is_available: true,
    customizations: [
      {
        name: 'Size',
        min_choice_options: 1,
        max_choice_options: 1,
        options: [
          {
            name: 'Small',
            price: 150,
            formatted_price: '$1.50',
            customizations: [
              {
                name: 'Cut',
                min_choice_options: 0,
                max_choice_options: 1,
                options: [
                  {
                    name: 'Squares',
                    price: 0,
                    formatted_price: '$0.00',
                    customizations: [],
                    ...option,
                    option_id: 'sq',
                    food: null,
                  },
                ],
                customization_id: 'cut',
              },
            ],
            ...option,
            option_id: 's',
            food: { ...unknown, may_contain: [] },
          },
        ],
        customization_id: 'size',
      },
    ],
  });
});

test('unknown fields of a product are null', async () => {
  const { body } = await details('Bare');
  const { description, image, thumbnail_image, qty_available, unit_size, upc_code, food } = body;
  assert.deepEqual([image, thumbnail_image, qty_available, unit_size, upc_code, food], Array(6).fill(null));
  assert.equal(description ?? null, null);
  assert.deepEqual([body.unit_of_measurement, body.customizations, body.is_alcoholic], ['', [], false]);
});

test('without pickup the mode is delivery, or pickup where the product has no other', async () => {
  assert.equal((await details('Full')).body.price, 1400);
  const { price, is_available } = (await details('Counter')).body;
  assert.deepEqual([price, is_available], [90, true]);
});

test('a product that has left the inventory still answers, as not available', async () => {
  const gone = {
    external_id: 'gone',
    categories: [{ id: 'c', name: 'C', products: [{ id: 'p', name: 'Gone', price: 5 }] }],
  };
  const id = await givenStore(app.service.deps.db, gone);
  const { body } = await app.get('/details/inventory', { store_id: id, pickup: false });
  const query = { product_id: body.categories[0].menu_item_list[0].product_id };
  await givenStore(app.service.deps.db, { ...gone, categories: [] });
  const reply = await app.get('/details/product', query);
  assert.deepEqual([reply.status, reply.body.name, reply.body.is_available], [200, 'Gone', false]);
});

test('include_quote adds the quote of the mode', async () => {
  const { body } = await details('Bare', { pickup: false, include_quote: true, ...NEAR });
  assert.deepEqual([body.quote.asap_available, body.quote.first_party_quote], [true, true]);
  const inventory = await app.get('/details/inventory', {
    store_id: storeId,
    pickup: false,
    include_quote: true,
    ...NEAR,
  });
  assert.deepEqual(body.quote, inventory.body.quote);
  const pickup = await details('Bare', { pickup: true, include_quote: true });
  assert.equal(pickup.body.quote.delivery_fee.delivery_fee_flat, 0);
});

test('400 for a delivery quote without coordinates', async () => {
  const { status, body } = await app.get('/details/product', { product_id: productId('Bare'), include_quote: true });
  const names = body.errors.map((fault: { name: string }) => fault.name);
  assert.deepEqual([status, names], [400, ['user_latitude', 'user_longitude']]);
});

test('404 for a product_id that never named a product', async () => {
  const token = productId('Bare');
  const { body } = await app.get('/details/inventory', { store_id: storeId, pickup: false });
  const category = body.categories[0].subcategory_id;
  for (const id of [
    `${token}A`,
    token.slice(1),
    `B${token.slice(1)}`,
    category,
    'x',
    '../etc',
    '💥',
    'A'.repeat(300),
  ]) {
    const reply = await app.get('/details/product', { product_id: id });
    assert.deepEqual([reply.status, reply.body.code], [404, 'product_not_found'], id);
  }
});

test('304 for the ETag of a client, until the answer changes', async () => {
  const etag = String((await details('Last')).headers.etag);
  const again = await details('Last', {}, { 'if-none-match': etag });
  assert.deepEqual([again.status, again.text], [304, '']);
  await setProduct(app.service.deps.db, { storeId, externalId: 'last' }, { qtyAvailable: 1 }, app.now());
  const changed = await details('Last', {}, { 'if-none-match': etag });
  assert.deepEqual([changed.status, changed.body.qty_available, changed.body.is_available], [200, 1, true]);
});

test('is_available is false when sold out, off sale, in the other mode, or outside menu hours', async (t) => {
  const { db } = app.service.deps;
  await t.test('sold out', async () => assert.equal(await isAvailable('Sold out'), false));
  await t.test('off sale, and on again', async () => {
    await setProduct(db, { storeId, externalId: 'off' }, { available: false }, app.now());
    assert.equal(await isAvailable('Off'), false);
    await setProduct(db, { storeId, externalId: 'off' }, { available: true }, app.now());
    assert.equal(await isAvailable('Off'), true);
  });
  await t.test('in the other mode', async () => {
    assert.equal(await isAvailable('Counter', { pickup: false }), false);
  });
  await t.test('outside its own hours, or the hours of a category two levels up', async () => {
    assert.equal(await isAvailable('Dinner'), false);
    assert.equal(await isAvailable('Bare'), true);
    await app.advance({ minutes: 3 });
    assert.equal(await isAvailable('Bare'), false, 'lunch ends at 1:03 p.m.');
  });
});
