import { MINUTES_PER_DAY, type MinuteRange, type Weekday, weeklyHours } from '../stores/hours.ts';
import { formatHours } from '../stores/parse-hours.ts';

/** A range of minutes on some weekdays (0 is Monday). */
export type OpenRange = MinuteRange & { days: readonly number[] };

/** Hours as schema.org's OpeningHoursSpecification has them, and the entities of Google's feed that follow it. */
export type OpenSpec = { opens: unknown; closes: unknown; days: readonly unknown[]; onlyForATime: boolean };

export type OpenReading = { ok: true; ranges: readonly OpenRange[] } | { ok: false; reason: string };

const EVERY_DAY: readonly number[] = [0, 1, 2, 3, 4, 5, 6];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const CLOCK = /^T?(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(?:[+-]\d{2}:?\d{2})?$/i;
const HALF_DAY_CLOCK = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})? ?([ap])\.?m\.?$/i;
const LAST_MINUTE = MINUTES_PER_DAY - 1;

/**
 * The ranges of a specification. A range whose end is not after its start runs into the next day; 00:00 to 00:00 is
 * closed, and 23:59 is the end of the day, as in Google's structured data. A specification for some dates only cannot be
 * kept in a week.
 */
export function readOpenSpec({ opens, closes, days, onlyForATime }: OpenSpec): OpenReading {
  if (onlyForATime) return no('it holds for some dates only');
  const indexes = days.length === 0 ? EVERY_DAY : days.map(dayIndex);
  if (indexes.some((day) => day < 0)) return no('it has a day that is no weekday');
  if (isAbsent(opens) && isAbsent(closes)) return { ok: true, ranges: [] };
  const startMinute = minuteOf(opens);
  const end = minuteOf(closes);
  if (startMinute === null || startMinute === MINUTES_PER_DAY || end === null)
    return no('it has no times such as 09:00');
  if (startMinute === 0 && end === 0) return { ok: true, ranges: [] };
  const endMinute = end === LAST_MINUTE ? MINUTES_PER_DAY : end;
  const after = endMinute > startMinute ? endMinute : endMinute + MINUTES_PER_DAY;
  return { ok: true, ranges: [{ days: indexes, startMinute, endMinute: after }] };
}

/** Hours by weekday as in a store line; a range within another range is left out. */
export function weekOf(ranges: readonly OpenRange[]): Record<Weekday, string> {
  return formatHours(weeklyHours((weekday) => rangesOn(weekday, ranges)));
}

/** The ranges of a weekday, sorted, without those within another range. */
export function rangesOn(weekday: number, ranges: readonly OpenRange[]): MinuteRange[] {
  return distinctRanges(ranges.filter(({ days }) => days.includes(weekday)));
}

/** Ranges of one day, sorted, without those within another range. */
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

function minuteOf(time: unknown): number | null {
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

function no(reason: string): OpenReading {
  return { ok: false, reason };
}
