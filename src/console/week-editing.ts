import { recordOf } from '../lib/records.ts';
import {
  CHANNELS,
  MINUTES_PER_DAY,
  type MinuteRange,
  type StoreHours,
  type Weekday,
  type WeeklyHours,
  weeklyHours,
} from '../stores/hours.ts';
import { formatDay, formatHours } from '../stores/parse-hours.ts';

/** A new range of a day, before anybody has set its times. */
const USUAL: MinuteRange = { startMinute: 11 * 60, endMinute: 22 * 60 };
const EVENING: MinuteRange = { startMinute: 17 * 60, endMinute: 22 * 60 };

/** Minutes of a day as a time field has them: `09:30`. */
export function fieldTime(minute: number): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${pad(Math.floor(minute / 60) % 24)}:${pad(minute % 60)}`;
}

/** A range between two time fields; an end that is not after the start is on the next day. Undefined while a field is empty. */
export function rangeOf(start: string, end: string): MinuteRange | undefined {
  const [startMinute, endMinute] = [minuteOf(start), minuteOf(end)];
  if (startMinute === undefined || endMinute === undefined) return undefined;
  return { startMinute, endMinute: endMinute > startMinute ? endMinute : endMinute + MINUTES_PER_DAY };
}

function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** The week with other hours on one day. */
export function withDay(week: WeeklyHours, weekday: number, ranges: readonly MinuteRange[]): WeeklyHours {
  return weeklyHours((day) => (day === weekday ? ranges : (week[day] ?? [])));
}

/** The week with the hours of one day on every day. */
export function withEveryDay(week: WeeklyHours, weekday: number): WeeklyHours {
  return weeklyHours(() => week[weekday] ?? []);
}

/** The day with one range more: usual hours for a closed day, an evening after a lunch. */
export function withRange(ranges: readonly MinuteRange[]): readonly MinuteRange[] {
  const last = ranges.at(-1);
  if (!last) return [USUAL];
  const isFree = last.endMinute < EVENING.startMinute;
  return [
    ...ranges,
    isFree ? EVENING : { startMinute: last.endMinute % MINUTES_PER_DAY, endMinute: last.endMinute + 60 },
  ];
}

/**
 * Edited hours as `PUT /store/hours` takes them. A channel that has the opening hours is left out, so that it goes on
 * following them. A channel of unknown hours takes no orders: beside known opening hours it is sent as closed, because the
 * service would let an absent channel follow them.
 */
export function sentHours(hours: StoreHours): { hours: Partial<Record<string, Record<Weekday, string>>> } {
  const { operational } = hours;
  const own = CHANNELS.filter((channel) =>
    channel === 'operational' ? operational !== null : !isSameWeek(hours[channel], operational),
  );
  return { hours: Object.fromEntries(own.map((channel) => [channel, formatHours(hours[channel])])) };
}

/**
 * Hours that were edited from `base`, over the hours as they are now: a day that was not edited stays as another tablet
 * has set it meanwhile.
 */
export function mergedHours(base: StoreHours, edited: StoreHours, now: StoreHours): StoreHours {
  return recordOf(CHANNELS, (channel) => mergedWeek(base[channel], edited[channel], now[channel]));
}

function mergedWeek(base: WeeklyHours | null, edited: WeeklyHours | null, now: WeeklyHours | null): WeeklyHours | null {
  if (isSameWeek(base, edited)) return now;
  if (base === null || edited === null || now === null) return edited;
  const isEdited = (day: number) => formatDay(edited[day] ?? []) !== formatDay(base[day] ?? []);
  return weeklyHours((day) => (isEdited(day) ? edited : now)[day] ?? []);
}

/** Whether two weeks have the same hours; unknown hours are no hours of a week. */
export function isSameWeek(one: WeeklyHours | null, other: WeeklyHours | null): boolean {
  if (one === null || other === null) return one === other;
  return JSON.stringify(formatHours(one)) === JSON.stringify(formatHours(other));
}
