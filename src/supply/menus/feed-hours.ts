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
  MINUTES_PER_DAY,
  type MinuteRange,
  type StoreHours,
  type WeeklyHours,
  weeklyHours,
} from '../stores/hours.ts';
import type { OsmHours } from '../stores/osm-hours.ts';
import { parseDay, parseHours } from '../stores/parse-hours.ts';
import { FeedObject, type FeedPath, MISSING, type Read, type ReadOsmHours, readOwnFields } from './feed-fields.ts';

/** A store line's opening hours: weekly (`hours`) and by date (`hours_exceptions`). */

/** Parses the `hours` that a store sets itself, in the feed's format. */
export function parseStoreHours(hours: object): Read<StoreHours> {
  return readOwnFields({ hours }, (from) => {
    const parsed = readStoreHours(from, 'nothing is changed');
    const channels = new Map<string, unknown>(Object.entries(hours));
    if (HOURS_KINDS.every((channel) => (channels.get(channel) ?? null) === null))
      from.fault('hours', `expected an object with at least one of ${HOURS_KINDS.join(', ')}`);
    return parsed;
  });
}

/**
 * Reads the hours of every kind. An absent kind has the hours of `operational`; if that is absent too, all are unknown.
 */
export function readStoreHours(from: FeedObject, outcome = 'left unknown'): StoreHours {
  const byChannel: Partial<Record<HoursKind, WeeklyHours | null>> = {};
  const object = from.object('hours');
  for (const channel of object ? HOURS_KINDS : []) {
    const hours = object && readHours(object, channel, outcome);
    if (hours !== undefined) byChannel[channel] = hours;
  }
  return completeHours(byChannel);
}

/** Reads the menu hours of a category or product; null means all hours. Unreadable rules give null and a warning. */
export function readMenuHours(from: FeedObject): WeeklyHours | null {
  return readHours(from, 'hours', 'left out, so sold at all hours') ?? null;
}

/** Returns undefined if the field is absent; null, with a warning, for OpenStreetMap rules that no week can express. */
function readHours(from: FeedObject, key: string, outcome: string): WeeklyHours | null | undefined {
  const value = from.value(key);
  if (value === undefined) return undefined;
  if (typeof value === 'string') {
    const read = from.readOsmHours(value);
    if (!read.ok) from.warn(key, `expected regular weekly opening_hours: ${read.reason}; ${outcome}`);
    return read.ok ? read.hours : null;
  }
  const read = parseHours(value);
  if (read.ok) return read.hours;
  const path: FeedPath = { parent: from.path, key };
  for (const { weekday, message } of read.faults) {
    from.addFault(weekday === '' ? path : { parent: path, key: weekday }, message);
  }
  return null;
}

const MAX_PLAIN_LENGTH = 255;
const PLAIN_RANGES = /^\d\d:[0-5]\d-\d\d:[0-5]\d(?:, ?\d\d:[0-5]\d-\d\d:[0-5]\d)*$/;
const TIME = /(\d\d):(\d\d)/g;
const EXPECTED_DATE = `expected a date such as 2026-12-25, from ${FIRST_EXCEPTION_DATE} to ${LAST_EXCEPTION_DATE}`;
const EXPECTED_HOURS =
  'expected "Closed", "Open 24 hours", ranges such as "11:00AM - 02:00PM, 05:00PM - 11:00PM", or opening_hours ranges such as "11:00-14:00,17:00-23:00"';

/**
 * Maximum distinct `opening_hours` texts in a store's exceptions, plain ranges not counted: each takes up to two
 * milliseconds, and a store sends them in one request.
 */
const MAX_OSM_TEXTS = 20;
const TOO_MANY_TEXTS: OsmHours = {
  ok: false,
  reason: `expected at most ${MAX_OSM_TEXTS} different opening_hours texts; write others as ranges such as "11:00-14:00,17:00-23:00"`,
};

/** The `hours_exceptions` that a store sets itself, in the feed's format. */
export function parseHoursExceptions(list: readonly unknown[]): Read<readonly HoursException[]> {
  return readOwnFields({ hours_exceptions: list }, readHoursExceptions);
}

/** The hours of single dates (docs/feeds.md#hours-of-single-dates), in feed order; a fault rejects the store. */
export function readHoursExceptions(from: FeedObject): readonly HoursException[] {
  const line = { report: from.report, readOsmHours: limitDistinctTexts(from.readOsmHours) };
  return new FeedObject(from.fields, line, from.path)
    .objects('hours_exceptions', MAX_EXCEPTIONS)
    .map(readException)
    .filter((exception) => exception !== null);
}

/** Parses equal texts once, and at most MAX_OSM_TEXTS distinct texts. */
function limitDistinctTexts(readOsmHours: ReadOsmHours): ReadOsmHours {
  const known = new Map<string, OsmHours>();
  return (rules) => {
    const before = known.get(rules);
    if (before) return before;
    if (known.size === MAX_OSM_TEXTS) return TOO_MANY_TEXTS;
    const read = readOsmHours(rules);
    known.set(rules, read);
    return read;
  };
}

function readException(from: FeedObject): HoursException | null {
  from.requirePresent('from');
  const first = readDate(from, 'from');
  const last = from.has('to') ? readDate(from, 'to') : first;
  const ranges = readRanges(from);
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

function readRanges(from: FeedObject): readonly MinuteRange[] | null {
  const value = from.value('hours');
  const ranges = parseDay(value);
  if (ranges !== null) return ranges;
  const read = typeof value === 'string' ? readOsmRanges(from, value) : null;
  if (read?.ok) return read.hours[0];
  const expected = read === TOO_MANY_TEXTS ? TOO_MANY_TEXTS.reason : EXPECTED_HOURS;
  from.fault('hours', value === undefined ? MISSING : expected);
  return null;
}

/** Parses `opening_hours` without weekdays; rules that differ by weekday do not fit a date. */
function readOsmRanges(from: FeedObject, rules: string): OsmHours | null {
  const plain = readPlainRanges(rules);
  if (plain !== null) return { ok: true, hours: weeklyHours(() => plain) };
  if (/\b(?:mo|tu|we|th|fr|sa|su|ph)\b/i.test(rules)) return null;
  return from.readOsmHours(rules.trim());
}

/** Sorted, separate ranges within a day, as `parseOsmHours` reads them; null for any other text. */
export function readPlainRanges(text: string): readonly MinuteRange[] | null {
  if (text.length > MAX_PLAIN_LENGTH || !PLAIN_RANGES.test(text)) return null;
  const times = Array.from(text.matchAll(TIME), ([, hour, minute]) => Number(hour) * 60 + Number(minute));
  const isRising = times.every((time, n) => n === 0 || time > (times[n - 1] as number));
  if (!isRising || (times.at(-1) as number) > MINUTES_PER_DAY) return null;
  return Array.from({ length: times.length / 2 }, (_, n) => ({
    startMinute: times[2 * n] as number,
    endMinute: times[2 * n + 1] as number,
  }));
}
