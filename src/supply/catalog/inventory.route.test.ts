import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MENU } from '../../../test/given/menu.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';

const NEAR = { user_latitude: 40.74, user_longitude: -73.99 };

const app = await givenOwnApp();
const storeId = await givenStore(app.service.deps.db, { categories: MENU });

const inventory = (query: Record<string, string | number | boolean>, headers?: Record<string, string>) =>
  app.get('/details/inventory', { store_id: storeId, pickup: false, ...query }, headers);
type Category = { name: string; subcategory_id: string; menu_item_list: { name: string; product_id: string }[] };
const itemNames = (categories: Category[]) =>
  categories.map((category) => [category.name, category.menu_item_list.map((item) => item.name)]);

test('a restaurant lists its leaf categories in order, each with the products on sale in the mode', async () => {
  const reply = await inventory({});
  assert.equal(reply.status, 200);
  assert.deepEqual(Object.keys(reply.body), ['menu_id', 'categories']);
  assert.deepEqual(itemNames(reply.body.categories), [
    ['Classic', ['Margherita', 'On sale', 'None left', 'Breakfast pie']],
    ['White', ['Bianca']],
    ['Drinks', ['Cola']],
  ]);
  const pickup = await inventory({ pickup: true });
  assert.deepEqual(
    pickup.body.categories[0].menu_item_list.map((item: { name: string }) => item.name),
    ['Margherita', 'On sale', 'By the counter', 'None left', 'Breakfast pie'],
  );
});

test('a menu item has every field of the contract', async () => {
  const { body } = await inventory({});
  const item = body.categories[0].menu_item_list[0];
  assert.equal(typeof item.product_id, 'string');
  assert.deepEqual(item, {
    name: 'Margherita',
    price: 1400,
    min_price: 1500,
    original_price: 1400,
    formatted_price: '$14.00',
    qty_available: null,
    unit_size: null,
    unit_of_measurement: '',
    description: 'Tomato, basil',
    image: 'https://cdn.example/m.jpg',
    product_id: item.product_id,
    tax_class: 'prepared_food',
    customizations: [
      {
        name: 'Size',
        min_choice_options: 1,
        max_choice_options: 1,
        options: [
          {
            name: '12 inch',
            price: 100,
            formatted_price: '$1.00',
            customizations: [],
            default_qty: 1,
            min_qty: 0,
            max_qty: 1,
            conditional_price: {},
            option_id: 's',
            food: null,
          },
          {
            name: '18 inch',
            price: 600,
            formatted_price: '$6.00',
            customizations: [],
            default_qty: 0,
            min_qty: 0,
            max_qty: 1,
            conditional_price: { s: 50 },
            option_id: 'l',
            food: null,
          },
        ],
        customization_id: 'size',
      },
    ],
    should_fetch_customizations: false,
    food: null,
    supports_image_scaling: false,
    is_available: true,
  });
});

test('the original price is the price of the mode when not on sale, and never below it', async () => {
  const readPrices = (body: { categories: { menu_item_list: { price: number; original_price: number }[] }[] }) =>
    body.categories[0]?.menu_item_list.slice(0, 2).map((item) => [item.price, item.original_price]);
  assert.deepEqual(readPrices((await inventory({})).body), [
    [1400, 1400],
    [800, 1000],
  ]);
  assert.deepEqual(readPrices((await inventory({ pickup: true })).body), [
    [1300, 1300],
    [1100, 1100],
  ]);
});

