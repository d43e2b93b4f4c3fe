import { MINUTES_PER_DAY, type MinuteRange, type WeeklyHours, weeklyHours } from './hours.ts';
import { type DateSpan, EVERY_DAY, type HoursRule, weekOfRules } from './hours-rules.ts';

/**
 * Reads opening hours in any notation of a feed, a page, a directory or a form: texts in the syntax of
 * OpenStreetMap's `opening_hours` with 24-hour or 12-hour times, lists of such texts, and objects by weekday
 * (docs/feed-format.md#hours).
 */

/**
 * The weekly hours, and all rules if some have dates (`exceptionsOfRules`). `leftOut` has a message for each dropped
 * rule: holiday rules, and closing rules that fit neither weekdays nor dates.
 */
export type HoursReading =
  | { ok: true; hours: WeeklyHours; dated: readonly HoursRule[] | null; leftOut: readonly string[] }
  | { ok: false; reason: string };

/** Maximum length of a text, the same as for a value in OpenStreetMap, and maximum texts in a list. */
const MAX_LENGTH = 255;
const MAX_TEXTS = 100;
/** Maximum ranges per day; no real day has as many. */
const MAX_RANGES_PER_DAY = 24;
const MAX_QUOTED_CHARACTERS = 60;

export const EXPECTED_HOURS_VALUE = 'expected text, a list of texts, or an object of hours by weekday';

/** Reads the hours of a week, with their dates. */
export function readHours(value: unknown): HoursReading {
  if (typeof value === 'string') return readTexts([value]);
  if (Array.isArray(value)) return readTexts(value);
  return typeof value === 'object' && value !== null ? readByWeekday(value) : unknown(EXPECTED_HOURS_VALUE);
}

/** Messages about the hours read: each dropped rule, or why they are not known. */
export function hoursWarnings(read: HoursReading, outcome: string): readonly string[] {
  return read.ok ? read.leftOut : [`expected weekly hours, or dates: ${read.reason}; ${outcome}`];
}

/** Reads the ranges of one day: `Closed`, `Open 24 hours`, or ranges without weekdays; null for anything else. */
export function readDay(value: unknown): readonly MinuteRange[] | null {
  const rules = typeof value === 'string' ? readText(value).rules : [];
  const [rule] = rules;
  if (!rule || rules.length > 1 || rule.hasSelector || rule.ranges.length > MAX_RANGES_PER_DAY) return null;
  return rule.closes && rule.ranges.length > 0 ? null : rule.ranges;
}

const unknown = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });

/** A text's rules add up in a list of several; closing texts apply after them, and dates after weekdays. */
function readTexts(texts: readonly unknown[]): HoursReading {
  if (texts.length > MAX_TEXTS) return unknown(`it has more than ${MAX_TEXTS} texts`);
  const rules: ReadRule[] = [];
  for (const text of texts.filter((one) => one !== null)) {
    if (typeof text !== 'string') return unknown(EXPECTED_HOURS_VALUE);
    const read = readText(text);
    if (read.reason !== null) return unknown(read.reason);
    rules.push(...read.rules);
  }
  if (texts.length < 2) return readingOfRules(rules);
  const added = rules.map((rule) => (rule.spans === null ? { ...rule, adds: true } : rule));
  const order = ({ spans, closes }: ReadRule) => (spans === null ? 0 : 2) + (closes ? 1 : 0);
  return readingOfRules(added.toSorted((a, b) => order(a) - order(b)));
}

const isWeekly = ({ spans }: HoursRule) => spans === null;

function readingOfRules(read: readonly ReadRule[]): HoursReading {
  const leftOut = read.flatMap(({ isUnread, text }) =>
    isUnread ? [`expected weekdays or dates, not ${quote(text)}; left out`] : [],
  );
  const rules = read.filter(({ days }) => days.length > 0);
  if (!rules.some(({ closes }) => !closes) && !rules.some(isWholeWeek))
    return unknown('it says at no time of a week that the store is open');
  const weekly = rules.filter(isWeekly);
  const hours = weekOfRules(weekly);
  const kept = rules.map(({ spans, days, adds, closes, ranges }) => ({ spans, days, adds, closes, ranges }));
  return {
    ok: true,
    hours,
    dated: weekly.length === rules.length ? null : kept,
    leftOut: [...holidaysLeftOut(read, hours), ...leftOut],
  };
}

const isWholeWeek = ({ spans, days, ranges }: ReadRule) =>
  spans === null && days.length === EVERY_DAY.length && ranges.length === 0;

