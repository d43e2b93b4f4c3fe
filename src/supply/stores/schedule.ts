import { memoizedByObject } from 'doorstep/collections';
import { recordByName } from '../../platform/lib/records.ts';
import {
  dayOfDate,
  HOURS_KINDS,
  type HoursException,
  type HoursKind,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  type MinuteRange,
  mergeRanges,
  type WeeklyHours,
  weekdayOfDay,
  weeklyHours,
} from './hours.ts';
import type { Store } from './store.ts';

/** One kind of hours, prepared for queries: the week as one line of minutes, and the dates with exceptions. */

/**
 * Weekly hours as sorted, disjoint ranges in minutes from Monday 0:00. Starts are in [0, 10080); the last range may end
 * in the next week. `always`: there is no closed minute, and the list is empty.
 */
export type WeekLine = { readonly always: boolean; readonly ranges: readonly MinuteRange[] };

const CLOSED: WeekLine = { always: false, ranges: [] };
const knownLine = memoizedByObject(buildWeekLine);

/** Joins overlapping or touching ranges, within a day and across midnights. Unknown hours (null) are never open. */
export const weekLineOf = (hours: WeeklyHours | null): WeekLine => (hours === null ? CLOSED : knownLine(hours));

function buildWeekLine(hours: WeeklyHours): WeekLine {
  const merged = mergeRanges(cutAtWeekEnd(hours));
  const first = merged[0];
  const last = merged.at(-1);
  if (first === undefined || last === undefined) return CLOSED;
  if (first.startMinute > 0 || last.endMinute < MINUTES_PER_WEEK) return { always: false, ranges: merged };
  if (first === last) return { always: true, ranges: [] };
  const joined = { startMinute: last.startMinute, endMinute: MINUTES_PER_WEEK + first.endMinute };
  return { always: false, ranges: [...merged.slice(1, -1), joined] };
}

/** Puts all ranges on the line, cut at the end of Sunday. */
function cutAtWeekEnd(hours: WeeklyHours): MinuteRange[] {
  const pieces: MinuteRange[] = [];
  hours.forEach((ranges, weekday) => {
    for (const range of ranges) {
      const start = weekday * MINUTES_PER_DAY + range.startMinute;
      const end = weekday * MINUTES_PER_DAY + range.endMinute;
      if (start < Math.min(end, MINUTES_PER_WEEK)) {
        pieces.push({ startMinute: start, endMinute: Math.min(end, MINUTES_PER_WEEK) });
      }
      const spillStart = Math.max(start, MINUTES_PER_WEEK);
      if (spillStart < end) {
        pieces.push({ startMinute: spillStart - MINUTES_PER_WEEK, endMinute: end - MINUTES_PER_WEEK });
      }
    }
  });
  return pieces;
}

/** The local days `fromDay` to `toDay`, inclusive, in days from 1970-01-01, when these ranges begin. */
export type DatedDays = {
  readonly fromDay: number;
  readonly toDay: number;
  readonly ranges: readonly MinuteRange[];
  /** Whether consecutive such days have no closed minute from the second day on. */
  readonly always: boolean;
};

/** Weekly hours, null if unknown, and the days when other ranges replace them, sorted and each once. */
export type Schedule = {
  readonly week: WeeklyHours | null;
  readonly line: WeekLine;
  readonly dated: readonly DatedDays[];
};

/** The fields that decide a store's opening times, except for its pause. */
export type HoursFields = Pick<Store, 'hours' | 'hoursExceptions'>;

const NONE: readonly DatedDays[] = [];

const resolveExceptionsByChannel = memoizedByObject((exceptions: readonly HoursException[]) => {
  const dated = exceptions.map(({ from, to, ranges, channel }): DatedException => {
    return { ...datedRanges(ranges), fromDay: dayOfDate(from), toDay: dayOfDate(to), channel };
  });
  return recordByName(HOURS_KINDS, (channel) => resolveExceptions(dated, channel));
});

export const weekSchedule = (week: WeeklyHours | null): Schedule => ({ week, line: weekLineOf(week), dated: NONE });

export function scheduleOf({ hours, hoursExceptions }: HoursFields, channel: HoursKind): Schedule {
  if (hoursExceptions.length === 0) return weekSchedule(hours[channel]);
  return {
    week: hours[channel],
    line: weekLineOf(hours[channel]),
    dated: resolveExceptionsByChannel(hoursExceptions)[channel],
  };
}

/**
 * Returns the channel's open ranges of a local day, in minutes from midnight, sorted and disjoint. The first may begin
 * below 0, on the evening before; a range past midnight ends after the day.
 */
export function openRangesOfDay(schedule: Schedule, day: number): readonly MinuteRange[] {
  const evening = rangesOn(schedule, day - 1).map(({ startMinute, endMinute }) => ({
    startMinute: startMinute - MINUTES_PER_DAY,
    endMinute: endMinute - MINUTES_PER_DAY,
  }));
  return mergeRanges([...evening, ...rangesOn(schedule, day)]);
}

function rangesOn({ dated, week }: Schedule, day: number): readonly MinuteRange[] {
  return dated.find(({ fromDay, toDay }) => fromDay <= day && day <= toDay)?.ranges ?? week?.[weekdayOfDay(day)] ?? [];
}

type DatedException = DatedDays & { channel: HoursKind | null };

/** Lists the exceptions of a channel, each cut where another takes precedence (docs/hours.md#hours-of-single-dates). */
function resolveExceptions(exceptions: readonly DatedException[], channel: HoursKind): DatedDays[] {
  // The last exception of a day applies, so specific ones come after those for all hours.
  const candidates = [
    ...exceptions.filter((exception) => exception.channel === null),
    ...exceptions.filter((exception) => exception.channel === channel),
  ].map(({ channel: _, ...days }): DatedDays => days);
  const cuts = [...new Set(candidates.flatMap(({ fromDay, toDay }) => [fromDay, toDay + 1]))].sort((a, b) => a - b);
  const pieces = cuts.slice(0, -1).flatMap((fromDay, n) => {
    const winner = candidates.findLast((each) => each.fromDay <= fromDay && fromDay <= each.toDay);
    return winner ? [{ ...winner, fromDay, toDay: (cuts[n + 1] as number) - 1 }] : [];
  });
  return mergeEqualDays(pieces);
}

/** Joins consecutive days with the same ranges, because a winter may be a hundred closed dates. */
function mergeEqualDays(pieces: readonly DatedDays[]): DatedDays[] {
  const joined: DatedDays[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const continues = last?.toDay === piece.fromDay - 1 && JSON.stringify(last.ranges) === JSON.stringify(piece.ranges);
    if (last && continues) joined[joined.length - 1] = { ...last, toDay: piece.toDay };
    else joined.push(piece);
  }
  return joined;
}

function datedRanges(ranges: readonly MinuteRange[]): Pick<DatedDays, 'ranges' | 'always'> {
  // Few dates have ranges of 24 hours; for the others this saves `weekLineOf`, as a schedule may have hundreds.
  const minutes = ranges.reduce((sum, { startMinute, endMinute }) => sum + endMinute - startMinute, 0);
  return { ranges, always: minutes >= MINUTES_PER_DAY && weekLineOf(weeklyHours(() => ranges)).always };
}
