import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { findOrder } from '../../src/ordering/order/orders.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import { runs } from '../runs.ts';
import {
  assertShape,
  BUYER,
  type Call,
  callsBy,
  type Got,
  givenShopApp,
  HOME,
  HOST,
  openShop,
  SHOPPING,
  TRANSPORTS,
} from './given-shop.ts';
import { profileOf } from './platform.ts';

/* What the protocol asks of every business, by either transport: versions, keys, ends, carts, sums and places. */

const VERSION = '2026-08-25';

const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
const products = [
  { id: 'pie', name: 'Pie', price: 933 },
  { id: 'tea', name: 'Tea', price: 377, pickup_price: 351 },
  { id: 'wine', name: 'Wine', price: 2000, is_alcoholic: true },
  { id: 'none', name: 'None Left', price: 900, qty_available: 0 },
  { id: 'cake', name: 'Cake', price: 1000 },
];
const address = { street_addr: '100 Queen St W', city: 'Toronto', state: 'ON', zipcode: 'M5H 2N2', country: 'CA' };
const there = { address, latitude: 43.6532, longitude: -79.3832, time_zone: 'America/Toronto' };
const pies = [{ id: 'all', name: 'Tout', products: [{ id: 'tarte', name: 'Tarte', price: 400 }] }];
const ids = await givenStores(app, [
  pizzeria({ categories: [{ id: 'all', name: 'All', products }] }),
  pizzeria({ ...there, external_id: 'toronto', name: 'Toronto', categories: pies, fees: { order_minimum: 1500 } }),
]);
const [storeId = ''] = ids;
const items = await openShop(app, ids, true);
after(() => app.close());

const PICKUP = { fulfillment: { methods: [{ type: 'pickup' }] } };
const DELIVERY = { fulfillment: { methods: [{ type: 'shipping', destinations: [HOME] }] } };
const CARD = {
  payment: {
    instruments: [{ id: 'card', handler_id: 'card_token', credential: { type: 'token', token: 'tok_visa' } }],
  },
};
const line = (name: string, quantity = 1) => ({ item: { id: items[name] }, quantity });
const lines = (...names: string[]) => ({ line_items: names.map((name) => line(name)) });
const whole = () => ({ ...lines('Pie'), buyer: BUYER, ...PICKUP });

const SHAPES = { cart: 'shopping/cart.json', checkout: 'shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout' };
let keys = 0;
const newKey = () => `protocol-${++keys}`;
/** Calls as the bound platform does. */
const bound = (transport: string): Call => callsBy(app, transport, { 'x-api-key': app.key });
const codes = ({ body }: Got) => (body.messages ?? []).map(({ code }: { code: string }) => code);
const refusal = ({ status, body, rpcCode }: Got) => [status, body.code, rpcCode];
const rpc = (transport: string, code: number) => (transport === 'mcp' ? code : undefined);

type Amounts = { type: string; amount: number }[];
const amountOf = (totals: Amounts, wanted: string) =>
  totals.reduce((sum, { type, amount }) => sum + (type === wanted ? amount : 0), 0);

/** One subtotal, one total; the rest adds up to it, and the lines to the subtotal. */
function addsUp({ totals, line_items }: { totals: Amounts; line_items: { totals: Amounts }[] }): void {
  for (const once of ['subtotal', 'total']) assert.equal(totals.filter(({ type }) => type === once).length, 1, once);
  const others = totals.filter(({ type }) => type !== 'total');
  assert.equal(
    others.reduce((sum, { amount }) => sum + amount, 0),
    amountOf(totals, 'total'),
  );
  const ofLines = line_items.reduce((sum, one) => sum + amountOf(one.totals, 'subtotal'), 0);
  assert.equal(ofLines, amountOf(totals, 'subtotal'));
  for (const { type, amount } of totals) assert.ok(amount >= 0 || /discount$/.test(type), type);
}

