import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenPlacesFile, osmFeature } from '../../../test/given/place.ts';
import { type Client, givenApp } from '../../../test/harness.ts';
import { nextChange } from '../stores/stores.db.ts';

const NOTHING = { service_store_id: '', service_place_id: '', service_store_type: '' };
const BERLIN = { latitude: 52.52, longitude: 13.4 };
const places = givenPlacesFile([
  osmFeature(1, {
    amenity: 'restaurant',
    name: 'Mossy Fork',
    cuisine: 'vegan',
    phone: '+1 604-555-0142',
    opening_hours: '24/7',
    brand: 'Fork & Co',
    'addr:street': 'Main Street',
  }),
  osmFeature(2, { shop: 'supermarket', name: 'Lantern Market' }),
  osmFeature(3, { 'disused:amenity': 'restaurant', name: 'Old Gull' }),
  osmFeature(4, { amenity: 'restaurant', name: 'Zum Farn' }, BERLIN),
  osmFeature(5, { amenity: 'cafe', name: 'Third Bell' }),
  osmFeature(6, { shop: 'electronics', name: 'Volt & Valve' }),
  osmFeature(7, { shop: 'hairdresser', name: 'Curl Up' }),
  ...Array.from({ length: 24 }, (_, n) =>
    osmFeature(100 + n, { amenity: 'cafe', name: `Quay ${n}` }, { latitude: 49.3 + n / 100, longitude: -123.1 }),
  ),
]);

const app = await givenApp({ env: { PLACES_FILE: places.file } });
after(async () => {
  await app.close();
  places.remove();
});

const add = (id: string, client: Pick<Client, 'get'> = app) =>
  client.get('/utils/add_store', { directory_place_id: id }).then(({ status, body }) => {
    assert.equal(status, 200);
    return body;
  });
const rowsNamed = async (name: string) =>
  (await app.service.deps.db.selectFrom('stores').selectAll().execute()).filter((row) => row.profile.name === name);

test('a place becomes a store: search finds it on every node, its inventory is empty and it takes no orders', async () => {
  const node = await app.givenNode('api');
  const added = await add('node/1');
  assert.match(added.service_store_id, /^[0-9a-f]{24}$/);
  assert.match(added.service_place_id, /^[0-9a-f]{24}$/);
  assert.equal(added.service_store_type, 'restaurant');
  for (const { deps } of [app.service, node]) {
    await deps.storeFeed.catchUp();
    assert.equal(deps.search.count().stores, 1);
  }
  const { body } = await app.get('/search/store/v3', { latitude: 49.28, longitude: -123.12, query: 'mossy fork' });
  assert.equal(body.stores[0]._id, added.service_store_id);
  assert.deepEqual([body.stores[0].is_open, body.stores[0].phone_number], [true, 16045550142]);
  const store = { store_id: added.service_store_id, include_quote: true };
  for (const parameters of [{ pickup: true }, { pickup: false, user_latitude: 49.28, user_longitude: -123.12 }]) {
    const reply = await app.get('/details/inventory', { ...store, ...parameters });
    assert.deepEqual([reply.status, reply.body.categories], [200, []]);
    assert.deepEqual(reply.body.quote, { error: 'This store is not available.' });
  }
});

test('facts from an open directory keep their origin', async () => {
  const [row] = await rowsNamed('Mossy Fork');
  assert.deepEqual([row?.source, row?.externalId, row?.brand], ['places', 'local:node/1', 'Fork & Co']);
  assert.deepEqual(
    row?.origins?.map(({ license, recordId }) => [license, recordId]),
    [['ODbL-1.0', 'node/1']],
  );
  assert.equal(row?.refreshBy, null);
});

test('adding it again, by anyone, gives the same store and changes nothing; the search names it', async () => {
  const first = await add('node/1');
  const live = await app.givenClient('live');
  assert.deepEqual(await add('node/1', live), first);
  const before = await rowsNamed('Mossy Fork');
  for (const client of [app, live, await app.givenClient()]) assert.deepEqual(await add('node/1', client), first);
  assert.deepEqual(await rowsNamed('Mossy Fork'), before);
  const [place] = (await app.get('/places/search', { search: 'mossy' })).body.places;
  assert.deepEqual([place.service_store_id, place.service_place_id], [first.service_store_id, first.service_place_id]);
});

test('many at once, on two nodes, give one store', async () => {
  const node = await app.givenNode('api');
  const elsewhere = async () => {
    const url = '/utils/add_store?directory_place_id=node/2';
    return (await node.http.inject({ url, headers: { 'id-token': app.key } })).json();
  };
  const answers = await Promise.all([1, 2, 3, 4].flatMap(() => [add('node/2'), elsewhere()]));
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  assert.equal(answers[0].service_store_type, 'grocery');
  assert.equal((await rowsNamed('Lantern Market')).length, 1);
});

test('additions that wait for a long write leave the connections of the pool to others', async () => {
  const { db } = app.service.deps;
  const adding = await db.transaction().execute(async (tx) => {
    await nextChange(tx);
    const waiting = Array.from({ length: 24 }, (_, n) => add(`node/${100 + n}`));
    for (let n = 0; n < 24; n += 1) assert.equal((await app.get('/places/search', { search: 'mossy' })).status, 200);
    return waiting;
  });
  const stores = await Promise.all(adding);
  assert.equal(new Set(stores.map((store) => store.service_store_id)).size, 24);
});

test('a shop of other goods becomes a grocery listing them, and a salon isn’t a store', async () => {
  const added = await add('node/6');
  assert.equal(added.service_store_type, 'grocery');
  await app.catchUp();
  const { body } = await app.get('/search/store/v3', { latitude: 49.28, longitude: -123.12, cuisine: 'electronics' });
  assert.deepEqual(
    body.stores.map((store: { _id: string; type: string; cuisines: string[] }) => [
      store._id,
      store.type,
      store.cuisines,
    ]),
    [[added.service_store_id, 'grocery', ['electronics']]],
  );
  assert.deepEqual(await add('node/7'), NOTHING);
});

test('an unknown, permanently closed or foreign place gives three empty texts', async () => {
  for (const id of ['node/99', 'node/3', 'node/4', '../../etc/passwd', '__proto__'])
    assert.deepEqual(await add(id), NOTHING, id);
});

test('a store that left search comes back when its place is added again', async () => {
  const { service_store_id: storeId } = await add('node/5');
  await app.service.deps.db.updateTable('stores').set({ listed: false }).where('storeId', '=', storeId).execute();
  assert.equal('service_store_id' in (await app.get('/places/search', { search: 'third bell' })).body.places[0], false);
  assert.equal((await add('node/5')).service_store_id, storeId);
  assert.equal((await rowsNamed('Third Bell'))[0]?.listed, true);
});
