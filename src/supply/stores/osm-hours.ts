import OpeningHours from 'opening_hours';
import { memoized } from '../../platform/lib/memo.ts';
import { MINUTES_PER_DAY, type MinuteRange, type WeeklyHours, weeklyHours } from './hours.ts';

export type OsmHours = { ok: true; hours: WeeklyHours } | { ok: false; reason: string };

/** Maximum length of a value in OpenStreetMap. */
const MAX_LENGTH = 255;

/** The tokens of a regular weekly rule. */
const WEEKLY_TOKEN = /\d{1,2}:\d{2}(?!\d)|24\/7|\b(?:mo|tu|we|th|fr|sa|su|ph|off|closed|open)\b|[-,;]|\s+/i;
const TIME = /\d{1,2}:\d{2}/g;
const TIME_RANGE = /(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})/g;

/** A week without clock changes or US holidays: from Monday, June 3, 2024, local time. */
const SAMPLE_WEEK = { year: 2024, monthIndex: 5, day: 3 };
const SAMPLE_PLACE = { lat: 40.7, lon: -74, address: { country_code: 'us', state: 'New York' } };

/** Maximum cached week shapes, far more than any feed has. */
const MAX_RANKED_RULES = 2000;

/** The library's mode for ranges of time instead of points in time. */
const TIME_RANGES = 0;

type RankedRules = { rules: string; minutes: readonly number[] };

/**
 * Parses weekly OpenStreetMap `opening_hours`. Returns a reason instead if anything is ambiguous or not weekly
 * (docs/feeds.md#hours). A range past midnight belongs to its first day, whatever a later rule says. Slow, so bulk
 * callers memoize it.
 */
export function parseOsmHours(text: string): OsmHours {
  const value = text.trim();
  if (value.length > MAX_LENGTH) return unsupportedHours(`it is longer than ${MAX_LENGTH} characters`);
  const foreign = foreignPart(value);
  if (foreign !== null) return unsupportedHours(`${JSON.stringify(foreign)} is not part of a regular weekly rule`);
  const rules = timedRules(value);
  const fault = rules.length === 0 ? 'it is empty' : rules.map(unclearPart).find((part) => part !== null);
  if (fault != null) return unsupportedHours(fault);
  const ranked = rankTimes(rules.join('; '));
  if (ranked === null) return unsupportedHours('it has a time that does not exist, or a range longer than a day');
  return evaluate(ranked);
}

function unsupportedHours(reason: string): OsmHours {
  return { ok: false, reason };
}

function foreignPart(value: string): string | null {
  const token = new RegExp(WEEKLY_TOKEN, 'iy');
  for (let at = 0; at < value.length; at = token.lastIndex) {
    token.lastIndex = at;
    if (!token.test(value)) return /^(?:\w+|.)/su.exec(value.slice(at))?.[0] ?? '';
  }
  return null;
}

/** Splits a value into its rules, with whole days written as times. */
function timedRules(value: string): string[] {
  return value
    .replace(/24\/7/g, '00:00-24:00')
    .replace(/(\d\s*)?\bopen\b/gi, (_, time?: string) => time ?? '00:00-24:00')
    .split(';')
    .map((rule) => rule.trim().replace(/(?<![,\s])[,\s]+$/, ''))
    .filter((rule) => rule !== '');
}

/** Returns the ambiguous part of a rule, for which a parser would have to guess. */
function unclearPart(rule: string): string | null {
  if (!/(?:\d|off|closed)$/i.test(rule)) return `${JSON.stringify(rule)} does not end in its times`;
  const joined = /[a-z\d]\s+(?!off|closed)[a-z]|\d\s+\d|(?:off|closed)\s*[^\s,]/i.test(rule);
  return joined ? `${JSON.stringify(rule)} lacks a separator` : null;
}

/**
 * Replaces times by their ranks, with ends past midnight as later times. Then every range stays within its day, and the
 * library cannot cut it by the next day's rule.
 */
