import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FeedLine } from '../../../test/feed-lines.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenOwnApp } from '../../../test/harness.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';

const PLACE = { latitude: 40.7383, longitude: -73.9927 };
const NEAR = { user_latitude: PLACE.latitude, user_longitude: PLACE.longitude };
/** Degrees of latitude per mile. */
const MILE = 0.014473;

type Found = {
  store_id: string;
  store: { name: string; miles: number };
  name: string;
  price: number;
  product_id: string;
};

let app: App;
before(async () => {
  app = await givenOwnApp({ start: '2026-06-10T17:00:00Z' });
  for (const store of STORES) await givenStore(app.service.deps.db, store);
  await app.catchUp();
});
after(() => app.close());

const selling = (products: readonly FeedLine[], category = 'Things'): FeedLine => ({
  categories: [
    { id: 'c', name: category, products: products.map((one, at) => ({ id: `p${at}`, price: 500, ...one })) },
  ],
});

const STORES: FeedLine[] = [
  {
    external_id: 'dairy',
    name: 'Dairy Queen of 5th',
    type: 'grocery',
    rating: { value: 3.5 },
    pickup: { enabled: true, prep_minutes: [5, 10] },
    ...selling(
      [
        {
          name: 'Whole Milk',
          price: 450,
          pickup_price: 400,
          original_price: 500,
          image: 'https://cdn.example/milk.jpg',
          unit_size: 1,
          unit_of_measurement: 'gal',
          upc_code: '0036000291452',
        },
        { name: 'Milk sold out', qty_available: 0 },
        { name: 'Milk off sale', available: false },
        { name: 'Oat Milk', price: 600, modes: ['pickup'] },
      ],
      'Milk',
    ),
  },
  {
    external_id: 'sweets',
    name: 'Sweets',
    latitude: PLACE.latitude + MILE,
    rating: { value: 4.9 },
    hours: { operational: 'Mo-Su 18:00-20:00' },
    pickup: { enabled: false },
    delivery: { enabled: true, party: 'first', radius_miles: 3, prep_minutes: [30, 40] },
    ...selling([
      { name: 'Milk Chocolate Bar', price: 200 },
      { name: 'Crème brûlée' },
      { name: 'Soda', upc_code: '04252614' },
    ]),
  },
  {
    external_id: 'far',
    name: 'Far Market',
    type: 'grocery',
    latitude: PLACE.latitude + 10 * MILE,
    delivery: { enabled: false },
    pickup: { enabled: true, prep_minutes: [60, 90] },
    ...selling([
      { name: 'Milk', price: 300 },
      { name: 'Tomatoes', upc_code: '10036000291459' },
    ]),
  },
  {
    external_id: 'trattoria',
    name: 'Da Enzo',
    latitude: PLACE.latitude + 2 * MILE,
    cuisines: ['Pizza', 'Italian'],
    ...selling([{ name: 'Margherita' }, { name: 'Diavola', available: false }]),
  },
  {
    external_id: 'counter',
    name: 'Counter',
    latitude: PLACE.latitude + 3 * MILE,
    ...selling([{ name: 'Quattro Formaggi' }], 'Pizza'),
  },
  {
    external_id: 'market',
    name: 'Market',
    type: 'grocery',
    cuisines: ['Pizza'],
    latitude: PLACE.latitude + 3 * MILE,
    ...selling([{ name: 'Detergent' }]),
  },
  { external_id: 'bare', name: 'Milk Bar without a menu' },
];
const testStoreId = (externalId: string) => storeIdOf('test', externalId);

const search = async (query: Record<string, string | number | boolean>): Promise<Found[]> => {
  const reply = await app.get('/search/product/v4', { ...NEAR, ...query });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.products;
};
const names = async (query: Record<string, string | number | boolean>) => (await search(query)).map(({ name }) => name);
const refused = async (query: Record<string, string | number | boolean>) => {
  const reply = await app.get('/search/product/v4', { ...NEAR, ...query });
  return [reply.status, reply.body.code, ...(reply.body.errors ?? []).map(({ name }: { name: string }) => name)];
};

test('a product has exactly the fields of the API description, priced for delivery where it is delivered', async () => {
  const [milk] = await search({ query: 'whole milk' });
  const { product_id, ...rest } = milk as Found;
  assert.deepEqual(rest, {
    store_id: testStoreId('dairy'),
    store: {
      name: 'Dairy Queen of 5th',
      address: {
        street_addr: '120 5th Ave',
        city: 'New York',
        state: 'NY',
        zipcode: '10011',
        country: 'US',
        street_addr_2: '',
        ...PLACE,
      },
      miles: 0,
      is_open: true,
    },
    name: 'Whole Milk',
    price: 450,
    original_price: 500,
    formatted_price: '$4.50',
    image: 'https://cdn.example/milk.jpg',
    unit_size: 1,
    unit_of_measurement: 'gal',
    unit_price: { cents: 450, per: 1, unit: 'gal' },
    upc_code: '0036000291452',
    food: null,
    category: 'Milk',
  });
  const details = await app.get('/details/product', { product_id });
  assert.deepEqual([details.status, details.body.name], [200, 'Whole Milk']);
});

