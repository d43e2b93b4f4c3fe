import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { givenStore } from '../../../test/given/stores.ts';
import { type App, givenOwnApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { until } from '../../../test/until.ts';
import { setProduct } from './set-product.flow.ts';

const NEAR = { user_latitude: 40.74, user_longitude: -73.99 };

let app: App;
let storeId: string;
before(async () => {
  app = await givenOwnApp();
  const products = Array.from({ length: 20 }, (_, at) => ({ id: `p${at}`, name: `Pie ${at}`, price: 1400 }));
  storeId = await givenStore(app.service.deps.db, { categories: [{ id: 'pies', name: 'Pies', products }] });
});

const inventory = (query: Record<string, string | number | boolean>, headers?: Record<string, string>) =>
  app.get('/details/inventory', { store_id: storeId, pickup: false, ...query }, headers);

test('menu_id and ETag change when, and only when, the inventory of the client changes', async (t) => {
  const { db } = app.service.deps;
  const menu = (over: object, more: object = {}) => [
    {
      id: 'c',
      name: 'C',
      products: [
        { id: 'p', name: 'P', price: 100, pickup_price: 100, qty_available: 5, ...over },
        { id: 'q', name: 'Q', price: 1 },
      ],
      ...more,
    },
  ];
  const id = await givenStore(db, { external_id: 'versions', categories: menu({}) });
  const read = async () => {
    const [delivery, pickup] = [await inventory({ store_id: id }), await inventory({ store_id: id, pickup: true })];
    return { ids: [delivery.body.menu_id, pickup.body.menu_id], tags: [delivery.headers.etag, pickup.headers.etag] };
  };
  const start = await read();
  assert.notEqual(start.ids[0], start.ids[1]);
  const setProduct = (values: object) =>
    db.updateTable('products').set(values).where('storeId', '=', id).where('externalId', '=', 'p').execute();

  await t.test('the same feed again changes nothing', async () => {
    await givenStore(db, { external_id: 'versions', categories: menu({}) });
    assert.deepEqual(await read(), start);
  });
  await t.test('stock does, in both modes, and back again', async () => {
    await setProduct({ qtyAvailable: 4 });
    const changed = await read();
    for (const mode of [0, 1]) {
      assert.notEqual(changed.ids[mode], start.ids[mode]);
      assert.notEqual(changed.tags[mode], start.tags[mode]);
    }
    await setProduct({ qtyAvailable: 5 });
    assert.deepEqual(await read(), start);
  });
  await t.test('going off sale does', async () => {
    await setProduct({ available: false });
    const changed = await read();
    assert.notEqual(changed.ids[0], start.ids[0]);
    await setProduct({ qtyAvailable: 2 });
    assert.deepEqual(await read(), changed, 'stock of what is off sale is not seen');
    await setProduct({ available: true, qtyAvailable: 5 });
    assert.deepEqual(await read(), start);
  });
  await t.test('the name of a category does', async () => {
    await givenStore(db, { external_id: 'versions', categories: menu({}, { name: 'D' }) });
    assert.notEqual((await read()).ids[0], start.ids[0]);
    await givenStore(db, { external_id: 'versions', categories: menu({}) });
    assert.deepEqual(await read(), start);
  });
  await t.test('a price for delivery does for pickup where it ends a sale', async () => {
    const saleOf = (price: number) => menu({ price, pickup_price: 90, original_price: 150 });
    await givenStore(db, { external_id: 'versions', categories: saleOf(100) });
    const [sale, shown] = [await read(), await inventory({ store_id: id, pickup: true })];
    assert.equal(shown.body.categories[0].menu_item_list[0].original_price, 150);
    await givenStore(db, { external_id: 'versions', categories: saleOf(150) });
    const [after, shownAfter] = [await read(), await inventory({ store_id: id, pickup: true })];
    assert.equal(shownAfter.body.categories[0].menu_item_list[0].original_price, 90);
    assert.notEqual(after.ids[1], sale.ids[1]);
    await givenStore(db, { external_id: 'versions', categories: menu({}) });
    assert.deepEqual(await read(), start);
  });
  await t.test('switches and the quote change the ETag with a quote, and not menu_id', async () => {
    const quoted = { store_id: id, include_quote: true, ...NEAR };
    const before = await inventory(quoted);
    await givenStore(db, { external_id: 'versions', categories: menu({}), online_ordering: false });
    const changed = await inventory(quoted);
    assert.equal(changed.body.menu_id, before.body.menu_id);
    assert.notEqual(changed.headers.etag, before.headers.etag);
  });
});

test('two menus of a restaurant have one menu_id exactly when they show the same, over any sequence of feeds', async () => {
  const { db } = app.service.deps;
  const names = fc.constantFrom('A', 'B', 'C');
  const product = fc.record({
    name: names,
    available: fc.boolean(),
    modes: fc.subarray(['delivery', 'pickup'], { minLength: 1 }),
  });
  const leaf = fc.record({ name: names, products: fc.array(product, { maxLength: 2 }) });
  const branch = fc.record({ name: names, categories: fc.array(leaf, { maxLength: 2 }) });
  const type = fc.constantFrom('restaurant', 'restaurant', 'grocery');
  const feed = fc.record({ type, categories: fc.array(fc.oneof(leaf, branch), { maxLength: 3 }), firstId: fc.nat(1) });
  type Node = { products?: object[]; categories?: Node[] };
  const seen = new Map<string, string>();
  const shownAs = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(feed, async ({ type, categories, firstId }) => {
      let next = firstId;
      const numbered = (nodes: readonly Node[]): object[] =>
        nodes.map((node) => {
          next += 1;
          return {
            ...node,
            id: `c${next}`,
            ...(node.categories && { categories: numbered(node.categories) }),
            ...(node.products && {
              products: node.products.map((one, n) => ({ ...one, id: `c${next}p${n}`, price: 100 })),
            }),
          };
        });
      const id = await givenStore(db, { external_id: 'any-menu', type, categories: numbered(categories) });
      if (type === 'grocery') return;
      for (const pickup of [false, true]) {
        const { body } = await inventory({ store_id: id, pickup });
        const shown = JSON.stringify([pickup, body.categories]);
        assert.equal(shownAs.get(body.menu_id) ?? shown, shown, 'one menu_id is of one menu');
        assert.equal(seen.get(shown) ?? body.menu_id, body.menu_id, 'one menu has one menu_id');
        shownAs.set(body.menu_id, shown);
        seen.set(shown, body.menu_id);
      }
    }),
    { numRuns: runs(150) },
  );
});

