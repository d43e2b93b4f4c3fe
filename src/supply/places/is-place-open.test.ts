import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from '../../../test/given/place.ts';
import { readHours } from '../stores/read-hours.ts';
import { isPlaceOpen } from './is-place-open.ts';

/** True if a place in Vancouver with these hours is open at a local time. */
function isOpen(rules: string, local: string): boolean {
  const read = readHours(rules);
  assert.ok(read.ok, rules);
  const place = placeOf({ placeId: 'p', hours: read.hours, datedRules: read.dated });
  return isPlaceOpen(place, Temporal.PlainDateTime.from(local).toZonedDateTime('America/Vancouver').toInstant());
}

test('the hours of New Year’s Eve hold into the small hours of the next year', () => {
  const late = 'Mo-Su 10:00-20:00; Dec 31 18:00-02:00';
  assert.deepEqual(
    ['2026-12-31T19:00', '2027-01-01T01:30', '2027-01-01T02:30', '2027-01-02T01:30'].map((at) => isOpen(late, at)),
    [true, true, false, false],
  );
  const off = 'Mo-Su 18:00-02:00; Dec 31 off; Jan 1 off';
  assert.deepEqual(
    ['2026-12-31T01:30', '2026-12-31T23:00', '2027-01-01T01:30', '2027-01-01T23:00', '2027-01-02T23:00'].map((at) =>
      isOpen(off, at),
    ),
    [true, false, false, false, true],
  );
});
