import { daysBetween, exceptionsOfDates, weekdayOfDay } from './dated-ranges.ts';
import { type MinuteRange, type WeeklyHours, weeklyHours } from './hours.ts';
import { type HoursException, MAX_EXCEPTIONS } from './hours-exceptions.ts';
import { type DateSpan, isWithinSpans, readRuleDates, startsWithDates } from './osm-dates.ts';
import { parseOsmHours } from './osm-hours.ts';

/** A weekly rule of `opening_hours` that holds on some dates; `spans` null: on every date. */
export type OsmRule = { spans: readonly DateSpan[] | null; text: string };

/** The weekly hours, and the rules from which `osmExceptions` makes the hours of single dates; null without such rules. */
export type OsmDatedHours =
  | { ok: true; hours: WeeklyHours; dated: readonly OsmRule[] | null; leftOut: readonly string[] }
  | { ok: false; reason: string };

/** The longest value that OpenStreetMap stores. */
const MAX_LENGTH = 255;

const DAY = '(?:mo|tu|we|th|fr|sa|su|ph|sh)';
const DAYS = new RegExp(`^(${DAY}(?:\\s*-\\s*${DAY})?(?:\\s*,\\s*${DAY}(?:\\s*-\\s*${DAY})?)*)\\s*:?\\s*(.*)$`, 'is');
const HOLIDAYS_ALONE = /^(?:(?:ph|sh)(?:\s*,\s*(?:ph|sh))*\s[^;a-z]*(?:off|closed|open)?\s*(?:;\s*|$))+$/i;
const HOLIDAY = /\b(?:ph|sh)\b/i;
/** A rule for holidays after a comma, which many write for a semicolon. */
const COMMA_BEFORE_HOLIDAY = /(?<=\d|off|closed)\s*,\s*(?=(?:ph|sh)\s+(?:\d|off|closed))/i;

/**
 * Reads OpenStreetMap `opening_hours` with rules for dates (`Dec 25 off`, `2026 Dec 24-26 10:00-14:00`, `easter off`,
 * seasons such as `May-Oct: Mo-Sa 08:00-20:00`) beside weekly rules. A value with dates alone is closed on all others.
 *
 * Rules for public and school holidays (PH, SH) are left out and returned in `leftOut`: the dates of these holidays are not
 * guessed, and the weekly rules hold without them. Any other rule that `parseOsmHours` cannot read makes the whole value
 * unknown, with the reason.
 */
export function readOsmDatedHours(value: string): OsmDatedHours {
  if (value.length <= MAX_LENGTH && HOLIDAYS_ALONE.test(value.trim()))
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
  // Two sets of the rules that have a reading each: every other set has one too.
  const all = parseOsmHours(textOf(rules));
  if (!all.ok) return all;
  const kept = rules.some(isWeekly) ? parseOsmHours(textOf(rules.filter(isWeekly))) : CLOSED;
  if (!kept.ok) return kept;
  return { ok: true, hours: kept.hours, dated: rules.every(isWeekly) ? null : rules, leftOut };
}

const CLOSED = { ok: true, hours: weeklyHours(() => []) } as const;

function isWeekly({ spans }: OsmRule): boolean {
  return spans === null;
}

function textOf(rules: readonly OsmRule[]): string {
  return rules.map(({ text }) => text).join('; ');
}

/** A rule without its days that are holidays, which go to `leftOut`; null for a rule of holidays alone. */
function readRule(written: string, leftOut: string[]): OsmRule | null | 'unclear' {
  if (written === '') return null;
  const dates = startsWithDates(written) ? readRuleDates(written) : { spans: null, rest: written };
  if (!dates) return 'unclear';
  const rest = withoutHolidays(dates.rest);
  if (rest === null) return 'unclear';
  if (rest.isCut) leftOut.push(written);
  if (rest.isCut && rest.text === '') return null;
  if (dates.spans === null) return { spans: null, text: rest.text };
  const text = DAYS.test(rest.text) ? rest.text : `Mo-Su ${rest.text}`;
  return { spans: dates.spans, text };
}

/** Null where it is unclear which days are meant: `PH Su 11:00-19:00`, `Su-PH off`. */
function withoutHolidays(rule: string): { text: string; isCut: boolean } | null {
  if (!HOLIDAY.test(rule)) return { text: rule, isCut: false };
  const [, list = '', hours = ''] = DAYS.exec(rule) ?? [];
  const days = list.split(',').map((day) => day.trim());
  const kept = days.filter((day) => !HOLIDAY.test(day));
  if (list === '' || HOLIDAY.test(hours) || days.some((day) => HOLIDAY.test(day) && day.includes('-'))) return null;
  if (kept.length > 0) return { text: `${kept.join(',')} ${hours}`, isCut: true };
  const onHolidays = hours.replace(/^[+-]\s*\d+\s+days?\s+/i, '');
  return parseOsmHours(`Mo-Su ${onHolidays}`).ok ? { text: '', isCut: true } : null;
}

/**
 * The hours of the dates on which the rules differ from the weekly hours, in a year and the next; of the year alone where
 * two years are more exceptions than a store may have.
 */
export function osmExceptions(rules: readonly OsmRule[], year: number): HoursException[] {
  const two = exceptionsOfYears(rules, year, year + 1);
  return two.length <= MAX_EXCEPTIONS ? two : exceptionsOfYears(rules, year, year);
}

function exceptionsOfYears(rules: readonly OsmRule[], firstYear: number, lastYear: number): HoursException[] {
  const weekOf = createWeeks();
  const usual = weekOf(rules.filter(isWeekly));
  const differing = new Map<number, readonly MinuteRange[]>();
  for (const day of daysBetween(`${firstYear}-01-01`, `${lastYear}-12-31`)) {
    const ofDay = rules.filter(({ spans }) => spans === null || isWithinSpans(spans, day));
    const weekday = weekdayOfDay(day);
    const ranges = weekOf(ofDay)[weekday] ?? [];
    if (JSON.stringify(ranges) !== JSON.stringify(usual[weekday])) differing.set(day, ranges);
  }
  return exceptionsOfDates(differing, null);
}

/** The week of some rules, read once: the dates of two years share a few sets of rules. */
function createWeeks(): (rules: readonly OsmRule[]) => WeeklyHours {
  const weeks = new Map<string, WeeklyHours>();
  return (rules) => {
    const text = textOf(rules);
    const known = weeks.get(text);
    if (known) return known;
    const read = text === '' ? CLOSED : parseOsmHours(text);
    const week = read.ok ? read.hours : CLOSED.hours;
    weeks.set(text, week);
    return week;
  };
}
