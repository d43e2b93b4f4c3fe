import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { type HoursKind, type MinuteRange, weekdayOfDay } from './hours.ts';
import { type DatedDays, type HoursFields, type Schedule, scheduleOf, type WeekLine } from './schedule.ts';
import type { Store } from './store.ts';
import { type ZoneClock, zoneClock } from './zone-clock.ts';

/** Whether a store is open, until when, and why: from its weekly hours in its own zone, its dates and its pause. */

const MINUTE_S = 60;
const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;

/** The Monday before 1970-01-01, a Thursday, as wall-clock seconds. */
const FIRST_MONDAY_S = -3 * DAY_S;

/** Maximum seconds of a clock change in the US and Canada. */
const MAX_CLOCK_CHANGE_S = 3 * 3600;

/** Whether a store is open, and when that next changes; null for never. */
type OpenState = { open: boolean; changesAt: Temporal.Instant | null };

/** An open state in epoch seconds; `changesAtS` is Infinity for never. */
export type EpochOpenState = { open: boolean; changesAtS: number };

/** A period of open time on the wall clock, as UTC epoch seconds; an end of Infinity means open without end. */
type OpenPeriod = { startS: number; endS: number };

export function openStateOf({ open, changesAtS }: EpochOpenState): OpenState {
  return { open, changesAt: changesAtS === Infinity ? null : instantOfEpochSeconds(changesAtS) };
}

/**
 * Returns the open state at a moment. A store opens or closes when its clock first shows the posted time or a later
 * one: times that a clock change skips count at the change, repeated times at their first pass. Unknown hours are
 * closed (docs/hours.md#hours-and-time-zones).
 */
export function openStateAtEpoch(line: WeekLine, clock: ZoneClock, epochS: number): EpochOpenState {
  const { always, ranges } = line;
  if (always || ranges.length === 0) return { open: always, changesAtS: Infinity };

  return stateOfPeriods(periodsOfWeeks(line, epochS + clock.offsetAt(epochS)), clock, epochS);
}

