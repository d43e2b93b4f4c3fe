import { present } from 'doorstep/collections';
import type { Refund } from '../../ordering/money/refund.ts';
import { fulfilledItems, refundUnits } from '../../ordering/order/fulfilled-items.ts';
import type { Order } from '../../ordering/order/order.ts';
import { offeredAtOf, tipOf } from '../../ordering/order/order-view.ts';
import { shareOf } from '../../platform/lib/money.ts';
import type { Milli, WeightUnit } from '../../supply/pricing/weight.ts';

/**
 * A store's sales by dish, hour and day (docs/store-api.md#sales). They include the handed-off units of completed
 * orders after missing items and substitutes, at the store's list prices, less refunds. An order belongs to the moment
 * when it was sent to the store, on the store's clock.
 */

/** A sold dish, or items sold by weight in one unit. */
export type SoldDish = Omit<SoldLine, 'productId'>;

/** The columns of an order that its store's sales follow from. */
export const SOLD_FIELDS = [
  ...([
    'orderId',
    'orderNumber',
    'status',
    'quote',
    'adjustments',
    'addedTipCents',
    'waivedTipCents',
    'chargedCents',
  ] as const),
  ...(['refundedCents', 'refundedAccountCents', 'refundingCents', 'cancelReason'] as const),
  ...(['chargeState', 'driverStage', 'moneyPlan', 'authorizedCents', 'capturedCents'] as const),
  ...(['createdAt', 'placedAt', 'offerAt'] as const),
] as const;
export type SoldOrder = Pick<Order, (typeof SOLD_FIELDS)[number]> & { pickup: boolean };

/** Units of a dish that were handed off, and the store's revenue from them in cents, without fees and taxes. */
export type SoldLine = { productId: string; name: string; units: number; weight?: SoldWeight; revenueCents: number };

/** The weight of items sold by weight; each of their lines is one unit. */
export type SoldWeight = { milli: Milli; unit: WeightUnit };

/** A pending refund counts as made; a rejected one returned nothing. */
const refundedBy = ({ state, cents, refundedCents }: Refund) => (state === 'pending' ? cents : refundedCents);

/**
 * The lines of an order that were handed off; none unless it is completed. Refunded units take back their price. A
 * refund by amount takes from each line the part that it is of the charge, one by the store the part that it is of the
 * items, rounded once per line.
 */
export function soldLines(
  order: Pick<SoldOrder, 'status' | 'quote' | 'adjustments' | 'chargedCents'>,
  refunds: readonly Refund[],
): SoldLine[] {
  if (order.status !== 'completed') return [];
  // The refund of a missing item, or of goods that weighed less, pays for units that the lines no longer contain.
  const own = refunds.filter(({ kind }) => kind !== 'item_changed' && kind !== 'weighed');
  const ofItems = own.filter((refund) => refund.items.length > 0 && refundedBy(refund) === refund.cents);
  const byStore = own.filter((refund) => !ofItems.includes(refund) && refund.requestedBy === 'store');
  const byAmountCents = sumOf(own.filter((refund) => !ofItems.includes(refund) && !byStore.includes(refund)));
  const byStoreCents = byStore.reduce((sum, { shares }) => sum + shares.salesCents, 0);
  const leftCents =
    order.chargedCents - sumOf(refunds.filter((refund) => !own.includes(refund) || ofItems.includes(refund)));
  const sold = fulfilledItems(order);
  const soldCents = sold.reduce((sum, { quantity, listUnitCents }) => sum + quantity * listUnitCents, 0);
  return sold.flatMap((item, index) => {
    const { productId, name, quantity, listUnitCents } = item;
    if (quantity === 0) return [];
    const refundedUnits = ofItems.flatMap(({ items }) => items).filter((item) => item.index === index);
    const units = refundedUnits.reduce((sum, item) => sum + item.quantity, 0);
    const all = refundUnits(item);
    const cents = shareOf(listUnitCents * quantity, Math.max(0, all - units), all);
    const part = leftCents <= 0 ? 0 : shareOf(cents, Math.min(byAmountCents, leftCents), leftCents);
    const ofStore = soldCents === 0 ? 0 : shareOf(byStoreCents, listUnitCents * quantity, soldCents);
    const weight = item.weight && { milli: all, unit: item.weight.unit };
    return [{ productId, name, units: quantity, ...present({ weight }), revenueCents: cents - part - ofStore }];
  });
}

