/** A store's hours: weekly hours, exceptions by date, and the ranges of a date. */

/** A range of a local day in minutes from midnight. An end past 1440 is on the next day. */
export type MinuteRange = { startMinute: number; endMinute: number };

/** Monday first; a closed day is an empty array. */
export type WeeklyHours = readonly [Day, Day, Day, Day, Day, Day, Day];
type Day = readonly MinuteRange[];

export const HOURS_KINDS = ['operational', 'delivery', 'pickup', 'dine_in'] as const;
export type HoursKind = (typeof HOURS_KINDS)[number];

/** Hours by kind. Null means unknown, which counts as closed. */
export type StoreHours = Readonly<Record<HoursKind, WeeklyHours | null>>;

/** Weekday names in the API, in the order of `WeeklyHours`. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const MINUTES_PER_DAY = 1440;
export const MINUTES_PER_WEEK = 10080;

/** Computes weekly hours, each weekday on its own (0 is Monday). */
export function weeklyHours(rangesOf: (weekday: number) => readonly MinuteRange[]): WeeklyHours {
  return [rangesOf(0), rangesOf(1), rangesOf(2), rangesOf(3), rangesOf(4), rangesOf(5), rangesOf(6)];
}

/**
 * Completes hours: a kind that the feed lacks has the `operational` hours; one given as null stays unknown
 * (docs/feed-format.md#hours).
 */
export function completeHours(given: Readonly<Partial<Record<HoursKind, WeeklyHours | null | undefined>>>): StoreHours {
  const operational = given.operational ?? null;
  const follow = (hours: WeeklyHours | null | undefined) => (hours === undefined ? operational : hours);
  return {
    operational,
    delivery: follow(given.delivery),
    pickup: follow(given.pickup),
    dine_in: follow(given.dine_in),
  };
}

/**
 * Hours that replace weekly hours from `from` to `to` (local dates, inclusive); without ranges, closed. `channel` null
 * means all channels. A channel's own exception takes precedence, then the later one in the list
 * (docs/hours.md#hours-of-single-dates).
 */
export type HoursException = { from: string; to: string; ranges: readonly MinuteRange[]; channel: HoursKind | null };

/** Hours and exceptions that a store set itself; null if the feed's apply. */
export type OwnHours = { hours: StoreHours | null; exceptions: readonly HoursException[] | null };

/** Maximum exceptions per store, more than a year of single days. */
export const MAX_EXCEPTIONS = 500;
export const MAX_EXCEPTION_DAYS = 366;
export const FIRST_EXCEPTION_DATE = '2000-01-01';
export const LAST_EXCEPTION_DATE = '2199-12-31';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the text is a calendar date allowed for exceptions. */
export function isExceptionDate(text: string): boolean {
  if (!DATE.test(text) || text < FIRST_EXCEPTION_DATE || text > LAST_EXCEPTION_DATE) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Returns a date as days from 1970-01-01. */
export const dayOfDate = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** Hours of single dates, by days from 1970-01-01; without ranges, closed. */
export type DatedRanges = ReadonlyMap<number, readonly MinuteRange[]>;

/** Returns a date as text; the inverse of `dayOfDate`. */
export const dateOfDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Returns the weekday of a date in days from 1970-01-01; 0 is Monday. */
export const weekdayOfDay = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** Returns the dates from one to another, inclusive; empty if reversed. */
export function daysBetween(from: string, to: string): number[] {
  const first = dayOfDate(from);
  return Array.from({ length: Math.max(0, dayOfDate(to) - first + 1) }, (_, n) => first + n);
}

/** Converts dated hours to exceptions; consecutive dates with equal hours become one. */
export function toHoursExceptions(byDay: DatedRanges, channel: HoursKind | null): HoursException[] {
  const exceptions: HoursException[] = [];
  let run = { first: 0, last: 0, text: '' };
  for (const [day, ranges] of [...byDay].sort(([a], [b]) => a - b)) {
    const text = JSON.stringify(ranges);
    const isNext = run.last === day - 1 && run.text === text && day - run.first < MAX_EXCEPTION_DAYS;
    run = { first: isNext ? run.first : day, last: day, text };
    if (isNext) exceptions.pop();
    exceptions.push({ from: dateOfDay(run.first), to: dateOfDay(run.last), ranges, channel });
  }
  return exceptions;
}

/** Merges ranges into sorted, disjoint ones; touching ones become one. */
export function mergeRanges(ranges: readonly MinuteRange[]): MinuteRange[] {
  const merged: MinuteRange[] = [];
  for (const piece of ranges.toSorted((a, b) => a.startMinute - b.startMinute)) {
    const last = merged.at(-1);
    if (last === undefined || piece.startMinute > last.endMinute) merged.push({ ...piece });
    else last.endMinute = Math.max(last.endMinute, piece.endMinute);
  }
  return merged;
}

/** Merges the ranges of a day, unless one would be longer than a day, which no text of a day can express. */
export function mergeDay(ranges: readonly MinuteRange[]): readonly MinuteRange[] {
  const merged = mergeRanges(ranges);
  const isTooLong = merged.some(({ startMinute, endMinute }) => endMinute - startMinute > MINUTES_PER_DAY);
  return isTooLong ? ranges.toSorted((a, b) => a.startMinute - b.startMinute) : merged;
}

/**
 * The week of ranges in minutes from Monday 0:00. One past midnight belongs to its first day; one longer than a day is
 * cut at midnights.
 */
export function weekOfRanges(ranges: readonly MinuteRange[]): WeeklyHours {
  const days: MinuteRange[][] = Array.from({ length: 7 }, () => []);
  for (const { startMinute, endMinute } of ranges) {
    for (let start = startMinute; start < endMinute; ) {
      const midnight = start - (start % MINUTES_PER_DAY);
      const isWhole = endMinute - start <= MINUTES_PER_DAY;
      const end = isWhole ? endMinute : Math.min(endMinute, midnight + MINUTES_PER_DAY);
      days[(midnight / MINUTES_PER_DAY) % 7]?.push({ startMinute: start - midnight, endMinute: end - midnight });
      start = end;
    }
  }
  return weeklyHours((weekday) => mergeDay(days[weekday] ?? []));
}
