import { type Format, momentAt } from '../../platform/languages/format.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { MINUTES_PER_DAY, type MinuteRange, WEEKDAYS, type Weekday, type WeeklyHours } from './hours.ts';

/** Writes opening hours as texts, which `readHours` and `readDay` read, and for people. */

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

export const isAllDay = (ranges: readonly MinuteRange[]): boolean =>
  ranges.length === 1 && ranges[0]?.startMinute === 0 && ranges[0].endMinute === MINUTES_PER_DAY;

/** `11:00 AM – 2:00 PM`, in the words of a language. */
export function rangeInWords({ startMinute, endMinute }: MinuteRange, format: Format): string {
  const at = (minute: number) => momentAt((minute % MINUTES_PER_DAY) * 60);
  return format.range(at(startMinute), at(endMinute), 'UTC', at(0));
}

export function formatDay(ranges: readonly MinuteRange[]): string {
  if (ranges.length === 0) return 'Closed';
  const isWhole = ranges.some((range) => range.startMinute === 0 && range.endMinute === MINUTES_PER_DAY);
  // A second range that extends into the next day is not part of the whole day.
  if (isWhole && ranges.every((range) => range.endMinute <= MINUTES_PER_DAY)) return 'Open 24 hours';
  return ranges.map((range) => `${formatMinute(range.startMinute)} - ${formatMinute(range.endMinute)}`).join(', ');
}

const pad = (number: number): string => String(number).padStart(2, '0');
