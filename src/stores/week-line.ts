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

/** Whether the wall-clock minutes of the week [start, end) are all inside the hours; start is in [0, 10080). */
export function coversMinutes(line: WeekLine, startMinute: number, endMinute: number): boolean {
  if (line.always) return true;
  for (const stretch of line.stretches) {
    if (stretch.startMinute <= startMinute && endMinute <= stretch.endMinute) return true;
    if (startMinute + MINUTES_PER_WEEK < stretch.endMinute && endMinute + MINUTES_PER_WEEK <= stretch.endMinute) {
      return true;
    }
  }
  return false;
}

function drawLine(hours: WeeklyHours): WeekLine {
  const merged = mergeSorted(piecesOf(hours).sort((a, b) => a.startMinute - b.startMinute));
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

function mergeSorted(pieces: readonly MinuteRange[]): MinuteRange[] {
  const merged: MinuteRange[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last === undefined || piece.startMinute > last.endMinute) merged.push({ ...piece });
    else last.endMinute = Math.max(last.endMinute, piece.endMinute);
  }
  return merged;
}
