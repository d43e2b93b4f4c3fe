import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sealProduct } from '../../src/supply/catalog/catalog-tokens.ts';
import { unitPriceOf } from '../../src/surfaces/ucp/quantities.ts';
import { runs } from '../runs.ts';
import { assertShape, givenGroceries, givenShopApp, SHOPPING } from './given-shop.ts';

const option = (id: string, name: string, price = 0, more: object = {}) => ({ id, name, price, ...more });
const single = (id: string, name: string, options: object[]) => ({
  id,
  name,
  min_choice_options: 1,
  max_choice_options: 1,
  options,
});
const sizes = single('size', 'Size', [option('s', 'Small'), option('l', 'Large', 600)]);
const crusts = single('crust', 'Crust', [option('thin', 'Thin'), option('thick', 'Thick', 100)]);
const two = { id: 'two', name: 'Two sides', min_choice_options: 2, max_choice_options: 2 };

const CATEGORIES = [
  {
    id: 'dairy',
    name: 'Dairy',
    categories: [
      {
        id: 'butter',
        name: 'Butter',
        products: [
          {
            id: 'butter',
            name: 'Salted Butter',
            price: 449,
            unit_size: 16,
            unit_of_measurement: 'oz',
            upc_code: '036000291452',
          },
          { id: 'sale', name: 'Sweet Butter', price: 399, original_price: 499, food: { allergens: ['milk'] } },
        ],
      },
    ],
  },
  {
    id: 'shelf',
    name: 'Shelf',
    products: [
      { id: 'gone', name: 'Gone Beans', price: 200, qty_available: 0 },
      { id: 'beans', name: 'Black Beans', price: 100, pickup_price: 90 },
      { id: 'wine', name: 'Red Wine', price: 1500, is_alcoholic: true },
      { id: 'pizza', name: 'Pizza', price: 1000, customizations: [sizes, crusts] },
      {
        id: 'plate',
        name: 'Plate',
        price: 900,
        customizations: [{ ...two, options: [option('a', 'A'), option('b', 'B')] }],
      },
      {
        id: 'set',
        name: 'Set',
        price: 800,
        customizations: [
          { ...two, options: [option('c', 'C', 50, { default_qty: 1 }), option('d', 'D', 0, { default_qty: 1 })] },
        ],
      },
      ...Array.from({ length: 12 }, (_, nth) => ({ id: `soup-${nth}`, name: `Soup ${nth}`, price: 300 + nth })),
    ],
  },
];

const app = await givenShopApp(SHOPPING);
const [market = '', corner = '', foreign = ''] = await givenGroceries(app, [
  { external_id: 'market', name: 'Green Market', categories: CATEGORIES },
  {
    external_id: 'corner',
    name: 'Corner',
    categories: [{ id: 'x', name: 'X', products: [{ id: 'tea', name: 'Tea', price: 300 }] }],
  },
  {
    external_id: 'foreign',
    name: 'Foreign',
    categories: [{ id: 'x', name: 'X', products: [{ id: 'tea', name: 'Tea', price: 300 }] }],
  },
]);
await app.setShop({ mode: 'sandbox', storeIds: [market, corner], ucp: 'sandbox' });
after(() => app.close());

const SEARCHED = 'shopping/fulfillment.json#/$defs/fulfillment_search_response';
const LOOKED_UP = 'shopping/fulfillment.json#/$defs/fulfillment_lookup_response';
const READ = 'shopping/fulfillment.json#/$defs/fulfillment_get_product_response';

type Product = { id: string; title: string; variants: { id: string; price: { amount: number } }[] };
const search = async (body: object) => {
  const { status, body: answer } = await app.ask('/catalog/search', { context: { location: market }, ...body });
  assert.equal(status, 200, JSON.stringify(answer));
  assertShape(SEARCHED, answer);
  return answer;
};
const titles = (products: Product[]) => products.map(({ title }) => title);
const codes = ({ messages = [] }: { messages?: { code: string; path?: string }[] }) =>
  messages.map(({ code, path }) => [code, path]);
const find = async (query: string): Promise<Product> => (await search({ query })).products[0] ?? assert.fail(query);

