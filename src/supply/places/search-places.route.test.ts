import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPlacesFile, osmFeature } from '../../../test/given/place.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';

const VANCOUVER = { location_bias_latitude: 49.2827, location_bias_longitude: -123.1207 };
const places = givenPlacesFile([
  osmFeature(1, {
    amenity: 'restaurant',
    name: 'Mossy Fork',
    cuisine: 'vegan;salad',
    phone: '+1 604-555-0142',
    website: 'https://mossy.example/menu',
    opening_hours: 'Mo-Fr 11:00-22:00; Sa 17:00-02:00',
    'addr:housenumber': '787',
    'addr:street': 'West Georgia Street',
    'addr:unit': '2',
    'addr:city': 'Vancouver',
    'addr:province': 'BC',
    'addr:postcode': 'V6C 1A1',
  }),
  osmFeature(2, { amenity: 'cafe', name: 'Mossy Fork Express' }),
  osmFeature(3, { shop: 'supermarket', name: 'Lantern Market', opening_hours: '24/7' }),
  osmFeature(4, { amenity: 'restaurant', name: 'Copper Gull', opening_hours: 'Mo-Su 12:00-13:00' }),
  osmFeature(5, { 'disused:amenity': 'restaurant', name: 'Old Gull' }),
  {
    type: 'Feature',
    id: 'without-website',
    properties: { names: { primary: 'Silent Heron' }, categories: { primary: 'cafe' }, addresses: [{ country: 'CA' }] },
    geometry: { type: 'Point', coordinates: [-123.1, 49.28] },
  },
]);

const app = await givenApp({ env: { PLACES_FILE: places.file } });
after(async () => {
  await app.close();
  places.remove();
});

const search = (query: Record<string, string | number | boolean>) => app.get('/places/search', query);
const findNames = async (query: Record<string, string | number | boolean>) =>
  (await search(query)).body.places.map((place: { place_name: string }) => place.place_name);

test('a place is presented in full', async () => {
  const { status, body } = await search({ search: 'mossy fork', ...VANCOUVER });
  assert.equal(status, 200);
  assert.deepEqual(body.places[0], {
    directory_place_id: 'node/1',
    place_link: 'https://mossy.example/menu',
    place_name: 'Mossy Fork',
    place_address: '787 West Georgia Street, 2, Vancouver, BC V6C 1A1, Canada',
    place_address_components: {
      street_addr: '787 West Georgia Street',
      city: 'Vancouver',
      state: 'BC',
      zipcode: 'V6C 1A1',
      country: 'CA',
    },
    place_location: [49.2827, -123.1138],
    place_phone: 16045550142,
    place_hours: [
      'Monday: 11:00AM - 10:00PM',
      'Tuesday: 11:00AM - 10:00PM',
      'Wednesday: 11:00AM - 10:00PM',
      'Thursday: 11:00AM - 10:00PM',
      'Friday: 11:00AM - 10:00PM',
      'Saturday: 05:00PM - 02:00AM',
      'Sunday: Closed',
    ],
    status: 'OPERATIONAL',
    type: 'restaurant',
  });
});

test('a place with few known facts has empty or absent fields elsewhere', async () => {
  const [place] = (await search({ search: 'mossy fork express' })).body.places;
  assert.deepEqual([place.place_address, place.place_hours, 'place_phone' in place], ['', [], false]);
  assert.deepEqual(
    Object.keys(place).filter((name) => name.startsWith('service_')),
    [],
  );
});

test('place_link is always a URL: the page of a place, of its record, or the map where it lies', async () => {
  const findLink = async (text: string) => (await search({ search: text })).body.places[0].place_link;
  assert.equal(await findLink('copper gull'), 'https://www.openstreetmap.org/node/4');
  assert.equal(
    await findLink('silent heron'),
    'https://www.openstreetmap.org/?mlat=49.28&mlon=-123.1#map=19/49.28/-123.1',
  );
});

test('a radius beyond the earth cuts nothing off and is no fault', async () => {
  const near = { ...VANCOUVER, location_bias_radius: 500_000_000 };
  assert.deepEqual(await findNames({ search: 'mossy', ...near }), ['Mossy Fork', 'Mossy Fork Express']);
});

test('nothing found is an empty list', async () => {
  const { status, body } = await search({ search: 'no such place' });
  assert.deepEqual([status, body], [200, { places: [] }]);
});

test('nearer ones come first, wherever the circle is, and none is cut off', async () => {
  const east = { location_bias_latitude: 49.2827, location_bias_longitude: -123.0931, location_bias_radius: 100 };
  assert.deepEqual(await findNames({ search: 'gull', ...east }), ['Copper Gull', 'Old Gull']);
  assert.deepEqual(await findNames({ search: 'mossy', ...east }), ['Mossy Fork Express', 'Mossy Fork']);
  assert.deepEqual(await findNames({ search: 'mossy', ...VANCOUVER }), ['Mossy Fork', 'Mossy Fork Express']);
});

test('open_filter keeps stores open now on their own clock', async () => {
  // Wednesday, 10:00 in Vancouver.
  assert.deepEqual(await findNames({ search: 'lantern market', open_filter: true }), ['Lantern Market']);
  assert.deepEqual(await findNames({ search: 'copper gull', open_filter: true }), []);
  assert.deepEqual(await findNames({ search: 'copper gull', open_filter: 'FALSE' }), ['Copper Gull']);
});

test('400 names every invalid parameter', async () => {
  const cases: [Record<string, string | number>, string[]][] = [
    [{}, ['search']],
    [{ search: '' }, ['search']],
    [{ search: ' !?, ' }, ['search']],
    [{ search: 'x'.repeat(301) }, ['search']],
    [{ search: 'x', location_bias_latitude: 1 }, ['location_bias_longitude']],
    [{ search: 'x', location_bias_longitude: 1 }, ['location_bias_latitude']],
    [
      { search: 'x', location_bias_latitude: 91, location_bias_longitude: 'east' },
      ['location_bias_latitude', 'location_bias_longitude'],
    ],
    [{ search: 'x', location_bias_radius: -1 }, ['location_bias_radius']],
    [{ search: 'x', search_type: 'address' }, ['search_type']],
    [{ search: 'x', open_filter: 'perhaps' }, ['open_filter']],
  ];
  for (const [query, names] of cases) {
    const { status, body } = await search(query);
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    assert.deepEqual(body.errors.map((error: { name: string }) => error.name).sort(), names, JSON.stringify(query));
  }
  assert.equal((await search({ search: 'mossy', search_type: 'place' })).status, 200);
});

test('a place that a listed store is already carries its ids, and adding it adds nothing', async () => {
  const store = { external_id: 'gull', name: 'The Copper Gull', latitude: 49.28275, longitude: -123.0931 };
  const address = { street_addr: '1 Main St', city: 'Vancouver', state: 'BC', zipcode: 'V6A 1A1', country: 'CA' };
  const [storeId] = await givenStores(app, [pizzeria({ ...store, address, time_zone: 'America/Vancouver' })]);
  const [place] = (await search({ search: 'copper gull' })).body.places;
  assert.equal(place.service_store_id, storeId);
  const { body } = await app.get('/utils/add_store', { directory_place_id: place.directory_place_id });
  assert.deepEqual(body, {
    service_store_id: storeId,
    service_place_id: place.service_place_id,
    service_store_type: 'restaurant',
  });
});
