import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { runs } from '../runs.ts';
import { givenGroceries, givenShopApp, SHOPPING } from './given-shop.ts';

const INGREDIENTS = ['Salted Butter', 'Garlic Bulb', 'Yellow Onion', 'Whole Tomatoes', 'Spaghetti'];

const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
const products = INGREDIENTS.map((name, nth) => ({ id: `p${nth}`, name, price: 100 + nth }));
const categories = [{ id: 'all', name: 'All', products }];
const second = { external_id: 'two', name: 'Market Two', latitude: 40.9, categories };
const [storeId = ''] = await givenGroceries(app, [{ external_id: 'one', name: 'Market One', categories }, second]);
await app.setShop({ mode: 'sandbox', ucp: 'sandbox' });
after(() => app.close());

type Tool = {
  name: string;
  description: string;
  inputSchema: object;
  outputSchema: object;
  annotations: Record<string, boolean>;
};
const toolsAt = async (host?: string): Promise<Tool[]> =>
  (await app.message({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { profile: '', ...(host ? { host } : {}) })).body
    .result.tools;

test('a shop’s tools are public, small and self-contained, and declare their effects', async () => {
  const tools = await toolsAt();
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      ...'search_locations lookup_locations search_catalog lookup_catalog get_product create_cart'.split(' '),
      ...'get_cart update_cart cancel_cart create_checkout get_checkout update_checkout'.split(' '),
      ...'complete_checkout cancel_checkout get_order'.split(' '),
    ],
  );
  const text = JSON.stringify(tools);
  assert.ok(Buffer.byteLength(text) <= 60 * 1024);
  assert.doesNotMatch(text, /"\$ref"/);
  for (const { description } of tools) assert.ok(description.split(/\s+/).length <= 60, description);
  for (const { outputSchema } of tools) assert.ok('properties' in outputSchema && 'required' in outputSchema);
  const destructive = tools.filter(({ annotations }) => annotations.destructiveHint === true);
  assert.deepEqual(
    destructive.map(({ name }) => name),
    ['cancel_cart', 'complete_checkout', 'cancel_checkout'],
  );
  const atService = await toolsAt('127.0.0.1');
  assert.deepEqual(
    atService.map(({ name }) => name),
    ['search_locations', 'lookup_locations'],
    'without a shop, locations alone',
  );
});

test('tool results match their output schema, outcomes included', async () => {
  const shapes = new Map((await toolsAt()).map(({ name, outputSchema }) => [name, Compile(Type.Unsafe(outputSchema))]));
  const call = async (name: string, args: object, meta = {}) => {
    const { body } = await app.tool(name, args, meta);
    assert.deepEqual(shapes.get(name)?.Errors(body), [], `${name} ${JSON.stringify(body)}`);
    return body;
  };
  await call('search_locations', { location: {} });
  await call('lookup_locations', { location: { ids: [storeId] } });
  await call('search_catalog', { catalog: { query: 'x' } });
  const context = { location: storeId };
  const { products } = await call('search_catalog', { catalog: { query: 'spaghetti', context } });
  const [{ id }] = products;
  await call('lookup_catalog', { catalog: { ids: [id, 'none'] } });
  for (const one of [id, 'none']) await call('get_product', { catalog: { id: one } });
  const line_items = [{ item: { id }, quantity: 1 }];
  const cart = await call('create_cart', { cart: { line_items } });
  for (const one of [cart.id, 'none']) await call('get_cart', { id: one });
  await call('update_cart', { id: cart.id, cart: { line_items } });
  const checkout = await call('create_checkout', { checkout: { cart_id: cart.id } });
  for (const one of [checkout.id, 'none']) await call('get_checkout', { id: one });
  const pickup = { fulfillment: { methods: [{ type: 'pickup' }] } };
  await call('update_checkout', { id: checkout.id, checkout: { line_items, ...pickup } });
  const key = (nth: number) => ({ 'idempotency-key': `shape-${nth}` });
  await call('complete_checkout', { id: checkout.id, checkout: {} }, key(1));
  await call('cancel_checkout', { id: checkout.id }, key(2));
  await call('cancel_cart', { id: cart.id }, key(3));
});

test('only JSON is accepted, without initialize; business outcomes aren’t tool errors', async () => {
  const sent = { headers: { accept: 'application/json' } };
  const params = (args: object) => ({
    name: 'get_cart',
    arguments: { meta: { 'ucp-agent': { profile: app.profile } }, ...args },
  });
  const { status, body } = await app.message(
    { jsonrpc: '2.0', id: 7, method: 'tools/call', params: params({ id: 'crt_0' }) },
    sent,
  );
  assert.deepEqual([status, body.id, body.result.isError ?? false], [200, 7, false]);
  assert.deepEqual(JSON.parse(body.result.content[0].text), body.result.structuredContent);
  assert.equal(body.result.structuredContent.ucp.status, 'error');
});

