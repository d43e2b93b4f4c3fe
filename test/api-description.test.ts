import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };
import { type ApiDocument, assertDescribed, operationsOf, routesOf } from './api-document.ts';
import { NEAR_DOOR, pizzeria } from './feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from './given/orders.ts';
import { givenStores } from './given/stores.ts';
import { type App, type Client, givenApp, type Reply } from './harness.ts';

const GROCERY = {
  external_id: 'grocer',
  name: 'Test Grocer',
  type: 'grocery',
  address: { street_addr: '1 Main St', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
  latitude: 40.739,
  longitude: -73.99,
  hours: { operational: 'Mo-Su 00:00-24:00' },
  online_ordering: true,
  delivery: { enabled: true },
  pickup: { enabled: false },
  categories: [
    {
      id: 'fresh',
      name: 'Fresh',
      categories: [{ id: 'fruit', name: 'Fruit', products: [{ id: 'apple', name: 'Apple', price: 99, unit_size: 1 }] }],
    },
  ],
};

let app: App;
let document: ApiDocument;
let storeId = '';
let grocerId = '';
let products: Record<string, string> = {};
let card = '';
before(async () => {
  app = await givenApp({ env: { BASE_URL: 'https://api.example.com/food' } });
  [storeId = '', grocerId = ''] = await givenStores(app, [pizzeria(), GROCERY]);
  products = await productTokens(app, storeId);
  card = await givenPaymentMethod(app);
  document = (await app.get('/openapi.json')).body;
});
after(() => app.close());

test('the description has the version of the package', () => {
  assert.equal(document.info.version, manifest.version);
});

test('every route is described', () => {
  const served = routesOf(app.service.http.printRoutes({ commonPrefix: false }));
  assert.deepEqual(
    operationsOf(document)
      .map(({ name }) => name)
      .sort(),
    served.sort(),
  );
});

test('the document is sound: references resolve, names are unique, everything is described', () => {
  assert.match(document.openapi, /^3\.1\./);
  assert.deepEqual(document.servers, [{ url: 'https://api.example.com/food' }]);
  const text = JSON.stringify(document);
  assert.doesNotMatch(text, /x-component|"\$id"|"nullable"/);
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)) {
    assert.ok(document.components.schemas[name], name);
  }
  const tags = document.tags.map(({ name }) => name);
  const calls = Object.values(document.webhooks).map(({ post }) => post);
  const ids = [...operationsOf(document).map(({ operation }) => operation), ...calls].map((one) => one.operationId);
  assert.deepEqual([...new Set(ids)], ids);
  for (const { name, path, operation } of operationsOf(document)) {
    assert.ok(operation.operationId && operation.summary, name);
    assert.ok(operation.tags?.length === 1 && tags.includes(operation.tags[0] ?? ''), name);
    const inPath = operation.parameters?.filter((parameter) => parameter.in === 'path').map((one) => one.name) ?? [];
    assert.deepEqual(
      inPath,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
      name,
    );
    for (const parameter of operation.parameters ?? []) assert.ok(parameter.description, `${name} ${parameter.name}`);
    for (const [status, answer] of Object.entries(operation.responses)) {
      assert.ok(answer.description && answer.description !== 'Default Response', `${name} ${status}`);
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) assert.ok(schema.description, name);
});

/** Refusals common to all endpoints of a kind, to those with a body, and to those that accept an Idempotency-Key. */
const REFUSES_OF = { public: [400, 500], account: [400, 401, 429, 500, 503], console: [400, 401, 403, 429, 500, 503] };
const BODY_REFUSES = [413, 415];
const KEY_REFUSES = [409, 422];

/** The audience of an endpoint: everyone, accounts with a key, or stores and operators. */
function kindOf({ security }: { security?: readonly object[] }): keyof typeof REFUSES_OF {
  if (security === undefined) return 'account';
  return security.length === 0 ? 'public' : 'console';
}

test('the head of the description says what any path answers: unknown paths, other methods, HEAD, unknown parameters', () => {
  const { description } = document.info;
  for (const said of [
    /A path that is not described here is 404 `route_not_found`, .* every path of an account's tracking host/,
    /a method that a path does not take is 405 `method_not_allowed`, and `Allow` lists/,
    /HEAD has the answer of GET without its body/,
    /named in the answer's `Doorstep-Warning` header, .*`Doorstep-Strict: true` they are refused/,
    /or as `Authorization: Bearer`; a request with both has the key of `Id-Token`/,
  ]) {
    assert.match(description, said);
  }
});

/** Endpoints without a key that refuse a code, a link, or what an issuer of OpenID Connect says. */
const SIGN_INS = ['POST /console/sign-in', 'POST /console/operator/link/{token}'].concat([
  'GET /console/operator/openid',
  'GET /console/operator/openid/callback',
]);

