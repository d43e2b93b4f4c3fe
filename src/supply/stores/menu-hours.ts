import { formatHours } from './format-hours.ts';
import { type WeeklyHours, weeklyHours } from './hours.ts';
import { datedStateAt, type EpochOpenState, openStateAtEpoch, scheduleStateAt } from './open-state.ts';
import { type Schedule, weekLineOf } from './schedule.ts';
import type { ZoneClock } from './zone-clock.ts';

/** A product's menu hours and all its parent categories'. The product is sold only while all are open. */
export type MenuHours = readonly WeeklyHours[];

/** A product's or category's menu hours, which an import may have been unable to read. */
export type MenuWeek = WeeklyHours | 'unknown';

const NEVER = weeklyHours(() => []);

/** The menu hours that count: at unknown ones alcohol is not sold, and everything else at all hours. */
export function menuHoursOf(weeks: readonly (MenuWeek | null)[], isAlcohol: boolean): MenuHours {
  const unknown = isAlcohol && weeks.includes('unknown') ? [NEVER] : [];
  return [...unknown, ...weeks.filter((week) => week !== null && week !== 'unknown')];
}

/** Menu hours as the console shows and sends them. Unknown ones are shown as none, which an edit keeps unknown. */
export function presentMenuWeek(week: MenuWeek | null): ReturnType<typeof formatHours> | null {
  return week === null || week === 'unknown' ? null : formatHours(week);
}

/**
 * Whether something with menu hours is on sale, and until when that is certain, in epoch seconds. `soldAtS` is since
 * when, or from when on; Infinity for never.
 */
export type MenuState = { soldAtS: number; untilS: number };

/** Maximum changes to try; a product whose hours never overlap within them counts as never sold. */
const MAX_CHANGES = 100;

/**
 * Whether something with weekly menu hours is on sale at a moment. On dates with exceptions, menu hours count only
 * while the channel is open, so nothing sells on a closed day (docs/hours.md#hours-of-single-dates).
 */
export function isOnSaleAt(hours: MenuHours, schedule: Schedule, clock: ZoneClock, epochS: number): boolean {
  return stepAt(hours, schedule, clock, epochS).sold;
}

export function menuStateAt(hours: MenuHours, schedule: Schedule, clock: ZoneClock, epochS: number): MenuState {
  const now = stepAt(hours, schedule, clock, epochS);
  if (now.sold) return { soldAtS: epochS, untilS: now.untilS };
  let atS = now.untilS;
  for (let n = 0; n < MAX_CHANGES && atS < Infinity; n += 1) {
    const next = stepAt(hours, schedule, clock, atS);
    if (next.sold) return { soldAtS: atS, untilS: atS };
    atS = next.untilS;
  }
  return { soldAtS: Infinity, untilS: now.untilS };
}

/** Whether all hours are open, and until when that is certain. */
function stepAt(hours: MenuHours, schedule: Schedule, clock: ZoneClock, epochS: number) {
  const states = hours.map((week) => openStateAtEpoch(weekLineOf(week), clock, epochS));
  if (hours.length > 0) states.push(gateAt(schedule, clock, epochS));
  const closed = states.filter(({ open }) => !open).map(({ changesAtS }) => changesAtS);
  if (closed.length > 0) return { sold: false, untilS: Math.max(...closed) };
  return { sold: true, untilS: Math.min(Infinity, ...states.map(({ changesAtS }) => changesAtS)) };
}

/** Returns whether the store lets menu hours count: always on dates without exceptions, otherwise while it is open. */
function gateAt(schedule: Schedule, clock: ZoneClock, epochS: number): EpochOpenState {
  if (schedule.dated.length === 0) return { open: true, changesAtS: Infinity };
  const { dated, untilS } = datedStateAt(schedule, clock, epochS);
  if (!dated) return { open: true, changesAtS: untilS };
  const { open, changesAtS } = scheduleStateAt(schedule, clock, epochS);
  return { open, changesAtS: Math.min(changesAtS, untilS) };
}
