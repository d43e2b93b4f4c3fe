import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SearchIndex, storeIdsOf } from '../../../test/given/search-index.ts';
import { haversineMiles, openAtOf, queryOf, storeOf } from '../../../test/oracles/store-search.ts';
import type { StoreQuery } from './store-query.ts';

function givenIndex(places: Readonly<Record<string, readonly [number, number]>>): SearchIndex {
  const index = new SearchIndex(openAtOf);
  for (const [id, [latitude, longitude]] of Object.entries(places)) index.upsert(storeOf(id, { latitude, longitude }));
  return index;
}

const searchIds = (index: SearchIndex, changes: Partial<StoreQuery>): string[] =>
  storeIdsOf(index.search(queryOf(changes), 0));

const FAR_AWAY = givenIndex({
  adak: [51.88, -176.65],
  attu: [52.83, 173.18],
  eureka: [79.98, -85.93],
  guam: [13.47, 144.79],
  newYork: [40.71, -74.0],
  pagoPago: [-14.28, -170.7],
  utqiagvik: [71.29, -156.79],
});

test('across the antimeridian the nearer store is first', () => {
  assert.deepEqual(searchIds(FAR_AWAY, { latitude: 52, longitude: 179.9, maximumMiles: 400 }), ['adak', 'attu']);
  assert.deepEqual(searchIds(FAR_AWAY, { latitude: 52, longitude: -179.9, maximumMiles: 400 }), ['adak', 'attu']);
  assert.deepEqual(searchIds(FAR_AWAY, { latitude: 52.5, longitude: 176 })[0], 'attu');
});

test('at the poles every longitude is the same place', () => {
  const orders = [-180, -90, 0, 17, 180].map((longitude) => searchIds(FAR_AWAY, { latitude: 90, longitude }));
  assert.deepEqual(orders[0]?.slice(0, 3), ['eureka', 'utqiagvik', 'attu']);
  for (const order of orders) assert.deepEqual(order, orders[0]);
  assert.equal(searchIds(FAR_AWAY, { latitude: -90, longitude: 0 })[0], 'pagoPago');
});

test('any coordinate on earth is answered, with great-circle miles', () => {
  for (const [latitude, longitude] of [
    [0, 0],
    [-40.71, 106],
    [90, 0],
    [13.47, 144.79],
  ] as const) {
    const page = FAR_AWAY.search(queryOf({ latitude, longitude }), 0);
    assert.equal(page.stores.length, 7);
    const newYork = page.stores.find(({ segment, slot }) => segment.ids.at(slot) === 'newYork');
    const miles = haversineMiles(latitude, longitude, 40.71, -74);
    assert.ok(Math.abs((newYork?.miles ?? NaN) - miles) <= 0.0051);
  }
});

test('a viewport may cross the antimeridian', () => {
  const viewport = { south: 50, north: 55, west: 170, east: -170 };
  assert.deepEqual(searchIds(FAR_AWAY, { viewport }).sort(), ['adak', 'attu']);
  assert.deepEqual(searchIds(FAR_AWAY, { viewport: { ...viewport, west: -180, east: -170 } }), ['adak']);
  assert.deepEqual(searchIds(FAR_AWAY, { viewport: { ...viewport, west: 170, east: 180 } }), ['attu']);
});

test('a store on the very radius is in', () => {
  const index = givenIndex({ here: [40, -73], there: [41, -73] });
  const miles = haversineMiles(40, -73, 41, -73);
  assert.deepEqual(searchIds(index, { latitude: 40, longitude: -73, maximumMiles: miles }), ['here', 'there']);
  assert.deepEqual(searchIds(index, { latitude: 40, longitude: -73, maximumMiles: miles - 0.000001 }), ['here']);
  assert.deepEqual(searchIds(index, { latitude: 40, longitude: -73, maximumMiles: 0 }), ['here']);
});

test('hundreds of stores at one place are all found, by store id, and can all be taken out again', () => {
  const ids = Array.from({ length: 300 }, (_, i) => `s${String(i).padStart(3, '0')}`);
  const index = givenIndex(Object.fromEntries(ids.toReversed().map((id) => [id, [45, -75] as const])));
  const found = [0, 1, 2, 3].flatMap((page) => searchIds(index, { page }));
  assert.deepEqual(found, ids);
  for (const id of ids) index.remove(id);
  assert.deepEqual(searchIds(index, {}), []);
  assert.equal(index.count().stores, 0);
});