function rankTimes(rules: string): RankedRules | null {
  const ranges = [...rules.matchAll(TIME_RANGE)].map(readRange);
  if (ranges.length * 2 !== [...rules.matchAll(TIME)].length || ranges.includes(null)) return null;
  const known = ranges.filter((range) => range !== null);
  const minutes = [...new Set(known.flatMap((range) => [range.startMinute, range.endMinute]))].sort((a, b) => a - b);
  const rank = (minute: number | undefined) => clockText(minutes.indexOf(minute ?? 0));
  let n = 0;
  const ranked = rules.replace(TIME_RANGE, () => {
    const range = known[n++];
    return `${rank(range?.startMinute)}-${rank(range?.endMinute)}`;
  });
  return { rules: ranked, minutes };
}

function readRange(match: RegExpMatchArray): MinuteRange | null {
  const [startHour = 0, startPart = 0, endHour = 0, endPart = 0] = match.slice(1).map(Number);
  const startMinute = startHour * 60 + startPart;
  const end = endHour * 60 + endPart;
  const endMinute = end > startMinute ? end : end + MINUTES_PER_DAY;
  const exists = startPart < 60 && endPart < 60 && startMinute < MINUTES_PER_DAY;
  return exists && endMinute - startMinute <= MINUTES_PER_DAY ? { startMinute, endMinute } : null;
}

/** Evaluates ranked rules over the sample week, once without holidays and once with every day a holiday. */
function evaluate({ rules, minutes }: RankedRules): OsmHours {
  try {
    const hours = openDays(rules, minutes);
    if (!/ph/i.test(rules)) return { ok: true, hours };
    const onHolidays = openDays(rules.replace(/\bph\b/gi, 'Mo-Su'), minutes);
    const same = JSON.stringify(hours) === JSON.stringify(onHolidays);
    return same ? { ok: true, hours } : unsupportedHours('its hours differ on public holidays (PH)');
  } catch {
    return unsupportedHours('it is not valid opening_hours syntax');
  }
}

/** An open interval of the sample week: its weekday from Monday, and the ranks of its times. */
type RankedInterval = { weekday: number; from: number; to: number };

/**
 * Returns the open intervals of ranked rules. Memoized, because the library takes a third of a millisecond for each and
 * values that differ only in times share them. A refused value throws each time.
 */
const rankedIntervals = memoized((rules): readonly RankedInterval[] => {
  const { year, monthIndex, day } = SAMPLE_WEEK;
  const reader = new OpeningHours(rules, SAMPLE_PLACE, TIME_RANGES);
  const intervals = reader.getOpenIntervals(new Date(year, monthIndex, day), new Date(year, monthIndex, day + 7));
  const minuteOfDay = (date: Date) => date.getHours() * 60 + date.getMinutes();
  return intervals.map(([from, to]) => ({
    weekday: (from.getDay() + 6) % 7,
    from: minuteOfDay(from),
    to: minuteOfDay(to),
  }));
}, MAX_RANKED_RULES);

function openDays(rules: string, minutes: readonly number[]): WeeklyHours {
  const days: MinuteRange[][] = [[], [], [], [], [], [], []];
  for (const { weekday, from, to } of rankedIntervals(rules)) {
    addRange(days, weekday, minutes[from] as number, minutes[to] as number);
  }
  return weeklyHours((weekday) => days[weekday]?.sort((a, b) => a.startMinute - b.startMinute) ?? []);
}

/** Adds a range. One that starts past midnight belongs to the next day; one longer than a day is cut at midnight. */
function addRange(days: MinuteRange[][], weekday: number, startMinute: number, endMinute: number): void {
  const cut = startMinute >= MINUTES_PER_DAY || endMinute - startMinute > MINUTES_PER_DAY;
  if (startMinute < MINUTES_PER_DAY) {
    days[weekday % 7]?.push({ startMinute, endMinute: cut ? MINUTES_PER_DAY : endMinute });
  }
  if (cut) {
    const rest = Math.max(0, startMinute - MINUTES_PER_DAY);
    days[(weekday + 1) % 7]?.push({ startMinute: rest, endMinute: endMinute - MINUTES_PER_DAY });
  }
}

function clockText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
