import { instantOfEpochSeconds } from '../../src/platform/lib/time.ts';
import type { MinuteRange, WeeklyHours } from '../../src/supply/stores/hours.ts';
import { ZONES_OF_COUNTRY } from '../../src/supply/stores/time-zone.ts';

/**
 * Opening hours by stepping `Temporal`'s zoned clock minute by minute: slow, and independent of the arithmetic under
 * test.
 */
export type WatchedMinute = {
  epochS: number;
  /** The local date in days from 1970-01-01, its weekday (0 is Monday), and the local time. */
  day: number;
  weekday: number;
  minuteOfDay: number;
};

/** Hours by weekday, or the ranges that begin on a local date, in days from 1970-01-01. */
export type PostedHours = WeeklyHours | ((day: number) => readonly MinuteRange[]);

export const ALL_ZONES = [...ZONES_OF_COUNTRY.US, ...ZONES_OF_COUNTRY.CA];

const DAY_MS = 86_400_000;

/** Every minute of about five days around a local date, in order. */
export function watchClock(timeZone: string, date: Temporal.PlainDate): WatchedMinute[] {
  const first = date.subtract({ days: 2 }).toZonedDateTime('UTC').epochMilliseconds / 1000;
  return Array.from({ length: 5 * 24 }, (_, n) => watchHour(timeZone, first + n * 3600)).flat();
}

/** The minutes of an hour: extrapolated from two clock readings if they agree, otherwise read one by one. */
function watchHour(timeZone: string, startS: number): WatchedMinute[] {
  const first = lookAt(timeZone, startS);
  const last = lookAt(timeZone, startS + 59 * 60);
  const isSteady = last.day === first.day && last.minuteOfDay === first.minuteOfDay + 59;
  return Array.from({ length: 60 }, (_, n) =>
    isSteady
      ? { ...first, epochS: startS + n * 60, minuteOfDay: first.minuteOfDay + n }
      : lookAt(timeZone, startS + n * 60),
  );
}

function lookAt(timeZone: string, epochS: number): WatchedMinute {
  const local = instantOfEpochSeconds(epochS).toZonedDateTimeISO(timeZone);
  return {
    epochS,
    day: Date.UTC(local.year, local.month - 1, local.day) / DAY_MS,
    weekday: local.dayOfWeek - 1,
    minuteOfDay: local.hour * 60 + local.minute,
  };
}

/** Whether the store is open in each minute: from the first display of the start until the first display of the end. */
export function watchStore(minutes: readonly WatchedMinute[], hours: PostedHours): boolean[] {
  const latestShown: number[] = [];
  for (const { day, minuteOfDay } of minutes) {
    latestShown.push(Math.max(latestShown.at(-1) ?? 0, day * 1440 + minuteOfDay));
  }
  const firstShown = (wall: number): number => {
    let [low, high] = [0, minutes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((latestShown[middle] ?? 0) >= wall) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const open = minutes.map(() => false);
  const days = new Map(minutes.map(({ day, weekday }) => [day, weekday]));
  for (const [day, weekday] of withDayBefore(days)) {
    for (const range of rangesPosted(hours, day, weekday)) {
      const from = firstShown(day * 1440 + range.startMinute);
      const until = firstShown(day * 1440 + range.endMinute);
      if (from < until) open.fill(true, from, until);
    }
  }
  return open;
}

/** Whether the local time is within the posted hours, including the previous day's past midnight. */
export function showsPostedTime({ day, weekday, minuteOfDay }: WatchedMinute, hours: PostedHours): boolean {
  const within = (ranges: readonly MinuteRange[], minute: number) =>
    ranges.some((range) => range.startMinute <= minute && minute < range.endMinute);
  const evening = rangesPosted(hours, day - 1, (weekday + 6) % 7);
  return within(rangesPosted(hours, day, weekday), minuteOfDay) || within(evening, minuteOfDay + 1440);
}

const rangesPosted = (hours: PostedHours, day: number, weekday: number): readonly MinuteRange[] =>
  typeof hours === 'function' ? hours(day) : (hours[weekday] ?? []);

export function changeDates(timeZone: string, years: readonly number[]): Temporal.PlainDate[] {
  const dates: Temporal.PlainDate[] = [];
  const [first = 2026] = years;
  let moment = Temporal.PlainDate.from({ year: first, month: 1, day: 1 }).toZonedDateTime(timeZone);
  for (;;) {
    const next = moment.getTimeZoneTransition('next');
    if (next === null || !years.includes(next.year)) break;
    if (next.offset !== moment.offset) dates.push(next.toPlainDate());
    moment = next;
  }
  const usual = ['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07'];
  return dates.length > 0 ? dates : usual.map((date) => Temporal.PlainDate.from(date));
}

export const dateOfDay = (day: number): Temporal.PlainDate => Temporal.PlainDate.from('1970-01-01').add({ days: day });

export const dayNumber = (date: Temporal.PlainDate): number => date.toZonedDateTime('UTC').epochMilliseconds / DAY_MS;

function withDayBefore(days: ReadonlyMap<number, number>): Map<number, number> {
  const first = Math.min(...days.keys());
  return new Map([[first - 1, ((days.get(first) ?? 0) + 6) % 7], ...days]);
}