test('up to 40 options, nested ones counted, are inlined; above that they must be fetched', async () => {
  const options = (count: number, nested: object[]) =>
    Array.from({ length: count }, (_, at) => ({
      id: `o${count}-${at}`,
      name: `Option ${at}`,
      ...(at === 0 ? { customizations: nested } : {}),
    }));
  const nested = [{ id: 'n', name: 'Nested', options: options(10, []) }];
  const product = (id: string, count: number) => ({
    id,
    name: id,
    price: 100,
    customizations: [{ id: 'c', name: 'Choices', options: options(count, nested) }],
  });
  const id = await givenStore(app.service.deps.db, {
    external_id: 'options',
    categories: [{ id: 'c', name: 'C', products: [product('forty', 30), product('more', 31)] }],
  });
  const { body } = await inventory({ store_id: id });
  const items = body.categories[0].menu_item_list;
  assert.deepEqual(
    items.map((item: { customizations: unknown[]; should_fetch_customizations: boolean }) => [
      item.customizations.length,
      item.should_fetch_customizations,
    ]),
    [
      [1, false],
      [0, true],
    ],
  );
  assert.equal(items[0].customizations[0].options[0].customizations[0].options.length, 10);
});

test("a restaurant's subcategory_id returns only that category", async () => {
  const { body } = await inventory({});
  const white = body.categories[1];
  const reply = await inventory({ subcategory_id: white.subcategory_id });
  assert.deepEqual(reply.body, { menu_id: body.menu_id, categories: [white] });
});

test('a store without a catalog returns an empty inventory and is not available', async () => {
  const id = await givenStore(app.service.deps.db, { external_id: 'added' });
  const { status, body } = await inventory({ store_id: id, include_quote: true, ...NEAR });
  assert.deepEqual([status, body.categories, body.quote], [200, [], { error: 'This store is not available.' }]);
});

test('400 names the coordinates that a delivery quote lacks', async () => {
  const refusedQuery = async (query: Record<string, string | number>) => {
    const { status, body } = await app.get('/details/inventory', query);
    return [status, body.code, (body.errors ?? []).map((fault: { name: string }) => fault.name).sort()];
  };
  const query = { store_id: storeId, pickup: 'false', include_quote: 'true' };
  assert.deepEqual(await refusedQuery(query), [400, 'invalid_request', ['user_latitude', 'user_longitude']]);
  assert.deepEqual(await refusedQuery({ ...query, user_latitude: 40 }), [400, 'invalid_request', ['user_longitude']]);
});

test('404 for a store that does not exist, whatever its id looks like', async () => {
  for (const id of ['f'.repeat(24), 'nope', "'; drop table stores"]) {
    const reply = await inventory({ store_id: id });
    assert.deepEqual([reply.status, reply.body.code], [404, 'store_not_found']);
  }
});

test('404 for a subcategory_id that is tampered with, foreign, or of another sort', async () => {
  const other = await givenStore(app.service.deps.db, { external_id: 'other', categories: MENU });
  const { body } = await inventory({});
  const token: string = body.categories[1].subcategory_id;
  const foreign = (await inventory({ store_id: other })).body.categories[0].subcategory_id;
  const tampered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  const wrong = [tampered, token.slice(0, -1), `${token}A`, foreign, body.menu_id, 'x', '💥', 'A'.repeat(300)];
  for (const subcategoryId of [...wrong, body.categories[0].menu_item_list[0].product_id]) {
    const reply = await inventory({ subcategory_id: subcategoryId });
    assert.deepEqual([reply.status, reply.body.code], [404, 'subcategory_not_found'], subcategoryId);
  }
});

test('422 for pickup at a store that does not offer it, and no fault while it only does not accept', async () => {
  const id = await givenStore(app.service.deps.db, {
    external_id: 'no-pickup',
    pickup: { enabled: false },
    categories: MENU,
  });
  const reply = await inventory({ store_id: id, pickup: true });
  assert.deepEqual([reply.status, reply.body.code], [422, 'pickup_not_supported']);
  const paused = await givenStore(app.service.deps.db, {
    external_id: 'paused',
    pickup: { enabled: true, accepting: false },
    categories: MENU,
  });
  const { status, body } = await inventory({ store_id: paused, pickup: true, include_quote: true });
  assert.deepEqual([status, body.quote], [200, { error: 'Pickup is currently unavailable for this store.' }]);
});

