import { isBeforeKitchenStart, kitchenStartsEpochS } from '../../fulfillment/deliveries/kitchen-times.ts';
import type { Order, QuotedSlot } from '../../ordering/orders/order.ts';
import { cancelReasonInWords } from '../../ordering/orders/wording/cancel-reason.ts';
import { rangeInWords } from '../../ordering/orders/wording/format-time.ts';
import { localeOf } from '../../platform/languages/catalogs.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { firstName } from '../../platform/lib/text/normalize-text.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { clockWords, zoneOf } from './page-words.ts';

/** The present state of an order in plain words. `tone` decides the color. */
export type Headline = { title: string; detail: string; tone: 'waiting' | 'moving' | 'done' | 'canceled' };

/** The sentence that a waiting customer reads first, and a second sentence with the detail. */
export function headlineOf(order: Order, now: Temporal.Instant): Headline {
  const { scheduled } = order.quote;
  if (scheduled && isBeforeKitchenStart(order, now)) return scheduledHeadline(order, scheduled, now);
  switch (order.status) {
    case 'unplaced':
      return {
        title: 'This order has not been placed yet',
        detail: 'As soon as it is, you can follow it on this page.',
        tone: 'waiting',
      };
    case 'awaiting_confirmation':
      return { title: awaitingTitle(order, now), detail: awaitingDetail(order, now), tone: 'waiting' };
    case 'canceled':
      return {
        title: 'Your order was canceled',
        detail: `${cancelReasonInWords(order.cancelReason, localeOf('en', order.quote.store.country))} ${refundWords(order)}`,
        tone: 'canceled',
      };
    case 'completed':
      return order.request.mode === 'pickup'
        ? { title: 'Picked up', detail: 'Thank you, and enjoy!', tone: 'done' }
        : { title: 'Delivered', detail: 'Your order has arrived. Enjoy!', tone: 'done' };
    case 'in_progress':
      return order.request.mode === 'pickup' ? pickupHeadline(order) : deliveryHeadline(order);
  }
}

/** Until its store starts, a scheduled order is for its slot: nothing is being prepared. */
function scheduledHeadline(order: Order, slot: QuotedSlot, now: Temporal.Instant): Headline {
  const title = `Scheduled for ${rangeInWords(slot, zoneOf(order), now)}`;
  if (order.status === 'awaiting_confirmation') return { title, detail: awaitingDetail(order, now), tone: 'waiting' };
  const start = order.request.mode === 'pickup' ? ` ${startWords(order, now)}.` : '';
  return { title, detail: `${order.quote.store.name} has confirmed it.${start}`, tone: 'waiting' };
}

function awaitingTitle(order: Order, now: Temporal.Instant): string {
  const { name } = order.quote.store;
  if (offeredLater(order, now)) return 'Your order is placed';
  return isWithStore(order) ? `Waiting for ${name} to confirm` : `Passing your order to ${name}`;
}

function awaitingDetail(order: Order, now: Temporal.Instant): string {
  const first = whenStoreHasIt(order, now);
  if (!order.confirmBy) return first;
  const by = clockWords(epochSeconds(order.confirmBy), now, zoneOf(order));
  return `${first} If they have not taken it by ${by}, it is canceled${order.chargedCents > 0 ? ' and you get all your money back' : ''}.`;
}

function whenStoreHasIt(order: Order, now: Temporal.Instant): string {
  const later = offeredLater(order, now);
  if (later) return `${order.quote.store.name} gets it by ${clockWords(epochSeconds(later), now, zoneOf(order))}.`;
  const { name } = order.quote.store;
  return isWithStore(order) ? `${name} has your order.` : `${name} does not have it yet.`;
}

/** A scheduled order may be offered to its store hours after it was placed. */
function offeredLater({ offerAt }: Order, now: Temporal.Instant): Temporal.Instant | undefined {
  return offerAt && Temporal.Instant.compare(offerAt, now) > 0 ? offerAt : undefined;
}

function pickupHeadline({ isReady, quote, request }: Order): Headline {
  const store = quote.store.name;
  if (!isReady) return { title: 'Your order is being prepared', detail: `${store} has confirmed it.`, tone: 'moving' };
  const name = firstName(request.customer.name);
  const asked = name === '' ? '' : ` and give the name ${name}`;
  return { title: 'Ready for pickup', detail: `Pick it up at ${store}${asked}.`, tone: 'moving' };
}

function deliveryHeadline(order: Order): Headline {
  const store = order.quote.store.name;
  const driver = firstName(order.driver.name ?? '') || 'Your driver';
  switch (order.driverStage) {
    case 'nearby':
      return { title: `${driver} is almost there`, detail: 'Time to get to the door.', tone: 'moving' };
    case 'picked_up':
      return { title: `${driver} is on the way to you`, detail: `Your order has left ${store}.`, tone: 'moving' };
    case 'assigned':
      return order.isReady
        ? { title: 'Your order is ready', detail: `${driver} is on the way to ${store} to get it.`, tone: 'moving' }
        : { title: 'Your order is being prepared', detail: `${driver} is on the way to ${store}.`, tone: 'moving' };
    case 'none':
      return order.isReady
        ? { title: 'Your order is ready', detail: 'A driver will pick it up next.', tone: 'moving' }
        : { title: 'Your order is being prepared', detail: `${store} has confirmed it.`, tone: 'moving' };
  }
}

/** Where the money of a canceled order is. */
function refundWords({ chargeState, refundingCents, refundedCents }: Order): string {
  if (chargeState === 'refunded') return `We have refunded ${formatPrice(refundedCents)} to your card.`;
  if (chargeState === 'refund_pending') return `We are refunding ${formatPrice(refundingCents)} to your card.`;
  return 'Your card was not charged.';
}

/**
 * Whether somebody at the store can know of the order: a channel has it, or the store has answered. The store of a sandbox
 * order is simulated and knows at once.
 */
function isWithStore({ mode, receivedAt, status }: Pick<Order, 'mode' | 'receivedAt' | 'status'>): boolean {
  return mode === 'sandbox' || receivedAt !== null || status === 'in_progress' || status === 'completed';
}

/** `Brick Oven starts around 5:25 PM`. */
export function startWords(order: Order, now: Temporal.Instant): string {
  const at = clockWords(kitchenStartsEpochS(order) ?? epochSeconds(now), now, zoneOf(order));
  return `${order.quote.store.name} starts around ${at}`;
}