test('a product outranks nearer ones made of it; sold-out or off-sale products, and stores without a menu, are omitted', async () => {
  assert.deepEqual(await names({ query: 'milk' }), ['Whole Milk', 'Milk', 'Oat Milk', 'Milk Chocolate Bar']);
});

test('words that no product has all of are left out and named; a word of a food never is', async () => {
  const relaxed = async (query: string) => {
    const { body } = await app.get('/search/product/v4', { ...NEAR, query });
    return [body.products[0]?.name ?? null, body.relaxed];
  };
  assert.deepEqual(await relaxed('whole milk'), ['Whole Milk', []]);
  assert.deepEqual(await relaxed('2 cups whole milk, warmed'), ['Whole Milk', ['2', 'cups', 'warmed']]);
  assert.deepEqual(await relaxed('juice of 2 whole milks'), ['Whole Milk', ['juice', '2']]);
  for (const query of ['coconut milk', 'oat juice']) assert.deepEqual(await relaxed(query), [null, []]);
});

test('pickup asks for stores and products of one mode, and names its price', async () => {
  const picked = await search({ query: 'milk', pickup: true });
  assert.deepEqual(
    picked.map(({ name, price }) => [name, price]),
    [
      ['Whole Milk', 400],
      ['Milk', 300],
      ['Oat Milk', 600],
    ],
  );
  assert.deepEqual(await names({ query: 'milk', pickup: false }), ['Whole Milk', 'Milk Chocolate Bar']);
  assert.deepEqual(await names({ query: 'milk', pickup: false, delivers_here: true }), [
    'Whole Milk',
    'Milk Chocolate Bar',
  ]);
  const twoMilesSouth = { user_latitude: PLACE.latitude - 2.5 * MILE };
  assert.deepEqual(await names({ query: 'milk', pickup: false, delivers_here: true, ...twoMilesSouth }), [
    'Whole Milk',
  ]);
});

test('store_type, open and maximum_miles narrow the stores', async () => {
  assert.deepEqual(await names({ query: 'milk', store_type: 'restaurant' }), ['Milk Chocolate Bar']);
  assert.deepEqual(await names({ query: 'milk', open: true }), ['Whole Milk', 'Milk', 'Oat Milk']);
  assert.deepEqual(await names({ query: 'milk', maximum_miles: 2 }), ['Whole Milk', 'Oat Milk', 'Milk Chocolate Bar']);
});

test('store_id asks for one store however far it is, under the other filters', async () => {
  assert.deepEqual(await names({ query: 'milk', store_id: testStoreId('far'), maximum_miles: 1 }), ['Milk']);
  assert.deepEqual(await names({ query: 'milk', store_id: testStoreId('far'), store_type: 'restaurant' }), []);
  assert.deepEqual(await names({ query: 'milk', store_id: testStoreId('bare') }), []);
  assert.deepEqual(await refused({ query: 'milk', store_id: 'f'.repeat(24) }), [404, 'store_not_found']);
  assert.deepEqual(await refused({ query: 'milk', store_id: 'no store' }), [404, 'store_not_found']);
});

test('every sort orders by its own key, then by relevance', async () => {
  const sorted = (sort: string) => names({ query: 'milk', sort });
  assert.deepEqual(await sorted('relevance'), ['Whole Milk', 'Milk', 'Oat Milk', 'Milk Chocolate Bar']);
  assert.deepEqual(await sorted('distance'), ['Whole Milk', 'Oat Milk', 'Milk Chocolate Bar', 'Milk']);
  assert.deepEqual(await sorted('cheapest'), ['Milk Chocolate Bar', 'Milk', 'Whole Milk', 'Oat Milk']);
  assert.deepEqual(await sorted('rating'), ['Milk Chocolate Bar', 'Whole Milk', 'Oat Milk', 'Milk']);
  assert.deepEqual(await sorted('fastest'), ['Whole Milk', 'Oat Milk', 'Milk Chocolate Bar', 'Milk']);
});

