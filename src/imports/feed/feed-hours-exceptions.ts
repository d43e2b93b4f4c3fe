import { CHANNELS, type MinuteRange } from '../../stores/hours.ts';
import {
  dayOfDate,
  FIRST_EXCEPTION_DATE,
  type HoursException,
  isExceptionDate,
  LAST_EXCEPTION_DATE,
  MAX_EXCEPTION_DAYS,
  MAX_EXCEPTIONS,
} from '../../stores/hours-exceptions.ts';
import { parseOsmHours } from '../../stores/osm-hours.ts';
import { parseDay } from '../../stores/parse-hours.ts';
import {
  type FeedObject,
  faultAt,
  given,
  type LineFault,
  type LineReport,
  MISSING,
  readChoice,
  readObjects,
} from './feed-fields.ts';

const EXPECTED_DATE = `expected a date such as 2026-12-25, from ${FIRST_EXCEPTION_DATE} to ${LAST_EXCEPTION_DATE}`;
const EXPECTED_HOURS =
  'expected "Closed", "Open 24 hours", ranges such as "11:00AM - 02:00PM, 05:00PM - 11:00PM", or opening_hours ranges such as "11:00-14:00,17:00-23:00"';

/** The `hours_exceptions` that a store sets itself, as a feed has them. */
export function parseHoursExceptions(
  list: readonly unknown[],
): { ok: true; exceptions: readonly HoursException[] } | { ok: false; faults: readonly LineFault[] } {
  const report: LineReport = { faults: [], warnings: [] };
  const from: FeedObject = { fields: { hours_exceptions: list }, path: null, report, readOsmHours: parseOsmHours };
  const exceptions = readHoursExceptions(from);
  return report.faults.length === 0 ? { ok: true, exceptions } : { ok: false, faults: report.faults };
}

/** The hours of single dates (docs/feeds.md#hours-of-single-dates), in the order of the feed; a fault rejects the store. */
export function readHoursExceptions(from: FeedObject): readonly HoursException[] {
  return readObjects(from, 'hours_exceptions', MAX_EXCEPTIONS)
    .map(readException)
    .filter((exception) => exception !== null);
}

function readException(from: FeedObject): HoursException | null {
  if (given(from, 'from') === undefined) faultAt(from, 'from', MISSING);
  const first = readDate(from, 'from');
  const last = given(from, 'to') === undefined ? first : readDate(from, 'to');
  const ranges = readRanges(from);
  const channel = readChoice(from, 'channel', CHANNELS) ?? null;
  if (first === null || last === null || ranges === null) return null;
  const days = dayOfDate(last) - dayOfDate(first) + 1;
  if (days >= 1 && days <= MAX_EXCEPTION_DAYS) return { from: first, to: last, ranges, channel };
  faultAt(from, 'to', days < 1 ? 'expected a date not before from' : `expected at most ${MAX_EXCEPTION_DAYS} days`);
  return null;
}

function readDate(from: FeedObject, key: string): string | null {
  const value = given(from, key);
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value.trim() : '';
  if (isExceptionDate(text)) return text;
  faultAt(from, key, EXPECTED_DATE);
  return null;
}

function readRanges(from: FeedObject): readonly MinuteRange[] | null {
  const value = given(from, 'hours');
  const ranges = parseDay(value) ?? (typeof value === 'string' ? readOsmRanges(from, value) : null);
  if (ranges === null) faultAt(from, 'hours', value === undefined ? MISSING : EXPECTED_HOURS);
  return ranges;
}

/** `opening_hours` without weekdays: rules that give weekdays different hours say nothing of a date. */
function readOsmRanges(from: FeedObject, rules: string): readonly MinuteRange[] | null {
  if (/\b(?:mo|tu|we|th|fr|sa|su|ph)\b/i.test(rules)) return null;
  const read = from.readOsmHours(rules);
  return read.ok ? read.hours[0] : null;
}
