import {
  type DatedRanges,
  dayOfDate,
  type HoursKind,
  isExceptionDate,
  MAX_EXCEPTION_DAYS,
  MAX_EXCEPTIONS,
  MINUTES_PER_DAY,
  type MinuteRange,
  toHoursExceptions,
  type Weekday,
  weekdayOfDay,
  weeklyHours,
} from '../stores/hours.ts';
import { formatHours } from '../stores/parse-hours.ts';
import type { Country } from '../stores/store.ts';
import { timeZoneAt } from '../stores/time-zone.ts';

/**
 * Opening hours of schema.org (OpeningHoursSpecification) and of Google's feed, which follows it: weekly hours, and
 * dates between `validFrom` and `validThrough`.
 */

/** A minute range on some weekdays (0 is Monday). */
export type OpenRange = MinuteRange & { days: readonly number[] };

/** Hours as in schema.org's OpeningHoursSpecification and Google's similar entities. */
export type OpenSpec = { opens: unknown; closes: unknown; days: readonly unknown[]; onlyForATime: boolean };

type OpenReading = { ok: true; ranges: readonly OpenRange[] } | { ok: false; reason: string };

const EVERY_DAY: readonly number[] = [0, 1, 2, 3, 4, 5, 6];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const CLOCK = /^T?(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(?:[+-]\d{2}:?\d{2})?$/i;
const HALF_DAY_CLOCK = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})? ?([ap])\.?m\.?$/i;
const LAST_MINUTE = MINUTES_PER_DAY - 1;

/**
 * Reads a specification's ranges by Google's rules: an end at or before the start is on the next day, 00:00 to 00:00 is
 * closed, 23:59 is the end of the day. Dated specifications do not fit a week.
 */
export function readOpenSpec({ opens, closes, days, onlyForATime }: OpenSpec): OpenReading {
  if (onlyForATime) return unreadable('it holds for some dates only');
  const indexes = days.length === 0 ? EVERY_DAY : days.map(dayIndex);
  if (indexes.some((day) => day < 0)) return unreadable('it has a day that is no weekday');
  if (isAbsent(opens) && isAbsent(closes)) return { ok: true, ranges: [] };
  const startMinute = wallMinute(opens);
  const end = wallMinute(closes);
  if (startMinute === null || startMinute === MINUTES_PER_DAY || end === null)
    return unreadable('it has no times such as 09:00');
  if (startMinute === 0 && end === 0) return { ok: true, ranges: [] };
  const endMinute = end === LAST_MINUTE ? MINUTES_PER_DAY : end;
  const after = endMinute > startMinute ? endMinute : endMinute + MINUTES_PER_DAY;
  return { ok: true, ranges: [{ days: indexes, startMinute, endMinute: after }] };
}

/** Hours of a store line, by weekday; ranges within other ranges are dropped. */
export function weekdayHours(ranges: readonly OpenRange[]): Record<Weekday, string> {
  return formatHours(weeklyHours((weekday) => rangesOn(weekday, ranges)));
}

/** Sorted ranges of a weekday, without those within others. */
export function rangesOn(weekday: number, ranges: readonly OpenRange[]): MinuteRange[] {
  return distinctRanges(ranges.filter(({ days }) => days.includes(weekday)));
}

/** Sorted ranges of a day, without those within others. */
export function distinctRanges(ranges: readonly MinuteRange[]): MinuteRange[] {
  const wider = ranges.toSorted((a, b) => a.startMinute - b.startMinute || b.endMinute - a.endMinute);
  let reached = -1;
  const distinct = wider.filter(({ endMinute }) => {
    const isNew = endMinute > reached;
    reached = Math.max(reached, endMinute);
    return isNew;
  });
  return distinct.map(({ startMinute, endMinute }) => ({ startMinute, endMinute }));
}

