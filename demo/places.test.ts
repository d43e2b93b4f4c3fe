import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOsmPlace } from '../plugins/open-data/read-osm-place.ts';
import { storeOfPlace } from '../src/supply/places/store-of-place.ts';
import { demoCatalog } from './catalog.ts';
import { CITIES } from './cities.ts';
import { demoPlaces } from './places.ts';

const { features } = demoPlaces();
const stores = new Map([...demoCatalog()].map((store) => [store.name, store]));

test('every place is read whole, and the same ones come every time', () => {
  for (const feature of features) {
    const reading = readOsmPlace(JSON.parse(JSON.stringify(feature)), '2026-06-03');
    assert.ok(reading.ok, feature.id);
    assert.deepEqual(reading.warnings, []);
    const { place } = reading;
    assert.equal(place.placeId, feature.id);
    assert.ok(place.address.streetAddr && place.address.city && place.phone);
    assert.ok(place.status === 'CLOSED_PERMANENTLY' || storeOfPlace(place).ok, feature.id);
  }
  assert.equal(new Set(features.map(({ id }) => id)).size, features.length);
  assert.deepEqual(demoPlaces(), { type: 'FeatureCollection', features });
});

test('each city has places that aren’t stores, one permanently closed place, and two catalog stores', () => {
  const byCity = Map.groupBy(features, ({ properties }) => properties['addr:city']);
  assert.equal(byCity.size, Object.keys(CITIES).length);
  for (const places of byCity.values()) {
    const known = places.filter(({ properties }) => stores.has(properties.name ?? ''));
    assert.deepEqual([known.length, places.length], [2, 14]);
    assert.equal(places.filter(({ properties }) => 'disused:amenity' in properties).length, 1);
  }
});
