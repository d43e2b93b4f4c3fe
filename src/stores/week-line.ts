import { memoisedByObject } from '../lib/memo.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK, type MinuteRange, type WeeklyHours } from './hours.ts';

/**
 * Weekly hours as one line of wall-clock minutes from Monday 0:00: open stretches, sorted, never touching.
 * Starts lie in [0, 10080); the last stretch may end past 10080, running into the next week.
 * `always` is a week without a closed minute, and then has no stretches.
 */
export type WeekLine = { readonly always: boolean; readonly stretches: readonly MinuteRange[] };

const CLOSED: WeekLine = { always: false, stretches: [] };
const knownLine = memoisedByObject(drawLine);

/** Joins ranges that overlap or touch, within a day and across midnights. Unknown hours (null) are never open. */
export function weekLineOf(hours: WeeklyHours | null): WeekLine {
  return hours === null ? CLOSED : knownLine(hours);
}

function drawLine(hours: WeeklyHours): WeekLine {
  const merged = joinRanges(piecesOf(hours));
  const first = merged[0];
  const last = merged.at(-1);
  if (first === undefined || last === undefined) return CLOSED;
  if (first.startMinute > 0 || last.endMinute < MINUTES_PER_WEEK) return { always: false, stretches: merged };
  if (first === last) return { always: true, stretches: [] };
  const joined = { startMinute: last.startMinute, endMinute: MINUTES_PER_WEEK + first.endMinute };
  return { always: false, stretches: [...merged.slice(1, -1), joined] };
}

/** Every range on the line, cut where Sunday night ends. */
function piecesOf(hours: WeeklyHours): MinuteRange[] {
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

/** The same minutes as stretches that are sorted and never touch. */
export function joinRanges(ranges: readonly MinuteRange[]): MinuteRange[] {
  const merged: MinuteRange[] = [];
  for (const piece of ranges.toSorted((a, b) => a.startMinute - b.startMinute)) {
    const last = merged.at(-1);
    if (last === undefined || piece.startMinute > last.endMinute) merged.push({ ...piece });
    else last.endMinute = Math.max(last.endMinute, piece.endMinute);
  }
  return merged;
}