/** Yields the open periods of each week by start, except periods that ended well before. */
function* periodsOfWeeks({ ranges }: WeekLine, wallS: number): Generator<OpenPeriod, undefined> {
  for (let weekS = wallS - modulo(wallS - FIRST_MONDAY_S, WEEK_S) - WEEK_S; ; weekS += WEEK_S) {
    for (const { startMinute, endMinute } of ranges) {
      const endS = weekS + endMinute * MINUTE_S;
      if (endS > wallS - MAX_CLOCK_CHANGE_S) yield { startS: weekS + startMinute * MINUTE_S, endS };
    }
  }
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

/** The fields that decide whether a store is open. */
export type OpeningFields = HoursFields & Pick<Store, 'timeZone' | 'pausedUntil'>;

/** Whether the store has paused ordering. A pause expires without a write. */
export function isPausedAt({ pausedUntil }: Pick<Store, 'pausedUntil'>, at: Temporal.Instant): boolean {
  return pausedUntil !== null && at.epochMilliseconds < pausedUntil.epochMilliseconds;
}

/**
 * Returns a store's open state for one kind of hours, including single dates. A paused store counts as closed
 * (docs/inventory.md#settings-that-stores-can-change).
 */
export function storeOpenStateAt(store: OpeningFields, channel: HoursKind, at: Temporal.Instant): OpenState {
  const { timeZone, pausedUntil } = store;
  const schedule = scheduleOf(store, channel);
  const stateAt = (moment: Temporal.Instant): OpenState =>
    openStateOf(scheduleStateAt(schedule, zoneClock(timeZone), epochSeconds(moment)));
  if (pausedUntil === null || !isPausedAt(store, at)) return stateAt(at);
  const resumed = stateAt(pausedUntil);
  return { open: false, changesAt: resumed.open ? pausedUntil : resumed.changesAt };
}

/** Whether a store is open for one kind of hours, as in `storeOpenStateAt`. */
export function isStoreOpenAt(store: OpeningFields, channel: HoursKind, at: Temporal.Instant): boolean {
  if (isPausedAt(store, at)) return false;
  return scheduleStateAt(scheduleOf(store, channel), zoneClock(store.timeZone), epochSeconds(at)).open;
}

/** Finds the first moment from `now` on when a store is open for a kind of hours, maybe `now`; null for never. */
export function nextOpening(store: OpeningFields, channel: HoursKind, now: Temporal.Instant): Temporal.Instant | null {
  const { open, changesAt } = storeOpenStateAt(store, channel, now);
  return open ? now : changesAt;
}

/**
 * Finds when a store opens next after it has closed, so not within the hours that continue now; null if it never closes
 * or never opens. A pause does not count.
 */
export function openingAfterClosing(
  store: Omit<OpeningFields, 'pausedUntil'>,
  channel: HoursKind,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const unpaused = { ...store, pausedUntil: null };
  const { open, changesAt } = storeOpenStateAt(unpaused, channel, now);
  return open && changesAt ? nextOpening(unpaused, channel, changesAt) : changesAt;
}

/** The hour when a store's day ends: an order at 1 AM belongs to the evening before. */
const DAY_ENDS_HOUR = 4;

/**
 * Returns when items that are sold out until tomorrow return: at the store's first opening after the end of its day, or
 * at that end if it is open then or its hours are unknown. A pause does not count.
 */
export function tomorrowAt(store: Omit<OpeningFields, 'pausedUntil'>, now: Temporal.Instant): Temporal.Instant {
  const local = now.toZonedDateTimeISO(store.timeZone);
  const day = local.toPlainDate().add({ days: local.hour < DAY_ENDS_HOUR ? 0 : 1 });
  const end = day.toZonedDateTime({ timeZone: store.timeZone, plainTime: { hour: DAY_ENDS_HOUR } }).toInstant();
  return nextOpening({ ...store, pausedUntil: null }, 'operational', end) ?? end;
}

/** Consecutive days with the same hours; `dated` is undefined for weekly hours. */
type Run = { fromDay: number; toDay: number; dated: DatedDays | undefined };

/**
 * Computes `openStateAtEpoch` with single dates, by the same rules for clock changes. Without single dates near now or
 * the next change, this is the weekly state.
 */
export function scheduleStateAt(schedule: Schedule, clock: ZoneClock, epochS: number): EpochOpenState {
  const weekly = openStateAtEpoch(schedule.line, clock, epochS);
  if (schedule.dated.length === 0) return weekly;
  // Two days around suffice, because a range extends up to into the next day, and touching ranges are joined.
  const firstDay = wallDayAt(clock, epochS) - 2;
  const lastDay = weekly.changesAtS === Infinity ? Infinity : wallDayAt(clock, weekly.changesAtS) + 2;
  const isNear = schedule.dated.some(({ fromDay, toDay }) => toDay >= firstDay && fromDay <= lastDay);
  return isNear ? stateOfPeriods(periodsFrom(schedule, firstDay), clock, epochS) : weekly;
}

/** Whether a moment is on a date with its own hours, and until when; Infinity for no end. */
export function datedStateAt(schedule: Schedule, clock: ZoneClock, epochS: number): { dated: boolean; untilS: number } {
  const dayStart = (day: number): number => clock.epochOfWall(day * DAY_S);
  for (const { fromDay, toDay } of schedule.dated) {
    const endS = dayStart(toDay + 1);
    if (endS <= epochS) continue;
    const startS = dayStart(fromDay);
    return startS <= epochS ? { dated: true, untilS: endS } : { dated: false, untilS: startS };
  }
  return { dated: false, untilS: Infinity };
}

function stateOfPeriods(periods: Iterable<OpenPeriod>, clock: ZoneClock, epochS: number): EpochOpenState {
  let closesAtS: number | undefined;
  for (const { startS, endS } of periods) {
    const opensS = clock.epochOfWall(startS);
    const closesS = endS === Infinity ? Infinity : clock.epochOfWall(endS);
    if (closesAtS !== undefined) {
      // A touching period continues the previous one. A skipped hour can make two periods touch.
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

/** Yields the open periods by start, which may touch and overlap. Runs without a change are crossed in one step. */
function* periodsFrom(schedule: Schedule, firstDay: number): Generator<OpenPeriod, undefined> {
  for (const { fromDay, toDay, dated } of runsFrom(schedule, firstDay)) {
    const { line } = schedule;
    if (dated ? dated.ranges.length === 0 : !line.always && line.ranges.length === 0) continue;
    const periodsOfDay = (day: number): OpenPeriod[] =>
      periodsOn(day, dated?.ranges ?? schedule.week?.[weekdayOfDay(day)] ?? []);
    const isAlways = dated ? dated.always : schedule.line.always;
    if (!isAlways || toDay <= fromDay + 1) {
      for (let day = fromDay; day <= toDay; day += 1) yield* periodsOfDay(day);
      continue;
    }
    // The first day's ranges may begin late, and the last day's may extend into the next run.
    yield* periodsOfDay(fromDay);
    yield { startS: (fromDay + 1) * DAY_S, endS: (toDay + 1) * DAY_S };
    if (toDay !== Infinity) yield* periodsOfDay(toDay);
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

function periodsOn(day: number, ranges: readonly MinuteRange[]): OpenPeriod[] {
  const periods = ranges.map(({ startMinute, endMinute }) => ({
    startS: day * DAY_S + startMinute * MINUTE_S,
    endS: day * DAY_S + endMinute * MINUTE_S,
  }));
  return periods.sort((a, b) => a.startS - b.startS);
}

const wallDayAt = (clock: ZoneClock, epochS: number): number => Math.floor((epochS + clock.offsetAt(epochS)) / DAY_S);

/** Why a store is closed (docs/hours.md#open-and-closed). */
type ClosedBecause = 'hours' | 'exception' | 'paused' | 'unknown_hours';

/** A store's state at a moment, in whole epoch seconds; Infinity for never. */
export type Opening = {
  open: boolean;
  changesAtS: number;
  /** Null while open. */
  because: ClosedBecause | null;
  /** When this state, or its reason, ends. */
  untilS: number;
};

/** Returns the state at a moment. On a date with an exception, a store is closed because of it at any hour. */
export function openingAt(schedule: Schedule, clock: ZoneClock, epochS: number): Opening {
  const { open, changesAtS } = scheduleStateAt(schedule, clock, epochS);
  if (open) return { open, changesAtS, because: null, untilS: changesAtS };
  const weekly = schedule.week === null ? 'unknown_hours' : 'hours';
  if (schedule.dated.length === 0) return { open, changesAtS, because: weekly, untilS: changesAtS };
  const { dated, untilS } = datedStateAt(schedule, clock, epochS);
  return { open, changesAtS, because: dated ? 'exception' : weekly, untilS: Math.min(changesAtS, untilS) };
}

/** Returns a paused store's state: it opens when the pause ends, or when its hours next open after that. */
export function pausedUntil(untilS: number, openingAfter: (epochS: number) => Opening): (epochS: number) => Opening {
  return (epochS) => {
    if (epochS >= untilS) return openingAfter(epochS);
    const after = openingAfter(untilS);
    return { open: false, changesAtS: after.open ? untilS : after.changesAtS, because: 'paused', untilS };
  };
}
