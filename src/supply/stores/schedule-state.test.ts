import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { anyExceptions, anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { exceptionOn, firstShownS, type OracleHours, openTimesOf, stateIn } from '../../../test/oracles/dated-hours.ts';
import { ALL_ZONES, changeDates } from '../../../test/oracles/wall-clock.ts';
import { runs, some } from '../../../test/runs.ts';
import type { HoursException, MinuteRange, WeeklyHours } from './hours.ts';
import { datedStateAt, scheduleStateAt } from './open-state.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { type ZoneClock, zoneClock } from './zone-clock.ts';

const daily = (...ranges: [number, number][]): WeeklyHours => {
  const day: MinuteRange[] = ranges.map(([startMinute, endMinute]) => ({ startMinute, endMinute }));
  return [day, day, day, day, day, day, day];
};
const ALWAYS = daily([0, 1440]);
const NEVER = daily();
const on = (from: string, ranges: [number, number][], more: Partial<HoursException> = {}): HoursException => ({
  from,
  to: from,
  ranges: ranges.map(([startMinute, endMinute]) => ({ startMinute, endMinute })),
  channel: null,
  ...more,
});
const plus = (date: Temporal.PlainDate, days: number): string => date.add({ days }).toString();

/** A clock that counts its lookups of local times. */
function countCalls(clock: ZoneClock): { clock: ZoneClock; walls(): number } {
  let walls = 0;
  const epochOfWall = (wallS: number): number => {
    walls += 1;
    return clock.epochOfWall(wallS);
  };
  return { clock: { ...clock, epochOfWall }, walls: () => walls };
}

function scheduleFor({ week, exceptions, channel }: OracleHours): Schedule {
  const hours = { operational: null, delivery: null, pickup: null, dine_in: null, [channel]: week };
  return scheduleOf({ hours, hoursExceptions: exceptions }, channel);
}

/**
 * Compares moments around a date, at regular steps and around each change, with the oracle of the surrounding weeks.
 */
function assertAgrees(hours: OracleHours, date: Temporal.PlainDate, stepS: number): void {
  const times = openTimesOf(hours, date.subtract({ days: 12 }), date.add({ days: 40 }));
  const schedule = scheduleFor(hours);
  const clock = zoneClock(hours.timeZone);
  const fromS = firstShownS(hours.timeZone, date.subtract({ days: 5 }), 0);
  const untilS = firstShownS(hours.timeZone, date.add({ days: 6 }), 0);
  const knownS = firstShownS(hours.timeZone, date.add({ days: 38 }), 0);
  const moments = times.flatMap(({ opensS, closesS }) => [opensS - 1, opensS, closesS - 1, closesS]);
  for (let epochS = fromS; epochS < untilS; epochS += stepS) moments.push(epochS);
  for (const epochS of moments.filter((each) => each >= fromS && each < untilS)) {
    const state = scheduleStateAt(schedule, clock, epochS);
    const expected = stateIn(times, epochS);
    const changesAtS = expected.changesAtS ?? Infinity;
    const isRight = changesAtS < knownS ? state.changesAtS === changesAtS : state.changesAtS >= knownS;
    if (state.open !== expected.open || !isRight) {
      const found = JSON.stringify({ state, expected, epochS });
      assert.fail(`${found} ${JSON.stringify(hours)} around ${date}`);
    }
  }
}

test('in every zone of the US and Canada, exceptions around a clock change are right before, on and after it', () => {
  for (const timeZone of some(ALL_ZONES)) {
    for (const date of changeDates(timeZone, [2026, 2027])) {
      const lists: [WeeklyHours | null, HoursException[]][] = [
        [ALWAYS, [on(plus(date, 0), [])]],
        [daily([1320, 1590]), [on(plus(date, 0), [[150, 200]]), on(plus(date, 1), [])]],
        [
          null,
          [
            on(plus(date, -1), [[1380, 1590]]),
            on(plus(date, 0), [
              [60, 95],
              [120, 1440],
            ]),
          ],
        ],
        [daily([1320, 1590], [165, 300]), [on(plus(date, 0), [[165, 240]])]],
        [
          null,
          [
            on(plus(date, 0), [
              [125, 155],
              [300, 400],
            ]),
          ],
        ],
        [daily([420, 1860]), [on(plus(date, -1), [])]],
        [daily([600, 840]), [on(plus(date, -1), [[0, 1440]], { to: plus(date, 1) })]],
      ];
      for (const [week, exceptions] of lists) {
        assertAgrees({ week, exceptions, channel: 'operational', timeZone }, date, 7200);
      }
    }
  }
});

test('any weekly hours with any exceptions agree with walking the dates', () => {
  const near = fc.constantFrom('2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07', '2026-06-15', '2026-12-31');
  const week = fc.oneof(fc.constant(ALWAYS), fc.constant(NEVER), fc.constant(null), anyWeek());
  const channel = fc.constantFrom('operational' as const, 'delivery' as const);
  const cases = near.chain((date) => fc.tuple(fc.constant(date), week, anyExceptions(date), channel));
  const property = fc.property(cases, fc.constantFrom(...ALL_ZONES), ([date, hours, exceptions, of], timeZone) =>
    assertAgrees({ week: hours, exceptions, channel: of, timeZone }, Temporal.PlainDate.from(date), 5400),
  );
  fc.assert(property, { numRuns: runs(1000) });
});

test('the next change is a change, however far away; without one the store never changes', () => {
  const week = fc.oneof(fc.constant(ALWAYS), fc.constant(NEVER), fc.constant(null), anyWeek(60));
  const epoch = fc.integer({ min: 1_600_000_000, max: 2_500_000_000 });
  const exceptions = anyExceptions('2031-03-09', 15, 300);
  const property = fc.property(
    week,
    exceptions,
    fc.constantFrom(...ALL_ZONES),
    epoch,
    (hours, list, timeZone, nowS) => {
      const schedule = scheduleFor({ week: hours, exceptions: list, channel: 'operational', timeZone });
      const clock = zoneClock(timeZone);
      const now = scheduleStateAt(schedule, clock, nowS);
      if (now.changesAtS === Infinity) return true;
      const before = scheduleStateAt(schedule, clock, now.changesAtS - 1);
      const after = scheduleStateAt(schedule, clock, now.changesAtS);
      return (
        now.changesAtS > nowS &&
        before.open === now.open &&
        before.changesAtS === now.changesAtS &&
        after.open !== now.open
      );
    },
  );
  fc.assert(property, { numRuns: runs(1000) });
});

test('a moment lies on a date of its own exactly from when the clock first shows that date', () => {
  const dates = fc.constantFrom('2026-03-08', '2026-11-01', '2026-06-15');
  const cases = dates.chain((date) => fc.tuple(fc.constant(date), anyExceptions(date)));
  const property = fc.property(cases, fc.constantFrom(...ALL_ZONES), ([near, exceptions], timeZone) => {
    const hours: OracleHours = { week: null, exceptions, channel: 'operational', timeZone };
    const schedule = scheduleFor(hours);
    for (let n = -6; n < 16; n += 1) {
      const date = Temporal.PlainDate.from(near).add({ days: n });
      const startS = firstShownS(timeZone, date, 0);
      const endS = firstShownS(timeZone, date.add({ days: 1 }), 0);
      const dated = exceptionOn(exceptions, 'operational', date) !== undefined;
      for (const epochS of [startS, endS - 1]) {
        const state = datedStateAt(schedule, zoneClock(timeZone), epochS);
        assert.ok(state.dated === dated && state.untilS >= endS, `${timeZone} ${date} ${JSON.stringify(exceptions)}`);
      }
    }
  });
  fc.assert(property, { numRuns: runs(100) });
});

test('dates near neither now nor the next change cost no walk: only the weekly state is looked up', () => {
  const timeZone = 'America/Chicago';
  const nowS = Temporal.Instant.from('2026-06-10T17:00:00Z').epochMilliseconds / 1000;
  const stateWith = (week: WeeklyHours, ...exceptions: HoursException[]) => {
    const counted = countCalls(zoneClock(timeZone));
    const schedule = scheduleFor({ week, exceptions, channel: 'operational', timeZone });
    return { state: scheduleStateAt(schedule, counted.clock, nowS), walls: counted.walls() };
  };
  const week = daily([600, 1320]);
  const weekly = stateWith(week);
  assert.deepEqual(weekly.state, { open: true, changesAtS: nowS + 10 * 3600 });
  const [past, soon, near] = [on('2026-05-01', []), on('2026-06-20', []), on('2026-06-11', [])];
  assert.deepEqual(stateWith(week, past), weekly);
  assert.deepEqual(stateWith(week, soon), weekly);
  assert.deepEqual(stateWith(week, past, soon), weekly);
  assert.ok(stateWith(week, near).walls > weekly.walls, 'a date within two days is walked to');
  const closes = Temporal.Instant.from('2026-06-20T05:00:00Z').epochMilliseconds / 1000;
  assert.deepEqual(stateWith(ALWAYS, soon).state, { open: true, changesAtS: closes });
});
