import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenPlacesFile, osmFeature } from '../../../test/given/place.ts';
import { type Client, clientOf, givenApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { sealProduct } from '../catalog/catalog-tokens.ts';
import { mergeStaged } from '../imports/merge-staged.flow.ts';
import { createStaging, stageStores } from '../imports/staging.db.ts';

const places = givenPlacesFile([
  ...['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Gorse', 'Hazel'].map((name, n) =>
    osmFeature(n + 1, { amenity: 'restaurant', name: `${name} Table` }),
  ),
  osmFeature(20, { amenity: 'restaurant', name: 'Twin Table' }, { latitude: 49.5, longitude: -123.1 }),
  osmFeature(21, { amenity: 'restaurant', name: 'Twin Table' }, { latitude: 49.50001, longitude: -123.1 }),
]);
const HERE = { latitude: 49.28, longitude: -123.12 };
const UNKNOWN = 'f'.repeat(24);

/** Two keys of one account share one sandbox: `a`. `b` is another account, `live` a live key. */
const app = await givenApp({ env: { PLACES_FILE: places.file } });
const a = app;
const b = await app.givenClient();
const live = await app.givenClient('live');
after(async () => {
  await app.close();
  places.remove();
});

const add = async (client: Client, id: number): Promise<string> => {
  const { status, body } = await client.get('/utils/add_store', { directory_place_id: `node/${id}` });
  assert.equal(status, 200);
  await app.catchUp();
  return body.service_store_id;
};
/** Stores whose name has the whole query; others that share a word with it follow them in a response. */
const found = async (client: Client, query: string): Promise<string[]> => {
  const { body } = await client.get('/search/store/v3', { ...HERE, query });
  const stores: { _id: string; name: string }[] = body.stores;
  return stores.filter(({ name }) => name.toLowerCase().includes(query)).map(({ _id }) => _id);
};
const named = async (client: Client, search: string): Promise<string | undefined> =>
  (await client.get('/places/search', { search })).body.places[0].service_store_id;

const getStatus = async (client: Client, storeId: string): Promise<number> =>
  (await client.get('/details/inventory', { store_id: storeId, pickup: false })).status;

/** Answers that refer to a store by id, without values that vary per request. */
async function byId(client: Client, storeId: string): Promise<unknown[]> {
  const near = { user_latitude: HERE.latitude, user_longitude: HERE.longitude, store_id: storeId };
  const token = sealProduct(app.service.deps.tokens, { storeId, productNo: 1 });
  const replies = [
    await client.get('/details/inventory', { store_id: storeId, pickup: false }),
    await client.get('/details/inventory', { store_id: storeId, pickup: true, subcategory_id: 'none' }),
    await client.get('/search/product/v4', { ...near, query: 'milk' }),
    await client.get('/search/cart', { ...near, query: '{"milk":1}' }),
    await client.get('/details/product', { product_id: token }),
  ];
  return replies.map(({ status, body: { request_id: _, ...body } }) => ({ status, ...body }));
}

test('a place added by a sandbox key is found and readable only by that sandbox', async () => {
  const storeId = await add(a, 1);
  assert.deepEqual([await found(a, 'alder table'), await named(a, 'alder')], [[storeId], storeId]);
  const own = await byId(a, storeId);
  assert.deepEqual(
    own.map((one) => (one as { status: number }).status),
    [200, 404, 200, 200, 404],
  );
  for (const stranger of [b, live]) {
    assert.deepEqual([await found(stranger, 'alder table'), await named(stranger, 'alder')], [[], undefined]);
    assert.deepEqual(await byId(stranger, storeId), await byId(stranger, UNKNOWN));
  }
});

test('a place that two sandboxes add has one id for both, and no other account sees it', async () => {
  const storeId = await add(a, 3);
  assert.deepEqual(await found(b, 'cedar table'), []);
  assert.equal(await add(b, 3), storeId);
  const third = await app.givenClient();
  assert.deepEqual([await found(a, 'cedar table'), await found(b, 'cedar table')], [[storeId], [storeId]]);
  assert.deepEqual([await found(third, 'cedar table'), await found(live, 'cedar table')], [[], []]);
  assert.equal(await getStatus(b, storeId), 200);
});

test('once a live key adds it, it is everyone’s with the same id, and stays so when a sandbox adds it again', async () => {
  const storeId = await add(a, 4);
  assert.deepEqual(await found(live, 'dogwood table'), []);
  assert.equal(await add(live, 4), storeId);
  assert.equal(await add(b, 4), storeId);
  for (const client of [a, b, live, await app.givenClient()]) {
    assert.deepEqual(await found(client, 'dogwood table'), [storeId]);
    assert.equal(await getStatus(client, storeId), 200);
  }
});

test('every node shows it within 2 seconds to its sandbox, and then to everyone', async () => {
  const node = await app.givenNode('api');
  await node.deps.storeFeed.catchUp();
  const there = (client: Client) => clientOf(node, client.accountId, client.key);
  const { body } = await a.get('/utils/add_store', { directory_place_id: 'node/5' });
  const storeId = body.service_store_id;
  await until('the other node shows it to its sandbox', async () => (await found(there(a), 'elm table')).length === 1);
  assert.deepEqual(await found(there(live), 'elm table'), []);
  assert.deepEqual(await byId(there(b), storeId), await byId(there(b), UNKNOWN));
  await live.get('/utils/add_store', { directory_place_id: 'node/5' });
  await until('the other node shows it to everyone', async () => (await found(there(b), 'elm table')).length === 1);
  assert.equal(await getStatus(there(b), storeId), 200);
});

test('sandboxes and live keys that add one place at once on two nodes get one store, which is everyone’s', async () => {
  const node = await app.givenNode('api');
  const clients = [a, b, live].flatMap((client) => [client, clientOf(node, client.accountId, client.key)]);
  const replies = await Promise.all(
    clients.map((one) => one.get('/utils/add_store', { directory_place_id: 'node/6' })),
  );
  const ids = new Set(replies.map(({ body }) => body.service_store_id));
  assert.equal(ids.size, 1);
  await app.catchUp();
  for (const client of [a, b, live]) assert.deepEqual(await found(client, 'fir table'), [...ids]);
});

test('an import of the operator that brings the store makes it everyone’s', async () => {
  const storeId = await add(a, 7);
  const { db, clock } = app.service.deps;
  const row = await db.selectFrom('stores').selectAll().where('storeId', '=', storeId).executeTakeFirstOrThrow();
  const { profile, externalId, brand, origins, language } = row;
  const columns = {
    store_id: storeId,
    external_id: externalId,
    brand,
    origins,
    supports_upc_codes: false,
    has_catalog: false,
    online_ordering: true,
    accept_delivery: true,
    accept_pickup: true,
    language,
  };
  const kept = {
    storeId,
    feedHash: row.feedHash.toString('hex'),
    row: JSON.stringify(columns),
    profile: JSON.stringify(profile),
  };
  const rows = { ...kept, categories: [], business: profile };
  await db.transaction().execute(async (tx) => {
    await createStaging(tx);
    await stageStores(tx, [rows]);
    await mergeStaged(tx, { source: 'places', stores: [rows], at: clock.now() });
  });
  await app.catchUp();
  assert.deepEqual([await found(live, 'gorse table'), await found(b, 'gorse table')], [[storeId], [storeId]]);
});

test('a place of live callers at the same spot is the store of the place, and is never hidden by a sandbox', async () => {
  const first = await add(a, 20);
  assert.deepEqual(await found(live, 'twin table'), []);
  // The second record is the same place, so it becomes the same store, which is now public.
  assert.equal(await add(live, 21), first);
  for (const client of [a, b, live]) assert.deepEqual(await found(client, 'twin table'), [first]);
});
