import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createStoreRows } from '../../src/supply/imports/store-rows.ts';
import { storeOfPlace } from '../../src/supply/places/store-of-place.ts';
import { readOsmPlace } from './read-osm-place.ts';

const TODAY = '2026-11-27';
const VANCOUVER = { type: 'Point', coordinates: [-123.1207, 49.2827] };

function feature(tags: Record<string, unknown>, more: Record<string, unknown> = {}) {
  return {
    type: 'Feature',
    properties: { amenity: 'restaurant', name: 'Fable', ...tags },
    geometry: VANCOUVER,
    ...more,
  };
}

function readPlace(value: unknown) {
  const read = readOsmPlace(value, TODAY);
  assert.ok(read.ok, JSON.stringify(read));
  return read.place;
}

function readRefusal(value: unknown) {
  const read = readOsmPlace(value, TODAY);
  assert.ok(!read.ok, 'expected a refusal');
  return read.reason;
}

test('a shop past its end is permanently closed, one before its opening is left out; other dates change nothing', () => {
  for (const date of ['2025', '2026-10', '2026-11-26', '1999-01-01'])
    assert.equal(readPlace(feature({ end_date: date })).status, 'CLOSED_PERMANENTLY', date);
  for (const date of ['2026', '2026-11', '2026-11-27', '2027-01', '2025..2026', 'C20', 'no'])
    assert.equal(readPlace(feature({ end_date: date })).status, 'OPERATIONAL', date);
  for (const date of ['2027', '2026-12', '2026-11-28'])
    assert.equal(readRefusal(feature({ opening_date: date })), 'not_open_yet', date);
  for (const date of ['2026', '2026-11', '2026-11-27', '2019-05-01', 'soon'])
    assert.equal(readPlace(feature({ opening_date: date })).status, 'OPERATIONAL', date);
});

test('an address that is one tag is the street', () => {
  const tags = { 'addr:street_address': '1944 West 4th Avenue', 'addr:city': 'Vancouver' };
  assert.equal(readPlace(feature(tags)).address.streetAddr, '1944 West 4th Avenue');
});

test('every tag that names a store is read, and its origin and license are kept', () => {
  const tags = {
    cuisine: 'pizza;ice_cream; pizza',
    phone: '+1-604-325-9788; +1-604-325-9789',
    website: 'https://fable.example/',
    brand: 'Fable Kitchens',
    opening_hours: 'Mo-Su 11:00-22:00',
    'addr:housenumber': '1944',
    'addr:street': 'West 4th Avenue',
    'addr:unit': '5',
    'addr:city': 'Vancouver',
    'addr:province': 'BC',
    'addr:postcode': 'V6J 1M5',
    'addr:country': 'CA',
    '@timestamp': '2019-05-04T04:42:59.000-07:00',
  };
  const { hours, ...place } = readPlace(feature(tags, { id: 'node/1' }));
  assert.deepEqual(place, {
    placeId: 'node/1',
    name: 'Fable',
    latitude: 49.2827,
    longitude: -123.1207,
    category: 'restaurant',
    storeType: 'restaurant',
    status: 'OPERATIONAL',
    address: {
      streetAddr: '1944 West 4th Avenue',
      streetAddr2: '5',
      city: 'Vancouver',
      state: 'BC',
      zipcode: 'V6J 1M5',
    },
    country: 'CA',
    phone: '+1-604-325-9788',
    datedRules: null,
    cuisines: ['pizza', 'ice cream'],
    brand: 'Fable Kitchens',
    link: 'https://fable.example/',
    origins: [
      { dataset: 'OpenStreetMap', license: 'ODbL-1.0', recordId: 'node/1', updatedAt: '2019-05-04T04:42:59.000-07:00' },
    ],
  });
  assert.deepEqual(hours?.[0], [{ startMinute: 660, endMinute: 1320 }]);
});

test('an element is known by its id wherever a converter puts it', () => {
  const ids = [
    feature({}, { id: 'way/7' }),
    feature({ '@id': 'way/7' }),
    feature({}, { '@id': 'https://www.openstreetmap.org/way/7' }),
    feature({ osm_id: 7, osm_type: 'way' }),
    feature({ osm_id: '7', osm_type: 'W' }),
  ].map((one) => readPlace(one).placeId);
  assert.deepEqual(new Set(ids), new Set(['way/7']));
  assert.equal(readPlace(feature({}, { id: 12 })).placeId, '12');
});

