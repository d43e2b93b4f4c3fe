import { instantOfEpochSeconds } from '../lib/time.ts';
import { momentInWords } from '../messages/when.ts';
import type { Order } from '../orders/order.ts';
import { canonicalTimeZone } from '../stores/time-zone.ts';

/**
 * The zone of the times that the page shows: the customer's for a delivery where the order has it, else the store's. A zone
 * that this node's time zone data lacks is no reason to show no page.
 */
export function zoneOf({ request, quote }: Order): string {
  const { timeZone } = request.customer;
  return request.mode === 'delivery' && canonicalTimeZone(timeZone) !== null ? timeZone : quote.store.timeZone;
}

/** `6:45 PM` on a day like `now`, else `Fri, Jun 12, 6:45 PM`. */
export function clockWords(epochS: number, now: Temporal.Instant, timeZone: string): string {
  return momentInWords(instantOfEpochSeconds(epochS), timeZone, now);
}

/** For `datetime` attributes. */
export function isoOf(epochS: number, timeZone: string): string {
  return instantOfEpochSeconds(epochS)
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
}
