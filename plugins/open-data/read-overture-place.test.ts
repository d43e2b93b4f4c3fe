import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readOverturePlace } from './read-overture-place.ts';

const SOURCES = [
  {
    property: '',
    dataset: 'meta',
    license: 'CDLA-Permissive-2.0',
    record_id: '1',
    update_time: '2025-01-02',
    confidence: 0.9,
  },
  {
    property: '/phones',
    dataset: 'Foursquare',
    license: 'Apache-2.0',
    record_id: 'f',
    update_time: null,
    confidence: null,
  },
];

function feature(properties: Record<string, unknown>, more: Record<string, unknown> = {}) {
  return {
    type: 'Feature',
    id: '08f2aa845',
    geometry: { type: 'Point', coordinates: [-97.7431, 30.2672] },
    properties: {
      names: { primary: 'Franklin', common: { en: 'Franklin' }, rules: [] },
      categories: { primary: 'barbecue_restaurant', alternate: ['smokehouse'] },
      ...properties,
    },
    ...more,
  };
}

function readPlace(value: unknown) {
  const read = readOverturePlace(value);
  assert.ok(read.ok, JSON.stringify(read));
  return read.place;
}

function readRefusal(value: unknown) {
  const read = readOverturePlace(value);
  assert.ok(!read.ok, 'expected a refusal');
  return read.reason;
}

test('a whole record is read, with every origin and its own license', () => {
  const properties = {
    confidence: 0.95,
    operating_status: 'open',
    addresses: [{ freeform: '900 E 11th St', locality: 'Austin', postcode: '78702', region: 'US-TX', country: 'US' }],
    phones: ['+15126531187', '+15120000000'],
    websites: ['https://franklin.example/'],
    brand: { names: { primary: 'Franklin Barbecue' }, wikidata: 'Q5492122' },
    sources: SOURCES,
  };
  assert.deepEqual(readPlace(feature(properties)), {
    placeId: '08f2aa845',
    name: 'Franklin',
    address: { streetAddr: '900 E 11th St', streetAddr2: '', city: 'Austin', state: 'TX', zipcode: '78702' },
    country: 'US',
    latitude: 30.2672,
    longitude: -97.7431,
    phone: '+15126531187',
    hours: null,
    datedRules: null,
    cuisines: ['barbecue'],
    brand: 'Franklin Barbecue',
    storeType: 'restaurant',
    category: 'barbecue_restaurant',
    status: 'OPERATIONAL',
    link: 'https://franklin.example/',
    origins: [
      { dataset: 'meta', license: 'CDLA-Permissive-2.0', recordId: '1', updatedAt: '2025-01-02' },
      { dataset: 'Foursquare', license: 'Apache-2.0', recordId: 'f', updatedAt: null },
    ],
  });
});

test('parts may be missing: the country is then the coordinate’s, the origin Overture itself', () => {
  const { address, country, phone, origins, link } = readPlace(
    feature({ addresses: [{ region: 'TX' }], phones: null }),
  );
  assert.deepEqual(address, { streetAddr: '', streetAddr2: '', city: '', state: 'TX', zipcode: '' });
  assert.deepEqual([country, phone, link], ['US', '', '']);
  assert.deepEqual(origins, [{ dataset: 'Overture Maps', license: null, recordId: '08f2aa845', updatedAt: null }]);
});

test('both forms of categories tell the type', () => {
  const readType = (properties: Record<string, unknown>) =>
    readPlace(feature({ categories: null, ...properties })).storeType;
  const taxonomy = (...hierarchy: string[]) => ({
    taxonomy: { primary: hierarchy.at(-1), hierarchy, alternates: null },
  });
  assert.equal(readType({ categories: { primary: 'supermarket' } }), 'grocery');
  assert.equal(readType({ basic_category: 'casual_eatery' }), 'restaurant');
  assert.equal(readType(taxonomy('food_and_drink', 'restaurant', 'casual_eatery', 'gas_station_sushi')), 'restaurant');
  assert.equal(readType(taxonomy('shopping', 'food_and_beverage_store', 'grocery_store', 'odd_grocer')), 'grocery');
  assert.equal(readType(taxonomy('food_and_drink', 'bakery')), 'grocery');
});

test('each record that is not a store has a reason', () => {
  assert.equal(readRefusal(feature({ categories: { primary: 'bank', alternate: ['cafe'] } })), 'no_shop');
  assert.equal(readRefusal(feature({ categories: undefined })), 'no_shop');
  assert.equal(readRefusal(feature({ names: null })), 'no_name');
  assert.equal(readRefusal(feature({ confidence: 0 })), 'does_not_exist');
  assert.equal(readRefusal(feature({}, { geometry: null })), 'no_location');
  assert.equal(readPlace(feature({ names: null, brand: { names: { primary: 'Subway' } } })).name, 'Subway');
});

test('operating_status is ours', () => {
  const readStatus = (status: unknown) => readPlace(feature({ operating_status: status })).status;
  assert.deepEqual(['open', 'permanently_closed', 'temporarily_closed', null, 'toString'].map(readStatus), [
    'OPERATIONAL',
    'CLOSED_PERMANENTLY',
    'CLOSED_TEMPORARILY',
    'OPERATIONAL',
    'OPERATIONAL',
  ]);
});

test('hostile records are malformed or left out, never an error', () => {
  for (const value of [null, 1, [], {}, feature({}, { id: '' }), feature({}, { type: 'Place' })])
    assert.equal(readRefusal(value), 'malformed');
  assert.equal(readRefusal(feature({}, { geometry: { type: 'Point', coordinates: ['-97', '30'] } })), 'malformed');
  assert.equal(readRefusal(feature({ names: { primary: 'x'.repeat(501) } })), 'malformed');
  const many = Array.from({ length: 1000 }, (_, n) => ({ dataset: `d${n}` }));
  assert.equal(readPlace(feature({ sources: many })).origins.length, 50);
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (names, categories, sources) => {
      const read = readOverturePlace(
        feature({ names, taxonomy: categories, sources, addresses: sources, phones: names }),
      );
      assert.equal(typeof read.ok, 'boolean');
    }),
  );
});
