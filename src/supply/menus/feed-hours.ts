import { recordByName } from '../../platform/lib/records.ts';
import { type FeedObject, MISSING, type Read, readOwnFields } from '../stores/feed-fields.ts';
import {
  completeHours,
  dayOfDate,
  FIRST_EXCEPTION_DATE,
  HOURS_KINDS,
  type HoursException,
  type HoursKind,
  isExceptionDate,
  LAST_EXCEPTION_DATE,
  MAX_EXCEPTION_DAYS,
  MAX_EXCEPTIONS,
  type StoreHours,
} from '../stores/hours.ts';
import type { DatedRules } from '../stores/hours-rules.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import { EXPECTED_HOURS_VALUE, type HoursReading, hoursWarnings, readDay, readHours } from '../stores/read-hours.ts';

/** A store line's opening hours: weekly (`hours`) and by date (`hours_exceptions`). */

/** Parses the `hours` that a store sets itself, in the feed's format. Their dates belong in `hours_exceptions`. */
export function parseStoreHours(hours: object): Read<StoreHours> {
  return readOwnFields({ hours }, (from) => {
    const parsed = readStoreHours(from, 'nothing is changed');
    if (parsed.datedRules) from.fault('hours', 'expected hours of weekdays; write dates as hours_exceptions');
    return parsed.hours;
  });
}

/**
 * Reads the hours of every kind, and the rules of those with dates. An absent kind has the hours of `operational`; if
 * that is absent too, all are unknown.
 */
export function readStoreHours(
  from: FeedObject,
  outcome = 'left unknown',
): { hours: StoreHours; datedRules?: DatedRules } {
  const object = from.object('hours');
  if (object && !HOURS_KINDS.some((channel) => object.has(channel)))
    from.warn('hours', `expected an object with at least one of ${HOURS_KINDS.join(', ')}`);
  const read = recordByName(HOURS_KINDS, (channel) =>
    object?.has(channel) ? readHoursOf(object, channel, outcome) : undefined,
  );
  const weekOf = (channel: HoursKind) => read[channel] && (read[channel].ok ? read[channel].hours : null);
  const dated = HOURS_KINDS.flatMap((channel): DatedRules => {
    const source = read[channel] ?? read.operational;
    return source?.ok && source.dated ? [{ channel, rules: source.dated }] : [];
  });
  const [first] = dated;
  const isOfAll = dated.length === HOURS_KINDS.length && dated.every(({ rules }) => rules === first?.rules);
  return {
    hours: completeHours(recordByName(HOURS_KINDS, weekOf)),
    ...(first ? { datedRules: isOfAll ? [{ ...first, channel: null }] : dated } : {}),
  };
}

const UNKNOWN_MENU_HOURS = "left unknown, so sold in the store's hours, and alcohol not at all";

/** The menu hours of a category or product; null means all hours. Menu hours have no dates of their own. */
export function readMenuHours(from: FeedObject): MenuWeek | null {
  if (!from.has('hours')) return null;
  const read = readHoursOf(from, 'hours', UNKNOWN_MENU_HOURS);
  if (!read.ok) return 'unknown';
  const opensOnDates = read.dated?.some(({ spans, closes }) => spans !== null && !closes) ?? false;
  if (read.dated) from.warn('hours', `expected no dates; ${opensOnDates ? UNKNOWN_MENU_HOURS : 'left out'}`);
  return opensOnDates ? 'unknown' : read.hours;
}

function readHoursOf(from: FeedObject, key: string, outcome: string): HoursReading {
  const value = from.value(key);
  const read = readHours(value);
  if (typeof value !== 'string' && typeof value !== 'object') from.fault(key, EXPECTED_HOURS_VALUE);
  else for (const message of hoursWarnings(read, outcome)) from.warn(key, message);
  return read;
}

const EXPECTED_DATE = `expected a date such as 2026-12-25, from ${FIRST_EXCEPTION_DATE} to ${LAST_EXCEPTION_DATE}`;
const EXPECTED_HOURS =
  'expected "Closed", "Open 24 hours", or ranges such as "11:00AM - 02:00PM, 05:00PM - 11:00PM" or "11:00-14:00,17:00-23:00"';

/** The `hours_exceptions` that a store sets itself, in the feed's format. */
export function parseHoursExceptions(list: readonly unknown[]): Read<readonly HoursException[]> {
  return readOwnFields({ hours_exceptions: list }, readHoursExceptions);
}

/** The hours of single dates (docs/feed-format.md#hours-of-single-dates), in feed order; an error rejects the store. */
export function readHoursExceptions(from: FeedObject): readonly HoursException[] {
  return from
    .objects('hours_exceptions', MAX_EXCEPTIONS)
    .map(readException)
    .filter((exception) => exception !== null);
}

function readException(from: FeedObject): HoursException | null {
  from.requirePresent('from');
  const first = readDate(from, 'from');
  const last = from.has('to') ? readDate(from, 'to') : first;
  const ranges = readDay(from.value('hours'));
  if (ranges === null) from.fault('hours', from.has('hours') ? EXPECTED_HOURS : MISSING);
  const channel = from.choice('channel', HOURS_KINDS) ?? null;
  if (first === null || last === null || ranges === null) return null;
  const days = dayOfDate(last) - dayOfDate(first) + 1;
  if (days >= 1 && days <= MAX_EXCEPTION_DAYS) return { from: first, to: last, ranges, channel };
  from.fault('to', days < 1 ? 'expected a date not before from' : `expected at most ${MAX_EXCEPTION_DAYS} days`);
  return null;
}

function readDate(from: FeedObject, key: string): string | null {
  const value = from.value(key);
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value.trim() : '';
  if (isExceptionDate(text)) return text;
  from.fault(key, EXPECTED_DATE);
  return null;
}
