import { epochSeconds } from '../../platform/lib/time.ts';
import type { LearnedHour } from './kitchen.ts';
import type { DeliverySettings, Store } from './store.ts';
import { zoneClock } from './zone-clock.ts';

/*
 * Minutes that a kitchen needs, learned from its orders by the hour of the week on its clock
 * (docs/quotes.md#prep-time-estimates). A store that quotes them keeps within half and twice the minutes that it
 * states.
 */

export const MIN_LEARNED_ORDERS = 20;
export const LEARNED_WEEKS = 8;

type Minutes = readonly [number, number];

const HOUR_S = 3600;
const WEEK_HOURS = 7 * 24;
/** January 1, 1970 was a Thursday. */
const FIRST_HOUR = 3 * 24;

export function hourOfWeek(timeZone: string, at: Temporal.Instant): number {
  const epochS = epochSeconds(at);
  return (Math.floor((epochS + zoneClock(timeZone).offsetAt(epochS)) / HOUR_S) + FIRST_HOUR) % WEEK_HOURS;
}

/** From the median to the 80th percentile; each is at least half and up to twice the minutes that the store states. */
export function learnedPreparation(stated: Minutes, [median, p80]: LearnedHour): Minutes {
  const [least, most] = [Math.min(...stated), Math.max(...stated)];
  const within = (minutes: number, of: number) => Math.min(of * 2, Math.max(Math.ceil(of / 2), minutes));
  const promised = within(p80, most);
  return [Math.min(within(median, least), promised), promised];
}

type Prepared = Pick<Store, 'timeZone' | 'learned' | 'pickup' | 'delivery'>;

/** The store as it quotes its preparation at a moment. */
export function withLearnedMinutes<Of extends Prepared>(store: Of, at: Temporal.Instant): Of {
  const hour = store.learned?.[hourOfWeek(store.timeZone, at)];
  return hour ? withMinutes(store, (stated) => learnedPreparation(stated, hour)) : store;
}

/** The store with the fewest minutes that it quotes at any hour: search sorts by a lower bound. */
export function withLeastMinutes<Of extends Prepared>(store: Of): Of {
  if (!store.learned) return store;
  const hours = Object.values(store.learned);
  const least = (stated: Minutes): Minutes =>
    hours
      .map((hour) => learnedPreparation(stated, hour))
      .reduce((all, one) => [Math.min(all[0], one[0]), Math.min(all[1], one[1])], stated);
  return withMinutes(store, least);
}

function withMinutes<Of extends Prepared>(store: Of, change: (stated: Minutes) => Minutes): Of {
  const changed = <One extends { prepMinutes: Minutes | null }>(one: One): One =>
    one.prepMinutes ? { ...one, prepMinutes: change(one.prepMinutes) } : one;
  const delivery: DeliverySettings = changed(store.delivery);
  const parties = delivery.parties.map((party) => changed({ ...party, zones: party.zones.map(changed) }));
  return { ...store, pickup: changed(store.pickup), delivery: { ...delivery, parties } };
}
