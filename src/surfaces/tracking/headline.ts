import { firstName } from 'doorstep/search-engine/text';
import { isBeforeKitchenStart, kitchenStartsEpochS } from '../../ordering/order/kitchen-times.ts';
import type { Order, QuotedSlot } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { goingBackCents } from '../../ordering/order/order-view.ts';
import { cancelReasonInWords } from '../../ordering/order/wording.ts';
import { momentAt } from '../../platform/languages/format.ts';
import type { Locale } from '../../texts/catalogs.ts';

/** An order's current state in plain words; `tone` decides the color. */
export type Headline = { title: string; detail: string; tone: 'waiting' | 'moving' | 'done' | 'canceled' };

/** Returns the headline for a waiting customer, and a sentence with details. */
export function headlineOf(order: Order, locale: Locale, now: Temporal.Instant): Headline {
  const { headline } = locale.words.customer;
  const { scheduled } = order.quote;
  if (scheduled && isBeforeKitchenStart(order, now)) return scheduledHeadline(order, scheduled, locale, now);
  switch (order.status) {
    case 'unplaced':
      return { title: headline.notPlaced, detail: headline.notPlacedDetail, tone: 'waiting' };
    case 'awaiting_confirmation':
      return { title: awaitingTitle(order, locale, now), detail: awaitingDetail(order, locale, now), tone: 'waiting' };
    case 'canceled':
      return {
        title: headline.canceled,
        detail: `${cancelReasonInWords(order.cancelReason, locale)} ${refundWords(order, locale)}`,
        tone: 'canceled',
      };
    case 'completed':
      return completedHeadline(order, locale);
    case 'in_progress': {
      const shown = order.request.mode === 'pickup' ? pickupHeadline(order, locale) : deliveryHeadline(order, locale);
      return goingBackCents(order) > 0 ? { ...shown, detail: `${shown.detail} ${refundWords(order, locale)}` } : shown;
    }
  }
}

function completedHeadline(order: Order, locale: Locale): Headline {
  const { headline } = locale.words.customer;
  const isPickup = order.request.mode === 'pickup';
  if (goingBackCents(order) === 0) {
    const [title, detail] = isPickup
      ? [headline.pickedUp, headline.pickedUpDetail]
      : [headline.delivered, headline.deliveredDetail];
    return { title, detail, tone: 'done' };
  }
  const amount = locale.format.money(goingBackCents(order));
  const title = (isPickup ? headline.pickedUpRefund : headline.deliveredRefund)({ amount });
  return { title, detail: refundWords(order, locale), tone: 'done' };
}

/** Writes the headline of a scheduled order before preparation: its slot. */
function scheduledHeadline(order: Order, slot: QuotedSlot, locale: Locale, now: Temporal.Instant): Headline {
  const { words, format } = locale;
  const { scheduled, confirmed, startsAround } = words.customer.headline;
  const title = scheduled({ time: format.slot(slot, orderZone(order), now) });
  if (order.status === 'awaiting_confirmation') {
    return { title, detail: awaitingDetail(order, locale, now), tone: 'waiting' };
  }
  const store = order.quote.store.name;
  const sentences = [
    confirmed({ store }),
    ...(order.request.mode === 'pickup' ? [startsAround({ store, time: startTime(order, locale, now) })] : []),
  ];
  return { title, detail: sentences.join(' '), tone: 'waiting' };
}

function awaitingTitle(order: Order, { words }: Locale, now: Temporal.Instant): string {
  const { placed, waiting, sending } = words.customer.headline;
  const store = order.quote.store.name;
  if (offeredLater(order, now)) return placed;
  return isWithStore(order) ? waiting({ store }) : sending({ store });
}

