import {
  daysBetween,
  type HoursException,
  MAX_EXCEPTIONS,
  type MinuteRange,
  toHoursExceptions,
  type WeeklyHours,
  weekdayOfDay,
  weeklyHours,
} from './hours.ts';
import { parseOsmHours } from './osm-hours.ts';

/** Dated rules of OpenStreetMap's `opening_hours`: months, dates, date ranges, and days around Easter. */

/** A weekly `opening_hours` rule for some dates; `spans` is null for every date. */
export type OsmRule = { spans: readonly DateSpan[] | null; text: string };

/** The weekly hours, and the rules for `osmExceptions`; null if no rule has dates. */
export type OsmDatedHours =
  | { ok: true; hours: WeeklyHours; dated: readonly OsmRule[] | null; leftOut: readonly string[] }
  | { ok: false; reason: string };

/** Maximum length of a value in OpenStreetMap. */
const MAX_LENGTH = 255;

const WEEKDAY = '(?:mo|tu|we|th|fr|sa|su|ph|sh)';
const DAYS = new RegExp(
  `^(${WEEKDAY}(?:\\s*-\\s*${WEEKDAY})?(?:\\s*,\\s*${WEEKDAY}(?:\\s*-\\s*${WEEKDAY})?)*)\\s*(?::\\s*)?`,
  'is',
);
const HOLIDAYS_ALONE = /^\s*(?:ph|sh)(?:\s*,\s*(?:ph|sh))*\s[^a-z]*(?:(?:off|closed|open)\s*)?$/i;
const isForHolidays = (rule: string) => HOLIDAYS_ALONE.test(rule);
const HOLIDAY = /\b(?:ph|sh)\b/i;
/** A comma before a holiday rule, where the syntax requires a semicolon. */
const COMMA_BEFORE_HOLIDAY = /(?<=\d|off|closed)\s*,\s*(?=(?:ph|sh)\s+(?:\d|off|closed))/i;

/**
 * Reads OpenStreetMap `opening_hours` with dated rules (`Dec 25 off`, `easter off`, `May-Oct: …`) beside weekly ones.
 * With dated rules only, other dates are closed. Holiday rules (PH, SH) are returned in `leftOut`. Any other unreadable
 * rule makes the value unknown, with its reason.
 */
export function readOsmDatedHours(value: string): OsmDatedHours {
  if (value.length <= MAX_LENGTH && value.trim().replace(/;$/, '').split(';').every(isForHolidays))
    return { ok: false, reason: 'it has rules for holidays (PH, SH) alone' };
  const weekly = parseOsmHours(value);
  if (weekly.ok) return { ...weekly, dated: null, leftOut: [] };
  if (value.length > MAX_LENGTH) return weekly;
  const leftOut: string[] = [];
  const rules: OsmRule[] = [];
  for (const written of value.split(';').flatMap((text) => text.split(COMMA_BEFORE_HOLIDAY))) {
    const rule = readRule(written.trim(), leftOut);
    if (rule === 'unclear') return weekly;
    if (rule) rules.push(rule);
  }
  if (rules.length === 0) return weekly;
  // If both halves are readable, so is any set of the rules.
  const all = parseOsmHours(formatRules(rules));
  if (!all.ok) return all;
  const kept = rules.some(isWeekly) ? parseOsmHours(formatRules(rules.filter(isWeekly))) : CLOSED;
  if (!kept.ok) return kept;
  return { ok: true, hours: kept.hours, dated: rules.every(isWeekly) ? null : rules, leftOut };
}

const CLOSED = { ok: true, hours: weeklyHours(() => []) } as const;

function isWeekly({ spans }: OsmRule): boolean {
  return spans === null;
}

function formatRules(rules: readonly OsmRule[]): string {
  return rules.map(({ text }) => text).join('; ');
}

/** Parses a rule without its holidays, which are added to `leftOut`; null for a rule about holidays only. */
function readRule(written: string, leftOut: string[]): OsmRule | null | 'unclear' {
  if (written === '') return null;
  const dates = STARTS_WITH_DATE.test(written) ? readRuleDates(written) : { spans: null, rest: written };
  if (!dates) return 'unclear';
  const rest = withoutHolidays(dates.rest);
  if (rest === null) return 'unclear';
  if (rest.isCut) leftOut.push(written);
  if (rest.isCut && rest.text === '') return null;
  if (dates.spans === null) return { spans: null, text: rest.text };
  const text = DAYS.test(rest.text) ? rest.text : `Mo-Su ${rest.text}`;
  return { spans: dates.spans, text };
}

