import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { positionCursor } from '../../src/surfaces/agents/tool.ts';
import { NEAR_DOOR, pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import type { Reply } from '../harness.ts';
import { runs } from '../runs.ts';
import { givenShop, type Shop } from './given-shop.ts';

const MAX_DATA_BYTES = 12 * 1024;
const MAX_ANSWER_BYTES = 40 * 1024;
const LONG = '"\\\u0001é😀'.repeat(60);
const ROWS = 6;

let shop: Shop;
let crowded: string;
before(async () => {
  shop = await givenShop();
  [crowded = ''] = await givenStores(shop, [crowdedStore()]);
});
after(() => shop.close());

/** A store with long texts that need escaping, and many categories, products, choices and options. */
function crowdedStore() {
  const rows = Array.from({ length: ROWS }, (_, n) => n);
  const options = (prefix: string) =>
    Array.from({ length: 30 }, (_, n) => ({
      id: `${prefix}${n}`,
      name: `${n} ${LONG}`.slice(0, 200),
      price: n,
      max_qty: 3,
    }));
  const customizations = rows.slice(0, 6).map((n) => ({
    id: `choice${n}`,
    name: `Choice ${n}`,
    min_choice_options: 1,
    max_choice_options: 2,
    options: options(`o${n}_`),
  }));
  const categories = rows.map((n) => ({
    id: `c${n}`,
    name: `${n} ${LONG}`.slice(0, 200),
    products: rows.map((m) => ({
      id: `p${n}_${m}`,
      name: `Crowded ${n} ${m} ${LONG}`.slice(0, 200),
      description: LONG,
      price: 100 + m,
      ...(m === 0 ? { customizations } : {}),
    })),
  }));
  return pizzeria({ external_id: 'crowded', name: `Crowded ${LONG}`.slice(0, 200), categories });
}

/** Sends a message unchanged; the harness validates the response against the OpenAPI document. */
const send = (message: unknown, headers: Record<string, string> = {}) => shop.post('/mcp', message, headers);

async function call(name: string, given: unknown): Promise<Reply> {
  const params = { name, arguments: given };
  return shop.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** The data of a tool's answer, after the checks common to all answers. */
function dataOf({ status, body, text }: Reply) {
  assert.equal(status, 200, text);
  assert.ok(Buffer.byteLength(text) <= MAX_ANSWER_BYTES, `${Buffer.byteLength(text)} bytes`);
  if (body.error) {
    assert.notEqual(body.error.code, -32603, text);
    return { code: body.error.code };
  }
  const { structuredContent: data, content } = body.result;
  assert.ok(Buffer.byteLength(content[0].text) <= MAX_DATA_BYTES);
  assert.deepEqual(JSON.parse(content[0].text), data);
  assert.notEqual(data.code, 'internal_error', text);
  assert.doesNotMatch(text, /node_modules|\.ts:\d+|at async/);
  return data;
}

test('every page of a crowded menu, product and search is small, and together they show each entry once', async () => {
  const pages = async (tool: string, given: object, list: string, idOf: (entry: Record<string, string>) => unknown) => {
    const seen: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 80; page += 1) {
      const data = dataOf(await call(tool, { ...given, ...(cursor === undefined ? {} : { cursor }) }));
      seen.push(...data[list].map(idOf));
      cursor = data.next_cursor;
      if (cursor === undefined) break;
    }
    assert.equal(cursor, undefined, `${tool} ends`);
    assert.equal(new Set(seen).size, seen.length, `${tool} repeats nothing`);
    return seen;
  };
  const menu = { store_id: crowded, pickup: false };
  const products = await pages('get_menu', menu, 'products', ({ product_id }) => product_id);
  assert.equal(products.length, ROWS * ROWS);
  assert.equal((await pages('get_menu', menu, 'categories', ({ category_id }) => category_id)).length, ROWS);
  const options = await pages('get_product', { product_id: products[0] }, 'choices', (choice) =>
    JSON.stringify(choice),
  );
  const listed = options.flatMap((choice) => JSON.parse(String(choice)).options);
  assert.equal(listed.length, 6 * 30);
  const words = { ...NEAR_DOOR, query: 'crowded', store_id: crowded };
  assert.equal((await pages('search_products', words, 'products', ({ product_id }) => product_id)).length, ROWS * ROWS);
  const near = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
  assert.equal((await pages('search_stores', near, 'stores', ({ store_id }) => store_id)).length, 2);
});

test('a cart with more errors than fit returns a small response that counts the rest', async () => {
  const ofStore = { store_id: crowded, pickup: false };
  const cursor = positionCursor({ page: ROWS, skipped: 0 }, ofStore);
  const menu = dataOf(await call('get_menu', { ...ofStore, cursor }));
  const selected_options = Array.from({ length: 50 }, (_, n) => ({ option_id: `${n}${'"'.repeat(500)}` }));
  const items = Array.from({ length: 100 }, () => ({ product_id: menu.products[0].product_id, selected_options: [] }));
  const many = dataOf(await call('quote_order', { items, pickup: true }));
  assert.equal(many.code, 'invalid_options');
  assert.ok(many.faults_not_shown > 100);
  assert.equal(many.choices[0].choose_at_least, 1);
  const [item] = items;
  const long = dataOf(await call('quote_order', { items: [{ ...item, selected_options }], pickup: true }));
  assert.equal(long.code, 'invalid_options');
});

test('no arguments make a tool fail', async (t) => {
  const names = 'search_stores search_products get_store get_menu get_product quote_order place_order'.split(' ');
  const ids = [...Object.values(shop.ids), crowded, '', 'x', '0'.repeat(24), '\u0000', '\ud800', '1.1', '99999999999'];
  const leaf = fc.oneof(
    fc.constantFrom(...ids),
    fc.constantFrom(null, true, false, 0, -1, 40.74, -73.99, 1e308, Number.MAX_SAFE_INTEGER),
    fc.string({ maxLength: 20, unit: 'binary' }),
  );
  const item = fc.dictionary(fc.constantFrom('product_id', 'quantity', 'selected_options', 'notes'), leaf);
  const value = fc.oneof(leaf, fc.array(fc.oneof(leaf, item), { maxLength: 3 }), item);
  const fields =
    'latitude longitude user_latitude user_longitude address day query search_focus cursor store_id category_id product_id pickup items order_id expected_total_cents reason search user_time_zone page scheduled_id payment_method_id'.split(
      ' ',
    );
  const given = fc.oneof(fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 8 }), value);
  const tool = fc.constantFrom(...names, 'get_order', 'search_places', 'no_such_tool');
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(tool, given, async (name, args) => {
      const reply = await call(name, args);
      if (reply.status === 200) dataOf(reply);
      else assert.equal(reply.status, 400, reply.text);
      answered += 1;
    }),
    { numRuns: runs(200) },
  );
  t.diagnostic(`${answered} calls answered`);
});

