import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { callerOf } from '../faults/service-process.ts';
import { freePort, givenDatabase, startCommand } from '../given/command.ts';
import { until } from '../until.ts';

const REAL = join(import.meta.dirname, '../../../shared/data/feed/vancouver.geojson.gz');

/** A person's knowledge of a place that store search does not find, with a rough position. */
const SOUGHT = existsSync(REAL)
  ? { file: REAL, text: 'cafe medina richards', name: 'Cafe Medina', latitude: 49.28, longitude: -123.117 }
  : { file: undefined, text: 'espresso bar chicago', name: / Espresso Bar$/, latitude: 41.8827, longitude: -87.6493 };

test('a place that store search does not find is looked up, added and found, and takes no orders yet', async (t) => {
  const { file, text, name, latitude, longitude } = SOUGHT;
  t.diagnostic(file ? 'the real places of Vancouver' : "the demo's places");
  const { env, drop } = await givenDatabase();
  const settings = { ...env, PORT: await freePort(), LOG_LEVEL: 'warn', ...(file ? { PLACES_FILE: file } : {}) };
  const demo = startCommand(['demo', '--json'], settings);
  t.after(async () => {
    demo.child.kill('SIGTERM');
    const { status, stderr } = await demo.finished;
    await drop();
    assert.deepEqual([status, stderr], [0, '']);
  });
  const { url, key } = JSON.parse((await demo.printed(/^\{.*\}\n/))[0]);
  const { get } = callerOf(() => url, key);
  const near = { latitude: String(latitude), longitude: String(longitude) };
  // Stores that share a word with the name are found too.
  const storesNamed = async (query: string) => {
    const { stores } = (await get('/search/store/v3', { ...near, query })).body;
    return stores.filter((store: { name: string }) => store.name === query);
  };
  const bias = { location_bias_latitude: near.latitude, location_bias_longitude: near.longitude };

  const [place] = (await get('/places/search', { search: text, ...bias })).body.places;
  if (typeof name === 'string') assert.equal(place.place_name, name);
  else assert.match(place.place_name, name);
  assert.equal('service_store_id' in place, false);
  assert.deepEqual(await storesNamed(place.place_name), []);

  const added = await get('/utils/add_store', { directory_place_id: place.directory_place_id });
  const { service_store_id: storeId, service_store_type: type } = added.body;
  assert.deepEqual([added.status, type], [200, 'restaurant']);

  let found: { _id: string; name: string; address: { latitude: number; longitude: number } } | undefined;
  await until('search finds the store', async () => {
    found = (await storesNamed(place.place_name)).find(({ _id }: { _id: string }) => _id === storeId);
    return found !== undefined;
  });
  assert.deepEqual([found?.address.latitude, found?.address.longitude], place.place_location);

  const door = { user_latitude: near.latitude, user_longitude: near.longitude, include_quote: 'true' };
  const inventory = await get('/details/inventory', { store_id: storeId, pickup: 'false', ...door });
  assert.equal(inventory.status, 200);
  assert.deepEqual([inventory.body.categories, inventory.body.quote], [[], { error: 'This store is not available.' }]);

  const again = await get('/utils/add_store', { directory_place_id: place.directory_place_id });
  assert.deepEqual(again.body, added.body);
  const [known] = (await get('/places/search', { search: text, ...bias })).body.places;
  assert.deepEqual([known.service_store_id, known.service_place_id], [storeId, added.body.service_place_id]);
});
