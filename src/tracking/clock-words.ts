import { instantOfEpochSeconds } from '../lib/time.ts';
import { dayInWords, momentInWords, timeInWords } from '../messages/when.ts';
import type { Order } from '../orders/order.ts';
import type { Expected } from './minutes-left.ts';

/** The time zone of the page's times: the customer's zone for a delivery where it is known, else the store's zone. */
export function zoneOf({ request, quote }: Order): string {
  const { timeZone } = request.customer;
  return request.mode === 'delivery' && isZone(timeZone) ? timeZone : quote.store.timeZone;
}

function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
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