/** Removes holidays from a rule; null if its days are ambiguous: `PH Su 11:00-19:00`, `Su-PH off`. */
function withoutHolidays(rule: string): { text: string; isCut: boolean } | null {
  if (!HOLIDAY.test(rule)) return { text: rule, isCut: false };
  const [before = '', list = ''] = DAYS.exec(rule) ?? [];
  const hours = rule.slice(before.length);
  const days = list.split(',').map((day) => day.trim());
  const kept = days.filter((day) => !HOLIDAY.test(day));
  if (list === '' || HOLIDAY.test(hours) || days.some((day) => HOLIDAY.test(day) && day.includes('-'))) return null;
  if (kept.length > 0) return { text: `${kept.join(',')} ${hours}`, isCut: true };
  const onHolidays = hours.replace(/^[+-]\s*\d+\s+days?\s+/i, '');
  return parseOsmHours(`Mo-Su ${onHolidays}`).ok ? { text: '', isCut: true } : null;
}

/**
 * Returns the hours of the dates that differ from the weekly hours, in a year and the next. If two years exceed a
 * store's maximum, only in the year.
 */
export function osmExceptions(rules: readonly OsmRule[], year: number): HoursException[] {
  const two = exceptionsOfYears(rules, year, year + 1);
  return two.length <= MAX_EXCEPTIONS ? two : exceptionsOfYears(rules, year, year);
}

function exceptionsOfYears(rules: readonly OsmRule[], firstYear: number, lastYear: number): HoursException[] {
  const readWeek = createWeeks();
  const usual = readWeek(rules.filter(isWeekly));
  const differing = new Map<number, readonly MinuteRange[]>();
  for (const day of daysBetween(`${firstYear}-01-01`, `${lastYear}-12-31`)) {
    const ofDay = rules.filter(({ spans }) => spans === null || isWithinSpans(spans, day));
    const weekday = weekdayOfDay(day);
    const ranges = readWeek(ofDay)[weekday] ?? [];
    if (JSON.stringify(ranges) !== JSON.stringify(usual[weekday])) differing.set(day, ranges);
  }
  return toHoursExceptions(differing, null);
}

/** Parses the week of each set of rules once, because two years of dates share a few sets. */
function createWeeks(): (rules: readonly OsmRule[]) => WeeklyHours {
  const weeks = new Map<string, WeeklyHours>();
  return (rules) => {
    const text = formatRules(rules);
    const known = weeks.get(text);
    if (known) return known;
    const read = text === '' ? CLOSED : parseOsmHours(text);
    const week = read.ok ? read.hours : CLOSED.hours;
    weeks.set(text, week);
    return week;
  };
}

/**
 * Dates of an `opening_hours` rule, inclusive, as month × 100 + day. A span without a year is yearly, and may extend
 * into the next year. `easterDays` counts from Easter Sunday.
 */
type DateSpan = { fromYear: number | null; from: number; toYear: number | null; to: number } | { easterDays: number };