test('search finds products of the store, with price, unit price, sale, code, page and methods', async () => {
  const butter = (await search({ query: 'salted butter' })).products[0];
  const [variant] = butter.variants;
  assert.equal(variant.id, butter.id, 'a plain product has one variant of the same ID');
  assert.deepEqual([butter.title, butter.categories[0].value], ['Salted Butter', 'Dairy > Butter']);
  assert.deepEqual(variant.price, { amount: 449, currency: 'USD' });
  assert.deepEqual(variant.barcodes, [{ type: 'UPC', value: '036000291452' }]);
  assert.deepEqual(
    [variant.unit_price.amount, variant.unit_price.measure.value, variant.unit_price.reference.unit],
    [28, 16, 'ONZ'],
  );
  assert.deepEqual(variant.options, []);
  assert.match(butter.url, new RegExp(`/s/store-${market}#item=`));
  assert.equal(butter.metadata.store_id, market);
  const methods = variant.fulfillment.methods.map(({ type, location, availability }: Record<string, object>) => [
    type,
    location,
    availability,
  ]);
  const open = { available: true, status: 'in_stock' };
  assert.deepEqual(
    methods,
    [
      ['shipping', undefined, open],
      ['pickup', market, open],
    ].filter(([type]) => methods.some(([one]: [string]) => one === type)),
  );
  const sale = (await search({ query: 'sweet butter' })).products[0].variants[0];
  assert.deepEqual([sale.price.amount, sale.list_price.amount], [399, 499]);
});

test('the words of a recipe that no product has are left out, and named', async () => {
  const found = await search({ query: '4 tbsp salted butter, softened' });
  assert.deepEqual(titles(found.products), ['Salted Butter']);
  const [relaxed] = found.messages.filter(({ code }: { code: string }) => code === 'query_relaxed');
  assert.deepEqual([relaxed.type, relaxed.path], ['info', '$.query']);
  assert.match(relaxed.content, /left out 4, tbsp,? and softened/);
  assert.deepEqual((await search({ query: 'coconut butter' })).products, []);
  const whole = await search({ query: 'salted butter' });
  assert.ok(!codes(whole).some(([code]) => code === 'query_relaxed'));
});

test('filters combine, browse without words, and an unknown filter changes nothing and is named', async () => {
  const all = await search({ filters: { categories: ['Dairy'] } });
  assert.deepEqual(titles(all.products), ['Salted Butter', 'Sweet Butter'], 'in the store’s own sequence');
  assert.deepEqual(
    titles((await search({ filters: { categories: ['dairy > butter'], price: { max: 400 } } })).products),
    ['Sweet Butter'],
  );
  assert.deepEqual((await search({ filters: { categories: ['None'] } })).products, []);
  assert.deepEqual((await search({ query: 'butter', filters: { methods: ['teleport'] } })).products, []);
  const odd = await search({ query: 'butter', filters: { color: 'red', 'com.vendor.x': 1 } });
  assert.equal(odd.products.length, 2);
  assert.deepEqual(
    codes(odd).filter(([code]) => code !== 'allergens'),
    [['filter_unsupported', '$.filters.color']],
  );
  const price = async (methods: string[]) =>
    (await search({ query: 'black beans', filters: { methods } })).products[0].variants[0].price.amount;
  assert.deepEqual([await price(['shipping']), await price(['pickup'])], [100, 90]);
});

test('a cursor is valid for an hour, only for its query and place', async () => {
  const { cursor } = (await search({ query: 'soup', pagination: { limit: 5 } })).pagination;
  const next = () => search({ query: 'soup', pagination: { limit: 5, cursor } });
  for (const other of [{ query: 'butter' }, { filters: { price: { min: 1 } } }, { context: {} }]) {
    const body = { query: 'soup', context: { location: market }, pagination: { cursor }, ...other };
    const answer = await app.ask('/catalog/search', body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(other));
  }
  await app.advance({ minutes: 59 });
  assert.equal((await next()).products.length, 5);
  await app.advance({ minutes: 2 });
  for (const bad of [cursor, 'WzEsMl0', 'x', '']) {
    const body = { query: 'soup', context: { location: market }, pagination: { cursor: bad } };
    const answer = await app.ask('/catalog/search', body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], bad);
  }
});

