import { MINUTES_PER_DAY, type MinuteRange, type WeeklyHours, weeklyHours } from '../stores/hours.ts';

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
