import { localityOfRecord } from '../addresses/postal-areas.ts';
import { formatHours } from '../stores/format-hours.ts';
import {
  type DatedRanges,
  dayOfDate,
  type HoursKind,
  isExceptionDate,
  MAX_EXCEPTION_DAYS,
  MAX_EXCEPTIONS,
  MINUTES_PER_DAY,
  type MinuteRange,
  mergeDay,
  toHoursExceptions,
  type Weekday,
  weekdayOfDay,
  weeklyHours,
} from '../stores/hours.ts';
import { EVERY_DAY } from '../stores/hours-rules.ts';
import { endAfter, readClock, readDays } from '../stores/read-hours.ts';
import type { Country } from '../stores/store.ts';
import { timeZoneAt } from '../stores/time-zone.ts';

/**
 * Opening hours of schema.org (OpeningHoursSpecification) and of Google's feed, which follows it: weekly hours, and
 * dates between `validFrom` and `validThrough`.
 */

const MAX_TIME_LENGTH = 40;
const SECONDS_AND_OFFSET = /(?<=:\d\d)(?::\d\d(?:\.\d{1,9})?)?(?:[+-]\d\d:?\d\d)?$/;

/** A minute range on some weekdays (0 is Monday). */
export type OpenRange = MinuteRange & { days: readonly number[] };

/** Hours as in schema.org's OpeningHoursSpecification and Google's similar entities. */
export type OpenSpec = { opens: unknown; closes: unknown; days: readonly unknown[] };

/** The weekdays of a specification and its range on them; without one, closed. */
type OpenReading =
  | { ok: true; days: readonly number[]; isHoliday: boolean; range: MinuteRange | null }
  | { ok: false; reason: string; onlyCloses: boolean };

/** In a line, unreadable menu hours; without any, a product is sold at all hours. */
export const UNREADABLE = 'unreadable';

/**
 * Reads a specification by Google's rules: an end at or before the start is on the next day, 00:00 to 00:00 is closed,
 * 23:59 is the end of the day.
 */
export function readOpenSpec({ opens, closes, days }: OpenSpec): OpenReading {
  const [startMinute, end] = [wallMinute(opens), wallMinute(closes)];
  const isClosed = (isAbsent(opens) && isAbsent(closes)) || (startMinute === 0 && end === 0);
  const named = days.map((day) => (typeof day === 'string' ? readDays(day) : null));
  if (named.includes(null)) return { ...unreadable('it has a day that is no weekday'), onlyCloses: isClosed };
  if (!isClosed && (startMinute === null || startMinute === MINUTES_PER_DAY || end === null))
    return { ...unreadable('it has no times such as 09:00'), onlyCloses: false };
  return {
    ok: true,
    days: days.length === 0 ? EVERY_DAY : named.flatMap((one) => one?.days ?? []),
    isHoliday: named.some((one) => one?.isHoliday),
    range: isClosed ? null : { startMinute: startMinute ?? 0, endMinute: endAfter(startMinute ?? 0, end ?? 0) },
  };
}

/**
 * The ranges of a week's specifications, which add up; undefined if they only close, and not every day. Null, with a
 * warning, if an opening one is unreadable: a partly read week is unknown.
 */
export function rangesOfWeek<Spec extends OpenSpec>(
  specs: readonly Spec[],
  warn: (spec: Spec, message: string) => void,
): OpenRange[] | null | undefined {
  const ranges: OpenRange[] = [];
  const stated = new Set<number>();
  let isKnown = true;
  for (const spec of specs) {
    const read = readOpenSpec(spec);
    if (!read.ok) {
      isKnown &&= read.onlyCloses;
      warn(spec, `expected regular weekly hours: ${read.reason}; ${read.onlyCloses ? 'left out' : 'left unknown'}`);
      continue;
    }
    if (read.isHoliday) warn(spec, 'expected no public holidays, whose dates are not guessed; left out');
    if (read.range && read.days.length > 0) ranges.push({ ...read.range, days: read.days });
    for (const day of read.days) stated.add(day);
  }
  if (!isKnown) return null;
  return ranges.length > 0 || stated.size === EVERY_DAY.length ? ranges : undefined;
}

/** The hours in a store's line, by weekday. */
export function weekdayHours(ranges: readonly OpenRange[]): Record<Weekday, string> {
  return formatHours(weeklyHours((weekday) => rangesOn(weekday, ranges)));
}

/** The ranges of a weekday, sorted and disjoint. */
export function rangesOn(weekday: number, ranges: readonly OpenRange[]): readonly MinuteRange[] {
  return mergeDay(
    ranges.filter(({ days }) => days.includes(weekday)).map(({ days: _, ...range }): MinuteRange => range),
  );
}

function wallMinute(time: unknown): number | null {
  const text = typeof time === 'string' && time.length <= MAX_TIME_LENGTH ? time.trim() : '';
  return readClock(text.replace(/^T/i, '').replace(SECONDS_AND_OFFSET, ''));
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

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
  spec: OpenSpec & { validFrom: unknown; validThrough: unknown },
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
  const read = readOpenSpec(spec);
  if (!read.ok) return read;
  if (read.days.length === 0) return unreadable('it holds on public holidays, whose dates are not guessed');
  const range = read.range && !isWholeDay(read.range) ? read.range : null;
  return { ok: true, spec: { from, to, days: read.days, ranges: range ? [{ ...range, days: read.days }] : [] } };
}

/** Equal times mean closed here; a whole day is from midnight to midnight. */
function isWholeDay({ startMinute, endMinute }: MinuteRange): boolean {
  return startMinute > 0 && endMinute - startMinute === MINUTES_PER_DAY;
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

/**
 * The country and region of a line as its parser will read them, and the time zone of its dates; US and UTC where the
 * parser rejects the line.
 */
export function localityOfLine(
  address: { country: string; state: string; zipcode?: string } | undefined,
  latitude: unknown,
  longitude: unknown,
): { country: Country; state: string; timeZone: string } {
  const { country: named = '', state: region = '', zipcode = '' } = address ?? {};
  const spot = { latitude: Number(latitude), longitude: Number(longitude) };
  const read = localityOfRecord({ country: named, region, address: { zipcode } }, spot);
  const [country, state] = [read.country ?? 'US', read.state ?? ''];
  const isPlace = typeof latitude === 'number' && typeof longitude === 'number';
  const isOnEarth = isPlace && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return { country, state, timeZone: isOnEarth ? timeZoneAt(latitude, longitude, country, state) : 'UTC' };
}

/**
 * Hours by date. Specifications of the same dates add up. Otherwise the one with fewer days takes precedence, so that
 * Christmas Day may be within December. The caller limits their number (DATED_SPECS_LIMIT).
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
      const ranges = ofDay.flatMap((spec) => spec.ranges);
      if (ofDay.length > 0) byDay.set(day, rangesOn(weekday, ranges));
    }
  }
  return byDay;
}

const specLength = ([spec]: readonly DatedSpec[]): number => (spec ? spec.to - spec.from : 0);

/** Dated hours as `hours_exceptions` of a store line. */
export function lineExceptions(byDay: DatedRanges, channel: HoursKind | null): object[] {
  return toHoursExceptions(byDay, channel).map(({ from, to, ranges }) => ({
    from,
    to,
    hours: formatHours(weeklyHours(() => ranges)).Monday,
    ...(channel ? { channel } : {}),
  }));
}

const unreadable = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });
