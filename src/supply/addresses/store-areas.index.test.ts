import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import type { StoreArea } from './store-addresses.db.ts';
import { StoreAreas } from './store-areas.index.ts';

const area = (city: string, state: string, zipcode: string, more: Partial<StoreArea> = {}): StoreArea => {
  const { latitude = 40, longitude = -80 } = more;
  const box = { south: latitude - 0.1, north: latitude + 0.1, west: longitude - 0.1, east: longitude + 0.1 };
  return { country: 'US', city, state, zipcode, stores: 1, latitude, longitude, ...box, ...more };
};
const AREAS = new StoreAreas([
  area('Chicago', 'IL', '60607', { stores: 3, latitude: 41.8 }),
  area('Chicago', 'IL', '60622', { latitude: 42 }),
  area('Portland', 'OR', '97205', { stores: 9 }),
  area('Portland', 'ME', '04101'),
  area('New York', 'NY', '10011-1234'),
  area('York', 'PA', '17401'),
  area('St. Louis', 'MO', '63101'),
  area('Toronto', 'ON', 'M5V 2T6', { country: 'CA' }),
  area('Québec', 'QC', 'G1R4S9', { country: 'CA' }),
]);

const shown = (text: string) => AREAS.find(text)?.areas.map(({ address }) => address) ?? [];

test('postal codes and cities at the end of an address are found, however they are written', () => {
  for (const [text, ...expected] of [
    ['60607', 'Chicago, IL 60607, USA'],
    ['60607-0001', 'Chicago, IL 60607, USA'],
    ['Chicago IL 60622', 'Chicago, IL 60622, USA'],
    ['60607 Chicago', 'Chicago, IL 60607, USA'],
    ['chicago', 'Chicago, IL, USA'],
    ['932 W Randolph St, Chicago, Illinois, United States', 'Chicago, IL, USA'],
    ['932 W Randolph St, Chicago, IL 99999', 'Chicago, IL, USA'],
    ['portland', 'Portland, OR, USA', 'Portland, ME, USA'],
    ['Portland, ME', 'Portland, ME, USA'],
    ['New York, NY', 'New York, NY, USA'],
    ['10011', 'New York, NY 10011-1234, USA'],
    ['York', 'York, PA, USA'],
    ['St Louis MO', 'St. Louis, MO, USA'],
    ['290 Bremner Blvd, Toronto, ON m5v2t6, Canada', 'Toronto, ON M5V 2T6, Canada'],
    ['G1R 4S9', 'Québec, QC G1R4S9, Canada'],
    ['quebec', 'Québec, QC, Canada'],
  ] as const) {
    assert.deepEqual(shown(text), expected, text);
  }
});

test('what names no area is not found: other states, streets of the name, house numbers', () => {
  for (const text of [
    'Portland, TX',
    '100 Chicago Ave, Evanston',
    '60607 Main St',
    '17401 Elm St, Nowhere',
    '12345',
    'IL',
  ]) {
    assert.deepEqual(shown(text), [], text);
  }
});

test('a city lies in the middle of its stores', () => {
  const [city] = AREAS.find('Chicago')?.areas ?? [];
  assert.ok(city && Math.abs(city.latitude - (3 * 41.8 + 42) / 4) < 1e-9);
  assert.deepEqual([city.precision, city.stores], ['city', 4]);
});

test('the words before the area are its street', () => {
  assert.deepEqual(AREAS.find('932 W Randolph St, Chicago, IL 60607')?.street, ['932', 'west', 'randolph', 'street']);
  assert.deepEqual(AREAS.find('932 W Randolph St 60607')?.street, ['932', 'west', 'randolph', 'street']);
});

test('any text has an answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
      const named = AREAS.find(text);
      assert.ok(named === undefined || named.areas.length > 0);
    }),
    { numRuns: runs(200) },
  );
});
