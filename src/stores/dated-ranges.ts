import type { Channel, MinuteRange } from './hours.ts';
import { dayOfDate, type HoursException, MAX_EXCEPTION_DAYS } from './hours-exceptions.ts';

/** The hours of single dates, by the date in days from 1970-01-01; no ranges: closed. */
export type DatedRanges = ReadonlyMap<number, readonly MinuteRange[]>;

/** A date as text, from days since 1970-01-01. */
export function dateOfDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** The weekday of a date in days from 1970-01-01, a Thursday; 0 is Monday. */
export function weekdayOfDay(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** The dates from one to another, both included; none where the last lies before the first. */
export function daysBetween(from: string, to: string): number[] {
  const first = dayOfDate(from);
  return Array.from({ length: Math.max(0, dayOfDate(to) - first + 1) }, (_, n) => first + n);
}

/** Hours of single dates as exceptions: dates on end with the same hours are one. */
export function exceptionsOfDates(byDay: DatedRanges, channel: Channel | null): HoursException[] {
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
