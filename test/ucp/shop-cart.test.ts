import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { sealProduct } from '../../src/supply/catalog/catalog-tokens.ts';
import { runRetention } from '../given/expired-rows.ts';
import { givenConsole } from '../given/merchant.ts';
import { runs } from '../runs.ts';
import { assertShape, type Got, givenGroceries, givenShopApp, SHOPPING } from './given-shop.ts';
import { profileOf } from './platform.ts';

const sizes = {
  id: 'size',
  name: 'Size',
  min_choice_options: 1,
  max_choice_options: 1,
  options: [
    { id: 's', name: 'Small', price: 0 },
    { id: 'l', name: 'Large', price: 600 },
  ],
};
const sides = { id: 'two', name: 'Two sides', min_choice_options: 2, max_choice_options: 2 };

async function itemsOf(storeId: string): Promise<Record<string, string>> {
  const { db, tokens } = app.service.deps;
  const rows = await db.selectFrom('products').select(['name', 'productNo']).where('storeId', '=', storeId).execute();
  return Object.fromEntries(rows.map(({ name, productNo }) => [name, sealProduct(tokens, { storeId, productNo })]));
}

const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
const [market = '', corner = ''] = await givenGroceries(app, [
  {
    external_id: 'market',
    name: 'Green Market',
    fees: { order_minimum: 1000 },
    categories: [
      {
        id: 'dairy',
        name: 'Dairy',
        products: [
          { id: 'butter', name: 'Salted Butter', price: 449, food: { allergens: ['milk'] } },
          { id: 'gone', name: 'Sweet Butter', price: 400, qty_available: 0 },
          { id: 'few', name: 'Few Eggs', price: 300, qty_available: 3 },
          { id: 'pizza', name: 'Pizza', price: 1000, customizations: [sizes] },
          {
            id: 'plate',
            name: 'Plate',
            price: 900,
            customizations: [
              {
                ...sides,
                options: [
                  { id: 'a', name: 'A', price: 0 },
                  { id: 'b', name: 'B', price: 0 },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  {
    external_id: 'corner',
    name: 'Corner',
    categories: [{ id: 'x', name: 'X', products: [{ id: 'tea', name: 'Tea', price: 300 }] }],
  },
]);
await app.setShop({ mode: 'sandbox', storeIds: [market, corner], ucp: 'sandbox' });
const items = await itemsOf(market);
const tea = (await itemsOf(corner)).Tea ?? '';
after(() => app.close());

const line = (id = '', quantity = 1, more: object = {}) => ({ item: { id, ...more }, quantity });
const create = async (lines: object[], more: object = {}): Promise<Got> => {
  const got = await app.ask('/carts', { line_items: lines, ...more });
  if (got.body.id) check(got.body);
  return got;
};
type Amounts = { totals: { type: string; amount: number }[] };
function check(cart: Amounts & { line_items: Amounts[] }) {
  assertShape('shopping/cart.json', cart);
  const sum = cart.line_items.reduce((all, { totals }) => all + (totals[1]?.amount ?? 0), 0);
  assert.deepEqual(
    cart.totals.map(({ type, amount }) => [type, amount]),
    [
      ['subtotal', sum],
      ['total', sum],
    ],
  );
}
const codes = ({ messages }: { messages: { code: string; path?: string }[] }) =>
  messages.filter(({ code }) => !/^(estimate_|allergens)/.test(code)).map(({ code, path }) => [code, path]);
const found = ({ body }: Got) => [body.ucp.status, body.messages?.[0]?.code];

test('a cart has its lines at the prices of the catalog, one subtotal and one total, and expires after a day', async () => {
  const { status, body } = await create([line(items['Salted Butter'], 2), line(items['Few Eggs'])]);
  assert.equal(status, 201);
  assert.match(body.id, /^crt_[\w-]{20,}$/);
  const links = body.links.map(({ type }: { type: string }) => type);
  assert.deepEqual(links, ['privacy_policy', 'terms_of_service', 'help']);
  const lines = body.line_items.map(({ id, item, quantity, totals }: never) => [id, item, quantity, totals]);
  assert.deepEqual(lines[0], [
    'li_1',
    { id: items['Salted Butter'], title: 'Salted Butter', price: 449 },
    2,
    [
      { type: 'subtotal', amount: 898 },
      { type: 'total', amount: 898 },
    ],
  ]);
  assert.deepEqual(body.totals, [
    { type: 'subtotal', amount: 1198 },
    { type: 'total', amount: 1198 },
  ]);
  assert.deepEqual([body.currency, body.messages.at(-1).code], ['USD', 'estimate_excludes_fees']);
  const { body: read } = await app.ask(`/carts/${body.id}`, {}, { method: 'GET' });
  assert.deepEqual(read.line_items, body.line_items);
  const small = await create([line(items['Salted Butter'])]);
  assert.deepEqual(codes(small.body), [['minimum_order_unmet', '$.totals']]);
  assert.match(small.body.messages.at(-1).content, /\$5\.51/);
});

test('a lower menu price also applies in the catalog and in carts', async () => {
  const owner = await givenConsole(app, corner);
  const menuPrice = { kind: 'item_price', price_cents: 240, items: { products: ['tea'] } };
  const { promotion_id: id } = (await owner.post('/store/promotions', menuPrice)).body;
  await app.advance({ milliseconds: 1 });
  const shown = (await app.ask('/catalog/lookup', { ids: [tea] })).body.products[0].variants[0];
  assert.deepEqual([shown.price.amount, shown.list_price.amount], [240, 300]);
  const { body } = await create([line(tea, 2)]);
  assert.deepEqual([body.line_items[0].item.price, body.totals[0].amount], [240, 480]);
  assert.equal((await owner.post(`/store/promotions/${id}/end`, {})).status, 200);
  await app.advance({ milliseconds: 1 });
  assert.equal((await create([line(tea)])).body.totals[0].amount, 300);
});

test('an update replaces all lines: one with its ID stays that line, others are new or gone', async () => {
  const { body } = await create([line(items['Salted Butter']), line(items['Few Eggs'])]);
  const changed = await app.ask(
    `/carts/${body.id}`,
    { line_items: [{ id: 'li_2', ...line(items['Few Eggs'], 2) }, line(items['Salted Butter'], 3)] },
    { method: 'PUT' },
  );
  check(changed.body);
  assert.deepEqual(
    changed.body.line_items.map(({ id, quantity }: never) => [id, quantity]),
    [
      ['li_2', 2],
      ['li_3', 3],
    ],
  );
});

test('equal items become one line; more than the store has, or than a line may have, is lowered and said', async () => {
  const { body } = await create([
    line(items['Salted Butter'], 60),
    line(items['Few Eggs'], 9),
    line(items['Salted Butter'], 60),
  ]);
  assert.deepEqual(
    body.line_items.map(({ quantity }: { quantity: number }) => quantity),
    [99, 3],
  );
  assert.deepEqual(codes(body), [
    ['lines_merged', '$.line_items[0]'],
    ['quantity_adjusted', '$.line_items[0].quantity'],
    ['quantity_adjusted', '$.line_items[1].quantity'],
  ]);
});

test('sold-out items keep the platform’s quantity, add nothing to the total, and list alternatives', async () => {
  const { body } = await create([line(items['Salted Butter'], 3), line(items['Sweet Butter'], 2), line(tea)]);
  assert.deepEqual(codes(body), [
    ['out_of_stock', '$.line_items[1]'],
    ['item_unavailable', '$.line_items[2]'],
    ['alternatives_available', '$.line_items[1]'],
  ]);
  assert.deepEqual([body.line_items[1].quantity, body.line_items[1].totals[0].amount], [2, 0]);
  const other = body.messages.find(({ code }: { code: string }) => code === 'alternatives_available');
  assert.ok(other.content.includes(`Salted Butter (${items['Salted Butter']})`), other.content);
  const elsewhere = body.messages.find(({ code }: { code: string }) => code === 'item_unavailable');
  assert.match(elsewhere.content, /sold by Corner/);
  assert.equal(body.totals[0].amount, 1347);
});

test('a cart without available items isn’t created: the response links the store’s page', async () => {
  for (const [lines, code] of [
    [[line(items['Sweet Butter'])], 'out_of_stock'],
    [[line('nothing')], 'item_unavailable'],
    [[line('v1.nothing'), line(items['Sweet Butter'])], 'item_unavailable'],
  ] as const) {
    const { status, body } = await create([...lines], { context: { location: market } });
    assert.deepEqual([status, body.id, body.ucp.status], [200, undefined, 'error']);
    assertShape('common/types/error_response.json', body);
    assert.deepEqual([body.messages[0].code, body.messages[0].severity], [code, 'unrecoverable']);
    assert.match(body.continue_url, new RegExp(`/s/store-${market}$`));
  }
  const chosen = await create([line(items.Plate), line(items['Sweet Butter'])]);
  assert.equal(new URL(chosen.body.continue_url).hash, `#item=${items.Plate}`, 'of what a person must choose');
  const foreign = await create([line(items['Salted Butter'])], { context: { location: 'none' } });
  assert.deepEqual(found(foreign), ['error', 'location_not_found']);
});

test('a combination of choices is an item; further choices are made by the buyer on its page', async () => {
  const pizza = (await app.ask('/catalog/lookup', { ids: [items.Pizza] })).body.products[0];
  const all = (await app.ask('/catalog/product', { id: pizza.id })).body.product.variants;
  const large = all[1].id;
  const { body } = await create([line(large), line(items.Plate), line(items.Pizza)]);
  assert.deepEqual([body.line_items[0].item.title, body.line_items[0].item.price], ['Pizza, Large', 1600]);
  const severities = body.messages.filter(({ type }: { type: string }) => type === 'error');
  assert.deepEqual(
    severities.map(({ path, severity }: Record<string, string>) => [path, severity]),
    [
      ['$.line_items[1]', 'requires_buyer_input'],
      ['$.line_items[2]', 'recoverable'],
    ],
    'a product with choices is no item',
  );
});

test('another unit than pieces is a mismatch: on create the line is not made, on update it stays', async () => {
  const pounds = { quantity_unit: { unit: 'LBR', scale: 2, display_text: 'lb' } };
  const pieces = { quantity_unit: { unit: 'C62', display_text: 'each' } };
  const { body } = await create([line(items['Salted Butter'], 2, pieces), line(items['Few Eggs'], 150, pounds)]);
  assert.deepEqual(body.line_items.length, 1);
  assert.deepEqual(codes(body)[0], ['quantity_unit_mismatch', '$.line_items[1].item.quantity_unit']);
  const { body: kept } = await app.ask(
    `/carts/${body.id}`,
    { line_items: [{ id: 'li_1', ...line(items['Salted Butter'], 150, pounds) }] },
    { method: 'PUT' },
  );
  assert.deepEqual([kept.line_items[0].quantity, codes(kept)[0]?.[0]], [2, 'quantity_unit_mismatch']);
  const none = await create([line('nothing', 2, pounds)]);
  assert.deepEqual(codes(none.body), [['item_unavailable', '$.line_items[0]']], 'no item has no unit');
});

test('a cart is of the profile that made it, until it is canceled or a day has passed', async () => {
  const { body } = await create([line(items['Few Eggs'])]);
  const other = app.platform.publish('/other', profileOf([], SHOPPING));
  const read = (id: string, profile = app.profile) => app.ask(`/carts/${id}`, {}, { method: 'GET', profile });
  assert.deepEqual(found(await read(body.id, other)), ['error', 'not_found']);
  assert.deepEqual(found(await read('crt_none')), ['error', 'not_found']);
  const withoutKey = await app.tool('cancel_cart', { id: body.id });
  assert.deepEqual([withoutKey.status, withoutKey.body.code], [400, 'idempotency_key_required']);
  const canceled = await app.tool('cancel_cart', { id: body.id }, { 'idempotency-key': 'cancel-1' });
  assert.deepEqual(canceled.body.line_items, body.line_items, 'its last state');
  assert.deepEqual(found(await read(body.id)), ['error', 'not_found']);
  const lasting = (await create([line(items['Few Eggs'])])).body.id;
  await app.advance({ hours: 23 });
  assert.equal((await read(lasting)).body.id, lasting);
  await app.advance({ hours: 2 });
  assert.deepEqual(found(await read(lasting)), ['error', 'not_found']);
  await runRetention(app);
  const { rows } = {
    rows: await app.service.deps.db.selectFrom('ucpCarts').select('cartId').where('cartId', '=', lasting).execute(),
  };
  assert.deepEqual(rows, []);
});

test('the calls of the documented recipe work as they are written', async () => {
  const guide = await readFile(new URL('../../docs/ucp.md', import.meta.url), 'utf8');
  const calls = [...guide.matchAll(/^at (\S+) '(.+)'$/gm)];
  assert.deepEqual(
    calls.map(([, path]) => path),
    ['/locations/search', '/catalog/search', '/carts'],
  );
  for (const [, path = '', body = ''] of calls) {
    const filled = body.replace('STORE_ID', market).replace('VARIANT_ID', items['Salted Butter'] ?? '');
    const got = await app.ask(path, JSON.parse(filled));
    assert.deepEqual([Math.floor(got.status / 100), got.body.ucp?.status], [2, 'success'], JSON.stringify(got.body));
  }
});

test('a repeated key makes one cart, each platform has its own keys, and another body is a conflict', async () => {
  const body = { line_items: [line(items['Few Eggs'])] };
  const keyed = (profile: string, sent: object = body) =>
    app.ask('/carts', sent, { profile, headers: { 'idempotency-key': 'k1' } });
  const first = await keyed(app.profile);
  assert.equal((await keyed(app.profile)).body.id, first.body.id);
  const other = app.platform.publish('/second', profileOf([], SHOPPING));
  assert.notEqual((await keyed(other)).body.id, first.body.id);
  const conflict = await keyed(app.profile, { line_items: [line(items['Few Eggs'], 2)] });
  assert.deepEqual([conflict.status, conflict.body.code], [409, 'idempotency_conflict']);
  const meta = { 'idempotency-key': 'k2' };
  const called = await app.tool('create_cart', { cart: body }, meta);
  assert.equal((await app.tool('create_cart', { cart: body }, meta)).body.id, called.body.id);
  const named = { 'ucp-agent': { profile: app.profile }, ...meta };
  const params = { name: 'create_cart', arguments: { cart: body, meta: named }, _meta: { progressToken: 7 } };
  const repeated = await app.message({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  assert.equal(repeated.body.result?.structuredContent.id, called.body.id, 'as clients that follow progress send it');
});

test('a cart canceled during an update is gone', async () => {
  for (let nth = 0; nth < 10; nth += 1) {
    const { id } = (await create([line(items['Few Eggs'])])).body;
    const change = app.ask(`/carts/${id}`, { line_items: [line(items['Salted Butter'])] }, { method: 'PUT' });
    const [{ status }] = await Promise.all([change, app.ask(`/carts/${id}/cancel`)]);
    const read = await app.ask(`/carts/${id}`, {}, { method: 'GET' });
    assert.deepEqual([status, ...found(read)], [200, 'error', 'not_found']);
  }
});

test('continue_url is the shop with a copy of the cart, for anyone who has its key', async () => {
  const { body } = await create([line(items['Salted Butter'], 2), line(items['Sweet Butter'])]);
  const { pathname, search } = new URL(body.continue_url);
  const page = await app.open(pathname + search);
  assert.equal(page.status, 200, page.body);
  const [, text = ''] = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(page.body) ?? [];
  const boot = JSON.parse(text);
  assert.deepEqual([boot.page.kind, boot.page.storeId], ['store', market]);
  assert.deepEqual(boot.handed, [
    { productId: items['Salted Butter'], name: 'Salted Butter', image: '', quantity: 2, unitCents: 449, options: [] },
  ]);
  assert.equal((await app.open(pathname)).status, 404);
  assert.equal((await app.open(`${pathname}?key=AAAAAAAAAAAAAAAAAAAAAA`)).status, 404);
  assert.equal((await app.open(`/shop${pathname}${search}`)).status, 404);
});

test('whatever is in a cart, its lines add up to its total', async () => {
  const names = () => fc.constantFrom(...Object.values(items), tea, 'unknown');
  const lines = fc.array(fc.record({ item: fc.record({ id: names() }), quantity: fc.integer({ min: 1, max: 200 }) }), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(lines, async (given) => {
      const { status, body } = await create(given, { context: { location: market } });
      assert.ok(status === 201 || body.ucp.status === 'error', JSON.stringify(body));
      if (status !== 201) return;
      const ids = body.line_items.map(({ item }: { item: { id: string } }) => item.id);
      assert.equal(new Set(ids).size, ids.length);
    }),
    { numRuns: runs(60) },
  );
});

test('a price that the store changes is the cart’s at once, with a warning until the cart is updated', async () => {
  const priceIs = (price: number) =>
    sql`update products set price = ${price} where name = 'Few Eggs'`.execute(app.service.deps.db);
  const { body } = await create([line(items['Few Eggs']), line(items['Salted Butter'])]);
  const at = `/carts/${body.id}`;
  const read = async () => (await app.ask(at, {}, { method: 'GET' })).body;
  const changed = [['price_changed', '$.line_items[0].item.price']];
  const warned = (shown: Parameters<typeof codes>[0]) => codes(shown).filter(([code]) => code === 'price_changed');
  assert.deepEqual(warned(body), []);
  await priceIs(350);
  const shown = await read();
  assert.deepEqual([body.totals[0].amount, shown.line_items[0].item.price, shown.totals[0].amount], [749, 350, 799]);
  assert.deepEqual(warned(shown), changed);
  const { body: updated } = await app.ask(at, { line_items: [line(items['Few Eggs'])] }, { method: 'PUT' });
  assert.deepEqual([warned(updated), warned(await read())], [changed, []]);
  await priceIs(0);
  const checkout = (await app.ask('/checkout-sessions', { cart_id: body.id })).body;
  assert.deepEqual(warned(checkout), changed, 'since the cart’s last answer');
  await priceIs(300);
});

test('an unsigned platform is bounded by its address as the shop’s visitors are', async () => {
  const bounded = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '10', TRUST_PROXY: '127.0.0.1' });
  const [storeId = ''] = await givenGroceries(bounded, [
    {
      external_id: 'one',
      name: 'One',
      categories: [{ id: 'x', name: 'X', products: [{ id: 'tea', name: 'Tea', price: 300 }] }],
    },
  ]);
  await bounded.setShop({ mode: 'sandbox', storeIds: [storeId], ucp: 'sandbox' });
  const found = await bounded.ask('/catalog/search', { query: 'tea' });
  const body = { line_items: [line(found.body.products[0].id)] };
  const from = (address: string) => bounded.ask('/carts', body, { headers: { 'x-forwarded-for': address } });
  assert.equal((await from('203.0.113.7')).status, 201);
  const refused = await from('203.0.113.7');
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limit_exceeded']);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await from('203.0.113.8')).status, 201);
  await bounded.close();
});
