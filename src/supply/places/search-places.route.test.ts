import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPlacesFile, osmFeature } from '../../../test/given/place.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { anyExceptions, anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { type OracleHours, openTimesOf, stateIn } from '../../../test/oracles/dated-hours.ts';
import { ALL_ZONES } from '../../../test/oracles/wall-clock.ts';
import { runs } from '../../../test/runs.ts';
import { formatHours } from '../stores/format-hours.ts';
import { completeHours, weeklyHours } from '../stores/hours.ts';

const NOON = [{ startMinute: 720, endMinute: 780 }];
const LISTED_HOURS = ['', 'Mo-Su 12:00-13:00', '', 'Mo-Su 12:00-13:00', '', 'Mo-Su 12:00-13:00'];
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
  ...LISTED_HOURS.map((hours, nth) =>
    osmFeature(10 + nth, { amenity: 'restaurant', name: 'Blue Egret', ...(hours && { opening_hours: hours }) }),
  ),
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

test('400 for a search without words, and half a coordinate', async () => {
  const cases: [Record<string, string | number>, string[]][] = [
    [{ search: '' }, ['search']],
    [{ search: ' !?, ' }, ['search']],
    [{ search: 'x', location_bias_latitude: 1 }, ['location_bias_longitude']],
    [{ search: 'x', location_bias_longitude: 1 }, ['location_bias_latitude']],
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
  const { place_name: name, place_address_components: parts, place_location: spot } = place;
  assert.deepEqual([name, parts.street_addr, spot], [store.name, '1 Main St', [store.latitude, store.longitude]]);
  const { body } = await app.get('/utils/add_store', { directory_place_id: place.directory_place_id });
  assert.deepEqual(body, {
    service_store_id: storeId,
    service_place_id: place.service_place_id,
    service_store_type: 'restaurant',
  });
});

const STORE = fc.record({
  week: fc.option(anyWeek()),
  exceptions: anyExceptions('1970-01-01'),
  timeZone: fc.constantFrom(...ALL_ZONES),
});
const STORES = fc.tuple(STORE, STORE, STORE, STORE);
const WAITS = fc.array(fc.integer({ min: 1, max: 1800 }), { minLength: 4, maxLength: 6 });

test('a place that is a store has its store’s hours, and open_filter judges by them and their dates', async () => {
  const ids = LISTED_HOURS.map((_, nth) => `node/${10 + nth}`);
  const at = (nth: number) => ({ latitude: 49.2827, longitude: -123.1207 + (10 + nth) * 0.0069 });
  const lines = [0, 1, 2, 3].map((nth) => pizzeria({ external_id: `egret-${nth}`, name: 'Blue Egret', ...at(nth) }));
  const storeIds = await givenStores(app, lines);
  const find = async (more: object): Promise<[string, string[]][]> =>
    (await search({ search: 'blue egret', ...more })).body.places.map((place: Record<string, unknown>) => [
      place.directory_place_id,
      place.place_hours,
    ]);
  await fc.assert(
    fc.asyncProperty(STORES, WAITS, async (stores, waits) => {
      const today = app.now().toZonedDateTimeISO('UTC').toPlainDate();
      const dateOf = (date: string) => today.add({ days: Date.parse(date) / 86_400_000 }).toString();
      const expected = LISTED_HOURS.map(
        (listed): OracleHours => ({
          week: listed ? weeklyHours(() => NOON) : null,
          exceptions: [],
          channel: 'operational',
          timeZone: 'America/Vancouver',
        }),
      );
      for (const [nth, { week, exceptions, timeZone }] of stores.entries()) {
        const dated = exceptions.map((one) => ({ ...one, from: dateOf(one.from), to: dateOf(one.to) }));
        const changes = { hours: completeHours({ operational: week }), hoursExceptions: dated, timeZone };
        await sql`update stores set profile = profile || ${JSON.stringify(changes)}::jsonb
          where store_id = ${storeIds[nth]}`.execute(app.service.deps.db);
        if (week) expected[nth] = { week, exceptions: dated, channel: 'operational', timeZone };
      }
      for (const minutes of waits) {
        await app.advance({ minutes });
        const nowS = Math.floor(app.now().epochMilliseconds / 1000);
        const [first, last] = [-9, 9].map((days) => app.now().toZonedDateTimeISO('UTC').toPlainDate().add({ days }));
        const places = expected.map((hours, nth) => {
          const texts = Object.entries(hours.week ? formatHours(hours.week) : {}).map(
            ([day, text]) => `${day}: ${text}`,
          );
          const times = openTimesOf(hours, first ?? assert.fail(), last ?? assert.fail());
          return { found: [ids[nth] ?? '', texts] as const, isOpen: stateIn(times, nowS).open };
        });
        assert.deepEqual(new Map(await find({})), new Map(places.map(({ found }) => found)));
        const open = places.filter(({ isOpen }) => isOpen).map(({ found }) => found);
        assert.deepEqual(new Map(await find({ open_filter: true })), new Map(open));
      }
    }),
    { numRuns: runs(20) },
  );
});
