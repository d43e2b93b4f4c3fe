import { recordByName } from '../../src/platform/lib/records.ts';
import { formatDay, formatHours } from '../../src/supply/stores/format-hours.ts';
import {
  HOURS_KINDS,
  MINUTES_PER_DAY,
  type MinuteRange,
  type StoreHours,
  type Weekday,
  type WeeklyHours,
  weeklyHours,
} from '../../src/supply/stores/hours.ts';

/** Opening hours as the console edits them: the week, and single dates. */

/** The initial range that is added to a closed day. */
const DEFAULT_RANGE: MinuteRange = { startMinute: 11 * 60, endMinute: 22 * 60 };
const EVENING_RANGE: MinuteRange = { startMinute: 17 * 60, endMinute: 22 * 60 };

export const ALL_DAY: readonly MinuteRange[] = [{ startMinute: 0, endMinute: MINUTES_PER_DAY }];

/** A minute of the day in the format of a time field: `09:30`. */
export function fieldTime(minute: number): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${pad(Math.floor(minute / 60) % 24)}:${pad(minute % 60)}`;
}

/**
 * A range from two time fields. An end that is not after the start is on the next day. Undefined while a field is
 * empty.
 */
export function rangeOf(start: string, end: string): MinuteRange | undefined {
  const [startMinute, endMinute] = [minuteOf(start), minuteOf(end)];
  if (startMinute === undefined || endMinute === undefined) return undefined;
  return { startMinute, endMinute: endMinute > startMinute ? endMinute : endMinute + MINUTES_PER_DAY };
}

function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

export function withDay(week: WeeklyHours, weekday: number, ranges: readonly MinuteRange[]): WeeklyHours {
  return weeklyHours((day) => (day === weekday ? ranges : (week[day] ?? [])));
}

export function withEveryDay(week: WeeklyHours, weekday: number): WeeklyHours {
  return weeklyHours(() => week[weekday] ?? []);
}

/** Adds a range to a day, with usual hours for a closed day and an evening after a lunch. */
export function withRange(ranges: readonly MinuteRange[]): readonly MinuteRange[] {
  const last = ranges.at(-1);
  if (!last) return [DEFAULT_RANGE];
  const isFree = last.endMinute < EVENING_RANGE.startMinute;
  return [
    ...ranges,
    isFree ? EVENING_RANGE : { startMinute: last.endMinute % MINUTES_PER_DAY, endMinute: last.endMinute + 60 },
  ];
}

/**
 * Edited hours for `PUT /store/hours`. Channels with the store's opening hours are omitted, so that they follow them.
 * Channels with unknown hours are sent as closed if the opening hours are known; omitted, they would follow them.
 */
export function hoursRequest(hours: StoreHours): { hours: Partial<Record<string, Record<Weekday, string>>> } {
  const { operational } = hours;
  const own = HOURS_KINDS.filter((channel) =>
    channel === 'operational' ? operational !== null : !isSameWeek(hours[channel], operational),
  );
  return { hours: Object.fromEntries(own.map((channel) => [channel, formatHours(hours[channel])])) };
}

/**
 * Applies edits that began from `base` to the current hours. An unedited day stays as another tablet may have set it.
 */
export function mergeHours(base: StoreHours, edited: StoreHours, now: StoreHours): StoreHours {
  return recordByName(HOURS_KINDS, (channel) => mergedWeek(base[channel], edited[channel], now[channel]));
}

function mergedWeek(base: WeeklyHours | null, edited: WeeklyHours | null, now: WeeklyHours | null): WeeklyHours | null {
  if (isSameWeek(base, edited)) return now;
  if (base === null || edited === null || now === null) return edited;
  const isEdited = (day: number) => formatDay(edited[day] ?? []) !== formatDay(base[day] ?? []);
  return weeklyHours((day) => (isEdited(day) ? edited : now)[day] ?? []);
}

/** Whether two weeks have the same hours; unknown hours equal no week. */
export function isSameWeek(one: WeeklyHours | null, other: WeeklyHours | null): boolean {
  if (one === null || other === null) return one === other;
  return JSON.stringify(formatHours(one)) === JSON.stringify(formatHours(other));
}

/** An exception in the Store API: dates `YYYY-MM-DD`, hours like a weekday's, and null for every channel. */
export type DatedException = { from: string; to: string; hours: string; channel: string | null };

/**
 * The exceptions that have not passed, by date, each with its index in the list. The list keeps its own order, because
 * the later of two for one date applies.
 */
export function upcomingExceptions(
  list: readonly DatedException[],
  today: string,
): { exception: DatedException; index: number }[] {
  const coming = list
    .map((exception, index) => ({ exception, index }))
    .filter(({ exception }) => exception.to >= today);
  return coming.sort((a, b) => a.exception.from.localeCompare(b.exception.from) || a.index - b.index);
}

/** Drops exceptions that ended before yesterday, because the list is limited and a range of yesterday may still run. */
export function dropPastExceptions(list: readonly DatedException[], today: string): DatedException[] {
  const yesterday = new Date(Date.parse(`${today}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return list.filter(({ to }) => to >= yesterday);
}

/** The list without an entry. Of equal entries the last one is removed, because it is the effective one. */
export function withoutEntry(list: readonly DatedException[], entry: DatedException): DatedException[] {
  const { from, to, hours, channel } = entry;
  const at = list.findLastIndex(
    (each) => each.from === from && each.to === to && each.hours === hours && each.channel === channel,
  );
  return list.filter((_, index) => index !== at);
}