test('a call’s profile is in its meta, in the header, or in both alike', async () => {
  const call = (meta: object, sent = {}) => {
    const params = { name: 'get_cart', arguments: { meta, id: 'crt_0' } };
    return app.message({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, sent);
  };
  const named = { 'ucp-agent': { profile: app.profile } };
  for (const [meta, sent] of [
    [named, { profile: '' }],
    [{}, {}],
    [named, {}],
  ] as const)
    assert.equal((await call(meta, sent)).body.result?.structuredContent.messages[0].code, 'not_found');
  const both = await call({ 'ucp-agent': { profile: `${app.profile}?other` } });
  assert.deepEqual(
    [both.status, both.body.error.code, both.body.error.data.code],
    [400, -32001, 'invalid_profile_url'],
  );
  const none = await call({}, { profile: '' });
  assert.deepEqual([none.status, none.body.error.data.code], [400, 'invalid_profile_url']);
});

test('a recipe is a cart in seven calls: the store near the customer, its products, the cart', async () => {
  const near = { latitude: 40.744, longitude: -73.988 };
  const { locations } = (await app.tool('search_locations', { location: { serves: { point: near } } })).body;
  assert.deepEqual(
    locations.map(({ id }: { id: string }) => id),
    [storeId],
  );
  const lines: object[] = [];
  for (const name of INGREDIENTS) {
    const catalog = { query: `2 cups ${name.toLowerCase()}`, context: { location: locations[0].id } };
    const [product] = (await app.tool('search_catalog', { catalog })).body.products;
    lines.push({ item: { id: product.variants[0].id }, quantity: 1 });
  }
  const { body: cart } = await app.tool('create_cart', { cart: { line_items: lines } });
  assert.deepEqual(
    cart.line_items.map(({ item }: { item: { title: string } }) => item.title),
    INGREDIENTS,
  );
  assert.equal(cart.totals[1].amount, 510);
});

test('every platform request gets a response, and none causes a service error', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('\u0000', '\ud800', "'; drop", storeId, '', '%00', 'v1.AAAA'),
  );
  const [item] = (await app.ask('/catalog/search', { query: 'spaghetti', context: { location: storeId } })).body
    .products;
  const sold = [{ item: { id: item.id }, quantity: 1 }];
  const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text, { maxLength: 2 }));
  const filters = fc.record(
    {
      categories: fc.array(text, { maxLength: 3 }),
      price: fc.record({ min: fc.integer() }),
      methods: fc.array(text),
      fulfills_to: fc.record({ location: text, postal_code: text }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  );
  const context = fc.record(
    { location: text, language: text, postal_code: text, address_country: text, odd: value },
    { requiredKeys: [] },
  );
  const lines = fc.array(
    fc.record({ id: text, item: fc.record({ id: text }), quantity: fc.integer({ min: -1, max: 3 }) }),
    { maxLength: 3 },
  );
  const at = { location: storeId };
  const requests = fc.oneof(
    fc
      .record({ query: text, filters, context: fc.oneof(context, fc.constant(at)) })
      .map((body) => ['/catalog/search', body] as const),
    fc
      .record({ ids: fc.array(text, { maxLength: 4 }), filters, context })
      .map((body) => ['/catalog/lookup', body] as const),
    fc
      .record({ id: text, selected: fc.array(fc.record({ name: text, label: text })) })
      .map((body) => ['/catalog/product', body] as const),
    fc
      .record({ line_items: lines, context: fc.oneof(context, fc.constant(at)) })
      .map((body) => ['/carts', body] as const),
    fc
      .record({
        line_items: lines,
        cart_id: fc.option(text, { nil: undefined }),
        buyer: fc.record({ email: text, phone_number: text, first_name: text }, { requiredKeys: [] }),
        fulfillment: fc.record({
          methods: fc.array(
            fc.record(
              {
                type: fc.constantFrom('shipping', 'pickup', 'odd'),
                destinations: fc.array(fc.record({ street_address: text, postal_code: text, address_country: text })),
                groups: fc.array(fc.record({ selected_option_id: text })),
              },
              { requiredKeys: [] },
            ),
            { maxLength: 2 },
          ),
        }),
      })
      .map((body) => ['/checkout-sessions', { ...body, line_items: [...body.line_items, ...sold] }] as const),
    fc
      .record({ query: text, pagination: fc.record({ cursor: text }) })
      .map((body) => ['/catalog/search', { ...body, context: at }] as const),
  );
  const line = { item: { id: item.id }, quantity: 1 };
  await fc.assert(
    fc.asyncProperty(requests, async ([path, body]) => {
      const { status } = await app.ask(path, body);
      assert.ok(status < 500, `${path} ${JSON.stringify(body)}`);
    }),
    { numRuns: runs(300) },
  );
  for (const odd of ['\u0000', '\ud800'])
    for (const body of [
      { line_items: [line, { item: { id: odd }, quantity: 1 }] },
      { line_items: [line], context: { language: odd, postal_code: odd } },
    ])
      assert.ok((await app.ask('/carts', body)).status < 500, JSON.stringify(body));
  for (const id of ['%00', '\u00e9', 'x'.repeat(100)])
    assert.ok((await app.ask(`/carts/${encodeURIComponent(id)}`, {}, { method: 'GET' })).status < 500, id);
  assert.ok((await app.open('/cart/%00?key=%00')).status < 500);
});
