import { percentOf } from '../lib/money.ts';
import type { DeliveryFee, ServiceFee, SmallOrderFee } from '../stores/fees.ts';
import { MAX_ORDER_CENTS, withinOrderLimit } from './order-limit.ts';

/** The flat part and percentage that a window charges in place of the store's base delivery fee. */
export type SlotDeliveryFee = Pick<DeliveryFee, 'flatCents' | 'percent' | 'taxable'>;

/** `percentOf` for amounts of an order: over the order limit it refuses instead of throwing. */
export function percentWithinLimit(percent: number, cents: number): number {
  const estimate = Math.abs((percent / 100) * cents);
  if (estimate > 2 * MAX_ORDER_CENTS) return withinOrderLimit(estimate);
  return withinOrderLimit(percentOf(percent, cents));
}

/** Flat cents plus a percentage of the base; only the percentage is rounded, so the sum is rounded once. */
export function flatAndPercent(fee: { flatCents: number; percent: number }, baseCents: number): number {
  return withinOrderLimit(fee.flatCents + percentWithinLimit(fee.percent, baseCents));
}

/**
 * The flat part and percentage that a subtotal's delivery is charged by: the threshold with the largest minimum that it
 * reaches, else the window's own fee, else the base fee. Of thresholds with the same minimum the first counts.
 */
export function deliveryRateAt(
  fee: DeliveryFee,
  slotFee: SlotDeliveryFee | null,
  subtotalCents: number,
): { flatCents: number; percent: number } {
  let best: DeliveryFee['thresholds'][number] | undefined;
  for (const threshold of fee.thresholds) {
    const reached = threshold.minimumSubtotalCents <= subtotalCents;
    if (reached && (!best || threshold.minimumSubtotalCents > best.minimumSubtotalCents)) best = threshold;
  }
  return best ?? slotFee ?? fee;
}

/** Delivery fee in cents, by the rate of the subtotal. */
export function deliveryFeeCents(fee: DeliveryFee, slotFee: SlotDeliveryFee | null, subtotalCents: number): number {
  return flatAndPercent(deliveryRateAt(fee, slotFee, subtotalCents), subtotalCents);
}

/** Service fee in cents, rounded and then clamped; where minimum and maximum contradict, the maximum holds. */
export function serviceFeeCents(fee: ServiceFee, subtotalCents: number): number {
  const cents = Math.max(flatAndPercent(fee, subtotalCents), fee.minCents);
  return withinOrderLimit(fee.maxCents === null ? cents : Math.min(cents, fee.maxCents));
}

/** Small-order fee in cents: zero from the minimum on. */
export function smallOrderFeeCents(fee: SmallOrderFee, subtotalCents: number): number {
  return subtotalCents < fee.minimumOrderCents ? flatAndPercent(fee, subtotalCents) : 0;
}
