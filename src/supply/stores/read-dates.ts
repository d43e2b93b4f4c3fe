import type { DateSpan } from './hours-rules.ts';

/** Reads the dates at the start of a rule of opening hours: months, dates, ranges of dates, and days around Easter. */

type RuleDates = { spans: readonly DateSpan[]; end: number };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_ENDS = '(?:uary|ruary|ch|il|e|y|ust|t(?:ember)?|ober|ember)?';
const MONTH = `(${MONTHS.join('|')})${MONTH_ENDS}\\b`;
/** Matches a day of the month, but not the hour of a time. */
const DAY = '(\\d{1,2})(?!\\d|:\\d)';
const POINT = `(?:(?:(\\d{4})\\s+)?${MONTH}(?:\\s+${DAY})?|${DAY})`;
const SPAN = new RegExp(`${POINT}(?:\\s*-\\s*${POINT})?`, 'iy');
const EASTER = /easter\b(?:\s*([+-])\s*(\d{1,2})\s+days?\b)?/iy;
const STARTS_WITH_DATE = new RegExp(`(?:(?:\\d{4}\\s+)?${MONTH}|easter\\b)`, 'iy');
const COMMA = /\s*,\s*(?=\d|(?!off|mon|tue|wed|thu|fri|sat|sun)[a-z]{3})/iy;
const MAX_DAY_OF_MONTH = 31;

type Point = { year: number | null; month: number; day: number | null };

/**
 * Reads `Dec 24-26,31` in `Dec 24-26,31 10:00-14:00`. Null without dates, or if they are ambiguous or invalid: a month
 * up to a day (`Nov-Dec 17`), or a day that no month has.
 */
export function readDates(rule: string, start: number): RuleDates | null {
  if (!matchAt(STARTS_WITH_DATE, rule, start)) return null;
  const spans: DateSpan[] = [];
  let at = start;
  let before: Point | null = null;
  for (;;) {
    const read: SpanReading | null = readEaster(rule, at) ?? readSpan(rule, at, before);
    if (!read) return null;
    spans.push(read.span);
    before = read.last;
    const comma = matchAt(COMMA, rule, read.end);
    if (!comma) return { spans, end: read.end };
    at = read.end + comma[0].length;
  }
}

type SpanReading = { span: DateSpan; last: Point | null; end: number };

function readEaster(rule: string, at: number): SpanReading | null {
  const match = matchAt(EASTER, rule, at);
  if (!match) return null;
  const easterDays = Number(match[2] ?? 0) * (match[1] === '-' ? -1 : 1);
  return { span: { easterDays }, last: null, end: at + match[0].length };
}

function readSpan(rule: string, at: number, before: Point | null): SpanReading | null {
  const match = matchAt(SPAN, rule, at);
  const first = match && datePoint(match.slice(1, 5), before);
  if (!match || !first) return null;
  const isRange = match.slice(5).some((part) => part !== undefined);
  const last = isRange ? datePoint(match.slice(5), first) : first;
  if (!last || (first.day === null) !== (last.day === null)) return null;
  const from = first.month * 100 + (first.day ?? 1);
  const to = last.month * 100 + (last.day ?? MAX_DAY_OF_MONTH);
  const toYear = first.year === null ? null : (last.year ?? first.year + (to < from ? 1 : 0));
  if ((first.year === null && last.year !== null) || (toYear ?? 0) < (first.year ?? 0)) return null;
  return { span: { fromYear: first.year, from, toYear, to }, last, end: at + match[0].length };
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

const ISO_DATE = /\b(\d{4})-(0[1-9]|1[0-2])-(\d\d)\b/g;

/** Writes ISO dates in the grammar of `readDates`: `2026-12-25` as `2026 dec 25`. */
export function withMonthNames(text: string): string {
  const withName = (_: string, year: string, month: string, day: string) =>
    `${year} ${MONTHS[Number(month) - 1]} ${day}`;
  return text.replace(ISO_DATE, withName);
}

/** Matches a sticky pattern at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
