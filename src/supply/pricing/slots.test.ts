import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { anyExceptions, anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { type OracleHours, rangesOfDate } from '../../../test/oracles/dated-hours.ts';
import {
  ALL_ZONES,
  changeDates,
  dateOfDay,
  dayNumber,
  type PostedHours,
  showsPostedTime,
  type WatchedMinute,
  watchClock,
  watchStore,
} from '../../../test/oracles/wall-clock.ts';
import { runs, some } from '../../../test/runs.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import { scheduleOf, weekSchedule } from '../stores/schedule.ts';
import { isSlotOffered, localDay, offeredSlots, type Slot, type SlotQuestion, slotsOfDay } from './slots.ts';

const everyDay = (startMinute: number, endMinute: number): WeeklyHours => {
  const day = [{ startMinute, endMinute }];
  return [day, day, day, day, day, day, day];
};
const ALWAYS = everyDay(0, 1440);
const daySlots = (hours: WeeklyHours, timeZone: string, slotMinutes: number, day: number) =>
  slotsOfDay(weekSchedule(hours), timeZone, slotMinutes, day);
const dayOf = (date: string) => dayNumber(Temporal.PlainDate.from(date));
const local = (slot: Slot, timeZone: string) =>
  instantOfEpochSeconds(slot.startEpochS)
    .toZonedDateTimeISO(timeZone)
    .toString({ smallestUnit: 'minute', timeZoneName: 'never' });

/** All slots of this day whose minutes occur in order on the local clock and are both posted and open. */
function watchSlots(minutes: readonly WatchedMinute[], hours: PostedHours, slotMinutes: number, day: number): Slot[] {
  const open = watchStore(minutes, hours);
  return minutes.flatMap((first, n) => {
    if (first.day !== day || first.minuteOfDay % slotMinutes !== 0) return [];
    for (let passed = 0; passed < slotMinutes; passed += 1) {
      const minute = minutes[n + passed];
      const minuteOfSlot = first.minuteOfDay + passed;
      if (minute?.day !== day + Math.floor(minuteOfSlot / 1440) || minute.minuteOfDay !== minuteOfSlot % 1440)
        return [];
      if (!open[n + passed] || !showsPostedTime(minute, hours)) return [];
    }
    return [{ startEpochS: first.epochS, endEpochS: first.epochS + slotMinutes * 60 }];
  });
}

function assertAgrees(
  hours: WeeklyHours,
  timeZone: string,
  slotMinutes: number,
  minutes: WatchedMinute[],
  day: number,
) {
  const expected = watchSlots(minutes, hours, slotMinutes, day);
  assert.deepEqual(daySlots(hours, timeZone, slotMinutes, day), expected, `${timeZone} ${day} ${slotMinutes}`);
}

test('slots shorter than a minute are a fault of the caller', () => {
  const fault = { name: 'RangeError', message: 'No slots of 0 minutes' };
  assert.throws(() => daySlots(ALWAYS, 'America/Toronto', 0, 0), fault);
});

const question = (given: Partial<SlotQuestion>): SlotQuestion => ({
  schedule: weekSchedule(ALWAYS),
  timeZone: 'America/St_Johns',
  now: Temporal.Instant.from('2026-10-30T12:10:00Z'),
  scheduling: { enabled: true, slotMinutes: 30, leadMinutes: 60, daysAhead: 3, capacity: 8 },
  ...given,
});
const scheduling = (given: Partial<SlotQuestion['scheduling']>) => ({
  scheduling: { enabled: true, slotMinutes: 30, leadMinutes: 60, daysAhead: 3, capacity: 8, ...given },
});

test('slots start at least the lead from now and end with the last of the days ahead', () => {
  const offered = offeredSlots(question({}));
  assert.equal(local(offered[0] as Slot, 'America/St_Johns'), '2026-10-30T11:00-02:30');
  assert.equal(local(offered.at(-1) as Slot, 'America/St_Johns'), '2026-11-02T23:30-03:30');
  const exact = question({ now: Temporal.Instant.from('2026-10-30T12:30:00Z') });
  assert.equal(local(offeredSlots(exact)[0] as Slot, 'America/St_Johns'), '2026-10-30T11:00-02:30');
  const late = question({ now: Temporal.Instant.from('2026-10-30T12:30:00.001Z') });
  assert.equal(local(offeredSlots(late)[0] as Slot, 'America/St_Johns'), '2026-10-30T11:30-02:30');
});

test('only today, a year, a lead longer than the days, no scheduling, unknown hours', () => {
  const today = offeredSlots(question(scheduling({ daysAhead: 0 })));
  assert.deepEqual(new Set(today.map((slot) => local(slot, 'America/St_Johns').slice(0, 10))), new Set(['2026-10-30']));
  const year = offeredSlots(question(scheduling({ daysAhead: 365, slotMinutes: 15 })));
  assert.equal(local(year.at(-1) as Slot, 'America/St_Johns'), '2027-10-30T23:45-02:30');
  assert.deepEqual(offeredSlots(question(scheduling({ leadMinutes: 10_000 }))), []);
  assert.deepEqual(offeredSlots(question(scheduling({ enabled: false }))), []);
  assert.deepEqual(offeredSlots(question({ schedule: weekSchedule(null) })), []);
});

test('a full slot is not offered, and cannot be ordered', () => {
  const [first, second] = offeredSlots(question({})) as [Slot, Slot];
  const busy = question({ fullStarts: new Set([first.startEpochS]) });
  assert.deepEqual(offeredSlots(busy)[0], second);
  assert.equal(isSlotOffered(first, busy), false);
  assert.equal(isSlotOffered(second, busy), true);
});

test('every offered slot can be ordered; they are in order, apart, and right in length; no other slot can', () => {
  const instant = fc.integer({ min: 1_772_000_000, max: 1_810_000_000 });
  const lengths = fc.constantFrom(15, 30, 45, 60, 120);
  const property = fc.property(
    anyWeek(),
    fc.constantFrom(...ALL_ZONES),
    instant,
    lengths,
    (hours, zone, nowS, length) => {
      const now = instantOfEpochSeconds(nowS);
      const query = question({
        schedule: weekSchedule(hours),
        timeZone: zone,
        now,
        ...scheduling({ slotMinutes: length, daysAhead: 8 }),
      });
      const offered = offeredSlots(query);
      let endS = nowS + 3600;
      for (const slot of offered) {
        assert.ok(slot.startEpochS >= endS && slot.endEpochS - slot.startEpochS === length * 60);
        endS = slot.endEpochS;
      }
      for (const slot of offered.slice(0, 20)) {
        assert.ok(isSlotOffered(slot, query));
        const shifted = { startEpochS: slot.startEpochS + 60, endEpochS: slot.endEpochS + 60 };
        assert.ok(!isSlotOffered(shifted, query));
        assert.ok(!isSlotOffered({ ...slot, endEpochS: slot.endEpochS + 60 }, query));
        assert.ok(!isSlotOffered({ ...slot, startEpochS: slot.startEpochS + 60 }, query));
      }
    },
  );
  fc.assert(property, { numRuns: runs(200) });
});

test('the slots of today can be ordered from the one on that starts as the lead ends', () => {
  const query = question({ now: Temporal.Instant.from('2026-10-30T12:30:00Z') });
  const earliestS = Temporal.Instant.from('2026-10-30T13:30:00Z').epochMilliseconds / 1000;
  const today = daySlots(ALWAYS, query.timeZone, 30, localDay(query.timeZone, query.now));
  assert.equal(today.length, 48);
  assert.equal(today.filter(({ startEpochS }) => startEpochS === earliestS).length, 1);
  for (const slot of today) assert.equal(isSlotOffered(slot, query), slot.startEpochS >= earliestS);
});

test('no slot starts before a pause has ended', () => {
  const firstSlot = (pausedUntil: string | null) => {
    const until = pausedUntil === null ? null : Temporal.Instant.from(pausedUntil);
    return local(offeredSlots(question({ pausedUntil: until }))[0] as Slot, 'America/St_Johns');
  };
  assert.equal(firstSlot('2026-10-31T14:00:00Z'), '2026-10-31T11:30-02:30');
  assert.equal(firstSlot('2026-10-31T14:00:00.001Z'), '2026-10-31T12:00-02:30');
  assert.equal(firstSlot('2026-10-30T12:00:00Z'), firstSlot(null), 'a pause that is over');
});

test('slots of yesterday and of the day after the last are not offered', () => {
  const query = question(scheduling({ daysAhead: 1, leadMinutes: 0 }));
  const today = localDay(query.timeZone, query.now);
  const of = (day: number) => daySlots(ALWAYS, query.timeZone, 30, day)[20] as Slot;
  assert.deepEqual(
    [-1, 0, 1, 2].map((ahead) => isSlotOffered(of(today + ahead), query)),
    [false, true, true, false],
  );
});

test('in every zone of the US and Canada, the slots of the days around a clock change are the whole open slots', () => {
  const weeks = [ALWAYS, everyDay(1200, 1530), everyDay(75, 165), everyDay(150, 600)];
  for (const timeZone of some(ALL_ZONES)) {
    for (const date of changeDates(timeZone, [2026, 2027])) {
      const minutes = watchClock(timeZone, date);
      weeks.forEach((hours, n) => {
        assertAgrees(hours, timeZone, [30, 15, 20, 45][n] ?? 60, minutes, dayNumber(date));
      });
      assertAgrees(ALWAYS, timeZone, 120, minutes, dayNumber(date) + 1);
    }
  }
});

test('any hours, any slot length: the slots of a day are the whole open slots', () => {
  const dates = fc.constantFrom('2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07', '2026-06-15', '2026-12-31');
  const lengths = fc.constantFrom(1, 5, 7, 15, 20, 30, 45, 60, 90, 120, 240, 1440);
  const property = fc.property(
    anyWeek(),
    fc.constantFrom(...ALL_ZONES),
    dates,
    lengths,
    (hours, zone, date, length) => {
      const minutes = watchClock(zone, Temporal.PlainDate.from(date));
      assertAgrees(hours, zone, length, minutes, dayOf(date));
    },
  );
  fc.assert(property, { numRuns: runs(150) });
});

test('any hours with any exceptions: the slots of each day around them are the whole open slots', () => {
  const dates = fc.constantFrom('2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07', '2026-06-15', '2026-12-31');
  const lengths = fc.constantFrom(5, 15, 20, 30, 45, 60, 120, 1440);
  const cases = dates.chain((date) => fc.tuple(fc.constant(date), anyExceptions(date, 5, 2), anyWeek()));
  const zones = fc.constantFrom(...ALL_ZONES);
  const property = fc.property(cases, zones, lengths, ([date, exceptions, week], timeZone, length) => {
    const oracle: OracleHours = { week, exceptions, channel: 'delivery', timeZone };
    const hours = { operational: null, delivery: week, pickup: null, dine_in: null };
    const schedule = scheduleOf({ hours, hoursExceptions: exceptions }, 'delivery');
    const minutes = watchClock(timeZone, Temporal.PlainDate.from(date));
    const watchedDays = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((n) => dayOf(date) + n);
    const ranges = new Map(watchedDays.map((each) => [each, rangesOfDate(oracle, dateOfDay(each))]));
    for (const day of [dayOf(date) - 1, dayOf(date), dayOf(date) + 1]) {
      const expected = watchSlots(minutes, (each) => ranges.get(each) ?? assert.fail(), length, day);
      assert.deepEqual(slotsOfDay(schedule, timeZone, length, day), expected, JSON.stringify({ oracle, day, length }));
    }
  });
  fc.assert(property, { numRuns: runs(150) });
});