/** Rules of holidays count where the holidays have other hours than the weekdays that they fall on. */
function holidaysLeftOut(rules: readonly ReadRule[], hours: WeeklyHours): string[] {
  const named = rules.filter(({ isHoliday }) => isHoliday);
  if (named.length === 0) return [];
  const weekly = rules.filter(isWeekly);
  const holidays = weekly.filter(({ isHoliday }) => isHoliday).map((rule) => ({ ...rule, days: EVERY_DAY }));
  const onHolidays = weekOfRules([...weekly.filter(({ isHoliday }) => !isHoliday), ...holidays]);
  if (named.every(isWeekly) && JSON.stringify(onHolidays) === JSON.stringify(hours)) return [];
  return named.map(
    ({ text }) => `expected no holidays (PH, SH), whose dates are not guessed: ${quote(text)}; left out`,
  );
}

/** Hours by weekday; missing or null weekdays are closed. */
function readByWeekday(byWeekday: object): HoursReading {
  const known = new Map<number, readonly MinuteRange[]>();
  const leftOut: string[] = [];
  for (const [key, value] of Object.entries(byWeekday)) {
    const named = readDays(key);
    const days = named?.days ?? [];
    const ranges = value === null ? [] : readDay(Array.isArray(value) ? value.join(', ') : value);
    if (!named) return unknown(`${quote(key)} is no weekday`);
    if (ranges === null) return unknown(`cannot read ${quote(value)} of ${key.trim()}`);
    if (named.isHoliday) leftOut.push(`expected no holidays, whose dates are not guessed: ${quote(key)}; left out`);
    if (days.some((day) => known.has(day))) return unknown(`it has ${key.trim()} twice`);
    for (const day of days) known.set(day, ranges);
  }
  return { ok: true, hours: weeklyHours((day) => known.get(day) ?? []), dated: null, leftOut };
}

/** A rule as written: with the text for messages, and whether it names holidays, or closes in a way that is unread. */
type ReadRule = HoursRule & { text: string; isHoliday: boolean; isUnread: boolean; hasSelector: boolean };

type TextReading = { rules: readonly ReadRule[]; reason: string | null };

const COMMENT_OF_CLOSED = /\b(off|closed)\s*"[^"]*"/gi;
const DASHES = /[\u2010-\u2015\u2212]/g;
const WORDS_BETWEEN = /(?<=[a-z\d.])\s+(?:to|through|until|à|au)\s+/gi;
const NOON = /\b(?:12 ?)?noon\b/gi;
const MIDNIGHT = /\b(?:12 ?)?midnight\b/gi;
const WORDS_AMONG = /(?<=[a-z\d.])\s+(?:and|et|&)\s+/gi;

/** The rules of a text. A rule that only closes may be unread; any other unread one is the reason. */
function readText(written: string): TextReading {
  if (written.length > MAX_LENGTH) return { rules: [], reason: `it is longer than ${MAX_LENGTH} characters` };
  const text = withMonthNames(written.normalize('NFKC').replace(/\s+/g, ' ').replace(DASHES, '-'))
    .replace(NOON, '12 pm')
    .replace(MIDNIGHT, '12 am')
    .replace(WORDS_BETWEEN, '-')
    .replace(WORDS_AMONG, ', ')
    .replace(COMMENT_OF_CLOSED, '$1');
  const rules: ReadRule[] = [];
  for (const part of text.split(';').map((one) => one.trim().replace(/(?<![, ])[, ]+$/, ''))) {
    if (part === '') continue;
    const read = readRules(part);
    if (read.reason !== null) return read;
    rules.push(...read.rules);
  }
  return { rules, reason: rules.length === 0 ? 'it is empty' : null };
}

/** Reads rules that are joined by commas: `Mo-Fr 09:00-17:00, Sa 10:00-12:00`. */
function readRules(part: string): TextReading {
  const rules: ReadRule[] = [];
  for (let at = 0; at < part.length; ) {
    const rule = readRule(part, at);
    const comma = rule ? matchAt(/ ?, ?/y, part, rule.end) : null;
    const isEnd = rule?.end === part.length || comma !== null;
    const rest = part.slice(at);
    if (!rule || !isEnd || (at > 0 && !rule.hasSelector)) {
      if (!ONLY_CLOSES.test(rest)) return { rules: [], reason: `cannot read ${quote(rest)}` };
      rules.push({ ...UNREAD, text: rest });
      return { rules, reason: null };
    }
    const text = part.slice(at, rule.end);
    const { end: _, ...read } = rule;
    rules.push({ ...read, adds: at > 0, text });
    at = rule.end + (comma?.[0].length ?? 0);
  }
  return { rules, reason: null };
}

