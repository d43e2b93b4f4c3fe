import {
  deliveryFeeCents,
  flatAndPercent,
  type StoreTerms,
  serviceFeeCents,
  smallOrderFeeCents,
} from '../../supply/pricing/price-order.ts';
import { calculatedTaxes } from '../../supply/pricing/tax-calculator.ts';
import { sharesOf, type TaxableLine } from '../../supply/pricing/taxes.ts';
import { type FulfilledItem, fulfilledItems, isAsOrdered } from './fulfilled-items.ts';
import { type FrozenQuote, isWeighedOrder, type Order, type QuotedItem } from './order.ts';
import {
  agreedTaxation,
  type ChargedFees,
  type PricedTaxation,
  priceItems,
  type RepricedOrder,
  subtotalOf,
} from './price-items.ts';
import { isBelowMinimum, waivedCentsOf } from './waived.ts';
import { mostCents } from './weighed-order.ts';

/** An order's price as handed off: its items with fees by the agreed terms, limited by the agreed or held total. */

export type Taxation = PricedTaxation & {
  shares: readonly (readonly number[])[];
  /** Of `shares`, the taxes on the store's own prices and fees. */
  storeShares: readonly (readonly number[])[];
  itemShares: readonly (readonly number[])[];
  /** Of `itemShares`, the taxes on the store's own price. */
  itemStoreShares: readonly (readonly number[])[];
  /** Each item's taxed amounts, by tax class. */
  itemLines: readonly (readonly TaxableLine[])[];
};

/**
 * Prices the items handed off (docs/orders.md#a-missing-item); the order of adjustments does not matter. Fewer or
 * cheaper units never raise the price, but by a cent of rounding for each tax of marked-down items. The total never
 * exceeds the agreed one, or the hold for goods heavier than ordered. Without items, the price is zero.
 */
export const repriceOrder = (order: Pick<Order, 'quote' | 'adjustments'>): RepricedOrder => priceTaxation(order).price;

/** The handed-off items' price, the taxed amounts, and the shares of each tax (`sharesOf`). */
export function taxationOf(order: Pick<Order, 'quote' | 'adjustments'>, priced = priceTaxation(order)): Taxation {
  const { items, taxes, lines, fees } = priced;
  const { taxShares, taxCalculation } = order.quote;
  const calculated = taxCalculation && calculatedTaxes(taxCalculation, lines, fees, isWeighedOrder(order.quote)).shares;
  const frozen = items.every(isAsOrdered) ? taxShares : calculated;
  const shares = frozen ?? taxes.map((tax) => sharesOf(tax, lines, fees));
  const storeLines = lines.map((line) => ({ ...line, markupCents: 0 }));
  const storeFees = { ...fees, addedCents: 0 };
  const storeShares = taxes.map((tax) => sharesOf({ ...tax, addedCents: 0 }, storeLines, storeFees));
  const ofItems = {
    itemShares: byItem(items, shares),
    itemStoreShares: byItem(items, storeShares),
    itemLines: byItem(items, [lines]),
  };
  return { ...priced, shares, storeShares, ...ofItems };
}

/** Each item's values of lists by line, such as its shares of each tax: one per tax class. */
function byItem<Of>(items: readonly FulfilledItem[], lists: readonly (readonly Of[])[]): readonly (readonly Of[])[] {
  let at = 0;
  return items.map(({ quantity, taxParts }) => {
    const from = at;
    if (quantity > 0) at += taxParts.length;
    return quantity > 0 ? lists.flatMap((ofLines) => ofLines.slice(from, at)) : [];
  });
}

