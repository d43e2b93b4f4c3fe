import type { KeyMode } from '../accounts/account.ts';
import { milesBetween } from '../lib/geo/sphere.ts';
import type { DeliveryFee, ServiceFee, SmallOrderFee } from '../stores/fees.ts';
import type { Mode } from '../stores/mode.ts';
import type { DeliveryOffer, Store } from '../stores/store.ts';
import { storeOpenStateAt } from '../stores/store-open-state.ts';
import { estimateDelivery, estimatePickup, type TimeEstimate } from '../stores/time-estimate.ts';
import type { QuoteErrorType } from './quote-error.ts';
import { salesTaxPercentOf } from './sales-tax-table.ts';
import { offeredSlots, type Slot, type SlotQuestion } from './slots.ts';

/** Where the customer is, in degrees; a delivery quote needs it. */
export type Door = { latitude: number; longitude: number };

/**
 * The fees, minutes and windows of a store for one mode at one moment. Fees that the mode does not have are zero, so
 * that every fee can be priced and shown as it is; a threshold never brings back a pickup's delivery fee.
 */
export type Quote = {
  mode: Mode;
  estimate: TimeEstimate;
  slots: readonly Slot[];
  asapAvailable: boolean;
  salesTaxPercent: number;
  orderMinimumCents: number;
  deliveryFee: DeliveryFee;
  serviceFee: ServiceFee;
  smallOrderFee: SmallOrderFee;
  /** The party that delivers; a pickup counts as first party. */
  party: DeliveryOffer['party'];
};

export type QuoteQuestion = {
  store: Store;
  mode: Mode;
  /** The key that asks: a live key gets no quote of a store that would not learn of its order. */
  keyMode: KeyMode;
  /** Null only for a pickup, which does not look at range. */
  door: Door | null;
  now: Temporal.Instant;
  /** The result of `slotsOffered` for the same store, mode and moment; callers may cache it. */
  slots: readonly Slot[];
};

const NO_DELIVERY_FEE: DeliveryFee = { flatCents: 0, percent: 0, taxable: false, thresholds: [] };
const NO_SERVICE_FEE: ServiceFee = { flatCents: 0, percent: 0, minCents: 0, maxCents: null, taxable: false };

/** The quote, or the quote error of the highest precedence (docs/behaviour.md#quote-errors). */
export function quoteFor(question: QuoteQuestion): Quote | { error: QuoteErrorType } {
  const { store, mode, keyMode, door, now, slots } = question;
  const notAvailable = mode === 'pickup' ? 'PICKUP_NOT_AVAILABLE' : 'DELIVERY_NOT_AVAILABLE';
  const offer = store[mode];
  if (!store.onlineOrdering || !store.hasCatalogue || !store.listed) return { error: 'STORE_NOT_AVAILABLE' };
  if (keyMode === 'live' && !store.hasChannel) return { error: 'STORE_NOT_AVAILABLE' };
  if (!offer.enabled || !offer.accepting) return { error: notAvailable };

  const miles = door === null ? 0 : milesBetween(store, door);
  if (mode === 'delivery' && miles > store.delivery.radiusMiles) return { error: 'OUT_OF_RANGE' };

  const asapAvailable = storeOpenStateAt(store, mode, now).open;
  if (!asapAvailable && slots.length === 0) {
    const storeOpen = storeOpenStateAt(store, 'operational', now).open;
    return { error: storeOpen ? notAvailable : 'STORE_CLOSED' };
  }
  const { fees } = store;
  const delivered = mode === 'delivery';
  return {
    mode,
    estimate: delivered ? estimateDelivery(offer.prepMinutes, miles) : estimatePickup(offer.prepMinutes),
    slots,
    asapAvailable,
    salesTaxPercent: fees.salesTaxPercent ?? salesTaxPercentOf(store.address.country, store.address.state),
    orderMinimumCents: fees.orderMinimumCents,
    deliveryFee: delivered ? fees.deliveryFee : NO_DELIVERY_FEE,
    serviceFee: delivered ? fees.serviceFee : (fees.pickupServiceFee ?? NO_SERVICE_FEE),
    smallOrderFee: fees.smallOrderFee,
    party: delivered ? store.delivery.party : 'first',
  };
}

/** The windows that a store offers for one mode now; `fullStarts` are the starts of full windows, in epoch seconds. */
export function slotsOffered(store: Store, mode: Mode, now: Temporal.Instant, fullStarts: ReadonlySet<number>): Slot[] {
  return offeredSlots(slotQuestionOf(store, mode, now, fullStarts));
}

/** The same question for `isSlotOffered`: whether one window may still be ordered. */
export function slotQuestionOf(
  store: Store,
  mode: Mode,
  now: Temporal.Instant,
  fullStarts: ReadonlySet<number>,
): SlotQuestion {
  const { hours, timeZone, scheduling, pausedUntil } = store;
  return { hours: hours[mode], timeZone, scheduling, pausedUntil, now, fullStarts };
}
