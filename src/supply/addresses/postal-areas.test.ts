import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPostalCodeApart, isRegionApart, localityOfRecord } from './postal-areas.ts';

/** Cities with a postal code of each and their region. */
const CITIES: readonly [name: string, latitude: number, longitude: number, zipcode: string, region: string][] = [
  ['Detroit', 42.33, -83.05, '48226', 'MI'],
  ['Seattle', 47.61, -122.33, '98101', 'WA'],
  ['Los Angeles', 34.05, -118.24, '90012', 'California'],
  ['Miami', 25.76, -80.19, '33130-1234', 'Fla.'],
  ['Anchorage', 61.22, -149.9, '99501', 'AK'],
  ['Honolulu', 21.31, -157.86, '96813', 'HI'],
  ['Pago Pago', -14.28, -170.7, '96799', 'AS'],
  ['Saipan', 15.19, 145.75, '96950', 'MP'],
  ['San Juan', 18.47, -66.11, '00901', 'PR'],
  ['Montréal', 45.5, -73.57, 'H2Y 1Z5', 'Québec'],
  ['Vancouver', 49.28, -123.12, 'v6c1a1', 'BC'],
  ['Iqaluit', 63.75, -68.52, 'X0A 0H0', 'NU'],
];

test('a postal code and a region lie at their own city, and far from cities elsewhere', () => {
  for (const [name, latitude, longitude, zipcode, region] of CITIES) {
    const door = { latitude, longitude };
    assert.equal(isPostalCodeApart(zipcode, door) || isRegionApart(region, door), false, name);
    for (const [other, , , otherCode, otherRegion] of CITIES) {
      // The prefixes of the Pacific and of the border meet.
      const meet = [
        ['Seattle', 'Vancouver'],
        ['Honolulu', 'Pago Pago'],
      ];
      if (other === name || meet.some((pair) => pair.includes(name) && pair.includes(other))) continue;
      assert.ok(isPostalCodeApart(otherCode, door), `${otherCode} at ${name}`);
      assert.equal(isRegionApart(otherRegion, door), otherRegion !== region, `${otherRegion} at ${name}`);
    }
  }
});

test('a record without a region takes its postal code’s, or its coordinate’s where that is unambiguous', () => {
  const read = (zipcode: string, latitude: number, longitude: number, region = '') =>
    localityOfRecord({ country: '', region, address: { zipcode } }, { latitude, longitude }).state;
  for (const [name, latitude, longitude, zipcode, region] of CITIES) {
    const code = read('', latitude, longitude, region);
    assert.equal(read(zipcode, latitude, longitude), code, name);
    assert.ok(['', code].includes(read('', latitude, longitude)), name);
  }
  const [denver, kansasCity] = [[39.74, -104.99] as const, [39.1, -94.58] as const];
  assert.equal(read('', ...denver), 'CO');
  assert.equal(read('Denver', ...denver), 'CO');
  assert.equal(read('', ...kansasCity), '');
  assert.equal(read('66101', ...kansasCity), 'KS');
  assert.equal(read('98101', ...denver), '', 'a postal code elsewhere tells nothing');
  assert.equal(read('66101', ...kansasCity, 'Mo.'), 'MO', 'what is stated counts');
  assert.equal(read('60607', ...denver, 'Atlantis'), null);
});

test('a postal code of the same state may lie far from the coordinate, and a text that is none lies nowhere', () => {
  assert.ok(isPostalCodeApart('94103', { latitude: 34.05, longitude: -118.24 }));
  for (const text of ['', '4822', 'ABC', '00000', '60607x', 'x'.repeat(10_000)]) {
    assert.equal(isPostalCodeApart(text, { latitude: 0, longitude: 0 }), false, text.slice(0, 10));
    assert.equal(isRegionApart(text, { latitude: 0, longitude: 0 }), false, text.slice(0, 10));
  }
});