test('an id that does not exist, was altered, or is of another kind has the code of the table', async () => {
  const refused: [string, object, string][] = [
    ['get_menu', { store_id: '0'.repeat(24), pickup: false }, 'store_not_found'],
    ['get_menu', { store_id: crowded, pickup: false, category_id: shop.ids.subcategory_id }, 'subcategory_not_found'],
    ['get_menu', { store_id: crowded, pickup: false, category_id: shop.ids.product_id }, 'subcategory_not_found'],
    ['get_product', { product_id: `${shop.ids.product_id}x` }, 'product_not_found'],
    ['get_product', { product_id: shop.ids.subcategory_id }, 'product_not_found'],
  ];
  for (const [tool, given, code] of refused) assert.equal(dataOf(await call(tool, given)).code, code, tool);
});

test('a message outside of the protocol is refused before it reaches the protocol', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`);
  const refused: [unknown, number][] = [
    [[list, list], 400],
    [{ ...list, jsonrpc: '1.0' }, 400],
    [{ ...list, method: 5 }, 400],
    [{ ...list, id: null }, 400],
    [{ ...list, id: { a: 1 } }, 400],
    [{ ...list, params: [1] }, 400],
    [{ ...list, params: { arguments: deep } }, 400],
    [{ jsonrpc: '2.0', id: 1, result: {} }, 400],
    [{ ...list, params: { pad: 'x'.repeat(64 * 1024) } }, 413],
    [{}, 400],
  ];
  for (const [message, status] of refused) assert.equal((await send(message)).status, status);
  assert.equal((await send(list, { 'mcp-protocol-version': '1999-01-01' })).status, 400);
  assert.equal((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
});

test('a page of any origin may ask with a key, unless its host name was re-pointed at this machine', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const origins = ['https://claude.ai', 'null', 'vscode-file://vscode-app', 'file://', '', 'http://localhost:6274'];
  for (const origin of origins) {
    const { status, headers } = await send(list, { origin });
    assert.deepEqual([status, headers['access-control-allow-origin']], [200, origin], origin);
    const unsigned = await send(list, { origin, 'id-token': '' });
    assert.deepEqual([unsigned.status, unsigned.headers['access-control-allow-origin']], [401, origin], origin);
  }
  const rebound = await send(list, { host: 'evil.example:8080', origin: 'http://evil.example:8080' });
  assert.deepEqual([rebound.status, rebound.body.code], [403, 'cross_site_request']);
});

test('a request without a valid key in either header returns 401', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const refused: [Record<string, string>, string][] = [
    [{ 'id-token': '' }, 'missing_api_key'],
    [{ 'id-token': '', authorization: `Basic ${shop.key}` }, 'missing_api_key'],
    [{ 'id-token': '', authorization: 'Bearer ds_test_nothing' }, 'invalid_api_key'],
    [{ 'id-token': 'ds_test_nothing', authorization: `Bearer ${shop.key}` }, 'invalid_api_key'],
  ];
  for (const [headers, code] of refused) {
    const reply = await send(list, headers);
    assert.deepEqual([reply.status, reply.body.code], [401, code]);
    assert.match(String(reply.headers['www-authenticate']), /^ApiKey .*, Bearer realm="doorstep"$/);
  }
  const bearer = await shop.service.http.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${shop.key}` },
    payload: list,
  });
  assert.equal(bearer.statusCode, 200);
  for (const url of ['/account/orders', '/payment/list?user_id=u1'])
    assert.equal(
      (await shop.service.http.inject({ url, headers: { authorization: `Bearer ${shop.key}` } })).statusCode,
      200,
    );
  for (const method of ['GET', 'DELETE'] as const) {
    const reply = await shop.service.http.inject({ method, url: '/mcp', headers: { 'id-token': shop.key } });
    assert.deepEqual([reply.statusCode, reply.headers.allow], [405, 'POST']);
  }
});