test('a quote with only an error has its type, and when the mode can be ordered next', async () => {
  const { db } = app.service.deps;
  const quoteFailure = async (changes: object, query: Record<string, number> = NEAR) => {
    const id = await givenStore(db, { external_id: 'closed', categories: MENU, ...changes });
    const { body } = await inventory({ store_id: id, include_quote: true, ...query });
    const { product_id: productId } = body.categories[0].menu_item_list[0];
    const product = await app.get('/details/product', {
      product_id: productId,
      pickup: false,
      include_quote: true,
      ...query,
    });
    assert.deepEqual(product.body.quote_error, body.quote_error);
    assert.deepEqual(Object.keys(body.quote), ['error']);
    return [body.quote_error.code, body.quote_error.available_at];
  };
  const local = app.now().toZonedDateTimeISO('America/New_York');
  const opens = local.add({ hours: 2 }).round({ smallestUnit: 'hour', roundingMode: 'ceil' });
  const clock = (at: Temporal.ZonedDateTime) => `${String(at.hour).padStart(2, '0')}:00`;
  const hours = { operational: `Mo-Su ${clock(opens)}-${clock(opens.add({ hours: 1 }))}` };
  const opensAt = opens.epochMilliseconds / 1000;
  assert.deepEqual(await quoteFailure({ hours }), ['STORE_CLOSED', opensAt]);
  const always = { operational: 'Mo-Su 00:00-24:00', delivery: hours.operational };
  assert.deepEqual(await quoteFailure({ hours: always }), ['DELIVERY_NOT_AVAILABLE', opensAt]);
  assert.deepEqual(await quoteFailure({}, { user_latitude: 41, user_longitude: -74 }), ['OUT_OF_RANGE', null]);
  assert.deepEqual(await quoteFailure({ delivery: { accepting: false } }), ['DELIVERY_NOT_AVAILABLE', null]);
  assert.deepEqual(await quoteFailure({ online_ordering: false }), ['STORE_NOT_AVAILABLE', null]);
  const { body } = await inventory({ include_quote: true, ...NEAR });
  assert.equal('quote_error' in body, false);
});

test('packages have the unit price of their country', async () => {
  const product = {
    id: 'beans',
    name: 'Beans',
    price: 823,
    pickup_price: 800,
    unit_size: 500,
    unit_of_measurement: 'g',
  };
  const plain = { id: 'soap', name: 'Soap', price: 300, unit_size: 2, unit_of_measurement: 'bars' };
  const categories = [{ id: 'c', name: 'C', products: [product, plain] }];
  const address = { street_addr: '1 Main St', city: 'Toronto', state: 'ON', zipcode: 'M5V 2T6', country: 'CA' };
  const canadian = { address, latitude: 43.6426, longitude: -79.3871, time_zone: 'America/Toronto' };
  const { db } = app.service.deps;
  const american = await givenStore(db, { external_id: 'american', categories });
  const unitPrices = async (id: string, pickup: boolean) => {
    const { body } = await inventory({ store_id: id, pickup });
    const items: { unit_price?: object; product_id: string }[] = body.categories[0].menu_item_list;
    const details = await Promise.all(
      items.map(({ product_id }) => app.get('/details/product', { product_id, pickup })),
    );
    assert.deepEqual(
      items.map((item) => item.unit_price),
      details.map((reply) => reply.body.unit_price),
    );
    return items.map((item) => item.unit_price);
  };
  assert.deepEqual(await unitPrices(american, false), [{ cents: 47, per: 1, unit: 'oz' }, undefined]);
  assert.deepEqual(await unitPrices(american, true), [{ cents: 45, per: 1, unit: 'oz' }, undefined]);
  const other = await givenStore(db, { external_id: 'canadian', categories, ...canadian });
  assert.deepEqual(await unitPrices(other, false), [{ cents: 165, per: 100, unit: 'g' }, undefined]);
});