function awaitingDetail(order: Order, locale: Locale, now: Temporal.Instant): string {
  const { words, format } = locale;
  const { cancelsAt, cancelsAndRefundsAt } = words.customer.headline;
  const first = whenStoreHasIt(order, locale, now);
  if (!order.confirmBy) return first;
  const time = format.moment(order.confirmBy, orderZone(order), now);
  return `${first} ${order.chargedCents > 0 ? cancelsAndRefundsAt({ time }) : cancelsAt({ time })}`;
}

function whenStoreHasIt(order: Order, { words, format }: Locale, now: Temporal.Instant): string {
  const { storeGetsItBy, storeHasIt, storeLacksIt } = words.customer.headline;
  const store = order.quote.store.name;
  const later = offeredLater(order, now);
  if (later) return storeGetsItBy({ store, time: format.moment(later, orderZone(order), now) });
  return isWithStore(order) ? storeHasIt({ store }) : storeLacksIt({ store });
}

/** Returns when a scheduled order is offered to its store, if that is still to come; it may be hours after placing. */
function offeredLater({ offerAt }: Order, now: Temporal.Instant): Temporal.Instant | undefined {
  return offerAt && Temporal.Instant.compare(offerAt, now) > 0 ? offerAt : undefined;
}

function pickupHeadline({ isReady, quote, request }: Order, { words }: Locale): Headline {
  const { headline } = words.customer;
  const store = quote.store.name;
  if (!isReady) return { title: headline.preparing, detail: headline.confirmed({ store }), tone: 'moving' };
  const name = firstName(request.customer.name);
  const detail = name === '' ? headline.pickUpAt({ store }) : headline.pickUpAs({ store, name });
  return { title: headline.readyForPickup, detail, tone: 'moving' };
}

function deliveryHeadline(order: Order, { words }: Locale): Headline {
  const { headline } = words.customer;
  const store = order.quote.store.name;
  const driver = driverName(order);
  const kitchen = order.isReady ? headline.ready : headline.preparing;
  switch (order.driverStage) {
    case 'nearby':
      return { title: headline.almostThere({ driver }), detail: headline.meetDriver, tone: 'moving' };
    case 'picked_up':
      return { title: headline.onTheWay({ driver }), detail: headline.hasLeft({ store }), tone: 'moving' };
    case 'assigned':
      return { title: kitchen, detail: headline.driverToStore({ driver, store }), tone: 'moving' };
    case 'none':
      return {
        title: kitchen,
        detail: order.isReady ? headline.driverSoon : headline.confirmed({ store }),
        tone: 'moving',
      };
  }
}

/** Returns the driver's first name; undefined if unknown. */
export function driverName({ driver }: Pick<Order, 'driver'>): string | undefined {
  return firstName(driver.name ?? '') || undefined;
}

/** Returns the state of an order's refund, in words. */
function refundWords(order: Order, { words, format }: Locale): string {
  const { refunded, refundedInFull, refunding, notCharged } = words.customer.headline;
  const { chargedCents, refundingCents, refundedCents, quote } = order;
  const backCents = goingBackCents(order);
  const amount = format.money(Math.min(backCents, refundingCents || backCents));
  if (order.collectedCents !== null) {
    return words.customer.mail.handedBack({ amount: format.money(backCents), store: quote.store.name });
  }
  if (backCents === 0) return notCharged;
  if (refundingCents > 0) return refunding({ amount });
  return (refundedCents === chargedCents ? refundedInFull : refunded)({ amount });
}

/**
 * Whether people at the store can know of the order, because a channel has it or the store has answered. The store of a
 * sandbox order is simulated and knows at once.
 */
function isWithStore({ mode, receivedAt, status }: Pick<Order, 'mode' | 'receivedAt' | 'status'>): boolean {
  return mode === 'sandbox' || receivedAt !== null || status === 'in_progress' || status === 'completed';
}

/** Formats when the store starts preparing the order. */
export function startTime(order: Order, { format }: Locale, now: Temporal.Instant): string {
  const startsEpochS = kitchenStartsEpochS(order);
  return format.moment(startsEpochS === undefined ? now : momentAt(startsEpochS), orderZone(order), now);
}