type RuleDates = { spans: readonly DateSpan[]; rest: string };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(${MONTHS.join('|')})\\b`;
/** Matches a day of the month, but not the hour of a time. */
const DAY = '(\\d{1,2})(?!\\d|:\\d)';
const POINT = `(?:(?:(\\d{4})\\s+)?${MONTH}(?:\\s+${DAY})?|${DAY})`;
const SPAN = new RegExp(`${POINT}(?:\\s*-\\s*${POINT})?`, 'iy');
const EASTER = /easter\b(?:\s*([+-])\s*(\d{1,2})\s+days?\b)?/iy;
const STARTS_WITH_DATE = new RegExp(`^(?:(?:\\d{4}\\s+)?${MONTH}|easter\\b)`, 'i');
const MAX_DAY_OF_MONTH = 31;

type Point = { year: number | null; month: number; day: number | null };

/**
 * Splits a rule such as `Dec 24-26,31 10:00-14:00` into the dates at its start and the rest. Null if ambiguous or
 * invalid: a month up to a day (`Nov-Dec 17`), or a day that no month has.
 */
function readRuleDates(rule: string): RuleDates | null {
  const spans: DateSpan[] = [];
  let at = 0;
  let before: Point | null = null;
  for (;;) {
    const read: SpanReading | null = readEaster(rule, at) ?? readSpan(rule, at, before);
    if (!read) return null;
    spans.push(read.span);
    before = read.last;
    const comma = /\s*,\s*(?=\d|[a-z]{3})/iy;
    comma.lastIndex = read.end;
    const isListed = comma.test(rule) && !/^(?:off|mon|tue|wed|thu|fri|sat|sun)/i.test(rule.slice(comma.lastIndex));
    if (!isListed) return { spans, rest: rule.slice(read.end).replace(/^\s*:?\s*/, '') };
    at = comma.lastIndex;
  }
}

type SpanReading = { span: DateSpan; last: Point | null; end: number };

function readEaster(rule: string, at: number): SpanReading | null {
  const token = new RegExp(EASTER);
  token.lastIndex = at;
  const match = token.exec(rule);
  if (!match) return null;
  const easterDays = Number(match[2] ?? 0) * (match[1] === '-' ? -1 : 1);
  return { span: { easterDays }, last: null, end: token.lastIndex };
}

function readSpan(rule: string, at: number, before: Point | null): SpanReading | null {
  const token = new RegExp(SPAN);
  token.lastIndex = at;
  const match = token.exec(rule);
  const first = match && datePoint(match.slice(1, 5), before);
  if (!match || !first) return null;
  const isRange = match.slice(5).some((part) => part !== undefined);
  const last = isRange ? datePoint(match.slice(5), first) : first;
  if (!last || (first.day === null) !== (last.day === null)) return null;
  const from = first.month * 100 + (first.day ?? 1);
  const to = last.month * 100 + (last.day ?? MAX_DAY_OF_MONTH);
  const toYear = first.year === null ? null : (last.year ?? first.year + (to < from ? 1 : 0));
  if ((first.year === null && last.year !== null) || (toYear ?? 0) < (first.year ?? 0)) return null;
  return { span: { fromYear: first.year, from, toYear, to }, last, end: token.lastIndex };
}

/** Reads a point of a date span. A day without a month belongs to the preceding month. */
function datePoint(parts: readonly (string | undefined)[], before: Point | null): Point | null {
  const [year, month, dayOfMonth, bareDay] = parts;
  const day = dayOfMonth ?? bareDay;
  const point = {
    year: year === undefined ? (month === undefined ? (before?.year ?? null) : null) : Number(year),
    month: month === undefined ? (before?.month ?? 0) : MONTHS.indexOf(month.toLowerCase()) + 1,
    day: day === undefined ? null : Number(day),
  };
  if (month === undefined && before?.day == null) return null;
  const longest = point.month === 2 ? 29 : [4, 6, 9, 11].includes(point.month) ? 30 : MAX_DAY_OF_MONTH;
  return point.day === null || (point.day >= 1 && point.day <= longest) ? point : null;
}

/** Whether a date, in days from 1970-01-01, is in one of the spans. */
function isWithinSpans(spans: readonly DateSpan[], epochDay: number): boolean {
  const date = new Date(epochDay * 86_400_000);
  const year = date.getUTCFullYear();
  const monthDay = (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
  return spans.some((span) => {
    if ('easterDays' in span) return epochDay === easterOf(year) + span.easterDays;
    const { fromYear, from, toYear, to } = span;
    if (fromYear !== null && toYear !== null) {
      const number = year * 10_000 + monthDay;
      return number >= fromYear * 10_000 + from && number <= toYear * 10_000 + to;
    }
    return from <= to ? monthDay >= from && monthDay <= to : monthDay >= from || monthDay <= to;
  });
}

/** Computes Easter Sunday, Gregorian, in days from 1970-01-01 (the anonymous algorithm, Nature of 20 April 1876). */
function easterOf(year: number): number {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leapless = century - Math.floor(century / 4);
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + leapless - moon + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1) / 86_400_000;
}
