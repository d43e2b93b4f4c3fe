import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { nextOpening } from '../stores/open-state.ts';
import type { Mode, Store } from '../stores/store.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import { type QuoteFailure, slotQuestionOf } from './quote.ts';
import { firstOfferedSlot, localDay } from './slots.ts';

const DAY_S = 86_400;
/** Maximum local midnights to try; the first one nearly always has a slot. */
const MAX_DAYS = 8;

export type AvailabilityInput = { store: Store; mode: Mode; now: Temporal.Instant; fullStarts: ReadonlySet<number> };

/**
 * When the mode can be ordered next, in epoch seconds: the next opening, or the local midnight when a slot becomes
 * available. Null if never, or if the store is not accepting orders (docs/quotes.md#quote-errors).
 */
export function availableAt(
  { isClosed, busyUntilS }: QuoteFailure,
  { store, mode, now, fullStarts }: AvailabilityInput,
): number | null {
  if (!isClosed) return null;
  const isLater = busyUntilS !== undefined && busyUntilS * 1000 > now.epochMilliseconds;
  const opensAt = nextOpening(store, mode, isLater ? instantOfEpochSeconds(busyUntilS) : now);
  if (opensAt === null) return null;
  const opensS = epochSeconds(opensAt);
  if (!store.scheduling.enabled) return opensS;
  const clock = zoneClock(store.timeZone);
  // No slot starts before the store opens, so none is offered earlier than `daysAhead` days before that day.
  const dayBefore = localDay(store.timeZone, opensAt) - store.scheduling.daysAhead;
  const firstDay = Math.max(localDay(store.timeZone, now) + 1, dayBefore);
  for (let day = firstDay; day < firstDay + MAX_DAYS; day += 1) {
    const midnightS = clock.epochOfWall(day * DAY_S);
    if (midnightS >= opensS) break;
    const question = slotQuestionOf(store, mode, instantOfEpochSeconds(midnightS), fullStarts);
    if (firstOfferedSlot(question)) return midnightS;
  }
  return opensS;
}