test('the profile is found without a redirect, may be cached, and names each capability once, with its parents', async () => {
  const { status, headers, body } = await app.open('/.well-known/ucp');
  assertShape('profile.json#/$defs/business_schema', body);
  assert.equal(status, 200);
  assert.ok(Number(/^public, max-age=(\d+)$/.exec(String(headers['cache-control']))?.[1]) >= 60);
  const known = await app.ask(
    '/../.well-known/ucp',
    {},
    { method: 'GET', headers: { 'if-none-match': `${headers.etag}` } },
  );
  assert.equal(known.status, 304);
  const { version, capabilities, services } = body.ucp;
  assert.equal(version, VERSION);
  type Declared = { version: string; spec: string; schema: string; extends?: string | string[] };
  for (const [name, declared] of Object.entries<Declared[]>(capabilities)) {
    assert.deepEqual(
      declared.map((one) => one.version),
      [VERSION],
      name,
    );
    for (const { spec, schema, extends: parents = [] } of declared) {
      assert.match(spec, new RegExp(`^https://ucp.dev/${VERSION}/specification/[a-z/-]+$`));
      assert.match(schema, new RegExp(`^https://ucp.dev/${VERSION}/schemas/[a-z/_]+\\.json$`));
      for (const parent of [parents].flat()) assert.ok(parent in capabilities, parent);
    }
  }
  for (const one of Object.values<{ endpoint: string; transport: string }[]>(services)) {
    assert.deepEqual(
      one.map(({ transport, endpoint }) => [transport, new URL(endpoint).hostname, new URL(endpoint).pathname]),
      [
        ['rest', HOST, '/ucp'],
        ['mcp', HOST, '/ucp/mcp'],
      ],
    );
  }
});

test('faults of transport have their status', async () => {
  const at = (path: string, method: 'GET' | 'POST' | 'PUT', headers = {}, body: object = {}) =>
    app.ask(path, body, { method, headers });
  for (const [path, method, allow] of [
    ['/mcp', 'GET', 'POST'],
    ['/carts', 'PUT', 'POST'],
    ['/catalog/search', 'GET', 'POST'],
    ['/orders/x', 'POST', 'GET'],
  ] as const) {
    const { status, headers } = await at(path, method);
    assert.equal(status, 405, path);
    assert.match(String(headers.allow), new RegExp(allow));
  }
  assert.equal((await at('/nothing', 'GET')).status, 404);
  assert.equal((await at('/carts', 'POST', { 'content-type': 'text/plain' })).status, 415);
  for (const path of ['', '/', '/%zz', '/carts/%E0%A4%A', `/carts/${'%'.repeat(15_000)}`, '/mcp/%ff']) {
    const { status, body, headers } = await at(path, 'GET');
    const expected = path.includes('%') ? [400, 'invalid_request'] : [404, 'route_not_found'];
    assert.deepEqual([status, body.code, Object.keys(body)], [...expected, ['code', 'content']], path);
    assert.ok(headers['x-content-type-options'], 'as every answer');
  }
  const padded = (kib: number) => ({ ...lines('Pie'), odd: 'x'.repeat(kib * 1024) });
  for (const transport of TRANSPORTS) {
    assert.equal((await callsBy(app, transport)('create_cart', padded(240))).body.line_items?.length, 1, transport);
    // The first is refused before all of it was sent.
    for (const kib of [1000, 257]) {
      const { status, body, headers } = await callsBy(app, transport)('create_cart', padded(kib));
      assert.deepEqual([status, body.code, typeof body.content], [413, 'body_too_large', 'string'], transport);
      assert.match(String(headers['content-type']), /^application\/json/);
    }
  }
});

test('a malformed ID isn’t found, and a key that isn’t text is rejected', async () => {
  for (const transport of TRANSPORTS) {
    const call = bound(transport);
    for (const operation of ['get_cart', 'update_cart', 'get_checkout', 'cancel_checkout', 'get_order']) {
      for (const id of ['\u0000', '%', 'x'.repeat(2000)]) {
        const sent = transport === 'rest' ? encodeURIComponent(id) : id;
        const got = await call(operation, lines('Pie'), { id: sent, key: newKey() });
        assert.deepEqual([got.status, codes(got)], [200, ['not_found']], `${transport} ${operation}`);
      }
    }
  }
  const got = await app.tool('create_cart', { cart: lines('Pie') }, { 'idempotency-key': 5 });
  assert.deepEqual(refusal(got), [400, 'invalid_request', -32602]);
});

