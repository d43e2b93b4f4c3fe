import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { storeOf } from '../../../test/oracles/store-search.ts';
import { runs } from '../../../test/runs.ts';
import {
  dateOfDay,
  dayOfDate,
  type HoursException,
  type MinuteRange,
  weekdayOfDay,
  weeklyHours as weekOf,
} from '../../supply/stores/hours.ts';
import { isStoreOpenAt } from '../../supply/stores/open-state.ts';
import type { Location } from './contract.ts';
import { exceptionHours, weeklyHours } from './location-hours.ts';

/** Arizona has no clock changes, which the protocol's local times cannot tell apart. */
const TIME_ZONE = 'America/Phoenix';
const NOW = Temporal.Instant.from('2026-06-10T19:00:00Z');
const TODAY = dayOfDate('2026-06-10');

const minuteOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
type Times = { opens?: string; closes?: string };

/** Minutes of a day and of the next when an entry of this day is open. */
function isOpenBy({ opens = '', closes = '' }: Times, minute: number, from: 'today' | 'yesterday'): boolean {
  if (opens === '00:00' && closes === '23:59') return from === 'today';
  const [start, end] = [minuteOf(opens), minuteOf(closes)];
  if (start < end) return from === 'today' && start <= minute && minute < end;
  return from === 'today' ? minute >= start : minute < end;
}

/** The hours as a platform reads them, by the protocol's rules. */
function readsOpen({ hours = [], exception_hours: exceptions = [] }: Location, day: number, minute: number): boolean {
  const ofDate = (date: string) => exceptions.filter((one) => one.valid_from <= date && date <= one.valid_through);
  const own = ofDate(dateOfDay(day));
  const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const entriesOf = (at: number): Times[] => {
    const dated = ofDate(dateOfDay(at));
    return dated.length > 0
      ? dated.filter(({ opens }) => opens !== undefined)
      : hours.filter((one) => one.day === names[weekdayOfDay(at)]);
  };
  if (entriesOf(day).some((entry) => isOpenBy(entry, minute, 'today'))) return true;
  return own.length === 0 && entriesOf(day - 1).some((entry) => isOpenBy(entry, minute, 'yesterday'));
}

const range = fc
  .tuple(fc.constantFrom(0, 1, 600, 1080, 1439, fc.integer({ min: 0, max: 1439 })), fc.integer({ min: 1, max: 1440 }))
  .chain(([start, length]) =>
    typeof start === 'number' ? fc.constant([start, length] as const) : fc.tuple(start, fc.constant(length)),
  )
  .map(([startMinute, length]): MinuteRange => ({ startMinute, endMinute: startMinute + length }));
const special = fc.constantFrom<MinuteRange>(
  { startMinute: 0, endMinute: 1440 },
  { startMinute: 0, endMinute: 1439 },
  { startMinute: 1080, endMinute: 1560 },
);
const ranges = fc.array(fc.oneof(range, special), { maxLength: 2 });
const exception = fc.tuple(fc.integer({ min: -3, max: 12 }), fc.integer({ min: 0, max: 3 }), ranges).map(
  ([from, days, own]): HoursException => ({
    from: dateOfDay(TODAY + from),
    to: dateOfDay(TODAY + from + days),
    ranges: own,
    channel: null,
  }),
);

test('printed hours say what is open, at every minute, over exceptions and midnights', () => {
  const week = fc.array(ranges, { minLength: 7, maxLength: 7 });
  const minutes = fc.array(fc.integer({ min: 0, max: 14 * 1440 - 1 }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(week, fc.array(exception, { maxLength: 3 }), minutes, (days, hoursExceptions, moments) => {
      const operational = weekOf((weekday) => days[weekday] ?? []);
      const hours = { operational, delivery: null, pickup: null, dine_in: null };
      const store = storeOf('store', { hours, hoursExceptions, timeZone: TIME_ZONE, pausedUntil: null });
      const printed = {
        id: '',
        name: '',
        hours: weeklyHours(store),
        exception_hours: exceptionHours(store, NOW),
      } as Location;
      for (const { opens, closes } of [...(printed.hours ?? []), ...(printed.exception_hours ?? [])]) {
        assert.ok(opens === undefined ? closes === undefined : opens !== closes);
      }
      for (const moment of moments) {
        const [day, minute] = [TODAY + Math.floor(moment / 1440), moment % 1440];
        const at = Temporal.PlainDate.from(dateOfDay(day))
          .toZonedDateTime({
            timeZone: TIME_ZONE,
            plainTime: Temporal.PlainTime.from({ hour: Math.floor(minute / 60), minute: minute % 60 }),
          })
          .toInstant();
        assert.equal(readsOpen(printed, day, minute), isStoreOpenAt(store, 'operational', at), at.toString());
      }
    }),
    { numRuns: runs(300) },
  );
});

test('unknown hours are left out, and a closed date has no times', () => {
  const hours = { operational: null, delivery: null, pickup: null, dine_in: null };
  assert.equal(weeklyHours(storeOf('dark', { hours, hoursExceptions: [] })), undefined);
  const closed: HoursException = { from: '2026-12-25', to: '2026-12-25', ranges: [], channel: null };
  const open = storeOf('open', { hoursExceptions: [closed], timeZone: TIME_ZONE });
  const december = Temporal.Instant.from('2026-12-01T00:00:00Z');
  const [first] = exceptionHours({ ...open, hours: { ...open.hours, operational: weekOf(() => []) } }, december);
  assert.deepEqual(first, { valid_from: '2026-12-25', valid_through: '2026-12-25' });
});
