import {
  daysBetween,
  type HoursException,
  type HoursKind,
  MAX_EXCEPTIONS,
  MINUTES_PER_DAY,
  type MinuteRange,
  mergeRanges,
  toHoursExceptions,
  type WeeklyHours,
  weekdayOfDay,
  weekOfRanges,
} from './hours.ts';

/** Rules of opening hours: the week and the single dates that follow from them. */

/**
 * On some dates (null: every date) and weekdays (0 is Monday), a rule opens the ranges in place of earlier rules'
 * ranges, adds them to those, or closes them; without ranges it closes the day.
 */
export type HoursRule = {
  spans: readonly DateSpan[] | null;
  days: readonly number[];
  adds: boolean;
  closes: boolean;
  ranges: readonly MinuteRange[];
};

/**
 * Dates, inclusive, as month × 100 + day. A span without a year is yearly, and may extend into the next year.
 * `easterDays` counts from Easter Sunday.
 */
export type DateSpan =
  | { fromYear: number | null; from: number; toYear: number | null; to: number }
  | { easterDays: number };

export const EVERY_DAY: readonly number[] = [0, 1, 2, 3, 4, 5, 6];

/** Applies rules in order to each weekday. A range past midnight always belongs to its first day. */
export function weekOfRules(rules: readonly HoursRule[]): WeeklyHours {
  return weekOfRanges(
    EVERY_DAY.flatMap((weekday) =>
      rangesOfWeekday(rules, weekday).map(({ startMinute, endMinute }) => ({
        startMinute: weekday * MINUTES_PER_DAY + startMinute,
        endMinute: weekday * MINUTES_PER_DAY + endMinute,
      })),
    ),
  );
}

function rangesOfWeekday(rules: readonly HoursRule[], weekday: number): readonly MinuteRange[] {
  let open: readonly MinuteRange[] = [];
  for (const { days, adds, closes, ranges } of rules) {
    if (!days.includes(weekday)) continue;
    if (closes) open = ranges.length === 0 ? [] : ranges.reduce(withoutRange, open);
    else open = adds ? [...open, ...ranges] : ranges;
  }
  return mergeRanges(open);
}

function withoutRange(open: readonly MinuteRange[], { startMinute, endMinute }: MinuteRange): MinuteRange[] {
  return open
    .flatMap((range) => [
      { ...range, endMinute: Math.min(range.endMinute, startMinute) },
      { ...range, startMinute: Math.max(range.startMinute, endMinute) },
    ])
    .filter((range) => range.startMinute < range.endMinute);
}

/** The rules of hours with dates, by the channel that they apply to; null means all channels. */
export type DatedRules = readonly { channel: HoursKind | null; rules: readonly HoursRule[] }[];

/**
 * Returns the hours of the dates that differ from the weekly hours, in a year and the next. If two years exceed a
 * store's maximum, only in the year.
 */
export function exceptionsOfRules(dated: DatedRules, year: number): HoursException[] {
  const inYears = (last: number) =>
    dated.flatMap(({ channel, rules }) => exceptionsOfYears(rules, [year, last], channel));
  const two = inYears(year + 1);
  return two.length <= MAX_EXCEPTIONS ? two : inYears(year);
}

function exceptionsOfYears(
  rules: readonly HoursRule[],
  [first, last]: readonly [number, number],
  channel: HoursKind | null,
): HoursException[] {
  // Two years of dates share a few sets of rules.
  const weeks = new Map<string, WeeklyHours>();
  const usual = weekOfRules(rules.filter(({ spans }) => spans === null));
  const differing = new Map<number, readonly MinuteRange[]>();
  for (const day of daysBetween(`${first}-01-01`, `${last}-12-31`)) {
    const ofDay = rules.filter(({ spans }) => spans === null || isWithinSpans(spans, day));
    const key = ofDay.map((rule) => rules.indexOf(rule)).join();
    const week = weeks.get(key) ?? weekOfRules(ofDay);
    weeks.set(key, week);
    const weekday = weekdayOfDay(day);
    const ranges = week[weekday] ?? [];
    if (JSON.stringify(ranges) !== JSON.stringify(usual[weekday])) differing.set(day, ranges);
  }
  return toHoursExceptions(differing, channel);
}

/** Whether a date, in days from 1970-01-01, is in one of the spans. */
function isWithinSpans(spans: readonly DateSpan[], epochDay: number): boolean {
  const date = new Date(epochDay * 86_400_000);
  const year = date.getUTCFullYear();
  const monthDay = (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
  return spans.some((span) => {
    if ('easterDays' in span) return epochDay === easterOf(year) + span.easterDays;
    const { fromYear, from, toYear, to } = span;
    if (fromYear !== null && toYear !== null) {
      const number = year * 10_000 + monthDay;
      return number >= fromYear * 10_000 + from && number <= toYear * 10_000 + to;
    }
    return from <= to ? monthDay >= from && monthDay <= to : monthDay >= from || monthDay <= to;
  });
}

/** Computes Easter Sunday, Gregorian, in days from 1970-01-01 (the anonymous algorithm, Nature of 20 April 1876). */
function easterOf(year: number): number {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leapless = century - Math.floor(century / 4);
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + leapless - moon + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1) / 86_400_000;
}
