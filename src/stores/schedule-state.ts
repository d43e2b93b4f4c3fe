import { weekdayOfDay } from './dated-ranges.ts';
import type { MinuteRange } from './hours.ts';
import { type EpochOpenState, openStateAtEpoch } from './open-state.ts';
import type { DatedDays, Schedule } from './schedule.ts';
import type { ZoneClock } from './zone-clock.ts';

const DAY_S = 86_400;
const MINUTE_S = 60;

/** Open time on the wall clock, in the epoch seconds that it would have in UTC; an end of Infinity never comes. */
type Stretch = { startS: number; endS: number };

/** Days in a row on which the same hours count; `dated` undefined: the weekly hours. */
type Run = { fromDay: number; toDay: number; dated: DatedDays | undefined };

/**
 * `openStateAtEpoch` with the hours of single dates: by the same rules of clock changes. Where no such date is near now or
 * near the next change, this is the weekly state.
 */
export function scheduleStateAt(schedule: Schedule, clock: ZoneClock, epochS: number): EpochOpenState {
  const weekly = openStateAtEpoch(schedule.line, clock, epochS);
  if (schedule.dated.length === 0) return weekly;
  // A range reaches into the next day, and touching ranges are one: two days around are enough for both.
  const firstDay = wallDayAt(clock, epochS) - 2;
  const lastDay = weekly.changesAtS === Infinity ? Infinity : wallDayAt(clock, weekly.changesAtS) + 2;
  const isNear = schedule.dated.some(({ fromDay, toDay }) => toDay >= firstDay && fromDay <= lastDay);
  return isNear ? walkStretches(stretchesFrom(schedule, firstDay), clock, epochS) : weekly;
}

/** Whether a moment lies on a date that has hours of its own, and until when that stays so (Infinity: for good). */
export function datedStateAt(schedule: Schedule, clock: ZoneClock, epochS: number): { dated: boolean; untilS: number } {
  const startOf = (day: number): number => clock.epochOfWall(day * DAY_S);
  for (const { fromDay, toDay } of schedule.dated) {
    const endS = startOf(toDay + 1);
    if (endS <= epochS) continue;
    const startS = startOf(fromDay);
    return startS <= epochS ? { dated: true, untilS: endS } : { dated: false, untilS: startS };
  }
  return { dated: false, untilS: Infinity };
}

function walkStretches(stretches: Iterable<Stretch>, clock: ZoneClock, epochS: number): EpochOpenState {
  let closesAtS: number | undefined;
  for (const { startS, endS } of stretches) {
    const opensS = clock.epochOfWall(startS);
    const closesS = endS === Infinity ? Infinity : clock.epochOfWall(endS);
    if (closesAtS !== undefined) {
      // A stretch that touches the one before continues it; a skipped hour can make two stretches touch.
      if (opensS > closesAtS) break;
      closesAtS = Math.max(closesAtS, closesS);
    } else if (closesS > epochS && opensS < closesS) {
      if (opensS > epochS) return { open: false, changesAtS: opensS };
      closesAtS = closesS;
    }
    if (closesAtS === Infinity) break;
  }
  return { open: closesAtS !== undefined, changesAtS: closesAtS ?? Infinity };
}

/**
 * The open stretches by their starts; they may touch and overlap. Runs without a change are crossed in one step, however
 * long they are.
 */
function* stretchesFrom(schedule: Schedule, firstDay: number): Generator<Stretch, undefined> {
  for (const { fromDay, toDay, dated } of runsFrom(schedule, firstDay)) {
    if (dated ? dated.ranges.length === 0 : isNeverOpen(schedule)) continue;
    const stretchesOf = (day: number): Stretch[] =>
      stretchesOn(day, dated?.ranges ?? schedule.week?.[weekdayOfDay(day)] ?? []);
    const isAlways = dated ? dated.always : schedule.line.always;
    if (!isAlways || toDay <= fromDay + 1) {
      for (let day = fromDay; day <= toDay; day += 1) yield* stretchesOf(day);
      continue;
    }
    // The ranges of the first day may begin late; those of the last day may reach into the next run.
    yield* stretchesOf(fromDay);
    yield { startS: (fromDay + 1) * DAY_S, endS: (toDay + 1) * DAY_S };
    if (toDay !== Infinity) yield* stretchesOf(toDay);
  }
}

function* runsFrom({ dated }: Schedule, firstDay: number): Generator<Run, undefined> {
  let day = firstDay;
  for (const days of dated) {
    if (days.toDay < day) continue;
    if (days.fromDay > day) yield { fromDay: day, toDay: days.fromDay - 1, dated: undefined };
    yield { fromDay: Math.max(day, days.fromDay), toDay: days.toDay, dated: days };
    day = days.toDay + 1;
  }
  yield { fromDay: day, toDay: Infinity, dated: undefined };
}

function stretchesOn(day: number, ranges: readonly MinuteRange[]): Stretch[] {
  const stretches = ranges.map(({ startMinute, endMinute }) => ({
    startS: day * DAY_S + startMinute * MINUTE_S,
    endS: day * DAY_S + endMinute * MINUTE_S,
  }));
  return stretches.sort((a, b) => a.startS - b.startS);
}

function isNeverOpen({ line }: Schedule): boolean {
  return !line.always && line.stretches.length === 0;
}

function wallDayAt(clock: ZoneClock, epochS: number): number {
  return Math.floor((epochS + clock.offsetAt(epochS)) / DAY_S);
}
