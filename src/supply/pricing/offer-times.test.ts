import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyExceptions, anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { rangesOfDate } from '../../../test/oracles/dated-hours.ts';
import { ALL_ZONES, changeDates, dateOfDay, watchClock, watchStore } from '../../../test/oracles/wall-clock.ts';
import { runs } from '../../../test/runs.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { HoursException, WeeklyHours } from '../stores/hours.ts';
import type { Store } from '../stores/store.ts';
import { offerAtOf, offerTimesOf } from './slots.ts';

type Case = {
  hours: WeeklyHours;
  exceptions?: readonly HoursException[];
  timeZone: string;
  date: Temporal.PlainDate;
  leadMinutes: number;
};

const givenStore = (
  { hours, exceptions = [], timeZone, leadMinutes }: Omit<Case, 'date'>,
  modeHours: WeeklyHours | null = null,
) =>
  ({
    timeZone,
    hours: { operational: hours, delivery: modeHours, pickup: modeHours, dine_in: null },
    hoursExceptions: exceptions,
    scheduling: { leadMinutes },
  }) as unknown as Store;

const slotAt = (startEpochS: number) => ({ id: 'slot', startEpochS, endEpochS: startEpochS + 1800 });

const later = (date: string, days: number) => Temporal.PlainDate.from(date).add({ days }).toString();

const knownWatch = new Map<string, ReturnType<typeof watchClock>>();
function watch({ timeZone, date }: Case) {
  const key = `${timeZone} ${date}`;
  const minutes = knownWatch.get(key) ?? watchClock(timeZone, date);
  knownWatch.set(key, minutes);
  return minutes;
}

/** Checks a moment of a quote, and of placing an order after it, against a minute-by-minute simulation. */
function assertOffers(one: Case, quotedMinute: number, aheadMinutes: number, delayMinutes: number): void {
  const minutes = watch(one);
  const { hours: week, exceptions = [], timeZone } = one;
  const posted = { week, exceptions, channel: 'operational' as const, timeZone };
  const open = watchStore(minutes, (day) => rangesOfDate(posted, dateOfDay(day)));
  const epochOf = (n: number) => minutes[n]?.epochS ?? assert.fail();
  const placedMinute = quotedMinute + Math.min(delayMinutes, aheadMinutes);
  const slot = slotAt(epochOf(quotedMinute + aheadMinutes));
  const opens = open.indexOf(true, placedMinute);
  const openS = opens === -1 ? Infinity : epochOf(opens);
  const expected = Math.max(Math.min(openS, slot.startEpochS - one.leadMinutes * 60), epochOf(placedMinute));

  const offer = offerTimesOf(givenStore(one), 'delivery', slot, instantOfEpochSeconds(epochOf(quotedMinute)));
  const offered = offerAtOf({ offer }, instantOfEpochSeconds(epochOf(placedMinute)));
  const of = JSON.stringify({ ...one, quotedMinute, aheadMinutes, delayMinutes });
  assert.equal(offered.epochMilliseconds / 1000, expected, of);
}

test('over any hours and exceptions, in every zone, a scheduled order is offered when the store is first open, or at the latest before its slot', () => {
  const moments = fc.record({
    zone: fc.constantFrom(...ALL_ZONES),
    hours: anyWeek(),
    leadMinutes: fc.constantFrom(0, 10, 60, 300),
    quotedMinute: fc.integer({ min: 1440, max: 3 * 1440 }),
    aheadMinutes: fc.integer({ min: 0, max: 2000 }),
    delayMinutes: fc.constantFrom(0, 0, 1, 15),
    near: fc.integer({ min: 0, max: 3 }),
    exceptions: anyExceptions('2026-06-15', 5, 2),
  });
  const property = fc.property(
    moments,
    ({ zone, leadMinutes, quotedMinute, aheadMinutes, delayMinutes, near, exceptions, hours }) => {
      const dates = [...changeDates(zone, [2026, 2027]), Temporal.PlainDate.from('2026-06-15')];
      const date = dates[near % dates.length] ?? assert.fail();
      const { days } = Temporal.PlainDate.from('2026-06-15').until(date);
      const moved = exceptions.map((each) => ({ ...each, from: later(each.from, days), to: later(each.to, days) }));
      const one = { hours, exceptions: moved, timeZone: zone, date, leadMinutes };
      assertOffers(one, quotedMinute, aheadMinutes, delayMinutes);
    },
  );
  fc.assert(property, { numRuns: runs(400) });
});