test('cart and checkout responses are signed, catalog responses aren’t', async () => {
  for (const transport of TRANSPORTS) {
    const call = callsBy(app, transport);
    const cart = await call('create_cart', lines('Pie'));
    const { id } = cart.body;
    for (const got of [cart, await call('get_cart', {}, { id }), await call('create_checkout', { cart_id: id })])
      assert.match(String(got.headers.signature), /^sig1=:/, transport);
    const found = await call('search_catalog', { query: 'pie', context: { location: storeId } });
    assert.deepEqual([found.body.products.length, found.headers.signature], [1, undefined], transport);
  }
});

for (const transport of TRANSPORTS) {
  test(`another version is refused, and so is a platform that names no profile: ${transport}`, async () => {
    const call = callsBy(app, transport);
    for (const version of ['2026-01-23', '2026-04-08']) {
      // biome-ignore lint/suspicious/noExplicitAny: a profile is changed in place
      const old = profileOf([], SHOPPING) as any;
      old.ucp.version = version;
      const got = await call('create_cart', lines('Pie'), { profile: app.platform.publish(`/${version}`, old) });
      assert.deepEqual(refusal(got), [422, 'version_unsupported', rpc(transport, -32001)]);
      assert.ok(got.body.content.includes(VERSION));
    }
    const foreign = app.platform.publish('/foreign', profileOf([], ['dev.ucp.common.location.search']));
    const lacking = await call('create_cart', lines('Pie'), { profile: foreign });
    assert.deepEqual([lacking.status, lacking.body.ucp.status], [200, 'error']);
    assert.deepEqual(codes(lacking), ['capabilities_incompatible']);
    assertShape('common/types/error_response.json', lacking.body);
  });

  test(`a key that comes again has its answer, with another body it is a conflict, and twins are one: ${transport}`, async () => {
    const call = bound(transport);
    for (const [operation, body, other] of [
      ['create_cart', lines('Pie'), lines('Tea')],
      ['create_checkout', whole(), { ...whole(), ...DELIVERY }],
    ] as const) {
      const key = newKey();
      const [first, twin] = await Promise.all([call(operation, body, { key }), call(operation, body, { key })]);
      const again = await call(operation, body, { key });
      assert.deepEqual([twin.status, again.status], [first.status, first.status]);
      assert.deepEqual([twin.body, again.body], [first.body, first.body]);
      assert.deepEqual(refusal(await call(operation, other, { key })).slice(0, 2), [409, 'idempotency_conflict']);
      const fresh = await call(operation, body, { key: newKey() });
      assert.notEqual(fresh.body.id, first.body.id);
    }
    const { id } = (await call('create_checkout', whole())).body;
    for (const operation of ['complete_checkout', 'cancel_checkout'])
      assert.deepEqual(refusal(await call(operation, CARD, { id })).slice(0, 2), [400, 'idempotency_key_required']);
    const key = newKey();
    const done = await Promise.all([
      call('complete_checkout', CARD, { id, key }),
      call('complete_checkout', CARD, { id, key }),
    ]);
    for (const one of done) assert.equal(one.body.status, 'completed', JSON.stringify(one.body));
    assert.deepEqual(done[1]?.body, done[0]?.body);
    const { body } = await app.get('/sandbox/charges', { order_id: done[0]?.body.order.id });
    assert.equal(body.charges.length, 1);
  });

  test(`ended objects read as they ended and never change: ${transport}`, async () => {
    const call = bound(transport);
    const ends = {
      completed: (id: string) => call('complete_checkout', CARD, { id, key: newKey() }),
      canceled: (id: string) => call('cancel_checkout', {}, { id, key: newKey() }),
      expired: async (id: string) => {
        await app.advance({ hours: 6, seconds: 1 });
        return call('get_checkout', {}, { id });
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      const { id } = (await call('create_checkout', whole())).body;
      const { body } = await end(id);
      assert.equal(body.status, name === 'expired' ? 'canceled' : name);
      assertShape(SHAPES.checkout, body);
      assert.equal(body.continue_url, undefined);
      for (const operation of ['update_checkout', 'complete_checkout', 'cancel_checkout']) {
        const got = await call(operation, operation === 'complete_checkout' ? CARD : whole(), { id, key: newKey() });
        assert.deepEqual(refusal(got), [409, 'session_ended', rpc(transport, -32602)], operation);
      }
      const { ucp: _, ...read } = (await call('get_checkout', {}, { id })).body;
      const { ucp: __, ...ended } = body;
      assert.deepEqual(read, ended, name);
    }
  });

  test(`a cart's contents win, it becomes one checkout, and a canceled cart is gone: ${transport}`, async () => {
    const call = bound(transport);
    const cart = (await call('create_cart', { line_items: [line('Pie', 2)], context: { language: 'fr' } })).body;
    const sent = { cart_id: cart.id, line_items: [line('Tea', 5)], buyer: BUYER, ...PICKUP };
    const first = await call('create_checkout', sent);
    assert.deepEqual(
      first.body.line_items.map(({ item, quantity }: { item: { id: string }; quantity: number }) => [
        item.id,
        quantity,
      ]),
      [[items.Pie, 2]],
    );
    assert.match(first.body.totals.at(-1).display_text, /^Total$/);
    assert.match(first.body.totals[0].display_text, /^Sous-total/, 'in the language of the cart');
    const again = await call('create_checkout', { cart_id: cart.id });
    assert.deepEqual([again.status, again.body.id], [200, first.body.id]);
    assert.deepEqual((await call('get_cart', {}, { id: cart.id })).body.line_items, cart.line_items);
    await call('cancel_checkout', {}, { id: first.body.id, key: newKey() });
    const convert = () => call('create_checkout', { cart_id: cart.id, ...PICKUP });
    const converted = [...(await Promise.all([convert(), convert(), convert()])), await convert()];
    const ids = new Set(converted.map(({ body }) => body.id));
    assert.deepEqual([ids.size, ids.has(first.body.id)], [1, false], 'one that was canceled is not continued');
    const canceled = await call('cancel_cart', {}, { id: cart.id, key: newKey() });
    assert.deepEqual(canceled.body.line_items, cart.line_items);
    for (const [operation, body] of [
      ['get_cart', {}],
      ['update_cart', lines('Pie')],
      ['cancel_cart', {}],
      ['create_checkout', { cart_id: cart.id }],
    ] as const) {
      const gone = await call(operation, body, { id: operation === 'create_checkout' ? '' : cart.id, key: newKey() });
      assert.deepEqual([gone.status, codes(gone)], [200, ['not_found']], operation);
    }
  });

  test(`cart to order, all sums agree for any items and destination: ${transport}`, async () => {
    const call = bound(transport);
    const wanted = fc.record({
      bought: fc.array(fc.tuple(fc.constantFrom('Pie', 'Tea', 'None Left'), fc.integer({ min: 1, max: 9 })), {
        minLength: 1,
        maxLength: 4,
      }),
      where: fc.constantFrom(PICKUP, DELIVERY, {}),
    });
    await fc.assert(
      fc.asyncProperty(wanted, async ({ bought, where }) => {
        const line_items = bought.map(([name, quantity]) => line(name, quantity));
        const cart = (await call('create_cart', { line_items })).body;
        const { body } = await call('create_checkout', { line_items, buyer: BUYER, ...where });
        assert.equal(cart.id === undefined, body.id === undefined);
        if (!body.id) return;
        for (const [shape, shown] of [
          [SHAPES.cart, cart],
          [SHAPES.checkout, body],
        ]) {
          assertShape(shape, shown);
          addsUp(shown);
          for (const { path = '$' } of shown.messages ?? []) assert.ok(isThere(shown, path), path);
        }
        if (body.status !== 'ready_for_complete') return;
        const done = (await call('complete_checkout', CARD, { id: body.id, key: newKey() })).body;
        const order = (await call('get_order', {}, { id: done.order.id })).body;
        addsUp(order);
        assert.deepEqual([done.totals, order.totals], [body.totals, body.totals]);
      }),
      { numRuns: runs(8) },
    );
  });

  test(`of several destinations the chosen one is gone to, and lines have IDs of their own: ${transport}`, async () => {
    const call = callsBy(app, transport);
    const [home, work] = [
      { ...HOME, id: 'home' },
      { ...HOME, street_address: '150 5th Ave', id: 'work' },
    ];
    const to = async (chosen?: string) => {
      const methods = [{ type: 'shipping', destinations: [home, work], selected_destination_id: chosen }];
      const got = await call('create_checkout', { ...lines('Pie', 'Tea'), buyer: BUYER, fulfillment: { methods } });
      return got.body;
    };
    const streetOf = ({ fulfillment }: Got['body']) => fulfillment.methods[0].destinations?.[0].street_address;
    assert.deepEqual([streetOf(await to()), streetOf(await to('work'))], [home.street_address, work.street_address]);
    const nowhere = await to('elsewhere');
    assert.deepEqual([nowhere.status, streetOf(nowhere)], ['incomplete', undefined]);
    assert.ok(nowhere.messages.some(({ path }: { path?: string }) => path === '$.fulfillment.methods[0].destinations'));
    const cart = (await call('create_cart', lines('Pie'))).body;
    const twice = ['Pie', 'Tea'].map((name) => ({ id: 'li_1', ...line(name) }));
    const { body } = await call('update_cart', { line_items: twice }, { id: cart.id });
    assert.deepEqual(
      body.line_items.map(({ id }: { id: string }) => id),
      ['li_1', 'li_2'],
    );
  });

  test(`a delivery has the address, a pickup the store, each with one group of all lines: ${transport}`, async () => {
    const call = callsBy(app, transport);
    for (const [given, type, destination] of [
      [DELIVERY, 'shipping', { ...HOME, id: 'dest_1', type: 'shipping_address' }],
      [PICKUP, 'pickup', { id: storeId, type: 'business_location' }],
    ] as const) {
      const { body } = await call('create_checkout', { ...lines('Pie', 'Tea'), buyer: BUYER, ...given });
      const ids = body.line_items.map(({ id }: { id: string }) => id);
      const [method, ...others] = body.fulfillment.methods;
      assert.deepEqual([method.type, method.line_item_ids, others], [type, ids, []]);
      assert.deepEqual({ ...method.destinations[0], ...destination }, method.destinations[0]);
      assert.deepEqual([method.destinations.length, method.selected_destination_id], [1, destination.id]);
      const [{ options, selected_option_id: selected, line_item_ids }, ...more] = method.groups;
      assert.deepEqual([line_item_ids, more], [ids, []]);
      const chosen = options.find(({ id }: { id: string }) => id === selected);
      assert.equal(amountOf(chosen.totals, 'total'), amountOf(body.totals, 'fulfillment'));
      for (const one of options)
        assert.ok(Date.parse(one.earliest_fulfillment_time) < Date.parse(one.latest_fulfillment_time));
      const offered = body.fulfillment.available_methods.map(
        (one: { type: string; fulfillable_on: string }) => one.type,
      );
      assert.deepEqual(offered, ['shipping', 'pickup']);
    }
  });

  test(`alcohol is reviewed by a person, and every checkout that is open leads to one: ${transport}`, async () => {
    const call = bound(transport);
    const wine = (await call('create_checkout', { ...lines('Wine', 'None Left'), buyer: BUYER, ...PICKUP })).body;
    const review = wine.messages.find(({ code }: { code: string }) => code === 'age_verification_required');
    assert.deepEqual([review.severity, review.path], ['requires_buyer_review', '$.line_items[0]']);
    for (const body of [lines('Pie'), whole(), { ...whole(), buyer: {} }]) {
      const { body: shown } = await call('create_checkout', body);
      const { pathname, search } = new URL(shown.continue_url);
      assert.equal((await app.open(pathname + search)).status, 200, pathname);
    }
  });

  test(`a cart, checkout or order keeps its creation language unless a call names another: ${transport}`, async () => {
    const call = callsBy(app, transport);
    for (const kind of ['cart', 'checkout'] as const) {
      const { body } = await call(`create_${kind}`, { ...whole(), context: { language: 'fr-CA' } });
      const read = (headers = {}) => call(`get_${kind}`, {}, { id: body.id, headers });
      assert.deepEqual(lasting((await read()).body), lasting(body));
      const spanish = (await read({ 'accept-language': 'es' })).body;
      assert.notDeepEqual(spanish.messages ?? spanish.totals, body.messages ?? body.totals);
    }
    const { body } = await bound(transport)('create_checkout', { ...whole(), context: { language: 'fr-CA' } });
    const done = (await bound(transport)('complete_checkout', CARD, { id: body.id, key: newKey() })).body;
    assert.deepEqual((await bound(transport)('get_order', {}, { id: done.order.id })).body.totals, done.totals);
  });

  test(`a total that has changed charges nothing until it is accepted: ${transport}`, async () => {
    const call = bound(transport);
    const { body } = await call('create_checkout', { ...lines('Cake'), buyer: BUYER, ...PICKUP });
    const cost = async (cents: number) =>
      sql`update products set price = ${cents}, pickup_price = ${cents} where name = 'Cake'`.execute(
        app.service.deps.db,
      );
    await cost(1500);
    const complete = () => call('complete_checkout', CARD, { id: body.id, key: newKey() });
    const changed = await complete();
    assert.equal(changed.body.status, 'ready_for_complete');
    const warning = changed.body.messages.find(({ code }: { code: string }) => code === 'totals_changed');
    assert.deepEqual([warning.type, warning.presentation, warning.path], ['warning', 'disclosure', '$.totals']);
    addsUp(changed.body);
    const done = await complete();
    assert.deepEqual([done.body.status, done.body.totals], ['completed', changed.body.totals]);
    await cost(1000);
  });

  test(`a destination names the recipient, by default the buyer: ${transport}`, async () => {
    const call = bound(transport);
    for (const [named, name, phone] of [
      [{ first_name: 'Kim', last_name: 'Doe', phone_number: '+12125550143' }, 'Kim Doe', '+12125550143'],
      [{ phone_number: '+12125550143' }, 'Dana Reyes', '+12125550143'],
      [{}, 'Dana Reyes', BUYER.phone_number],
    ]) {
      const fulfillment = { methods: [{ type: 'shipping', destinations: [{ ...HOME, ...(named as object) }] }] };
      const { body } = await call('create_checkout', { ...lines('Pie'), buyer: BUYER, fulfillment });
      assert.deepEqual([body.status, body.buyer], ['ready_for_complete', BUYER]);
      const { db } = app.service.deps;
      const { orderId } = await db
        .selectFrom('ucpCheckouts')
        .select('orderId')
        .where('checkoutId', '=', body.id)
        .executeTakeFirstOrThrow();
      const order = await findOrder(db, { accountId: app.accountId, mode: 'sandbox', keyId: '' }, orderId ?? '');
      const { customer } = order?.request ?? {};
      assert.deepEqual([customer?.name, `+${customer?.phone}`], [name, phone]);
    }
  });

  test(`in Canada prices are Canadian, in French as in Quebec, from the first answer on: ${transport}`, async () => {
    const call = callsBy(app, transport);
    const context = { language: 'fr-CA' };
    const made = await call('create_cart', { line_items: [{ item: { id: items.Tarte }, quantity: 1 }], context });
    assert.equal(made.body.currency, 'CAD');
    const minimum = made.body.messages.find(({ code }: { code: string }) => code === 'minimum_order_unmet');
    assert.match(minimum.content, /11,00\s\$/);
    assert.deepEqual((await call('get_cart', {}, { id: made.body.id })).body, made.body);
    const { body } = await call('create_checkout', { cart_id: made.body.id, ...PICKUP });
    assert.equal(body.currency, 'CAD');
    addsUp(body);
  });
}

/** A response without what only the first one says. */
const lasting = ({ messages, ...rest }: Got['body']) => ({
  ...rest,
  messages: messages.filter(({ code }: { code: string }) => code !== 'identity_optional'),
});

/** Whether a JSONPath of names and places leads to something of a response. */
function isThere(answer: object, path: string): boolean {
  const names = path
    .slice(1)
    .split(/[.[\]]+/)
    .filter(Boolean);
  // A member that is missing is named by its place.
  const there = path.endsWith(']') ? names : names.slice(0, -1);
  // biome-ignore lint/suspicious/noExplicitAny: a path leads anywhere
  return there.reduce((at: any, name) => at?.[name], answer) !== undefined;
}
