import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { givenStore } from '../../test/given-store.ts';
import { type App, givenApp } from '../../test/harness.ts';

const NEAR = { user_latitude: 40.74, user_longitude: -73.99 };

let app: App;
let storeId: string;
before(async () => {
  app = await givenApp();
  const products = Array.from({ length: 20 }, (_, at) => ({ id: `p${at}`, name: `Pie ${at}`, price: 1400 }));
  storeId = await givenStore(app.service.deps.db, { categories: [{ id: 'pies', name: 'Pies', products }] });
});
after(() => app.close());

const inventory = (query: Record<string, string | number | boolean>, headers?: Record<string, string>) =>
  app.get('/details/inventory', { store_id: storeId, pickup: false, ...query }, headers);

test('menu_id and ETag change when, and only when, what a client sees changes', async (t) => {
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

test('the answer is compressed when asked', async () => {
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
  const countOf = async () => {
    const { text } = await app.get('/metrics');
    const line = /http_request_duration_seconds_count\{route="\/details\/inventory",method="GET",status="200"\} (\d+)/;
    return Number(line.exec(text)?.[1]);
  };
  const before = await countOf();
  const reply = await inventory({});
  assert.equal(Number(reply.headers['content-length']), Buffer.byteLength(reply.text));
  assert.match(String(reply.headers['x-request-id']), /^req_/);
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(await countOf(), before + 1);
});
