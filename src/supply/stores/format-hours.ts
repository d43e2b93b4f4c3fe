import { recordByName } from '../../platform/lib/records.ts';
import { MINUTES_PER_DAY, type MinuteRange, WEEKDAYS, type Weekday, type WeeklyHours } from './hours.ts';

/** Writes opening hours as texts, which `readHours` and `readDay` read. */

/** Formats `local_hours` by weekday; unknown hours (null) are `Closed`. */
export function formatHours(hours: WeeklyHours | null): Record<Weekday, string> {
  return recordByName(WEEKDAYS, (weekday) => formatDay(hours?.[WEEKDAYS.indexOf(weekday)] ?? []));
}

/** Formats minutes from midnight as `hh:mmAM`; midnight is `12:00AM` at either end of a day. */
export function formatMinute(minute: number): string {
  const hour = Math.floor(minute / 60) % 24;
  const half = hour < 12 ? 'AM' : 'PM';
  return `${pad(hour % 12 === 0 ? 12 : hour % 12)}:${pad(minute % 60)}${half}`;
}

/** Formats a day's ranges. */
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