const UNREAD = {
  spans: null,
  days: [],
  adds: false,
  closes: true,
  ranges: [],
  isHoliday: false,
  isUnread: true,
  hasSelector: true,
};
/** Matches rules that open at no time: nothing before `off` is a time or the word `open`. */
const ONLY_CLOSES = /^(?:(?!\d[:h]\d|\d ?[ap]\.?m|\bopen|\boff|\bclosed|24\/7|").)+\b(?:off|closed|ferm[ée]e?)$/i;

type RuleAt = Omit<ReadRule, 'adds' | 'text'> & { end: number };

function readRule(text: string, start: number): RuleAt | null {
  const dates = readDates(text, start);
  const days = readDayList(text, afterColon(text, dates?.end ?? start));
  const times = readTimes(text, days ? afterDays(text, days.end) : afterColon(text, dates?.end ?? start));
  if (!times) return null;
  return {
    spans: dates?.spans ?? null,
    days: days?.days ?? EVERY_DAY,
    isHoliday: days?.isHoliday ?? false,
    isUnread: false,
    hasSelector: dates !== null || days !== null,
    ...times,
  };
}

const afterColon = (text: string, at: number): number => at + (matchAt(/ ?: ?| /y, text, at)?.[0].length ?? 0);
const afterDays = (text: string, at: number): number => at + (matchAt(/ ?[:,] ?| /y, text, at)?.[0].length ?? 0);

/** Weekdays, Monday 0, in English or French, in full or the usual abbreviations; `PH` and `SH` are holidays. */
const DAY_NAME =
  /(?:mo(?:n(?:day)?)?|tu(?:es?(?:day)?)?|we(?:d(?:nesday)?)?|th(?:u(?:r(?:s(?:day)?)?)?)?|fr(?:i(?:day)?)?|sa(?:t(?:urday)?)?|su(?:n(?:day)?)?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?(?![a-z])\.?/iy;
const HOLIDAY_NAME =
  /(?:ph|sh|(?:(?:public|school|bank|federal|statutory) ?)?holidays?|jours? f[ée]ri[ée]s?)(?![a-z])/iy;
const EVERY_DAY_NAME = /(?:daily|every ?day|tous les jours)(?![a-z])/iy;
const DAY_OF_NAME = ['molu', 'tuma', 'weme', 'thje', 'frve', 'sa', 'sudi'];

type DayList = { days: readonly number[]; isHoliday: boolean };

/** Reads weekdays: `Monday`, `Mo-Fr`, `Sa, Su and holidays`, `https://schema.org/Friday`; null for other texts. */
export function readDays(text: string): DayList | null {
  const name = text.length > MAX_LENGTH ? '' : (text.trim().split(/[/#:]/).at(-1) ?? '');
  const list = readDayList(name.replace(DASHES, '-'), 0);
  return list?.end === name.length ? list : null;
}

function readDayList(text: string, start: number): (DayList & { end: number }) | null {
  const every = matchAt(EVERY_DAY_NAME, text, start);
  if (every) return { days: EVERY_DAY, isHoliday: false, end: start + every[0].length };
  const days = new Set<number>();
  let isHoliday = false;
  let at = start;
  for (;;) {
    const holiday = matchAt(HOLIDAY_NAME, text, at);
    const range = holiday ? null : readDayRange(text, at);
    if (!holiday && !range) return null;
    isHoliday ||= holiday !== null;
    for (const day of range?.days ?? []) days.add(day);
    const end = range?.end ?? at + (holiday?.[0].length ?? 0);
    const comma = matchAt(/ ?, ?(?=[a-z])/iy, text, end);
    const next = comma ? end + comma[0].length : end;
    if (!comma || !(matchAt(HOLIDAY_NAME, text, next) || matchAt(DAY_NAME, text, next)))
      return { days: [...days].sort((a, b) => a - b), isHoliday, end };
    at = next;
  }
}

function readDayRange(text: string, start: number): { days: number[]; end: number } | null {
  const first = matchAt(DAY_NAME, text, start);
  if (!first) return null;
  const end = start + first[0].length;
  const dash = matchAt(/ ?- ?/y, text, end);
  const last = dash && matchAt(DAY_NAME, text, end + dash[0].length);
  if (!dash || !last) return { days: [dayOf(first[0])], end };
  const from = dayOf(first[0]);
  const count = ((dayOf(last[0]) - from + EVERY_DAY.length) % EVERY_DAY.length) + 1;
  const days = Array.from({ length: count }, (_, n) => (from + n) % EVERY_DAY.length);
  return { days, end: end + dash[0].length + last[0].length };
}

function dayOf(name: string): number {
  const initials = name.slice(0, 2).toLowerCase();
  return DAY_OF_NAME.findIndex((known) => known.startsWith(initials) || known.endsWith(initials));
}

const WHOLE_DAY: MinuteRange = { startMinute: 0, endMinute: MINUTES_PER_DAY };
const OFF = / ?(?:off|closed|ferm[ée]e?)(?![a-z])/iy;
const OPEN = /(?:open )?24 ?(?:hours|h)(?![a-z])|open(?![a-z])|24\/7/iy;

type Times = { closes: boolean; ranges: readonly MinuteRange[]; end: number };

/** Reads the times of a rule: `off`, `open`, or ranges, which may be followed by one of both. */
function readTimes(text: string, start: number): Times | null {
  const off = matchAt(OFF, text, start);
  if (off) return { closes: true, ranges: [], end: start + off[0].length };
  const open = matchAt(OPEN, text, start);
  if (open) return { closes: false, ranges: [WHOLE_DAY], end: start + open[0].length };
  const ranges: MinuteRange[] = [];
  let end = start;
  for (let at = start; ; ) {
    const range = readRange(text, at);
    if (!range) break;
    ranges.push({ startMinute: range.startMinute, endMinute: range.endMinute });
    end = range.end;
    const comma = matchAt(/ ?, ?/y, text, end);
    if (!comma) break;
    at = end + comma[0].length;
  }
  if (ranges.length === 0) return null;
  const closing = matchAt(OFF, text, end);
  const opening = closing ?? matchAt(/ open(?![a-z])/iy, text, end);
  return { closes: closing !== null, ranges, end: end + (opening?.[0].length ?? 0) };
}

/** Reads a range. An end that is not after its start is on the next day, so equal times are 24 hours. */
function readRange(text: string, start: number): (MinuteRange & { end: number }) | null {
  const opens = readClockAt(text, start);
  const dash = opens && matchAt(/ ?- ?/y, text, opens.end);
  const closes = dash && readClockAt(text, opens.end + dash[0].length);
  if (!opens || !closes || opens.half !== closes.half || opens.minute >= MINUTES_PER_DAY) return null;
  const endMinute = endAfter(opens.minute, closes.minute);
  if (endMinute - opens.minute > MINUTES_PER_DAY) return null;
  return { startMinute: opens.minute, endMinute, end: closes.end };
}

const LAST_MINUTE = MINUTES_PER_DAY - 1;

/** The end of a range, maybe on the next day. 23:59 is the end of the day. */
export function endAfter(startMinute: number, endMinute: number): number {
  if (endMinute === LAST_MINUTE && startMinute < LAST_MINUTE) return MINUTES_PER_DAY;
  return endMinute > startMinute ? endMinute : endMinute + MINUTES_PER_DAY;
}

const CLOCK = /(\d{1,2})(?: ?[:h] ?(\d{2})(?!\d)(?::\d{2}(?!\d))?)?(?: ?([ap])\.? ?m\b\.?| ?h\b)?/iy;
const MAX_HOUR = 48;

type ClockAt = { minute: number; half: boolean; end: number };

/** Reads a time such as `09:30`, `9:30 AM`, `9AM`, `9 p.m.` or `9h30`. A bare hour could be a day of a month. */
function readClockAt(text: string, start: number): ClockAt | null {
  const match = matchAt(CLOCK, text, start);
  if (!match) return null;
  const [whole, hourText = '', minuteText, half] = match;
  const [hour, minute] = [Number(hourText), Number(minuteText ?? 0)];
  const isBare = whole === hourText;
  if (isBare || minute > 59 || hour > MAX_HOUR || (half !== undefined && (hour < 1 || hour > 12))) return null;
  const afterNoon = half !== undefined && /p/i.test(half) ? MINUTES_PER_DAY / 2 : 0;
  const inDay = half === undefined ? hour * 60 : (hour % 12) * 60 + afterNoon;
  return { minute: inDay + minute, half: half !== undefined, end: start + whole.length };
}

const MAX_CLOCK_LENGTH = 40;

/** Reads a text that is a time of the day, in minutes from midnight up to 24:00; null for other texts. */
export function readClock(text: string): number | null {
  const read = text.length <= MAX_CLOCK_LENGTH ? readClockAt(text, 0) : null;
  return read?.end === text.length && read.minute <= MINUTES_PER_DAY ? read.minute : null;
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : `a ${value === null ? 'null' : typeof value}`;
  return JSON.stringify(text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text);
}

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
function readDates(rule: string, start: number): RuleDates | null {
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
function withMonthNames(text: string): string {
  const withName = (_: string, year: string, month: string, day: string) =>
    `${year} ${MONTHS[Number(month) - 1]} ${day}`;
  return text.replace(ISO_DATE, withName);
}

/** Matches a sticky pattern at a place. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