function dayIndex(day: unknown): number {
  const name = typeof day === 'string' ? (day.trim().split(/[/#:]/).at(-1) ?? '').toLowerCase() : '';
  return name.length < 2 ? -1 : DAYS.findIndex((full) => full.startsWith(name));
}

function wallMinute(time: unknown): number | null {
  const text = typeof time === 'string' ? time.trim() : '';
  const half = HALF_DAY_CLOCK.exec(text);
  const match = half ?? CLOCK.exec(text);
  const hour = Number(match?.[1] ?? Number.NaN);
  const minute = Number(match?.[2] ?? 0);
  if (!match || minute > 59 || hour > (half ? 12 : 24)) return null;
  const inDay = half ? (hour % 12) + (/p/i.test(half[3] ?? '') ? 12 : 0) : hour;
  const minutes = inDay * 60 + minute;
  return minutes <= MINUTES_PER_DAY ? minutes : null;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Hours between two dates, in days from 1970-01-01, inclusive; closed if there are no ranges. */
export type DatedSpec = { from: number; to: number; days: readonly number[]; ranges: readonly OpenRange[] };
type DatedReading = { ok: true; spec: DatedSpec } | { ok: false; reason: string };

/** Maximum specifications of a store or service; far more than it has in a year. */
export const EXCEPTIONS_LIMIT = { max: MAX_EXCEPTIONS, things: 'hours of single dates' };
export const DATED_SPECS_LIMIT = { max: 1000, things: 'specifications of dates' };

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads a specification with `validFrom` and `validThrough`, dates or moments in the store's zone. An end at midnight
 * means the date before. Equal or missing times mean closed.
 */
export function readDatedSpec(
  spec: Omit<OpenSpec, 'onlyForATime'> & { validFrom: unknown; validThrough: unknown },
  timeZone: string,
): DatedReading {
  const first = wallMoment(spec.validFrom, timeZone);
  const last = wallMoment(spec.validThrough, timeZone);
  if (!first || !last) return unreadable('it has no first and last date (validFrom, validThrough)');
  const from = dayOfDate(first.date);
  const through = dayOfDate(last.date);
  const to = last.isMidnight && through > from ? through - 1 : through;
  if (to < from) return unreadable('it ends before it begins');
  if (to - from >= MAX_EXCEPTION_DAYS) return unreadable(`it holds for more than ${MAX_EXCEPTION_DAYS} days`);
  const read = readOpenSpec({ ...spec, onlyForATime: false });
  if (!read.ok) return read;
  const days = read.ranges[0]?.days ?? readDays(spec.days);
  return { ok: true, spec: { from, to, days, ranges: read.ranges.filter((range) => !isWholeDay(range)) } };
}

/** Equal times mean closed here; a whole day is from midnight to midnight. */
function isWholeDay({ startMinute, endMinute }: MinuteRange): boolean {
  return startMinute > 0 && endMinute - startMinute === MINUTES_PER_DAY;
}

/** The weekdays of a closed specification, found by parsing an open one. */
function readDays(days: readonly unknown[]): readonly number[] {
  const read = readOpenSpec({ opens: '09:00', closes: '10:00', days, onlyForATime: false });
  return (read.ok && read.ranges[0]?.days) || EVERY_DAY;
}

function wallMoment(value: unknown, timeZone: string): { date: string; isMidnight: boolean } | null {
  const [text = '', date = '', time = '', offset = ''] = (typeof value === 'string' && MOMENT.exec(value.trim())) || [];
  if (!isExceptionDate(date)) return null;
  if (offset === '') return { date, isMidnight: time === '00:00' };
  try {
    const local = Temporal.Instant.from(text.replace(' ', 'T')).toZonedDateTimeISO(timeZone);
    const isMidnight = local.hour === 0 && local.minute === 0;
    return { date: local.toPlainDate().toString(), isMidnight };
  } catch {
    return null;
  }
}

/** The time zone of a store's dates; UTC without a coordinate, in which case the store is rejected elsewhere. */
export function zoneOfSpot(latitude: unknown, longitude: unknown, country: Country): string {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return 'UTC';
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? timeZoneAt(latitude, longitude, country) : 'UTC';
}

/**
 * Hours by date. Specifications of the same dates add up. Otherwise the one with fewer days takes precedence, so that
 * Christmas Day may be within December. The caller bounds their number (DATED_SPECS_LIMIT).
 */
export function rangesOfSpecs(specs: readonly DatedSpec[]): DatedRanges {
  const byDates = Map.groupBy(specs, ({ from, to }) => `${from}/${to}`);
  const longestFirst = [...byDates.values()].sort((a, b) => specLength(b) - specLength(a));
  const byDay = new Map<number, readonly MinuteRange[]>();
  for (const same of longestFirst) {
    const [{ from, to } = { from: 0, to: -1 }] = same;
    for (let day = from; day <= to; day += 1) {
      const weekday = weekdayOfDay(day);
      const ofDay = same.filter(({ days }) => days.includes(weekday));
      if (ofDay.length > 0)
        byDay.set(
          day,
          rangesOn(
            weekday,
            ofDay.flatMap(({ ranges }) => ranges),
          ),
        );
    }
  }
  return byDay;
}

function specLength([spec]: readonly DatedSpec[]): number {
  return spec ? spec.to - spec.from : 0;
}

/** Dated hours as `hours_exceptions` of a store line. */
export function lineExceptions(byDay: DatedRanges, channel: HoursKind | null): object[] {
  return toHoursExceptions(byDay, channel).map(({ from, to, ranges }) => ({
    from,
    to,
    hours: formatHours(weeklyHours(() => ranges)).Monday,
    ...(channel ? { channel } : {}),
  }));
}

function unreadable(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
