import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FeedLine } from '../../../test/feed-lines.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { setProduct } from '../../supply/catalog/set-product.flow.ts';
import { takeStock } from '../../supply/catalog/stock.db.ts';

const NEAR = { user_latitude: 40.7383, user_longitude: -73.9927 };

const app = await givenOwnApp();
const other = await app.givenNode();
after(() => app.close());

type Found = { name: string; price: number; store_id: string };

/** The products in each node's answer after it has read all committed changes. */
async function onBothNodes(query: Record<string, string | number | boolean>): Promise<Found[][]> {
  await Promise.all([app.catchUp(), other.deps.storeFeed.catchUp()]);
  const texts = Object.entries({ ...NEAR, ...query }).map(([name, value]): [string, string] => [name, String(value)]);
  const url = `/search/product/v4?${new URLSearchParams(texts)}`;
  const replies = await Promise.all(
    [app.service, other].map(({ http }) => http.inject({ url, headers: { 'id-token': app.key } })),
  );
  return replies.map((reply) => reply.json().products);
}

const shop = (products: readonly FeedLine[], changes: FeedLine = {}): FeedLine => ({
  external_id: 'shop',
  categories: [{ id: 'c', name: 'All', products: products.map((one) => ({ name: one.id, price: 100, ...one })) }],
  ...changes,
});

test('an import, a new price, a new name and a switch of sale are seen on every node', async () => {
  const { db } = app.service.deps;
  const storeId = await givenStore(db, shop([{ id: 'Zebra cake' }]));
  const shown = async () =>
    (await onBothNodes({ query: 'zebra' })).map((found) => found.map(({ name, price }) => [name, price]));
  assert.deepEqual(await shown(), [[['Zebra cake', 100]], [['Zebra cake', 100]]]);

  await givenStore(db, shop([{ id: 'Zebra cake', price: 120 }, { id: 'Zebra tea' }]));
  const both = [
    ['Zebra tea', 100],
    ['Zebra cake', 120],
  ];
  assert.deepEqual(await shown(), [both, both]);

  await givenStore(db, shop([{ id: 'Zebra cake', name: 'Lion cake' }, { id: 'Zebra tea' }]));
  assert.deepEqual(await shown(), [[['Zebra tea', 100]], [['Zebra tea', 100]]]);

  const switchTea = (available: boolean) =>
    db.transaction().execute((tx) => setProduct(tx, { storeId, externalId: 'Zebra tea' }, { available }, app.now()));
  await switchTea(false);
  assert.deepEqual(await shown(), [[], []]);
  await switchTea(true);
  assert.deepEqual(await shown(), [[['Zebra tea', 100]], [['Zebra tea', 100]]]);

  await givenStore(db, shop([{ id: 'Lemonade' }]));
  assert.deepEqual(await shown(), [[], []]);
});

test('no node answers with products from before a change that has been acknowledged', async () => {
  const { db } = app.service.deps;
  for (let price = 101; price <= 120; price += 1) {
    await givenStore(db, { ...shop([{ id: 'Durian', price }]), external_id: 'changing' });
    const shown = await onBothNodes({ query: 'durian' });
    assert.deepEqual(
      shown.map((found) => found.map((product) => product.price)),
      [[price], [price]],
    );
  }
});

test('a product whose last unit was just ordered is omitted at once, and returns with its stock', async () => {
  const { db } = app.service.deps;
  const storeId = await givenStore(db, shop([{ id: 'Quince', qty_available: 2 }], { external_id: 'stocked' }));
  const names = async () => (await onBothNodes({ query: 'quince' })).map((found) => found.map(({ name }) => name));
  assert.deepEqual(await names(), [['Quince'], ['Quince']]);
  await db.transaction().execute((tx) => takeStock(tx, storeId, [{ productNo: 1, quantity: 2 }], null));
  assert.deepEqual(await names(), [[], []]);
  await db
    .transaction()
    .execute((tx) => setProduct(tx, { storeId, externalId: 'Quince' }, { qtyAvailable: 1 }, app.now()));
  assert.deepEqual(await names(), [['Quince'], ['Quince']]);
});

test('a walk shows every product once and fills its pages, whatever was sold out meanwhile, and on any node', async () => {
  const { db } = app.service.deps;
  const products = Array.from({ length: 230 }, (_, at) => ({ id: `Walnut ${at}`, qty_available: 5 }));
  const storeId = await givenStore(db, shop(products, { external_id: 'nuts' }));
  await Promise.all([app.catchUp(), other.deps.storeFeed.catchUp()]);
  const soldOut = [3, 4, 5, 49, 50, 51, 52, 120, 229].map((at) => ({ productNo: at + 1, quantity: 5 }));
  await onBothNodes({ query: 'walnut' });
  await db.transaction().execute((tx) => takeStock(tx, storeId, soldOut, null));

  const seen: string[] = [];
  const sizes: number[] = [];
  let page = 0;
  for (let nth = 0; nth < 20; nth += 1) {
    const { http } = nth % 2 === 0 ? app.service : other;
    const url = `/search/product/v4?query=walnut&user_latitude=40&user_longitude=-73&page=${page}`;
    const { products: found, next_page } = (await http.inject({ url, headers: { 'id-token': app.key } })).json();
    if (found.length === 0) break;
    sizes.push(found.length);
    seen.push(...found.map(({ name }: Found) => name));
    page = next_page;
  }
  assert.deepEqual(sizes, [50, 50, 50, 50, 21]);
  const left = products.map(({ id }) => id).filter((_, at) => !soldOut.some(({ productNo }) => productNo === at + 1));
  assert.deepEqual(seen.toSorted(), left.toSorted());
});

test('a node that starts later finds the same, and a store without products is left out', async () => {
  const { db } = app.service.deps;
  const storeId = await givenStore(db, shop([{ id: 'Okra' }], { external_id: 'leaving' }));
  assert.deepEqual(
    (await onBothNodes({ query: 'okra' })).map((found) => found.length),
    [1, 1],
  );
  const late = await app.givenNode('api');
  await late.deps.storeFeed.catchUp();
  const url = '/search/product/v4?query=okra&user_latitude=40&user_longitude=-73';
  const reply = await late.http.inject({ url, headers: { 'id-token': app.key } });
  assert.equal(reply.json().products[0].store_id, storeId);
  await givenStore(db, { external_id: 'leaving' });
  assert.deepEqual(
    (await onBothNodes({ query: 'okra' })).map((found) => found.length),
    [0, 0],
  );
});

test('the rewrites of a text depend on the stores of the request, not on the other product indexes of a node', async () => {
  const { db } = app.service.deps;
  await givenStore(db, shop([{ id: 'Oat Cookie' }]));
  const far = { external_id: 'far', latitude: 41.7383 };
  const farId = await givenStore(db, shop([{ id: 'Oatcooki e oatcook ie oatcoo kie oatco okie' }], far));
  await app.catchUp();
  const loaded = await app.get('/search/product/v4', { ...NEAR, store_id: farId, query: 'okie' });
  assert.equal(loaded.body.products.length, 1);
  for (const found of await onBothNodes({ query: 'oatcookie', maximum_miles: 10 }))
    assert.deepEqual(
      found.map(({ name }) => name),
      ['Oat Cookie'],
    );
});
