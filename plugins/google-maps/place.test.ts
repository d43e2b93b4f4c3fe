import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatHours } from '../../src/supply/stores/format-hours.ts';
import { componentOf, googleCafe } from '../../test/fakes/given-google.ts';
import { googleHoursOf, googlePlaceOf } from './place.ts';

const at = (day: number, hour: number, minute = 0) => ({ day, hour, minute });
const hours = (periods: unknown) => {
  const read = googleHoursOf({ periods });
  return read && formatHours(read);
};
const cafe = (changes: Record<string, unknown>) => googlePlaceOf(googleCafe({ id: 'ChIJ_x', ...changes }));

test('days begin with Sunday, several periods of a day are kept, a missing day is closed', () => {
  const read = hours([
    { open: at(0, 10), close: at(0, 14) },
    { open: at(1, 11, 30), close: at(1, 14, 30) },
    { open: at(1, 17), close: at(1, 22) },
  ]);
  assert.equal(read?.Sunday, '10:00AM - 02:00PM');
  assert.equal(read?.Monday, '11:30AM - 02:30PM, 05:00PM - 10:00PM');
  assert.equal(read?.Tuesday, 'Closed');
});

test('a night belongs to the day it begins, also across the week’s end', () => {
  const read = hours([
    { open: at(6, 18), close: at(0, 2) },
    { open: at(0, 20), close: at(1, 3) },
    { open: at(5, 18), close: at(6, 0) },
  ]);
  assert.equal(read?.Saturday, '06:00PM - 02:00AM');
  assert.equal(read?.Sunday, '08:00PM - 03:00AM');
  assert.equal(read?.Monday, 'Closed');
  assert.equal(read?.Friday, '06:00PM - 12:00AM');
});

test('a period that never closes is all hours, days on end are days, no period is never, no hours are unknown', () => {
  const always = hours([{ open: at(0, 0) }]);
  assert.deepEqual([...new Set(Object.values(always ?? {}))], ['Open 24 hours']);
  const weekend = hours([{ open: at(6, 8), close: at(1, 6) }]);
  assert.deepEqual(
    [weekend?.Saturday, weekend?.Sunday, weekend?.Monday],
    ['08:00AM - 12:00AM', 'Open 24 hours', '12:00AM - 06:00AM'],
  );
  assert.deepEqual([...new Set(Object.values(hours([]) ?? {}))], ['Closed']);
  assert.equal(googleHoursOf(undefined), null);
});

test('hours that no clock shows are unknown, and a part left out is zero', () => {
  for (const open of [at(7, 0), at(0, 24), at(0, 0, 60), at(-1, 0), at(0, 1.5), 'noon', null]) {
    assert.equal(hours([{ open, close: at(0, 9) }]), null);
  }
  assert.equal(hours(Array(101).fill({ open: at(0, 1), close: at(0, 2) })), null);
  assert.equal(hours([{ open: { hour: 9 }, close: { hour: 17 } }])?.Sunday, '09:00AM - 05:00PM');
});

test('the primary type decides a place’s goods, then its first type that names some', () => {
  const readType = (primaryType: string | undefined, ...types: string[]) => cafe({ primaryType, types })?.storeType;
  assert.equal(readType('thai_restaurant', 'thai_restaurant', 'grocery_store'), 'restaurant');
  assert.equal(readType('supermarket', 'restaurant'), 'grocery');
  assert.equal(readType('gas_station', 'gas_station', 'convenience_store'), 'grocery');
  assert.equal(readType(undefined, 'point_of_interest', 'meal_takeaway'), 'restaurant');
  assert.equal(readType('bank', 'bank', 'finance'), null);
  assert.equal(cafe({ primaryType: undefined, types: undefined })?.storeType, null);
});

test('a place of a territory lies in the US, in a state of its own', () => {
  const addressComponents = [componentOf('Puerto Rico', 'PR', 'country'), componentOf('Calle 1', 'C 1', 'route')];
  const place = cafe({ addressComponents, location: { latitude: 18.4, longitude: -66.1 } });
  assert.deepEqual([place?.country, place?.address.state, place?.address.streetAddr], ['US', 'PR', 'Calle 1']);
});

test('records without an ID, name or coordinate are no places, and odd parts of a place are left out', () => {
  const broken = [{ id: '' }, { displayName: 'x' }, { location: {} }, { location: { latitude: 91, longitude: 0 } }];
  for (const changes of broken) assert.equal(cafe(changes), undefined);
  const odd = cafe({
    types: [1, null],
    addressComponents: [1, { types: 'x' }],
    googleMapsUri: 'javascript:x',
    businessStatus: 'GONE',
  });
  assert.deepEqual([odd?.status, odd?.address.city], ['OPERATIONAL', '']);
  assert.equal(
    odd?.link,
    'https://www.google.com/maps/search/?api=1&query=Fern+%26+Ferry+Caf%C3%A9&query_place_id=ChIJ_x',
  );
});