test('menu_id stays while only categories change that a restaurant does not show', async (t) => {
  const { db } = app.service.deps;
  const soup = { id: 'soup', name: 'Soup', price: 500 };
  const fish = { id: 'fish', name: 'Fish', price: 900 };
  const soups = { id: 'soups', name: 'Soups', products: [soup] };
  const mains = { id: 'mains', name: 'Mains', products: [fish] };
  const given = (categories: object[], type = 'restaurant') =>
    givenStore(db, { external_id: 'hidden', type, categories });
  const id = await given([soups, mains]);
  const menuId = async () => (await inventory({ store_id: id })).body.menu_id;
  const whole = await menuId();
  const set = (externalId: string, available: boolean) =>
    setProduct(db, { storeId: id, externalId }, { available }, app.now());

  await t.test('a category that disappears with its last product returns with it', async () => {
    await set('fish', false);
    const without = await menuId();
    assert.notEqual(without, whole);
    await given([soups, { ...mains, name: 'Main courses' }]);
    assert.equal(await menuId(), without, 'the name of what is left out');
    await given([{ ...mains, name: 'Main courses' }, soups]);
    assert.equal(await menuId(), without, 'the place of what is left out');
    await set('fish', true);
    assert.notEqual(await menuId(), whole, 'in another place, under another name');
    await given([soups, mains]);
    assert.equal(await menuId(), whole);
  });
  await t.test('a category without products, first in the feed', async () => {
    await given([{ id: 'new', name: 'Coming soon', products: [] }, soups, mains]);
    assert.equal(await menuId(), whole);
  });
  await t.test('the level above the leaves', async () => {
    const under = (name: string) => given([{ id: 'all', name, categories: [soups, mains] }]);
    await under('Lunch');
    assert.equal(await menuId(), whole);
    await under('Dinner');
    assert.equal(await menuId(), whole);
  });
  await t.test('a grocery lists all categories, so the name of an empty one counts', async () => {
    await given([soups, { ...mains, products: [] }], 'grocery');
    const before = await menuId();
    await given([soups, { ...mains, name: 'Counter', products: [] }], 'grocery');
    assert.notEqual(await menuId(), before);
    await given([soups, mains]);
    assert.equal(await menuId(), whole);
  });
});

test('two last products of a category that go off sale at once take the category out of menu_id', async () => {
  const { db } = app.service.deps;
  const products = ['a', 'b'].map((id) => ({ id, name: id, price: 1 }));
  const menu = [
    { id: 'x', name: 'X', products },
    { id: 'y', name: 'Y', products: [{ id: 'c', name: 'c', price: 1 }] },
  ];
  const id = await givenStore(db, { external_id: 'at-once', categories: menu });
  const set = (externalId: string, available: boolean) =>
    db.transaction().execute((tx) => setProduct(tx, { storeId: id, externalId }, { available }, app.now()));
  const menuId = async () => (await inventory({ store_id: id })).body.menu_id;
  const whole = await menuId();
  const without = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([set('a', false), set('b', false)]);
    without.add(await menuId());
    await Promise.all([set('a', true), set('b', true)]);
    assert.equal(await menuId(), whole);
  }
  await set('a', false);
  await set('b', false);
  without.add(await menuId());
  assert.equal(without.size, 1);
});

test('304 without a body for the ETag a client has, and 200 for another', async () => {
  const query = { include_quote: true, ...NEAR };
  const { headers } = await inventory(query);
  const etag = String(headers.etag);
  assert.match(etag, /^"[\w-]+"$/);
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const reply = await inventory(query, { 'if-none-match': header });
    assert.deepEqual([reply.status, reply.text, reply.headers.etag], [304, '', etag]);
  }
  assert.equal((await inventory(query, { 'if-none-match': '"other"' })).status, 200);
  assert.equal((await inventory({ pickup: true }, { 'if-none-match': etag })).status, 200);
});

test('the answer is compressed for a client that accepts it', async () => {
  const plain = await inventory({});
  const { headers, rawPayload } = await app.service.http.inject({
    url: '/details/inventory',
    query: { store_id: storeId, pickup: 'false' },
    headers: { 'id-token': app.key, 'accept-encoding': 'gzip' },
  });
  assert.equal(headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(rawPayload).toString(), plain.text);
});

test('an answer of kept bytes has its length, and is counted like any other', async () => {
  const readCount = async () => {
    const { text } = await app.get('/metrics');
    const line = /http_request_duration_seconds_count\{route="\/details\/inventory",method="GET",status="200"\} (\d+)/;
    return Number(line.exec(text)?.[1]);
  };
  const before = await readCount();
  const reply = await inventory({});
  assert.equal(Number(reply.headers['content-length']), Buffer.byteLength(reply.text));
  assert.match(String(reply.headers['x-request-id']), /^req_/);
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
  // A scrape may return slightly older metrics.
  await until('the answer is counted', async () => (await readCount()) > before);
  assert.equal(await readCount(), before + 1);
});