test('sort=unit_price goes by the price of a gram or a milliliter, of packages and of goods by weight', async () => {
  const by = (price: number, unit: string, unit_size: number | null = 1) => ({
    price,
    unit_size,
    unit_of_measurement: unit,
  });
  const weighed = (price: number, weight: object) => ({ price, sold_by: 'weight', weight });
  const storeId = await givenStore(app.service.deps.db, {
    external_id: 'quinces',
    type: 'grocery',
    ...selling([
      { name: 'Quince none', ...by(1, '') },
      { name: 'Quince bunch', ...by(1, 'bunch') },
      { name: 'Quince amount in the unit', ...by(1, '12 oz', null) },
      { name: 'Quince 0.0198 a gram', ...weighed(899, { unit: 'lb' }) },
      { name: 'Quince 0.01 a gram', ...by(500, ' G ', 500) },
      { name: 'Quince 0.02 a gram', ...weighed(200, { unit: 'g', price_per: 100 }) },
      { name: 'Quince 0.0199 a milliliter', ...by(1990, 'l') },
      { name: 'Quince 0.0201 a gram', ...by(57, 'oz') },
    ]),
  });
  await app.catchUp();
  const { body } = await app.get('/search/product/v4', {
    ...NEAR,
    query: 'quince',
    sort: 'unit_price',
    store_id: storeId,
  });
  const names = body.products.map(({ name }: Found) => name.replace('Quince ', ''));
  const sized = ['0.01 a gram', '0.0198 a gram', '0.0199 a milliliter', '0.02 a gram', '0.0201 a gram'];
  assert.deepEqual(names.slice(0, sized.length), sized);
  assert.deepEqual(new Set(names.slice(sized.length)), new Set(['none', 'bunch', 'amount in the unit']));
  for (const query of ['quince 1 lb', 'quince 500 g', 'quince 12 oz'])
    assert.match(
      (await app.get('/search/product/v4', { ...NEAR, query, store_id: storeId })).text,
      /0.0198|0.01 a|in the unit/,
    );
});

test('a query without words or codes, and a wrong code, are refused by name', async () => {
  assert.deepEqual(await refused({}), [400, 'invalid_request', 'query']);
  assert.deepEqual(await refused({ query: '' }), [400, 'invalid_request', 'query']);
  assert.deepEqual(await refused({ query: '!?' }), [400, 'invalid_request', 'query']);
  assert.deepEqual(await refused({ upc_codes: '036000291453' }), [400, 'invalid_request', 'upc_codes']);
  assert.deepEqual(await refused({ query: 'milk', upc_codes: 'milk' }), [400, 'invalid_request', 'upc_codes']);
  const many = Array.from({ length: 51 }, () => '036000291452').join(',');
  assert.deepEqual(await refused({ upc_codes: many }), [400, 'invalid_request', 'upc_codes']);
  const wrong = await app.get('/search/product/v4', { ...NEAR, upc_codes: '036000291452,036000291453' });
  assert.match(wrong.body.detail, /these are not: 036000291453\.$/);
  const placeless = await app.get('/search/product/v4', { query: 'milk' });
  assert.deepEqual(
    placeless.body.errors.map(({ name }: { name: string }) => name),
    ['user_latitude', 'user_longitude'],
  );
});

test('past the end a page is empty, and next_page is a number all the same', async () => {
  for (const page of [0, 1, 40_000, 99_999, 1_000_000_000_000]) {
    const { status, body } = await app.get('/search/product/v4', { ...NEAR, query: 'tomatoes', page });
    assert.deepEqual([status, body.products.length, body.next_page], [200, page === 0 ? 1 : 0, page + 1]);
  }
});

test('503 not_ready until all stores are loaded', async () => {
  const fresh = await app.givenNode('worker');
  const reply = await fresh.http.inject({
    url: `/search/product/v4?query=milk&user_latitude=40&user_longitude=-73`,
    headers: { 'id-token': app.key },
  });
  assert.deepEqual([reply.statusCode, reply.json().code, reply.headers['retry-after']], [503, 'not_ready', '1']);
});

test("a restaurant is found by its menu's category, then by its cuisine, and no cart buys by them", async () => {
  assert.deepEqual(await names({ query: 'pizza' }), ['Quattro Formaggi', 'Margherita']);
  assert.deepEqual(await names({ query: 'Pizzas', store_type: 'restaurant' }), ['Quattro Formaggi', 'Margherita']);
  assert.deepEqual(await names({ query: 'italian' }), ['Margherita']);
  assert.deepEqual(await names({ query: 'italian', store_id: testStoreId('trattoria') }), ['Margherita']);
  assert.deepEqual(await names({ query: 'pizza', store_type: 'grocery' }), []);
  const carts = await app.get('/search/cart', { ...NEAR, query: JSON.stringify({ pizza: 1 }), full_carts_only: true });
  assert.deepEqual([carts.status, carts.body.carts], [200, []]);
});
