import { instantOfEpochSeconds } from '../lib/time.ts';
import { dayInWords, momentInWords, timeInWords } from '../messages/when.ts';
import type { Order } from '../orders/order.ts';
import { canonicalTimeZone } from '../stores/time-zone.ts';
import type { Expected } from './minutes-left.ts';

/**
 * The zone of the times that the page shows: the customer's for a delivery where the order has it, else the store's.
 * An order from before its zone was checked may carry any text there.
 */
export function zoneOf({ request, quote }: Order): string {
  const { timeZone } = request.customer;
  return request.mode === 'delivery' && canonicalTimeZone(timeZone) !== null ? timeZone : quote.store.timeZone;
}

/** `6:45 PM` on a day like `now`, else `Fri, Jun 12, 6:45 PM`. */
export function clockWords(epochS: number, now: Temporal.Instant, timeZone: string): string {
  return momentInWords(instantOfEpochSeconds(epochS), timeZone, now);
}

/** `6:30–7:00 PM`, or `Fri, Jun 12, 6:30–7:00 PM` on another day. */
export function windowWords(window: Expected, now: Temporal.Instant, timeZone: string): string {
  const [start, end] = [instantOfEpochSeconds(window.earliestEpochS), instantOfEpochSeconds(window.latestEpochS)];
  const [from, to] = [timeInWords(start, timeZone), timeInWords(end, timeZone)];
  if (dayInWords(start, timeZone) !== dayInWords(end, timeZone)) {
    return `${momentInWords(start, timeZone, now)} – ${momentInWords(end, timeZone, now)}`;
  }
  const whole = momentInWords(start, timeZone, now);
  if (from === to) return whole;
  return `${from.slice(-2) === to.slice(-2) ? whole.slice(0, -3) : whole}–${to}`;
}

/** For `datetime` attributes. */
export function isoOf(epochS: number, timeZone: string): string {
  return instantOfEpochSeconds(epochS)
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
}