function priceTaxation({ quote, adjustments }: Pick<Order, 'quote' | 'adjustments'>): PricedTaxation {
  const items = fulfilledItems({ quote, adjustments });
  if (items.every(isAsOrdered)) return agreedTaxation(quote, items);
  const isNothing = items.every(({ quantity }) => quantity === 0);
  const { price, ...priced } = priceItems(quote, items, isNothing ? NO_FEES : feesByTerms(quote, subtotalOf(items)));
  const isAbove = items.some((item, index) => isAboveOrdered(item, quote.items[index]));
  const waived = waivedCentsOf(quote);
  const bound = isAbove ? mostCents(quote) : quote.totalWithTipCents + waived;
  const cents = isNothing ? 0 : Math.min(price.totalWithTipCents, bound);
  const waivedCents = waived > 0 || isBelowMinimum(cents, quote.minimumCents) ? cents : 0;
  const { discountCents } = price;
  const waiving = { discountCents: discountCents + waivedCents, waivedCents, totalWithTipCents: cents - waivedCents };
  return { ...priced, price: { ...price, ...waiving } };
}

/** Whether items sold by weight are heavier or dearer than ordered, so that their order may reach its maximum. */
const isAboveOrdered = (item: FulfilledItem, ordered: QuotedItem | undefined) =>
  ordered?.weight !== undefined &&
  (item.unitCents > ordered.unitCents ||
    item.markedUnitCents > ordered.markedUnitCents ||
    (item.replaces === null && (item.scaled?.milli ?? 0) > ordered.weight.ordered));

/** How much adjustments have lowered the agreed total, in cents. */
export function adjustedCents(order: Pick<Order, 'quote' | 'adjustments'>): number {
  return order.quote.totalWithTipCents - repriceOrder(order).totalWithTipCents;
}

/** The customer's price for the handed-off items, with later tips, when nothing is refunded. */
export function dueCents(order: Pick<Order, 'quote' | 'adjustments' | 'addedTipCents'>): number {
  return repriceOrder(order).totalWithTipCents + order.addedTipCents;
}

/** The amount driver or store collects at the handoff; null if nothing, or nothing anymore. */
export function toCollectCents(order: Pick<Order, 'quote' | 'adjustments' | 'addedTipCents' | 'chargeState'>) {
  return order.chargeState === 'to_collect' ? dueCents(order) : null;
}

const NO_FEES: ChargedFees = { deliveryFeeCents: 0, serviceFeeCents: 0, smallOrderFeeCents: 0, addedFeeCents: 0 };

/** Fees by the agreed terms; none exceeds the agreed one. */
function feesByTerms(quote: FrozenQuote, subtotalCents: number): ChargedFees {
  const { terms, addedFee } = quote;
  const { fees, mode } = terms;
  const serviceFee = mode === 'delivery' ? fees.serviceFee : fees.pickupServiceFee;
  const added = flatAndPercent(addedFee, subtotalCents);
  return {
    deliveryFeeCents: lowestDeliveryFee(terms, subtotalCents, quote),
    serviceFeeCents: serviceFee ? Math.min(serviceFeeCents(serviceFee, subtotalCents), quote.serviceFeeCents) : 0,
    smallOrderFeeCents: Math.min(smallOrderFeeCents(fees.smallOrderFee, subtotalCents), quote.smallOrderFeeCents),
    addedFeeCents: isWeighedOrder(quote) ? Math.min(added, addedFee.totalCents) : added,
  };
}

/**
 * The lowest delivery fee between the new and the agreed subtotal, so that missing a threshold never raises the fee.
 * Fees do not decrease between thresholds, so only the new subtotal and the thresholds above it are checked.
 */
function lowestDeliveryFee({ mode, fees, slotDeliveryFee }: StoreTerms, subtotalCents: number, agreed: FrozenQuote) {
  if (mode === 'pickup') return 0;
  const above = fees.deliveryFee.thresholds
    .map(({ minimumSubtotalCents }) => minimumSubtotalCents)
    .filter((cents) => cents > subtotalCents && cents <= agreed.subtotalCents);
  const amounts = [subtotalCents, ...above].map((cents) => deliveryFeeCents(fees.deliveryFee, slotDeliveryFee, cents));
  return Math.min(...amounts, agreed.deliveryFeeCents);
}
