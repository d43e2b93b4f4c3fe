import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAddressLine } from '../../src/supply/stores/address-line.ts';
import { runs, SEED } from '../../test/runs.ts';
import { doorParts, isAreaOf, isWhole, placeOf, placeOfDevice } from './door.ts';

const PRECISE = { latitude: 1, longitude: 2, precision: 'rooftop' } as const;
const NOWHERE = { street_num: '', street_name: '', apt_num: '', city: '', state: '', zipcode: '' };
const AREA = {
  ...PRECISE,
  precision: 'postal_code',
  address: 'Chicago, IL 60607, USA',
  components: { ...NOWHERE, city: 'Chicago', state: 'IL', zipcode: '60607' },
} as const;
const HOUSE = {
  ...PRECISE,
  address: '932 West Randolph Street, Chicago, IL 60607, USA',
  components: { ...AREA.components, street_num: '932', street_name: 'West Randolph Street' },
} as const;

test('an address without a door or a postal code is not whole; a rural box is a door', () => {
  const isWholeLine = (line: string) => isWhole(readAddressLine(line));
  assert.ok(isWholeLine('932 W Randolph St, Chicago, IL 60607'));
  assert.ok(isWholeLine('RR 2 Box 15, Tuttle, OK 73089'));
  assert.ok(isWholeLine('N6W23001 Bluemound Rd, Waukesha, WI 53188'));
  assert.ok(isWholeLine('One Apple Park Way, Cupertino, CA 95014'));
  for (const line of ['Chicago, IL 60607', '932 W Randolph St, Chicago, IL', '12 Mile Rd, Warren, MI 48092']) {
    assert.equal(isWholeLine(line), false, line);
  }
});

test('typed text counts only for its own address, and words without a number are no street', () => {
  const place = { address: 'Chicago, IL 60607', latitude: 0, longitude: 0 };
  const entered = { ...doorParts(place, undefined), streetNum: '100', streetName: 'N Sangamon St' };
  assert.equal(doorParts(place, { address: place.address, parts: entered }).streetNum, '100');
  assert.equal(doorParts(place, { address: 'elsewhere', parts: entered }).streetNum, '');
  assert.equal(doorParts({ ...place, address: 'Your location' }, undefined).streetName, '');
});

test("a match has the geocoder's parts with the typed unit", () => {
  const { parts } = placeOf('932 w randolph apt 4b, chicago', HOUSE);
  assert.deepEqual(Object.values(parts ?? {}), ['932', 'West Randolph Street', 'apt 4b', 'Chicago', 'IL', '60607']);
  assert.equal(placeOf('932 w randolph', HOUSE).address, HOUSE.address);
  assert.equal(doorParts(placeOf('932 w randolph', HOUSE), undefined).state, 'IL');
});

test('the place of a device keeps its own coordinate, with the parts that were found there', () => {
  const text = fc.string({ maxLength: 20 });
  const components = fc.record({
    street_num: text,
    street_name: text,
    apt_num: text,
    city: text,
    state: text,
    zipcode: text,
  });
  const match = fc.record({
    latitude: fc.double(),
    longitude: fc.double(),
    address: text,
    components,
    precision: fc.constantFrom('rooftop', 'city'),
  });
  fc.assert(
    fc.property(fc.double(), fc.double(), match, (latitude, longitude, found) => {
      const place = placeOfDevice({ latitude, longitude }, found, 'Here');
      assert.deepEqual([place.latitude, place.longitude, place.address], [latitude, longitude, found.address]);
      assert.deepEqual(Object.values(place.parts ?? {}), Object.values(found.components));
      assert.deepEqual([place.isDevice, place.isArea], [true, false]);
    }),
    { seed: SEED, numRuns: runs(200) },
  );
  assert.equal(placeOfDevice({ latitude: 1, longitude: 2 }, undefined, 'Here').address, 'Here');
});

test('a match without the house keeps the typed street', () => {
  const typed = '100 N Sangamon St, Chicago';
  assert.equal(placeOf(typed, AREA).address, '100 N Sangamon St, Chicago, IL 60607');
  assert.deepEqual(
    [placeOf(typed, AREA), placeOf('60607', AREA)].map(({ isArea }) => isArea),
    [true, false],
  );
  assert.deepEqual([isAreaOf(typed, AREA), isAreaOf(typed, HOUSE), isAreaOf('60607', AREA)], [true, false, false]);
  assert.equal(placeOf('60607', AREA).address, AREA.address);
  const rural = placeOf('RR 2 Box 15, Tuttle', { ...AREA, components: { ...NOWHERE, city: 'Tuttle', state: 'OK' } });
  assert.equal(rural.parts?.streetName, 'RR 2 Box 15');
  const street = { ...HOUSE, precision: 'street', components: { ...HOUSE.components, street_num: '' } } as const;
  assert.equal(placeOf('28000 12 Mile Rd, Warren', street).parts?.streetNum, '28000');
});
