/**
 * Dates of an `opening_hours` rule: from one date to another, both included. A date is month × 100 + day; without a year
 * the span comes every year, and one whose end lies before its start runs into the next year. `easterDays` counts from
 * Easter Sunday.
 */
export type DateSpan =
  | { fromYear: number | null; from: number; toYear: number | null; to: number }
  | { easterDays: number };

export type RuleDates = { spans: readonly DateSpan[]; rest: string };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(${MONTHS.join('|')})\\b`;
/** A day of the month, and not the hour of a time. */
const DAY = '(\\d{1,2})(?!\\d|:\\d)';
const POINT = `(?:(?:(\\d{4})\\s+)?${MONTH}(?:\\s+${DAY})?|${DAY})`;
const SPAN = new RegExp(`${POINT}(?:\\s*-\\s*${POINT})?`, 'iy');
const EASTER = /easter\b(?:\s*([+-])\s*(\d{1,2})\s+days?\b)?/iy;
const STARTS_WITH_DATE = new RegExp(`^(?:(?:\\d{4}\\s+)?${MONTH}|easter\\b)`, 'i');
const LONGEST_MONTH = 31;

type Point = { year: number | null; month: number; day: number | null };

/** Whether a rule begins with dates, whether they can be read or not. */
export function startsWithDates(rule: string): boolean {
  return STARTS_WITH_DATE.test(rule);
}

/**
 * The dates that a rule begins with, such as `Dec 24-26,31 10:00-14:00`, and the rest of the rule. Null where they have
 * no one meaning: a month up to a day (`Nov-Dec 17`), a day that no month has.
 */
export function readRuleDates(rule: string): RuleDates | null {
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
  const first = match && pointOf(match.slice(1, 5), before);
  if (!match || !first) return null;
  const isRange = match.slice(5).some((part) => part !== undefined);
  const last = isRange ? pointOf(match.slice(5), first) : first;
  if (!last || (first.day === null) !== (last.day === null)) return null;
  const from = first.month * 100 + (first.day ?? 1);
  const to = last.month * 100 + (last.day ?? LONGEST_MONTH);
  const toYear = first.year === null ? null : (last.year ?? first.year + (to < from ? 1 : 0));
  if ((first.year === null && last.year !== null) || (toYear ?? 0) < (first.year ?? 0)) return null;
  return { span: { fromYear: first.year, from, toYear, to }, last, end: token.lastIndex };
}

/** A day without a month is of the month before it. */
function pointOf(parts: readonly (string | undefined)[], before: Point | null): Point | null {
  const [year, month, dayOfMonth, bareDay] = parts;
  const day = dayOfMonth ?? bareDay;
  const point = {
    year: year === undefined ? (month === undefined ? (before?.year ?? null) : null) : Number(year),
    month: month === undefined ? (before?.month ?? 0) : MONTHS.indexOf(month.toLowerCase()) + 1,
    day: day === undefined ? null : Number(day),
  };
  if (month === undefined && before?.day == null) return null;
  const longest = point.month === 2 ? 29 : [4, 6, 9, 11].includes(point.month) ? 30 : LONGEST_MONTH;
  return point.day === null || (point.day >= 1 && point.day <= longest) ? point : null;
}

/** Whether a date, in days from 1970-01-01, lies in one of the spans. */
export function isWithinSpans(spans: readonly DateSpan[], epochDay: number): boolean {
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

/** Easter Sunday of the Gregorian calendar, in days from 1970-01-01 (the anonymous algorithm, Nature of 20 April 1876). */
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
