import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { anyExceptions, anyWeek } from '../../../test/oracles/arbitrary-hours.ts';
import { exceptionOn, firstShownS, type OracleHours, openTimesOf, stateIn } from '../../../test/oracles/dated-hours.ts';
import { ALL_ZONES } from '../../../test/oracles/wall-clock.ts';
import { runs } from '../../../test/runs.ts';
import { completeHours, type WeeklyHours, weeklyHours } from './hours.ts';
import { isOnSaleAt, type MenuHours, menuStateAt } from './menu-hours.ts';
import { scheduleOf, weekSchedule } from './schedule.ts';
import { zoneClock } from './zone-clock.ts';

const daily = (startMinute: number, endMinute: number) => weeklyHours(() => [{ startMinute, endMinute }]);
const ALWAYS = daily(0, 1440);

/** Whether products are on sale, by walking the surrounding dates; and every moment when that may change. */
function watchMenu(store: OracleHours, menu: MenuHours, near: Temporal.PlainDate) {
  const [first, last] = [near.subtract({ days: 12 }), near.add({ days: 45 })];
  const times = menu.map((week) => openTimesOf({ ...store, week, exceptions: [] }, first, last));
  const storeTimes = openTimesOf(store, first, last);
  const days = Array.from({ length: 58 }, (_, n) => last.subtract({ days: n })).map((date) => ({
    startS: firstShownS(store.timeZone, date, 0),
    dated: exceptionOn(store.exceptions, store.channel, date) !== undefined,
  }));
  const isSold = (epochS: number) =>
    times.every((one) => stateIn(one, epochS).open) &&
    (!days.find(({ startS }) => startS <= epochS)?.dated || stateIn(storeTimes, epochS).open);
  const bounds = [...times, storeTimes].flatMap((list) => list.flatMap(({ opensS, closesS }) => [opensS, closesS]));
  const changes = [...bounds, ...days.map(({ startS }) => startS)].sort((a, b) => a - b);
  return { isSold, changes, knownS: firstShownS(store.timeZone, near.add({ days: 40 }), 0) };
}

test('a product is sold exactly within all its menu hours, and on a date of its own while the store is open', () => {
  const dates = fc.constantFrom('2026-03-08', '2026-11-01', '2026-06-15', '2026-12-31');
  const menus = fc.array(anyWeek(15), { minLength: 1, maxLength: 2 });
  const week = fc.oneof(fc.constant(null), fc.constant(ALWAYS), anyWeek(15));
  const minutes = fc.array(fc.integer({ min: -6000, max: 6000 }), { minLength: 10, maxLength: 20 });
  const cases = dates.chain((date) => fc.tuple(fc.constant(date), anyExceptions(date, 15), menus, week, minutes));
  const property = fc.property(
    cases,
    fc.constantFrom(...ALL_ZONES),
    ([date, exceptions, menu, hours, moments], zone) => {
      const near = Temporal.PlainDate.from(date);
      const store: OracleHours = { week: hours, exceptions, channel: 'pickup', timeZone: zone };
      const { isSold, changes, knownS } = watchMenu(store, menu, near);
      const schedule = scheduleOf({ hours: completeHours({ pickup: hours }), hoursExceptions: exceptions }, 'pickup');
      const clock = zoneClock(zone);
      for (const minute of moments) {
        const epochS = firstShownS(zone, near, 720) + minute * 60;
        const about = JSON.stringify({ store, menu, epochS });
        const state = menuStateAt(menu, schedule, clock, epochS);
        const next = isSold(epochS) ? epochS : changes.find((each) => each > epochS && isSold(each));
        assert.equal(isOnSaleAt(menu, schedule, clock, epochS), isSold(epochS), about);
        if (next !== undefined && next < knownS) assert.equal(state.soldAtS, next, about);
        const lastS = Math.min(state.untilS, knownS) - 1;
        assert.equal(isSold(lastS), isSold(epochS), `${about} until ${state.untilS}`);
        if (!isSold(epochS)) assert.equal(menuStateAt(menu, schedule, clock, lastS).soldAtS, state.soldAtS, about);
      }
    },
  );
  fc.assert(property, { numRuns: runs(300) });
});

test('a product without menu hours is always sold, one with them only within', () => {
  const at = (time: string) => Temporal.Instant.from(`2026-07-06T${time}:00Z`).epochMilliseconds / 1000;
  const isSold = (menu: MenuHours, time: string) =>
    isOnSaleAt(menu, weekSchedule(ALWAYS), zoneClock('America/Chicago'), at(time));
  const breakfast: WeeklyHours = daily(420, 660);
  assert.equal(isSold([], '03:00'), true);
  assert.equal(isSold([breakfast], '15:59'), true);
  assert.equal(isSold([breakfast], '16:00'), false);
});

test('hours that never hold together are never sold, and a winter of closed dates one by one is waited out', () => {
  const now = Temporal.Instant.from('2026-11-15T12:00:00Z').epochMilliseconds / 1000;
  const menuState = (menu: MenuHours, schedule = weekSchedule(ALWAYS)) =>
    menuStateAt(menu, schedule, zoneClock('UTC'), now);
  assert.equal(menuState([daily(0, 60), daily(60, 120)]).soldAtS, Infinity);
  const first = Temporal.PlainDate.from('2026-11-01');
  const winter = Array.from({ length: 150 }, (_, n) => first.add({ days: n }).toString());
  const hoursExceptions = winter.map((date) => ({ from: date, to: date, ranges: [], channel: null }));
  const schedule = scheduleOf({ hours: completeHours({ operational: ALWAYS }), hoursExceptions }, 'pickup');
  const spring = Temporal.Instant.from('2027-03-31T07:00:00Z').epochMilliseconds / 1000;
  assert.deepEqual([schedule.dated.length, menuState([daily(420, 660)], schedule).soldAtS], [1, spring]);
});
