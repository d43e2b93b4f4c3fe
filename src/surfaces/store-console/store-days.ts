import { Type } from 'typebox';
import { invalidField } from '../../platform/http/request-schema.ts';

/** A range of days on a store's calendar, as query parameters and as moments. */

/** Maximum days of a range: a quarter. */
export const MAX_DAYS = 92;

const dayParameter = (description: string) =>
  Type.Refine(
    Type.String({ description }),
    (text) => dayOf(text) !== undefined,
    () => 'must be a date as YYYY-MM-DD',
  );

export const FROM_DAY = dayParameter("The first day, `YYYY-MM-DD` in the store's time zone.");
export const TO_DAY = dayParameter(
  `The last day, inclusive. Defaults to the first day. The range is up to ${MAX_DAYS} days.`,
);

/** A calendar day; undefined for another text. PostgreSQL reads years of four digits from 1. */
function dayOf(text: string): Temporal.PlainDate | undefined {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export type StoreDays = {
  from: string;
  to: string;
  /** Every date from the first to the last. */
  dates: string[];
  timeZone: string;
  /** From the start of the first day to the start of the day after the last. */
  start: Temporal.Instant;
  end: Temporal.Instant;
};

/** The days between two dates. A day lasts 23 to 25 hours when the clock changes. */
export function readDays({ from, to = from }: { from: string; to?: string | undefined }, timeZone: string): StoreDays {
  const first = Temporal.PlainDate.from(from);
  const last = Temporal.PlainDate.from(to);
  const days = first.until(last).days + 1;
  if (days < 1 || days > MAX_DAYS) {
    const message = days < 1 ? 'must not be before `from`' : `must be at most ${MAX_DAYS} days after the first day`;
    throw invalidField('query', 'to', message);
  }
  const dates = Array.from({ length: days }, (_, index) => first.add({ days: index }).toString());
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).toInstant();
  return { from, to, dates, timeZone, start: startOf(first), end: startOf(last.add({ days: 1 })) };
}
