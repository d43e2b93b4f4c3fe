import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { prepareDemo } from '../src/app/cli/prepare-demo.ts';
import { markUnreferenced } from '../src/supply/photos/photos.db.ts';
import { storeIdOf } from '../src/supply/stores/store-id.ts';
import { type App, givenOwnApp } from '../test/harness.ts';
import { DEMO_SOURCE, DEMO_START, demoCatalog } from './catalog.ts';

let app: App;
let storeCount: number;

async function prepare(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-demo-'));
  try {
    return (await prepareDemo(app.service, { ...app.config, dataDir })).storeCount;
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

before(async () => {
  app = await givenOwnApp();
  storeCount = await prepare();
});
after(() => app.close());

test('loaded twice it changes nothing, and the start store takes orders at any hour', async () => {
  const clock = () => app.service.deps.db.selectFrom('changeClock').select('seq').executeTakeFirstOrThrow();
  const earlier = await clock();
  await prepare();
  assert.deepEqual(await clock(), earlier);
  assert.equal(storeCount, [...demoCatalog()].length);
  const { latitude, longitude } = DEMO_START;
  const store_id = storeIdOf(DEMO_SOURCE, DEMO_START.externalId);
  for (let hours = 0; hours < 24; hours += 5) {
    await app.advance({ hours: 5 });
    const found = await app.get('/search/store/v3', { latitude, longitude, open: true, maximum_miles: 1 });
    assert.ok(found.body.stores.some((store: { _id: string }) => store._id === store_id));
    for (const pickup of [true, false]) {
      const query = { store_id, pickup, include_quote: true, user_latitude: latitude, user_longitude: longitude };
      const { body } = await app.get('/details/inventory', query);
      assert.deepEqual([body.quote.error, body.quote.asap_available], [undefined, true]);
    }
  }
});

test('at each hour of a week ten stores of six cuisines and a grocery within three miles deliver to the start', async () => {
  const { latitude, longitude } = DEMO_START;
  const near = { latitude, longitude, maximum_miles: 3, delivers_here: true, accepting: true };
  for (let hour = 0; hour < 7 * 24; hour += 1) {
    await app.advance({ hours: 1 });
    for (const pickup of [false, true]) {
      const { body } = await app.get('/search/store/v3', { ...near, pickup });
      const stores: { type: string; cuisines: string[] }[] = body.stores;
      const restaurants = stores.filter(({ type }) => type === 'restaurant');
      const cuisines = new Set(restaurants.map(({ cuisines: [first] }) => first));
      const at = `${app.now()}, pickup ${pickup}: ${restaurants.length} of ${[...cuisines]}`;
      assert.ok(restaurants.length >= 10 && cuisines.size >= 6 && restaurants.length < stores.length, at);
    }
  }
});

test('its pictures are photos that the service shows, and stay while stores show them', async () => {
  const store_id = storeIdOf(DEMO_SOURCE, DEMO_START.externalId);
  const { latitude, longitude } = DEMO_START;
  const { body } = await app.get('/search/store/v3', { latitude, longitude, query: 'diner' });
  const store = body.stores.find(({ _id }: { _id: string }) => _id === store_id);
  const { body: inventory } = await app.get('/details/inventory', { store_id, pickup: true });
  const shown: string[] = [
    ...store.store_photos,
    ...inventory.categories.flatMap(({ menu_item_list: items }: { menu_item_list: { image: string }[] }) =>
      items.map(({ image }) => image),
    ),
  ];
  assert.ok(shown.length > 10);
  const { db } = app.service.deps;
  await markUnreferenced(db, app.now());
  const lost = await db.selectFrom('photos').select('photoId').where('unreferencedSince', 'is not', null).execute();
  assert.deepEqual(lost, []);
  for (const url of shown) {
    const reply = await app.service.http.inject(url.replace(app.config.baseUrl, ''));
    assert.deepEqual([reply.statusCode, reply.headers['content-type']], [200, 'image/webp'], url);
  }
});