test('an endpoint says what it refuses, with a key or without; a POST takes an Idempotency-Key, all take Doorstep-Strict', () => {
  for (const { name, operation } of operationsOf(document)) {
    const { responses, parameters = [] } = operation;
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    // Refusals shown to people are pages; api-answers.test.ts lists them.
    for (const [status, { content = {} }] of refusals) {
      const documents = Object.keys(content).filter((type) => type !== 'text/html');
      const expected = name === 'POST /mcp' ? /^application\/(problem\+)?json$/ : /^application\/problem\+json$/;
      for (const type of documents) assert.match(type, expected, `${name} ${status}`);
    }
    const statuses = refusals.map(([status]) => Number(status));
    const headers = parameters.filter((parameter) => parameter.in === 'header').map((parameter) => parameter.name);
    const kind = kindOf(operation);
    const isPost = name.startsWith('POST');
    assert.equal(headers.includes('Idempotency-Key'), isPost && kind === 'account', name);
    assert.equal(headers.includes('Doorstep-Strict'), kind === 'account', name);
    const hasBody = !name.startsWith('GET');
    const needed = [
      ...REFUSES_OF[kind],
      ...(hasBody ? BODY_REFUSES : []),
      ...(isPost && kind === 'account' ? KEY_REFUSES : []),
    ];
    for (const status of needed) assert.ok(statuses.includes(status), `${name} ${status}`);
    const isSignIn = SIGN_INS.includes(name);
    if (kind === 'public') assert.equal(statuses.includes(401), isSignIn, name);
  }
});

test('stores, inventories and products are answered as they are described', async (t) => {
  const near = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
  const at = (store: string, more: object = {}) => ({ store_id: store, pickup: false, ...more });
  const quoted = { include_quote: true, ...NEAR_DOOR };
  const get = async (path: string, query: Parameters<Client['get']>[1]) =>
    assertDescribed(document, `GET ${path}`, await app.get(path, query)).body;

  await t.test('store search, by name, by item and projected', async () => {
    assert.equal((await get('/search/store/v3', near)).stores.length, 2);
    assert.equal((await get('/search/store/v3', { ...near, query: 'apple', search_focus: 'item' })).stores.length, 1);
    await get('/search/store/v3', { ...near, projections: 'miles' });
  });
  await t.test(
    'the inventory of a restaurant, with a quote for delivery, for pickup, and with a reason for none',
    async () => {
      assert.ok((await get('/details/inventory', at(storeId, quoted))).quote.time_estimate.scheduled.length > 0);
      await get('/details/inventory', at(storeId, { include_quote: true, pickup: true }));
      const far = { include_quote: true, user_latitude: 34, user_longitude: -118 };
      assert.ok((await get('/details/inventory', at(storeId, far))).quote.error);
    },
  );
  await t.test('the inventory of a grocery, level by level', async () => {
    const top = await get('/details/inventory', at(grocerId));
    const fresh = await get('/details/inventory', at(grocerId, { subcategory_id: top.categories[0].subcategory_id }));
    const leaf = await get('/details/inventory', at(grocerId, { subcategory_id: fresh.categories[0].subcategory_id }));
    assert.equal(leaf.categories[0].menu_item_list[0].name, 'Apple');
  });
  await t.test('a product with nested customizations, and with a quote', async () => {
    const product = await get('/details/product', { product_id: products.Margherita ?? '', ...quoted });
    assert.equal(product.customizations[0].options[1].customizations[0].name, 'Cut');
  });
});

test('payment methods and orders are answered as they are described, from creation to cancelation', async () => {
  const post = async (path: string, body: object, name = path) =>
    assertDescribed(document, `POST ${name}`, await app.post(path, body)).body;
  const step = (id: string, event: string) =>
    post(`/sandbox/orders/${id}/advance`, { event }, '/sandbox/orders/{order_id}/advance');
  const get = async (path: string, query: Record<string, string>) =>
    assertDescribed(document, `GET ${path}`, await app.get(path, query)).body;

  const user = { user_id: 'u2', user_email: 'u2@example.com' };
  const payment_method = { card_number: '4242424242424242', expiration_year: 2031, expiration_month: 1, cvc: '123' };
  const { payment_method_id } = await post('/payment/create', { ...user, payment_method });
  assert.equal((await get('/payment/list', { user_id: 'u2' })).payment_methods.length, 1);
  await post('/payment/delete', { user_id: 'u2', payment_method_id });

  const selected_options = [{ option_id: 'l' }, { option_id: 'sq' }, { option_id: 'olives', quantity: 2 }];
  const items = [{ product_id: products.Margherita, selected_options, product_marked_price: 1500, notes: 'hot' }];
  const email_receipt_specifications = {
    prices_marked: true,
    added_fee: { added_fee_flat: 10, added_fee_percent: 1.5, is_added_fee_taxable: true },
    misc_fees: [{ fee_name: 'Bag', fee_amount: 10 }],
  };
  const asked = { items, email_receipt_specifications, metadata: { table: 4 } };
  const placed = await post('/order/order/v2', orderBody(undefined, card, asked));
  assert.equal(placed.final_quote.items[0].customizations[0].selected_options[0].customizations[0].name, 'Cut');
  for (const event of ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete']) {
    await step(placed.order_id, event);
  }
  const charges = await get('/sandbox/charges', { order_id: placed.order_id });
  assert.equal(charges.charges.length, 1);

  const slots = await app.get('/details/inventory', { store_id: storeId, pickup: true, include_quote: true });
  const later = {
    place_order: false,
    pickup: true,
    autofill_selected_options: true,
    scheduled_id: slots.body.quote.time_estimate.scheduled[0].id,
  };
  const { order_id } = await post('/order/order/v2', orderBody(products.Margherita, card, later));
  await post('/order/finalize', { order_id });
  assert.equal((await step(order_id, 'cancel')).status, 'canceled');
  const { orders } = await get('/account/orders', { include_order_count: 'true' });
  const statuses = orders.map(({ status }: { status: string }) => status);
  assert.deepEqual(statuses.sort(), ['canceled', 'completed']);
});

