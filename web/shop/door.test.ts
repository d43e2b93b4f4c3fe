import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doorParts, isAreaOf, isWhole, parseAddress, placeOf } from './door.ts';

const parts = (line: string) => {
  const { streetNum, streetName, apt, city, state, zip } = parseAddress(line);
  return [streetNum, streetName, apt, city, state, zip];
};

test('an address on one line is read into the parts that a driver needs', () => {
  const cases: [string, string[]][] = [
    ['932 W Randolph St, Chicago, IL 60607, USA', ['932', 'W Randolph St', '', 'Chicago', 'IL', '60607']],
    ['932 W Randolph St #4B, Chicago, IL 60607', ['932', 'W Randolph St', '4B', 'Chicago', 'IL', '60607']],
    [
      '12-34 31st Ave Apt 2, Queens, NY 11106-1234, United States',
      ['12-34', '31st Ave', '2', 'Queens', 'NY', '11106-1234'],
    ],
    [
      '1480, rue Saint-Paul O, Montréal, QC H2Y 1Z5, Canada',
      ['1480', 'rue Saint-Paul O', '', 'Montréal', 'QC', 'H2Y 1Z5'],
    ],
    ['77A King St W, Toronto, ON m5k1a1', ['77A', 'King St W', '', 'Toronto', 'ON', 'M5K1A1']],
    ['Chicago, IL 60607, USA', ['', '', '', 'Chicago', 'IL', '60607']],
    ['60607', ['', '', '', '', '', '60607']],
    ['Chicago, IL', ['', '', '', 'Chicago', 'IL', '']],
    ['Your location', ['', '', '', '', '', '']],
    ['', ['', '', '', '', '', '']],
  ];
  for (const [line, expected] of cases) assert.deepEqual(parts(line), expected, line);
});

test('an address without a street or a postal code is not whole', () => {
  assert.ok(isWhole(parseAddress('932 W Randolph St, Chicago, IL 60607')));
  assert.equal(isWhole(parseAddress('Chicago, IL 60607')), false);
  assert.equal(isWhole(parseAddress('932 W Randolph St, Chicago, IL')), false);
});

test('what the customer has entered counts for its address alone', () => {
  const place = { address: 'Chicago, IL 60607', latitude: 0, longitude: 0 };
  const entered = { ...parseAddress(place.address), streetNum: '100', streetName: 'N Sangamon St' };
  assert.equal(doorParts(place, { address: place.address, parts: entered }).streetNum, '100');
  assert.equal(doorParts(place, { address: 'elsewhere', parts: entered }).streetNum, '');
});

test('a match of a whole area keeps the street that was typed', () => {
  const area = { address: 'Chicago, IL 60607, USA', latitude: 1, longitude: 2 };
  const whole = { ...area, address: '100 N Sangamon St, Chicago, IL 60607, USA' };
  assert.deepEqual(placeOf('100 N Sangamon St, Chicago', area), whole);
  assert.deepEqual([isAreaOf('100 N Sangamon St', area), isAreaOf('100 N Sangamon St', whole)], [true, false]);
  assert.equal(isAreaOf('60607', area), false);
  assert.deepEqual(placeOf('100 n sangamon', whole), whole);
  assert.deepEqual(placeOf('60607', area), area);
  assert.equal(placeOf('12, rue Principale, Laval', area).address, `12, rue Principale, ${area.address}`);
});
