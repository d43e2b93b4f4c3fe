import type { Channel, MinuteRange, StoreHours } from './hours.ts';

/**
 * Hours that replace the weekly hours on the local dates `from` to `to` (`YYYY-MM-DD`), inclusive; no ranges: closed.
 * `channel` null: every channel. On one date an exception of the channel wins over one of every channel; of two alike the
 * later in the list wins (docs/behaviour.md#hours-of-single-dates).
 */
export type HoursException = { from: string; to: string; ranges: readonly MinuteRange[]; channel: Channel | null };

/** The hours and the exceptions that a store has set itself; each is null where the feed's count. */
export type OwnHours = { hours: StoreHours | null; exceptions: readonly HoursException[] | null };

/** Bounds on the exceptions of one store: far above a year of single days, and soon searched through. */
export const MAX_EXCEPTIONS = 500;
export const MAX_EXCEPTION_DAYS = 366;
export const FIRST_EXCEPTION_DATE = '2000-01-01';
export const LAST_EXCEPTION_DATE = '2199-12-31';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the text is a date of the calendar that an exception may have. */
export function isExceptionDate(text: string): boolean {
  if (!DATE.test(text) || text < FIRST_EXCEPTION_DATE || text > LAST_EXCEPTION_DATE) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A date as days from 1970-01-01. */
export function dayOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}
