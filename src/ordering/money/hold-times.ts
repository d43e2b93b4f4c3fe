import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { Order } from '../order/order.ts';
import { orderZone } from '../order/order-times.ts';

/* When a card holds the money of an order, which is no longer than a week. */

/** Orders that end within these hours are held from placing on. */
const PLACING_HOURS = 6 * 24;
/** Hours between the hold of a later order and its slot. */
const BEFORE_SLOT_HOURS = 48;
/** Hours between a hold's renewal and its end. */
const BEFORE_END_HOURS = 24;
/** Hours between the cancelation of an order without a hold and its slot. */
const LAST_HOURS = 2;

type Held = Pick<Order, 'quote' | 'holdUntil'>;
type WithHold = Held & Pick<Order, 'chargeState'>;

/** Whether an order is held when it is placed; otherwise placing only checks the card. */
export function isHeldFromPlacing({ quote }: Pick<Order, 'quote'>, now: Temporal.Instant): boolean {
  const end = instantOfEpochSeconds(quote.scheduled?.endEpochS ?? quote.etaEpochS);
  return now.until(end).total('hours') <= PLACING_HOURS;
}

/** When the hold of an order is to be made, or made again. */
export function holdDueAt({ quote, holdUntil }: Held): Temporal.Instant {
  return holdUntil?.subtract({ hours: BEFORE_END_HOURS }) ?? slotStart(quote).subtract({ hours: BEFORE_SLOT_HOURS });
}

/** Whether the hold of an order is to be made, or made again. */
export function needsHold(order: WithHold, now: Temporal.Instant): boolean {
  return order.chargeState === 'authorized' && Temporal.Instant.compare(now, holdDueAt(order)) >= 0;
}

/** Whether the card of an order declined at `declinedEpochS` to hold its money again, and none has since. */
export function isHoldDeclined(order: WithHold, declinedEpochS: number | undefined): boolean {
  return order.chargeState === 'authorized' && (declinedEpochS ?? 0) >= epochSeconds(holdDueAt(order));
}

/** When an order whose card declines another hold is canceled: at the end of its current hold, or before its slot. */
export function holdDeadline({ quote, holdUntil }: Held, now: Temporal.Instant): Temporal.Instant {
  if (holdUntil && Temporal.Instant.compare(now, holdUntil) < 0) return holdUntil;
  return quote.scheduled ? slotStart(quote).subtract({ hours: LAST_HOURS }) : now;
}

/** Asks the customer for another card, with the time when the order stops waiting for one. */
export function declinedInWords(order: Order, { words, format }: Locale, now: Temporal.Instant): string {
  return words.customer.mail.declined.lead({
    store: order.quote.store.name,
    amount: format.money(order.authorizedCents ?? 0),
    time: format.moment(holdDeadline(order, now), orderZone(order), now),
  });
}

const slotStart = ({ scheduled, etaEpochS }: Order['quote']) =>
  instantOfEpochSeconds(scheduled?.startEpochS ?? etaEpochS);