test('pages follow each other and show each product once; an empty result succeeds', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 10; page += 1) {
    const answer = await search({ query: 'soup', pagination: { limit: 5, ...(cursor ? { cursor } : {}) } });
    seen.push(...titles(answer.products));
    ({ cursor } = answer.pagination);
    assert.equal(answer.pagination.has_next_page, cursor !== undefined);
    if (!cursor) break;
  }
  assert.deepEqual([seen.length, new Set(seen).size], [12, 12]);
  const browsed = await search({ filters: { categories: ['Shelf'] }, pagination: { limit: 1000 } });
  assert.deepEqual(titles(browsed.products).slice(0, 2), ['Black Beans', 'Red Wine']);
  assert.equal(titles(browsed.products).at(-1), 'Gone Beans', 'what is sold out comes last');
  assert.equal(browsed.products.at(-1).variants[0].availability.available, false);
  assert.deepEqual((await search({ query: 'zzzzqqq' })).products, []);
});

test('without a place, or at an unknown or foreign store, there are no products, and a recoverable error says what to send', async () => {
  const codesOf = async (body: object) => {
    const { body: answer } = await app.ask('/catalog/search', { query: 'tea', ...body });
    assertShape(SEARCHED, answer);
    assert.deepEqual(answer.products, []);
    return codes(answer);
  };
  const required = [['location_required', '$.context.location']];
  assert.deepEqual(await codesOf({}), required);
  assert.deepEqual(await codesOf({ context: { address_region: 'NY', address_country: 'US' } }), required);
  assert.deepEqual(await codesOf({ context: { location: foreign } }), [['location_not_found', '$.context.location']]);
  assert.deepEqual(await codesOf({ context: { location: market }, filters: { fulfills_to: { location: 'x' } } }), [
    ['location_not_found', '$.filters.fulfills_to'],
  ]);
  const at = await app.ask('/catalog/search', {
    query: 'tea',
    context: { location: market },
    filters: { fulfills_to: { location: corner } },
  });
  assert.deepEqual(titles(at.body.products), ['Tea'], 'the filter counts before the context');
  const refused = await app.ask('/catalog/search', { context: { location: market } });
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
});

test('a postal code finds words at the stores that deliver there, and a warning says that it is coarse', async () => {
  const code = { postal_code: '10011', address_country: 'US' };
  const near = async (body: object) => {
    const { body: answer } = await app.ask('/catalog/search', { query: 'tea', ...body });
    assertShape(SEARCHED, answer);
    return answer;
  };
  const required = await near({ filters: { fulfills_to: code } });
  assert.deepEqual(
    required.products.map(({ metadata }: { metadata: { store_id: string } }) => metadata.store_id),
    [corner],
    'of the shop’s own stores',
  );
  assert.deepEqual(codes(required), [['fulfillment_approximate', '$.filters.fulfills_to']]);
  const hinted = await near({ context: code });
  assert.deepEqual([titles(hinted.products), codes(hinted)], [['Tea'], []]);
  assert.deepEqual(codes(await near({ filters: { fulfills_to: { postal_code: '99999', address_country: 'US' } } })), [
    ['location_required', '$.context.location'],
  ]);
  assert.deepEqual(codes(await near({ filters: { fulfills_to: { address_region: 'NY' } } })), [
    ['location_required', '$.context.location'],
  ]);
});

test('each combination of required single choices is a variant; others aren’t found, and have a page', async () => {
  const pizza = await find('pizza');
  const prices = pizza.variants.map(({ price }) => price.amount);
  assert.deepEqual(prices, [1000, 1100, 1600, 1700]);
  assert.equal(new Set(pizza.variants.map(({ id }) => id)).size, 4);
  const set = await find('set');
  assert.deepEqual([set.variants.length, set.variants[0]?.price.amount], [1, 850], 'with its defaults');
  assert.deepEqual((await search({ query: 'plate' })).products, []);
});

test('a lookup mixes products and variants, returns each once, and names the missing ones', async () => {
  const [butter, pizza] = [await find('salted butter'), await find('pizza')];
  const large = pizza.variants[2]?.id ?? '';
  const ids = [butter.id, pizza.id, large, butter.id, 'nothing', 'v1.nothing'];
  for (const answer of [
    (await app.ask('/catalog/lookup', { ids })).body,
    (await app.tool('lookup_catalog', { catalog: { ids } })).body,
  ]) {
    assertShape(LOOKED_UP, answer);
    assert.deepEqual(titles(answer.products), ['Salted Butter', 'Pizza']);
    const inputs = answer.products.map(({ variants }: { variants: { inputs: object[] }[] }) =>
      variants.map((one) => one.inputs),
    );
    assert.deepEqual(inputs, [
      [[{ id: butter.id, match: 'exact' }]],
      [[{ id: pizza.id, match: 'featured' }], [{ id: large, match: 'exact' }]],
    ]);
    const missing = answer.messages.filter(({ code }: { code: string }) => code === 'not_found');
    assert.deepEqual(
      missing.map(({ content }: { content: string }) => content),
      ['nothing', 'v1.nothing'],
    );
  }
  const many = await app.ask('/catalog/lookup', { ids: Array.from({ length: 51 }, (_, nth) => `id-${nth}`) });
  assert.deepEqual([many.status, many.body.code], [400, 'request_too_large']);
  for (const [path, status] of [
    ['/ucp/catalog/search', 405],
    ['/ucp/mcp', 405],
    ['/ucp/none', 404],
  ] as const)
    assert.equal((await app.open(path)).status, status, path);
});

