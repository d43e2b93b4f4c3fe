import type { Channel } from './hours.ts';
import { type OpenState, openStateAt } from './open-state.ts';
import type { Store } from './store.ts';

/** The fields that decide whether a store is open. */
export type OpeningFields = Pick<Store, 'hours' | 'timeZone' | 'pausedUntil'>;

/** Whether the store has paused its ordering at this moment. A pause ends by itself, without a write. */
export function isPausedAt({ pausedUntil }: Pick<Store, 'pausedUntil'>, at: Temporal.Instant): boolean {
  return pausedUntil !== null && at.epochMilliseconds < pausedUntil.epochMilliseconds;
}

/** `openStateAt` for a channel of a store: a paused store reads as closed (docs/behaviour.md#what-a-store-sets-itself). */
export function storeOpenStateAt(store: OpeningFields, channel: Channel, at: Temporal.Instant): OpenState {
  const { hours, timeZone, pausedUntil } = store;
  if (pausedUntil === null || !isPausedAt(store, at)) return openStateAt(hours[channel], timeZone, at);
  const resumed = openStateAt(hours[channel], timeZone, pausedUntil);
  return { open: false, changesAt: resumed.open ? pausedUntil : resumed.changesAt };
}