test('without an id the name and the coordinate are the id, the same at every reading', () => {
  const { placeId, origins, link } = readPlace(feature({}));
  assert.match(placeId, /^spot\/[0-9a-f]{24}$/);
  assert.equal(readPlace(feature({ phone: '1' })).placeId, placeId);
  assert.notEqual(readPlace(feature({ name: 'Other' })).placeId, placeId);
  assert.deepEqual([origins[0]?.recordId, link], [null, '']);
});

test('lines and areas stand for a point', () => {
  const square = [
    [-123.2, 49.2],
    [-123.1, 49.2],
    [-123.1, 49.3],
    [-123.2, 49.3],
    [-123.2, 49.2],
  ];
  const small = square.map(([x = 0, y = 0]) => [x / 1000 - 100, y / 1000 + 40]);
  const readSpot = (geometry: unknown) => {
    const { latitude, longitude } = readPlace(feature({}, { geometry }));
    return [latitude.toFixed(4), longitude.toFixed(4)];
  };
  assert.deepEqual(readSpot({ type: 'Polygon', coordinates: [square] }), ['49.2500', '-123.1500']);
  assert.deepEqual(readSpot({ type: 'MultiPolygon', coordinates: [[small], [square]] }), ['49.2500', '-123.1500']);
  assert.deepEqual(readSpot({ type: 'LineString', coordinates: square }), ['49.3000', '-123.1000']);
  const flat = square.map(([x = 0]) => [x, 49.2]);
  assert.deepEqual(readSpot({ type: 'Polygon', coordinates: [flat] })[0], '49.2000');
});

test('a place that serves food is a restaurant, a place that sells it is a grocery, and serving wins', () => {
  const readType = (tags: Record<string, string>) => {
    const { storeType, category } = readPlace(feature({ amenity: '', ...tags }));
    return [storeType, category];
  };
  for (const amenity of ['fast_food', 'cafe', 'bar', 'pub', 'ice_cream', 'food_court', 'biergarten'])
    assert.deepEqual(readType({ amenity }), ['restaurant', amenity]);
  for (const shop of ['supermarket', 'convenience', 'greengrocer', 'butcher', 'bakery', 'deli', 'seafood', 'alcohol'])
    assert.deepEqual(readType({ shop }), ['grocery', shop]);
  assert.deepEqual(readType({ amenity: 'pub', shop: 'alcohol' }), ['restaurant', 'pub']);
  assert.deepEqual(readType({ amenity: 'fuel', shop: 'convenience' }), ['grocery', 'convenience']);
  assert.deepEqual(readType({ shop: 'books;deli' }), ['grocery', 'deli']);
});

test('each record that is not a store has a reason', () => {
  assert.equal(readRefusal(feature({ amenity: 'bench', name: '' })), 'no_shop');
  assert.equal(readRefusal(feature({ amenity: 'marketplace' })), 'no_shop');
  assert.equal(readRefusal(feature({ name: ' ' })), 'no_name');
  assert.equal(readRefusal(feature({}, { geometry: null })), 'no_location');
  assert.equal(readPlace(feature({ name: '', brand: 'Subway' })).name, 'Subway');
});

test('a permanently closed place is distinguished from its successor', () => {
  const readStatus = (tags: Record<string, string>) => readPlace(feature(tags)).status;
  assert.equal(readStatus({ disused: 'yes' }), 'CLOSED_PERMANENTLY');
  assert.equal(readStatus({ amenity: '', 'disused:amenity': 'cafe' }), 'CLOSED_PERMANENTLY');
  assert.equal(readStatus({ amenity: '', shop: 'vacant', 'was:shop': 'bakery' }), 'CLOSED_PERMANENTLY');
  assert.equal(readStatus({ 'was:amenity': 'pub' }), 'OPERATIONAL');
  assert.equal(readRefusal(feature({ amenity: 'bank', 'was:amenity': 'pub' })), 'no_shop');
});

test('the country comes from the record, then from the coordinate; others are dropped', () => {
  const at = (longitude: number, latitude: number, country = '') =>
    readPlace(feature({ 'addr:country': country }, { geometry: { type: 'Point', coordinates: [longitude, latitude] } }))
      .country;
  assert.deepEqual(
    [at(-123.12, 49.28), at(-122.33, 47.6), at(-66.1, 18.46), at(-117.02, 32.5), at(2.35, 48.85)],
    ['CA', 'US', 'US', null, null],
  );
  assert.deepEqual([at(-123.12, 49.28, 'us'), at(-123.12, 49.28, 'MX')], ['US', null]);
});