test('refusals are answered as they are described', async () => {
  const codes: string[] = [];
  const refused = (name: string, reply: Reply) => codes.push(assertDescribed(document, name, reply).body.code);
  const order = (changes: object) =>
    app.post('/order/order/v2', orderBody(products.Margherita, card, { autofill_selected_options: true, ...changes }));
  const finalize = (body: object, headers = {}) => app.post('/order/finalize', body, headers);

  refused('GET /account/orders', await app.get('/account/orders', {}, { 'id-token': '' }));
  refused('GET /account/orders', await app.get('/account/orders', {}, { 'id-token': 'ds_test_unknown' }));
  refused('GET /account/orders', await app.get('/account/orders', { page: -1, status: 'lost' }));
  refused('GET /details/inventory', await app.get('/details/inventory', { store_id: 'none', pickup: true }));
  refused('GET /details/inventory', await app.get('/details/inventory', { store_id: grocerId, pickup: true }));
  refused('GET /details/product', await app.get('/details/product', { product_id: 'none' }));
  refused(
    'POST /order/order/v2',
    await order({ items: [{ product_id: products['Off Sale'] ?? products.Soda, quantity: 99 }], user_latitude: 0 }),
  );
  refused('POST /order/order/v2', await order({ items: [{ product_id: products['Few Left'], quantity: 4 }] }));
  refused('POST /order/order/v2', await order({ autofill_selected_options: false }));
  const declined = await givenPaymentMethod(app, '4000000000000002');
  refused('POST /order/order/v2', await order({ payment_method_id: declined }));
  refused('POST /order/finalize', await finalize({ order_id: 'none' }));
  await finalize({ order_id: 'none' }, { 'idempotency-key': 'k' });
  refused('POST /order/finalize', await finalize({ order_id: 'other' }, { 'idempotency-key': 'k' }));
  const live = await app.givenClient('live');
  refused('GET /sandbox/charges', await live.get('/sandbox/charges', { order_id: 'none' }));
  refused('POST /payment/create', await live.post('/payment/create', {}));

  assert.deepEqual(codes, [
    'missing_api_key',
    'invalid_api_key',
    'invalid_request',
    'store_not_found',
    'pickup_not_supported',
    'product_not_found',
    'quote_unavailable',
    'product_unavailable',
    'invalid_options',
    'payment_declined',
    'order_not_found',
    'idempotency_conflict',
    'sandbox_only',
    'payment_gateway_not_configured',
  ]);
});

type Described = {
  description?: string;
  properties?: Record<string, Described>;
  required?: string[];
  items?: Described;
};
const SAYS_WHEN = /absent|omitted|\bonly\b|where|while|\bonce\b|\bwith |comes|until|unless|empty for/i;

/** Members that may be absent, of which neither they nor their element say when. */
function silentMembers(schema: Described, at: string): string[] {
  const { properties = {}, required = [], description = '', items } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, member]) => {
      const says = SAYS_WHEN.test(member.description ?? '') || SAYS_WHEN.test(description);
      const own = required.includes(name) || says ? [] : [`${at}.${name}`];
      return [...own, ...silentMembers(member, `${at}.${name}`)];
    }),
    ...(items ? silentMembers(items, `${at}[]`) : []),
  ];
}

test('the description says of every member of an answer that may be absent when it is', async () => {
  const { components } = (await app.get('/openapi.json')).body;
  const schemas = Object.entries(components.schemas as Record<string, Described>);
  const silent = schemas.flatMap(([name, schema]) => silentMembers(schema, name));
  // What operators see is described by their pages.
  assert.deepEqual(
    silent.filter((at) => !/^(Operator|KeptImport)/.test(at)),
    [],
  );
});