test('one product is narrowed by its selection; impossible choices are dropped from the least preferred', async () => {
  const { id } = await find('pizza');
  const read = async (body: object) => {
    const { body: answer } = await app.ask('/catalog/product', { id, ...body });
    assertShape(READ, answer);
    return answer.product;
  };
  const all = await read({});
  assert.deepEqual(all.options[0], {
    name: 'Size',
    values: [
      { label: 'Small', exists: true, available: true },
      { label: 'Large', exists: true, available: true },
    ],
  });
  const large = { name: 'Size', label: 'Large' };
  const narrowed = await read({ selected: [large] });
  assert.deepEqual([narrowed.selected, narrowed.variants.length], [[large], 2]);
  const impossible = await read({
    selected: [{ name: 'Crust', label: 'Gold' }, large],
    preferences: ['Size', 'Crust'],
  });
  assert.deepEqual(impossible.selected, [large]);
  const { db, tokens } = app.service.deps;
  const plate = await db
    .selectFrom('products')
    .select('productNo')
    .where('name', '=', 'Plate')
    .executeTakeFirstOrThrow();
  const unsold = await read({ id: sealProduct(tokens, { storeId: market, productNo: plate.productNo }) });
  assert.deepEqual([unsold.title, unsold.variants[0].availability.available], ['Plate', false], 'it has its page');
  const { body: none } = await app.tool('get_product', { catalog: { id: 'none' } });
  assert.deepEqual(
    [none.ucp.status, none.messages[0].code, none.messages[0].severity],
    ['error', 'not_found', 'unrecoverable'],
  );
});

test('allergens are disclosed at their product, and the age that alcohol asks', async () => {
  const sweet = await search({ query: 'sweet butter' });
  assert.deepEqual(
    sweet.messages.map(({ code, path, presentation }: Record<string, string>) => [code, path, presentation]),
    [['allergens', '$.products[0]', 'disclosure']],
  );
  assert.deepEqual(codes(await search({ query: 'wine' })), [['age_verification_required', '$.products[0]']]);
});

test('a platform without fulfillment reads no methods; tools match the shop’s', async () => {
  const { profileOf } = await import('./platform.ts');
  const profile = app.platform.publish('/plain', profileOf([], SHOPPING.slice(0, 2)));
  const { body } = await app.ask('/catalog/search', { query: 'butter', context: { location: market } }, { profile });
  assert.equal(body.products[0].variants[0].fulfillment, undefined);
  assert.deepEqual(Object.keys(body.ucp.capabilities), ['dev.ucp.shopping.catalog.search']);
});

test('a unit price is the price of the reference, rounded once, and never less than a cent', () => {
  const size = fc.double({ min: 0.01, max: 5000, noNaN: true }).map((one) => Math.round(one * 100) / 100);
  fc.assert(
    fc.property(
      size,
      fc.integer({ min: 1, max: 100_000 }),
      fc.constantFrom('lb', 'g', 'fl oz', 'ct'),
      (unitSize, amount, unitOfMeasurement) => {
        const price = unitPriceOf({ unitSize, unitOfMeasurement }, { amount, currency: 'USD' });
        if (!price) return;
        const { measure, reference } = price;
        const exact = (amount * reference.value) / (measure.value / 10 ** measure.scale);
        assert.ok(Math.abs(price.amount - exact) <= 0.5 + 1e-6);
        assert.ok(price.amount >= 1 && Number.isInteger(measure.value) && measure.value >= 1);
        assert.equal(measure.unit, reference.unit);
      },
    ),
    { numRuns: runs(200) },
  );
  assert.equal(unitPriceOf({ unitSize: 2, unitOfMeasurement: 'bunch' }, { amount: 100, currency: 'USD' }), undefined);
});
