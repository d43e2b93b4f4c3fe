import { instantOfEpochSeconds } from '../lib/time.ts';
import { MINUTES_PER_WEEK } from './hours.ts';
import type { WeekLine } from './week-line.ts';
import type { ZoneClock } from './zone-clock.ts';

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;

/** 1970-01-01 was a Thursday: the Monday before it, as wall-clock seconds. */
const FIRST_MONDAY_S = -3 * DAY_S;

/** No clock of the US or Canada is ever set by more than this many seconds. */
const LARGEST_CHANGE_S = 3 * 3600;

/** Whether a store is open, and when that next changes; null for never. */
export type OpenState = { open: boolean; changesAt: Temporal.Instant | null };

/** The same on epoch seconds; a state that never changes has `changesAtS` Infinity. */
export type EpochOpenState = { open: boolean; changesAtS: number };

/** The same as moments. */
export function openStateOf({ open, changesAtS }: EpochOpenState): OpenState {
  return { open, changesAt: changesAtS === Infinity ? null : instantOfEpochSeconds(changesAtS) };
}

/**
 * A store opens, or closes, the first time that its own clock shows the posted time or a later one. So 02:30 is the
 * moment of the change on a night that skips it, and the first 01:30 on a night that has two: a store open until
 * 01:30 does not open again for the second. Unknown hours (null) read as closed
 * (docs/behaviour.md#hours-and-time-zones). In whole epoch seconds, for many stores: about a microsecond each.
 */
export function openStateAtEpoch(line: WeekLine, clock: ZoneClock, epochS: number): EpochOpenState {
  const { always, stretches } = line;
  if (always || stretches.length === 0) return { open: always, changesAtS: Infinity };

  const wallS = epochS + clock.offsetAt(epochS);
  const firstWeekS = wallS - modulo(wallS - FIRST_MONDAY_S, WEEK_S) - WEEK_S;
  const startOf = (n: number): number => boundary(line, firstWeekS, n, 'startMinute');
  const endOf = (n: number): number => boundary(line, firstWeekS, n, 'endMinute');

  // A stretch that ended well before on the wall clock has ended. For nearer stretches the zone's clock decides.
  let n = 0;
  while (endOf(n) <= wallS - LARGEST_CHANGE_S) n += 1;
  for (; ; n += 1) {
    const closesS = clock.epochOfWall(endOf(n));
    if (closesS <= epochS) continue;
    const opensS = clock.epochOfWall(startOf(n));
    if (opensS > epochS && opensS < closesS) return { open: false, changesAtS: opensS };
    if (opensS <= epochS) return { open: true, changesAtS: closingOf(clock, startOf, endOf, n) };
  }
}

/** When the stretch open now ends: a skipped hour can make it touch the next one, which then continues it. */
function closingOf(
  clock: ZoneClock,
  startOf: (n: number) => number,
  endOf: (n: number) => number,
  open: number,
): number {
  let n = open;
  while (clock.epochOfWall(startOf(n + 1)) <= clock.epochOfWall(endOf(n))) n += 1;
  return clock.epochOfWall(endOf(n));
}

/** Wall-clock seconds at which the n-th stretch, counted from the first of a week, starts or ends. */
function boundary(line: WeekLine, weekS: number, n: number, side: 'startMinute' | 'endMinute'): number {
  const count = line.stretches.length;
  const weeks = Math.floor(n / count);
  const minute = line.stretches[n - weeks * count]?.[side] ?? 0;
  return weekS + (weeks * MINUTES_PER_WEEK + minute) * 60;
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