const NOW = Temporal.Instant.from('2026-06-10T06:00:00Z');
const noon: WeeklyHours[number] = [{ startMinute: 600, endMinute: 840 }];
const NOON: WeeklyHours = [noon, noon, noon, noon, noon, noon, noon];
const store = { hours: NOON, timeZone: 'America/New_York', leadMinutes: 60 };
const slot = slotAt(Temporal.Instant.from('2026-06-11T17:00:00Z').epochMilliseconds / 1000);

test('an order as soon as possible is offered when placed', () => {
  assert.equal(offerAtOf({}, NOW), NOW);
});

test("the store's own hours decide; where unknown, the fulfillment type's do", () => {
  const closed: WeeklyHours = [[], [], [], [], [], [], []];
  const offeredAt = (operational: WeeklyHours | null, mode: WeeklyHours | null) => {
    const wanted = givenStore({ ...store, hours: operational as WeeklyHours }, mode);
    return String(offerAtOf({ offer: offerTimesOf(wanted, 'delivery', slot, NOW) }, NOW));
  };
  assert.equal(offeredAt(NOON, closed), '2026-06-10T14:00:00Z');
  assert.equal(offeredAt(null, NOON), '2026-06-10T14:00:00Z');
  assert.equal(offeredAt(closed, NOON), '2026-06-11T16:00:00Z', 'never open: the lead minutes before its slot');
  assert.equal(offeredAt(null, null), '2026-06-11T16:00:00Z');
});

test('a paused store is offered the order when the pause ends, and at the latest before its slot', () => {
  const offeredAt = (until: string) => {
    const paused = { ...givenStore(store), pausedUntil: Temporal.Instant.from(until) };
    return String(offerAtOf({ offer: offerTimesOf(paused, 'pickup', slot, NOW) }, NOW));
  };
  assert.equal(offeredAt('2026-06-10T05:00:00Z'), '2026-06-10T14:00:00Z', 'the pause is over');
  assert.equal(offeredAt('2026-06-10T15:00:00Z'), '2026-06-10T15:00:00Z');
  assert.equal(offeredAt('2026-06-10T19:00:00Z'), '2026-06-11T14:00:00Z', 'its hours have ended by then');
  assert.equal(offeredAt('2026-06-11T17:00:00Z'), '2026-06-11T16:00:00Z');
});

test('a store that never closes is offered the order at once, whenever it is placed', () => {
  const always = [{ startMinute: 0, endMinute: 1440 }];
  const hours: WeeklyHours = [always, always, always, always, always, always, always];
  const offer = offerTimesOf(givenStore({ ...store, hours }), 'pickup', slot, NOW);
  assert.deepEqual(offer.open, [{ fromEpochS: NOW.epochMilliseconds / 1000, untilEpochS: null }]);
  for (const placedAt of [NOW, NOW.add({ minutes: 14 })]) {
    assert.equal(String(offerAtOf({ offer }, placedAt)), String(placedAt));
  }
});

test('a quote keeps up to three open times before its slot', () => {
  const epochOf = (time: string) => Temporal.Instant.from(time).epochMilliseconds / 1000;
  const noons = ['2026-06-10', '2026-06-11', '2026-06-12'].map((date) => ({
    fromEpochS: epochOf(`${date}T14:00:00Z`),
    untilEpochS: epochOf(`${date}T18:00:00Z`),
  }));
  const keptFor = (start: string) => offerTimesOf(givenStore(store), 'pickup', slotAt(epochOf(start)), NOW);
  assert.deepEqual(keptFor('2026-06-20T14:00:00Z'), { open: noons, latestEpochS: epochOf('2026-06-20T13:00:00Z') });
  assert.deepEqual(keptFor('2026-06-11T14:00:01Z').open, noons.slice(0, 2));
  assert.deepEqual(keptFor('2026-06-11T14:00:00Z').open, noons.slice(0, 1));
  assert.deepEqual(keptFor('2026-06-10T06:00:00Z').open, []);
});

test('an order that is placed as its store closes waits for the next opening', () => {
  const offer = offerTimesOf(givenStore(store), 'pickup', slot, NOW);
  const offeredAt = (placedAt: string) => String(offerAtOf({ offer }, Temporal.Instant.from(placedAt)));
  assert.equal(offeredAt('2026-06-10T17:59:59Z'), '2026-06-10T17:59:59Z');
  assert.equal(offeredAt('2026-06-10T18:00:00Z'), '2026-06-11T14:00:00Z');
});