test('a rule for holidays is left out with a warning, and the week and other dates hold without it', () => {
  const read = readOsmPlace(feature({ opening_hours: 'Mo-Su 09:00-17:00; Dec 25 off; PH 10:00-12:00' }), TODAY);
  assert.ok(read.ok);
  assert.deepEqual(read.place.hours?.[6], [{ startMinute: 540, endMinute: 1020 }]);
  assert.deepEqual(
    read.place.datedRules?.map(({ closes, spans }) => [closes, spans?.length ?? 0]),
    [
      [false, 0],
      [true, 1],
    ],
  );
  assert.deepEqual(read.warnings, [
    {
      path: 'properties.opening_hours',
      message: 'expected no holidays (PH, SH), whose dates are not guessed: "PH 10:00-12:00"; left out',
    },
  ]);
});

test('dates without a year apply to the place’s current year and the next', () => {
  const yearsAt = (now: string) => {
    const placed = storeOfPlace(readPlace(feature({ opening_hours: 'Mo-Su 09:00-17:00; Dec 25 off' })));
    assert.ok(placed.ok);
    const { profile } = createStoreRows('osm', placed.store, Temporal.Instant.from(now)).finish([]);
    const { hoursExceptions }: { hoursExceptions: { from: string }[] } = JSON.parse(profile);
    return hoursExceptions.map(({ from }) => from.slice(0, 4));
  };
  assert.deepEqual(yearsAt('2027-01-01T04:00:00Z'), ['2026', '2027']);
  assert.deepEqual(yearsAt('2027-01-01T12:00:00Z'), ['2027', '2028']);
});

test('opening hours that weeks and dates cannot express are unknown, with a warning', () => {
  const read = readOsmPlace(feature({ opening_hours: 'week 1-53/2 Sa 09:00-13:00' }), TODAY);
  assert.ok(read.ok);
  assert.deepEqual([read.place.hours, read.place.datedRules], [null, null]);
  assert.deepEqual(
    read.warnings.map(({ path }) => path),
    ['properties.opening_hours'],
  );
});

test('hostile records are malformed or left out, never an error', () => {
  const coordinates = [['-123', '49'], [Number.NaN, 49], [-123], [181, 0], [0, 91], null, 'x', [[[]]], { 0: 1, 1: 2 }];
  for (const one of coordinates)
    assert.equal(readRefusal(feature({}, { geometry: { type: 'Point', coordinates: one } })), 'malformed');
  for (const type of ['GeometryCollection', 'Polygon', 'MultiPolygon', 'LineString', 'constructor'])
    assert.equal(readRefusal(feature({}, { geometry: { type, coordinates: [[['a']]] } })), 'malformed');
  const polluted = JSON.parse(
    '{"type":"Feature","__proto__":{"type":"Feature"},"properties":{"__proto__":{"name":"X"},"amenity":"cafe"},"geometry":null}',
  );
  assert.equal(readRefusal(polluted), 'no_name');
  assert.equal(readRefusal(feature({ name: 'x'.repeat(501) })), 'malformed');
  assert.equal(readPlace(feature({ phone: 'x'.repeat(5000), website: 'javascript:alert(1)' })).phone, '');
  for (const value of [null, 1, 'x', [], {}, { type: 'Feature' }, { type: 'Feature', properties: [] }])
    assert.equal(readRefusal(value), 'malformed');
});

test('whatever JSON a record is made of, reading it gives a place or a reason', () => {
  const names = 'amenity shop name brand phone opening_hours addr:street osm_id osm_type @id tags cuisine __proto__';
  const tags = fc.dictionary(
    fc.constantFrom(...names.split(' ')),
    fc.oneof(fc.constantFrom('restaurant', 'bakery', 'way', '24/7', ';;'), fc.jsonValue()),
  );
  fc.assert(
    fc.property(fc.oneof(tags, fc.jsonValue()), fc.jsonValue(), (properties, geometry) => {
      const read = readOsmPlace(
        { type: 'Feature', properties, geometry: { type: 'Point', coordinates: geometry } },
        TODAY,
      );
      assert.equal(typeof read.ok, 'boolean');
    }),
  );
});
