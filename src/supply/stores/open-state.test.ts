import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { ALL_ZONES, changeDates, watchClock, watchStore } from '../../../test/oracles/wall-clock.ts';
import { runs, some, takesAllRuns } from '../../../test/runs.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { MinuteRange, WeeklyHours } from './hours.ts';
import { openStateAtEpoch, openStateOf } from './open-state.ts';
import { weekLineOf } from './schedule.ts';
import { zoneClock } from './zone-clock.ts';

const openStateAt = (hours: WeeklyHours | null, timeZone: string, now: Temporal.Instant) =>
  openStateOf(openStateAtEpoch(weekLineOf(hours), zoneClock(timeZone), epochSeconds(now)));

const daily = (...ranges: [number, number][]): WeeklyHours => {
  const day: MinuteRange[] = ranges.map(([startMinute, endMinute]) => ({ startMinute, endMinute }));
  return [day, day, day, day, day, day, day];
};
const ALWAYS = daily([0, 1440]);
const NEVER = daily();
const WEEKS: WeeklyHours[] = [
  daily([600, 840], [1020, 1380]),
  daily([1320, 1590]),
  daily([90, 300], [1080, 1530]),
  daily([150, 195], [0, 60]),
  daily([420, 1860]),
  [[], [], [], [], [{ startMinute: 1020, endMinute: 1560 }], [], [{ startMinute: 60, endMinute: 165 }]],
  [[{ startMinute: 120, endMinute: 1440 }], ...ALWAYS.slice(1)] as unknown as WeeklyHours,
];

/** The state of every minute of three days, and its next change as far as the simulation reaches. */
function assertAgrees(timeZone: string, date: Temporal.PlainDate, weeks: readonly WeeklyHours[]): void {
  const minutes = watchClock(timeZone, date);
  const endS = minutes.at(-1)?.epochS ?? 0;
  for (const hours of weeks) {
    const open = watchStore(minutes, hours);
    const line = weekLineOf(hours);
    let change: number | undefined;
    for (let n = open.length - 2; n >= 1440; n -= 1) {
      if (open[n] !== open[n + 1]) change = minutes[n + 1]?.epochS;
      const epochS = minutes[n]?.epochS ?? 0;
      const state = openStateAtEpoch(line, zoneClock(timeZone), epochS);
      const right = change === undefined ? state.changesAtS > endS : state.changesAtS === change;
      if (state.open !== open[n] || !right) {
        assert.fail(`${timeZone} ${date} ${JSON.stringify(hours)} at ${epochS}: ${JSON.stringify(state)}`);
      }
    }
  }
}

test('in every zone of the US and Canada, open and its next change are right each minute around a clock change', () => {
  const years = takesAllRuns() ? [2026, 2027] : [2026];
  for (const timeZone of some(ALL_ZONES)) {
    for (const date of changeDates(timeZone, years)) assertAgrees(timeZone, date, WEEKS.slice(0, 4));
  }
});

test('the same on ordinary days', () => {
  for (const timeZone of some(ALL_ZONES)) assertAgrees(timeZone, Temporal.PlainDate.from('2026-07-05'), WEEKS.slice(3));
});

test('any week of hours agrees with watching the clock', () => {
  const near = fc.constantFrom('2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07', '2026-06-15', '2026-12-31');
  const property = fc.property(anyWeek(), fc.constantFrom(...ALL_ZONES), near, (hours, timeZone, date) =>
    assertAgrees(timeZone, Temporal.PlainDate.from(date), [hours]),
  );
  fc.assert(property, { numRuns: runs(150) });
});

test('the next change is a change: the state differs there and not a second before, also years away', () => {
  const epoch = fc.integer({ min: 1_600_000_000, max: 2_500_000_000 });
  const property = fc.property(anyWeek(1), fc.constantFrom(...ALL_ZONES), epoch, (hours, timeZone, epochS) => {
    const line = weekLineOf(hours);
    const clock = zoneClock(timeZone);
    const { open, changesAtS } = openStateAtEpoch(line, clock, epochS);
    if (changesAtS === Infinity) return line.always || line.ranges.length === 0;
    const before = openStateAtEpoch(line, clock, changesAtS - 1);
    const after = openStateAtEpoch(line, clock, changesAtS);
    return changesAtS > epochS && before.open === open && before.changesAtS === changesAtS && after.open !== open;
  });
  fc.assert(property, { numRuns: runs(2000) });
});

test('a store that never closes, or has unknown hours, never changes', () => {
  const now = Temporal.Instant.from('2026-03-08T09:30:00Z');
  assert.deepEqual(openStateAt(ALWAYS, 'America/New_York', now), { open: true, changesAt: null });
  assert.deepEqual(openStateAt(NEVER, 'America/New_York', now), { open: false, changesAt: null });
  assert.deepEqual(openStateAt(null, 'America/New_York', now), { open: false, changesAt: null });
  assert.deepEqual(openStateAt(daily([420, 1860]), 'America/New_York', now), { open: true, changesAt: null });
});
