import { epochSeconds } from '../lib/time.ts';
import type { Channel } from './hours.ts';
import { type OpenState, openStateOf } from './open-state.ts';
import { type HoursFields, scheduleOf } from './schedule.ts';
import { scheduleStateAt } from './schedule-state.ts';
import type { Store } from './store.ts';
import { zoneClock } from './zone-clock.ts';

/** The fields that decide whether a store is open. */
export type OpeningFields = HoursFields & Pick<Store, 'timeZone' | 'pausedUntil'>;

/** Whether the store has paused its ordering at this moment. A pause ends by itself, without a write. */
export function isPausedAt({ pausedUntil }: Pick<Store, 'pausedUntil'>, at: Temporal.Instant): boolean {
  return pausedUntil !== null && at.epochMilliseconds < pausedUntil.epochMilliseconds;
}

/**
 * The state of a channel of a store, hours of single dates included: a paused store reads as closed
 * (docs/behaviour.md#what-a-store-sets-itself).
 */
export function storeOpenStateAt(store: OpeningFields, channel: Channel, at: Temporal.Instant): OpenState {
  const { timeZone, pausedUntil } = store;
  const schedule = scheduleOf(store, channel);
  const stateAt = (moment: Temporal.Instant): OpenState =>
    openStateOf(scheduleStateAt(schedule, zoneClock(timeZone), epochSeconds(moment)));
  if (pausedUntil === null || !isPausedAt(store, at)) return stateAt(at);
  const resumed = stateAt(pausedUntil);
  return { open: false, changesAt: resumed.open ? pausedUntil : resumed.changesAt };
}

/** Whether a channel of a store is open: `storeOpenStateAt` without the moment of the next change. */
export function isStoreOpenAt(store: OpeningFields, channel: Channel, at: Temporal.Instant): boolean {
  if (isPausedAt(store, at)) return false;
  return scheduleStateAt(scheduleOf(store, channel), zoneClock(store.timeZone), epochSeconds(at)).open;
}

/** The first moment from `now` on at which a channel of a store is open, `now` itself included; null for never. */
export function nextOpening(store: OpeningFields, channel: Channel, now: Temporal.Instant): Temporal.Instant | null {
  const { open, changesAt } = storeOpenStateAt(store, channel, now);
  return open ? now : changesAt;
}
