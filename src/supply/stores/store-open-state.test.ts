import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyExceptions, anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { firstShownS, openTimesOf } from '../../../test/oracles/dated-hours.ts';
import { ALL_ZONES } from '../../../test/oracles/wall-clock.ts';
import { runs } from '../../../test/runs.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { completeHours } from './hours.ts';
import { isStoreOpenAt, nextOpening, openingAfterClosing, storeOpenStateAt, tomorrowAt } from './open-state.ts';
import { readHours } from './read-hours.ts';

const read = readHours('Mo-Su 10:00-20:00');
const hours = completeHours({ operational: read.ok ? read.hours : null, delivery: null });
const at = (time: string) => Temporal.Instant.from(`2026-06-10T${time}:00Z`);
const openState = (now: string, until: string | null, channel: 'operational' | 'delivery' = 'operational') => {
  const pausedUntil = until === null ? null : at(until);
  const store = { hours, hoursExceptions: [], timeZone: 'UTC', pausedUntil };
  const { open, changesAt } = storeOpenStateAt(store, channel, at(now));
  assert.equal(isStoreOpenAt(store, channel, at(now)), open);
  return [open, changesAt?.toString().slice(8, 16) ?? null];
};

test('a pause closes a store until its end, and then its hours decide', () => {
  assert.deepEqual(openState('12:00', null), [true, '10T20:00']);
  assert.deepEqual(openState('12:00', '13:00'), [false, '10T13:00']);
  assert.deepEqual(openState('13:00', '13:00'), [true, '10T20:00']);
  assert.deepEqual(openState('19:30', '20:30'), [false, '11T10:00']);
  assert.deepEqual(openState('09:00', '09:30'), [false, '10T10:00']);
  assert.deepEqual(openState('12:00', '13:00', 'delivery'), [false, null]);
});

test('an exception of the date counts for its channel, and after a pause', () => {
  const store = (until: string | null) => ({
    hours,
    hoursExceptions: [
      { from: '2026-06-10', to: '2026-06-10', ranges: [], channel: null },
      {
        from: '2026-06-10',
        to: '2026-06-10',
        ranges: [{ startMinute: 720, endMinute: 780 }],
        channel: 'delivery' as const,
      },
    ],
    timeZone: 'UTC',
    pausedUntil: until === null ? null : at(until),
  });
  const opensAt = (now: string, until: string | null, channel: 'operational' | 'delivery') =>
    nextOpening(store(until), channel, at(now))?.toString().slice(8, 16) ?? null;
  assert.equal(opensAt('11:00', null, 'operational'), '11T10:00');
  assert.equal(opensAt('11:00', null, 'delivery'), '10T12:00');
  assert.equal(opensAt('12:30', null, 'delivery'), '10T12:30', 'open now');
  assert.equal(opensAt('11:00', '12:15', 'delivery'), '10T12:15');
  assert.equal(opensAt('11:00', '13:00', 'delivery'), null, 'delivery has no other hours');
});

test('tomorrow is the first opening after the next 4 AM of the store’s clock, or that moment without hours', () => {
  const week = anyWeek();
  const zones = fc.constantFrom('America/New_York', 'America/Phoenix', 'America/St_Johns');
  // Around both clock changes of 2026.
  const moments = fc.constantFrom('2026-03-07', '2026-06-10', '2026-10-31');
  fc.assert(
    fc.property(week, zones, moments, fc.nat(2 * 24 * 60), (operational, timeZone, date, minute) => {
      const store = { hours: completeHours({ operational }), hoursExceptions: [], timeZone, pausedUntil: null };
      const now = Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().add({ minutes: minute });
      const isOpen = (moment: Temporal.Instant) => isStoreOpenAt(store, 'operational', moment);
      let expected = now.add({ minutes: 1 });
      const clockOf = (moment: Temporal.Instant) => moment.toZonedDateTimeISO(timeZone).toPlainTime().toString();
      while (clockOf(expected) !== '04:00:00') expected = expected.add({ minutes: 1 });
      const isEver = operational.some((day) => day.length > 0);
      while (isEver && !isOpen(expected)) expected = expected.add({ minutes: 1 });
      assert.equal(tomorrowAt(store, now).toString(), expected.toString());
    }),
    { numRuns: runs(100) },
  );
});

test('a pause until the next opening outlasts the hours that go on and ends at the next ones, over changes of the clock', () => {
  const dates = fc.constantFrom('2026-03-08', '2026-06-10', '2026-11-01');
  const days = dates.chain((date) => fc.tuple(fc.constant(date), anyExceptions(date, 15), anyWeek(15)));
  const minutes = fc.integer({ min: -2 * 24 * 60, max: 2 * 24 * 60 });
  fc.assert(
    fc.property(days, fc.constantFrom(...ALL_ZONES), minutes, ([date, exceptions, week], timeZone, minute) => {
      const near = Temporal.PlainDate.from(date);
      const oracle = { week, exceptions, channel: 'operational', timeZone } as const;
      const times = openTimesOf(oracle, near.subtract({ days: 12 }), near.add({ days: 40 }));
      const nowS = firstShownS(timeZone, near, 720) + minute * 60;
      const openingS = times.find(({ opensS }) => opensS > nowS)?.opensS;
      const store = { hours: completeHours({ operational: week }), hoursExceptions: exceptions, timeZone };
      const opening = openingAfterClosing(store, 'operational', instantOfEpochSeconds(nowS));
      assert.equal(opening?.toString(), openingS && instantOfEpochSeconds(openingS).toString());
      if (opening === null || openingS === undefined) return;
      const paused = { ...store, pausedUntil: opening };
      const shown = storeOpenStateAt(paused, 'operational', instantOfEpochSeconds(nowS));
      assert.deepEqual([shown.open, shown.changesAt?.toString()], [false, opening.toString()]);
      const isOpen = (epochS: number) => isStoreOpenAt(paused, 'operational', instantOfEpochSeconds(epochS));
      assert.deepEqual([nowS, openingS - 1, openingS].map(isOpen), [false, false, true]);
    }),
    { numRuns: runs(300) },
  );
});
