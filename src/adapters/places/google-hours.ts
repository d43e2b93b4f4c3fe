import { isJsonObject, type JsonObject, memberOf } from '../../lib/json-object.ts';
import {
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  type MinuteRange,
  type WeeklyHours,
  weeklyHours,
} from '../../stores/hours.ts';

/** Far more than a real week has. */
const MAX_PERIODS = 100;

/**
 * Google's regularOpeningHours as weekly hours; null where they are missing or unreadable. Google's week begins with
 * Sunday. A period that opens on Sunday at 0:00 and never closes is open at all hours; no period at all is never open.
 */
export function googleHoursOf(openingHours: unknown): WeeklyHours | null {
  const periods = isJsonObject(openingHours) ? memberOf(openingHours, 'periods') : undefined;
  if (!Array.isArray(periods) || periods.length > MAX_PERIODS) return null;
  const days: MinuteRange[][] = Array.from({ length: 7 }, () => []);
  for (const period of periods) {
    const stretch = isJsonObject(period) ? stretchOf(period) : null;
    if (!stretch) return null;
    addStretch(days, stretch);
  }
  return weeklyHours((weekday) => days[weekday] ?? []);
}

/** Minutes from Monday 0:00; the end lies after the start, at most a week. */
type Stretch = { startMinute: number; endMinute: number };

function stretchOf(period: JsonObject): Stretch | null {
  const startMinute = minuteOfWeek(memberOf(period, 'open'));
  const close = memberOf(period, 'close');
  if (startMinute === null) return null;
  if (close === undefined) return { startMinute, endMinute: startMinute + MINUTES_PER_WEEK };
  const end = minuteOfWeek(close);
  if (end === null) return null;
  return { startMinute, endMinute: end > startMinute ? end : end + MINUTES_PER_WEEK };
}

/** The minute of the week of a point; absent members are 0. */
function minuteOfWeek(point: unknown): number | null {
  if (!isJsonObject(point)) return null;
  const { day = 0, hour = 0, minute = 0 } = point;
  if (!isWithin(day, 6) || !isWithin(hour, 23) || !isWithin(minute, 59)) return null;
  return ((day + 6) % 7) * MINUTES_PER_DAY + hour * 60 + minute;
}

function isWithin(value: unknown, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

/** A range past midnight belongs to the day on which it begins; a range beyond the next day is cut at midnights. */
function addStretch(days: MinuteRange[][], { startMinute, endMinute }: Stretch): void {
  let start = startMinute;
  while (start < endMinute) {
    const day = Math.floor(start / MINUTES_PER_DAY);
    const midnight = day * MINUTES_PER_DAY;
    const isNight = endMinute - midnight < 2 * MINUTES_PER_DAY && endMinute - start < MINUTES_PER_DAY;
    const end = isNight ? endMinute : Math.min(endMinute, midnight + MINUTES_PER_DAY);
    days[day % 7]?.push({ startMinute: start - midnight, endMinute: end - midnight });
    start = end;
  }
}