const sumOf = (refunds: readonly Refund[]) => refunds.reduce((sum, refund) => sum + refundedBy(refund), 0);

/** Orders and units handed off, and their revenue. */
export type SoldTotals = { orders: number; units: number; revenueCents: number };

/** All orders of the days, those under way included; canceled ones only in `canceled` and `refundedCents`. */
type OrderTotals = {
  orders: number;
  deliveries: number;
  pickups: number;
  canceled: number;
  /** The store's revenue: items, its fees, taxes and tips. */
  totalCents: number;
  tipsCents: number;
  taxesCents: number;
  /** The store's part of refunds, for canceled orders and missing items too. */
  refundedCents: number;
};

export type Sales = {
  totals: OrderTotals;
  handedOver: SoldTotals;
  dishes: Map<string, SoldDish>;
  /** By hour of the day, from 0. */
  hours: SoldTotals[];
  /** By date of the store's calendar. */
  days: Map<string, SoldTotals>;
};

const nothing = (): SoldTotals => ({ orders: 0, units: 0, revenueCents: 0 });

/** Sales of these dates before the first order. */
export function emptySales(dates: readonly string[]): Sales {
  const totals = { orders: 0, deliveries: 0, pickups: 0, canceled: 0 };
  const cents = { totalCents: 0, tipsCents: 0, taxesCents: 0, refundedCents: 0 };
  return {
    totals: { ...totals, ...cents },
    handedOver: nothing(),
    dishes: new Map(),
    hours: Array.from({ length: 24 }, nothing),
    days: new Map(dates.map((date) => [date, nothing()])),
  };
}

export type SaleInput = {
  order: SoldOrder;
  refunds: readonly Refund[];
  /** The store's revenue from the order, without tip, and its part of the refunds. */
  part: { totalCents: number; taxesCents: number; refundedCents: number };
  timeZone: string;
  /** A dish that keeps its identity while its name and token change. */
  dishOf(productId: string): string;
};

/** Adds an order to the sums. */
export function addSale(sales: Sales, { order, refunds, part, timeZone, dishOf }: SaleInput): void {
  addToTotals(sales.totals, order, part);
  if (order.status !== 'completed') return;
  const lines = soldLines(order, refunds);
  const units = lines.reduce((sum, line) => sum + line.units, 0);
  const revenueCents = lines.reduce((sum, line) => sum + line.revenueCents, 0);
  const local = offeredAtOf(order).toZonedDateTimeISO(timeZone);
  const sums = [sales.handedOver, sales.hours[local.hour], sales.days.get(local.toPlainDate().toString())];
  for (const sum of sums) {
    if (!sum) continue;
    sum.orders += 1;
    sum.units += units;
    sum.revenueCents += revenueCents;
  }
  for (const line of lines) {
    const { name, weight } = line;
    const key = `${dishOf(line.productId)} ${weight?.unit ?? ''}`;
    const dish = sales.dishes.get(key) ?? { name, units: 0, revenueCents: 0 };
    dish.units += line.units;
    if (weight) dish.weight = { ...weight, milli: weight.milli + (dish.weight?.milli ?? 0) };
    dish.revenueCents += line.revenueCents;
    sales.dishes.set(key, dish);
  }
}

function addToTotals(totals: OrderTotals, order: SoldOrder, part: SaleInput['part']): void {
  totals.refundedCents += part.refundedCents;
  if (order.status === 'canceled') {
    totals.canceled += 1;
    return;
  }
  const tip = tipOf(order);
  totals.orders += 1;
  totals.deliveries += order.pickup ? 0 : 1;
  totals.pickups += order.pickup ? 1 : 0;
  totals.totalCents += part.totalCents + tip;
  totals.tipsCents += tip;
  totals.taxesCents += part.taxesCents;
}
