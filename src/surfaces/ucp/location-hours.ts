import { epochSeconds } from '../../platform/lib/time.ts';
import { dateOfDay, MINUTES_PER_DAY, type MinuteRange, WEEKDAYS, weekdayOfDay } from '../../supply/stores/hours.ts';
import { type HoursFields, type Schedule, scheduleOf } from '../../supply/stores/schedule.ts';
import type { Store } from '../../supply/stores/store.ts';
import { zoneClock } from '../../supply/stores/zone-clock.ts';
import type { Location } from './contract.ts';

/**
 * Printed opening hours. They say what is open when, by the protocol's rules: a closing time before the opening time is
 * on the next day, `00:00`–`23:59` is the whole day, equal times are invalid, and an exception ends a range that began
 * on the evening before, so that its first date lists the rest as an interval of its own.
 */

type DailyHour = NonNullable<Location['hours']>[number];
type ExceptionHour = NonNullable<Location['exception_hours']>[number];
type Times = { opens: string; closes: string };

/** Maximum days ahead for printed exceptions. */
const DAYS_AHEAD = 92;
const DAY_S = 86_400;

/** Returns the regular hours; undefined if they are unknown. */
export function weeklyHours({ hours }: HoursFields): Location['hours'] {
  return hours.operational?.flatMap((ranges, weekday) => {
    const day = (WEEKDAYS[weekday] ?? 'Monday').toLowerCase() as DailyHour['day'];
    return timesOf(ranges).map((times) => ({ day, ...times }));
  });
}

/** Returns the hours of single dates from yesterday on. */
export function exceptionHours(store: HoursFields & Pick<Store, 'timeZone'>, now: Temporal.Instant): ExceptionHour[] {
  const schedule = scheduleOf(store, 'operational');
  if (schedule.dated.length === 0) return [];
  const nowS = epochSeconds(now);
  const today = Math.floor((nowS + zoneClock(store.timeZone).offsetAt(nowS)) / DAY_S);
  const near = schedule.dated.filter(({ fromDay, toDay }) => toDay >= today - 1 && fromDay <= today + DAYS_AHEAD);
  return near.flatMap(({ fromDay, toDay, ranges }) => {
    const first = [...overnight(rangesBefore(schedule, fromDay)), ...ranges];
    const following = [...overnight(ranges), ...ranges];
    if (toDay === fromDay) return datesOf(fromDay, toDay, first);
    if (first.length === ranges.length && following.length === ranges.length) return datesOf(fromDay, toDay, ranges);
    return [...datesOf(fromDay, fromDay, first), ...datesOf(fromDay + 1, toDay, following)];
  });
}

/** Entries for consecutive dates; without ranges they are closed. */
function datesOf(fromDay: number, toDay: number, ranges: readonly MinuteRange[]): ExceptionHour[] {
  const dates = { valid_from: dateOfDay(fromDay), valid_through: dateOfDay(toDay) };
  return ranges.length === 0 ? [dates] : timesOf(ranges).map((times) => ({ ...dates, ...times }));
}

function rangesBefore({ dated, week }: Schedule, day: number): readonly MinuteRange[] {
  const before = dated.find(({ fromDay, toDay }) => fromDay < day && day - 1 <= toDay);
  return before?.ranges ?? week?.[weekdayOfDay(day - 1)] ?? [];
}

/** The parts of ranges after midnight, for the next day. */
function overnight(ranges: readonly MinuteRange[]): MinuteRange[] {
  const late = ranges.filter(({ endMinute }) => endMinute > MINUTES_PER_DAY);
  return late.map(({ endMinute }) => ({ startMinute: 0, endMinute: endMinute - MINUTES_PER_DAY }));
}

const NOON = 720;
const LAST_MINUTE = MINUTES_PER_DAY - 1;

function timesOf(ranges: readonly MinuteRange[]): Times[] {
  return ranges.flatMap(splitRange).map(({ startMinute, endMinute }) => ({
    opens: timeText(startMinute),
    closes: timeText(Math.min(endMinute, startMinute + LAST_MINUTE)),
  }));
}

/** Splits a range whose two times would be equal, or would read as the whole day. */
function splitRange({ startMinute, endMinute }: MinuteRange): MinuteRange[] {
  const isWholeDay = startMinute === 0 && endMinute === MINUTES_PER_DAY;
  if (isWholeDay) return [{ startMinute, endMinute: LAST_MINUTE }];
  const readsAsWhole = startMinute === 0 && endMinute === LAST_MINUTE;
  if (!readsAsWhole && endMinute - startMinute < MINUTES_PER_DAY) return [{ startMinute, endMinute }];
  const middle = startMinute < NOON ? NOON : LAST_MINUTE;
  if (middle === startMinute) return [{ startMinute, endMinute }];
  return [
    { startMinute, endMinute: middle },
    { startMinute: middle, endMinute },
  ];
}

function timeText(minute: number): string {
  const ofDay = minute % MINUTES_PER_DAY;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
