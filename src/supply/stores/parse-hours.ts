import { recordByName } from '../../platform/lib/records.ts';
import { MINUTES_PER_DAY, type MinuteRange, WEEKDAYS, type Weekday, type WeeklyHours, weeklyHours } from './hours.ts';

/** A fault of one weekday in a feed's hours; `weekday` is the key as written there. */
export type HoursFault = { weekday: string; message: string };
export type ParsedHours = { ok: true; hours: WeeklyHours } | { ok: false; faults: readonly HoursFault[] };

/** Maximum ranges per day; no real day has as many. */
const MAX_RANGES_PER_DAY = 24;
const MAX_QUOTED_CHARACTERS = 60;

const RANGE = /^(\d{1,2}):(\d{2}) ?([AP])M ?[-–—] ?(\d{1,2}):(\d{2}) ?([AP])M$/;
const EXPECTED = 'expected "hh:mmAM - hh:mmPM", several joined by ", ", or "Closed", or "Open 24 hours"';

/**
 * Parses hours by weekday (docs/feeds.md#hours); missing weekdays are closed. An end at or before its start is on the
 * next day, so equal times are 24 hours. Reports all faults, including unknown keys.
 */
export function parseHours(byWeekday: unknown): ParsedHours {
  if (typeof byWeekday !== 'object' || byWeekday === null || Array.isArray(byWeekday)) {
    return { ok: false, faults: [{ weekday: '', message: 'expected an object of hours by weekday' }] };
  }
  const days = new Map<Weekday, readonly MinuteRange[]>();
  const faults: HoursFault[] = [];
  for (const [key, text] of Object.entries(byWeekday)) {
    const weekday = WEEKDAYS.find((name) => name.toLowerCase() === key.trim().toLowerCase());
    const ranges = parseDay(text);
    if (weekday === undefined) faults.push({ weekday: key, message: 'expected a weekday, Monday to Sunday' });
    else if (days.has(weekday)) faults.push({ weekday: key, message: 'expected each weekday once' });
    else if (ranges === null) faults.push({ weekday: key, message: `${EXPECTED}, not ${quote(text)}` });
    else days.set(weekday, ranges);
  }
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, hours: weeklyHours((day) => days.get(WEEKDAYS[day] as Weekday) ?? []) };
}

/** Formats `local_hours` by weekday, in the form that `parseHours` reads; unknown hours (null) are `Closed`. */
export function formatHours(hours: WeeklyHours | null): Record<Weekday, string> {
  return recordByName(WEEKDAYS, (weekday) => formatDay(hours?.[WEEKDAYS.indexOf(weekday)] ?? []));
}

/** Formats minutes from midnight as `hh:mmAM`; midnight is `12:00AM` at either end of a day. */
export function formatMinute(minute: number): string {
  const hour = Math.floor(minute / 60) % 24;
  const half = hour < 12 ? 'AM' : 'PM';
  return `${pad(hour % 12 === 0 ? 12 : hour % 12)}:${pad(minute % 60)}${half}`;
}

/** Parses a day's ranges; null for any other text. */
export function parseDay(text: unknown): readonly MinuteRange[] | null {
  if (typeof text !== 'string') return null;
  const plain = text.trim().replace(/\s+/g, ' ').toUpperCase();
  if (plain === 'CLOSED') return [];
  if (plain === 'OPEN 24 HOURS') return [{ startMinute: 0, endMinute: MINUTES_PER_DAY }];
  const parts = plain.split(',');
  if (parts.length > MAX_RANGES_PER_DAY) return null;
  const ranges = parts.map((part) => parseRange(part.trim()));
  return ranges.every((range) => range !== null) ? ranges : null;
}

function parseRange(text: string): MinuteRange | null {
  const match = RANGE.exec(text);
  const startMinute = clockMinute(match?.[1], match?.[2], match?.[3]);
  const endMinute = clockMinute(match?.[4], match?.[5], match?.[6]);
  if (startMinute === null || endMinute === null) return null;
  return { startMinute, endMinute: endMinute > startMinute ? endMinute : endMinute + MINUTES_PER_DAY };
}

function clockMinute(hourText = '', minuteText = '', half = ''): number | null {
  const hour = Number(hourText);
  const minute = Number(minuteText);
  if (hour < 1 || hour > 12 || minute > 59) return null;
  return (hour % 12) * 60 + minute + (half === 'P' ? MINUTES_PER_DAY / 2 : 0);
}

/** Formats a day's ranges in the form that `parseDay` reads. */
export function formatDay(ranges: readonly MinuteRange[]): string {
  if (ranges.length === 0) return 'Closed';
  const isWhole = ranges.some((range) => range.startMinute === 0 && range.endMinute === MINUTES_PER_DAY);
  // A second range that extends into the next day is not part of the whole day.
  if (isWhole && ranges.every((range) => range.endMinute <= MINUTES_PER_DAY)) return 'Open 24 hours';
  return ranges.map((range) => `${formatMinute(range.startMinute)} - ${formatMinute(range.endMinute)}`).join(', ');
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : `a ${value === null ? 'null' : typeof value}`;
  return JSON.stringify(text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text);
}
