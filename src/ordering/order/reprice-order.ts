import {
  chargedTaxes,
  deliveryFeeCents,
  flatAndPercent,
  type StoreTerms,
  serviceFeeCents,
  smallOrderFeeCents,
  taxOn,
  taxPercents,
} from '../../supply/pricing/price-order.ts';
import { type FulfilledItem, fulfilledItems } from './fulfilled-items.ts';
import type { FrozenQuote, Order } from './order.ts';

/** Amounts of an order that adjustments may lower, in cents. */
export type RepricedOrder = Pick<
  FrozenQuote,
  | 'subtotalCents'
  | 'deliveryFeeCents'
  | 'serviceFeeCents'
  | 'smallOrderFeeCents'
  | 'salesTaxCents'
  | 'taxes'
  | 'markupCents'
> & { addedFeeCents: number; addedSalesTaxCents: number; totalWithTipCents: number };

/**
 * Prices the items that are handed over (docs/orders.md#a-missing-item), whatever the sequence of adjustments. Fewer or
 * cheaper units never raise the price, and the total never exceeds the agreed one. Without items, the price is zero.
 */
export function repriceOrder({ quote, adjustments }: Pick<Order, 'quote' | 'adjustments'>): RepricedOrder {
  const items = fulfilledItems({ quote, adjustments });
  if (items.every(isAsOrdered)) return agreedPrice(quote);
  if (items.every(({ quantity }) => quantity === 0)) return NOTHING;
  const subtotalCents = items.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0);
  const markedCents = items.reduce((sum, { markedUnitCents, quantity }) => sum + markedUnitCents * quantity, 0);
  const markupCents = markedCents - subtotalCents;
  const { addedFee } = quote;
  const addedFeeCents = flatAndPercent(addedFee, subtotalCents);
  const sums: Sums = { subtotalCents, markupCents, addedFeeCents: addedFee.taxable ? addedFeeCents : 0 };
  const part = byTerms(quote, sums, items);
  const unchanged = quote.tipCents + quote.miscFees.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const { deliveryFeeCents: delivery, serviceFeeCents: service, smallOrderFeeCents: small } = part;
  const total =
    markedCents + delivery + service + small + part.salesTaxCents + addedFeeCents + part.addedSalesTaxCents + unchanged;
  return {
    subtotalCents,
    markupCents,
    addedFeeCents,
    ...part,
    totalWithTipCents: Math.min(total, quote.totalWithTipCents),
  };
}

function isAsOrdered({ quantity, orderedQuantity, replaces }: FulfilledItem): boolean {
  return quantity === orderedQuantity && replaces === null;
}

/** Cents by which adjustments have lowered the agreed total. */
export function adjustedCents(order: Pick<Order, 'quote' | 'adjustments'>): number {
  return order.quote.totalWithTipCents - repriceOrder(order).totalWithTipCents;
}

const NOTHING: RepricedOrder = {
  subtotalCents: 0,
  deliveryFeeCents: 0,
  serviceFeeCents: 0,
  smallOrderFeeCents: 0,
  salesTaxCents: 0,
  markupCents: 0,
  addedFeeCents: 0,
  addedSalesTaxCents: 0,
  totalWithTipCents: 0,
};

function agreedPrice(quote: FrozenQuote): RepricedOrder {
  const { subtotalCents, deliveryFeeCents, serviceFeeCents, smallOrderFeeCents, salesTaxCents, markupCents, taxes } =
    quote;
  return {
    subtotalCents,
    deliveryFeeCents,
    serviceFeeCents,
    smallOrderFeeCents,
    salesTaxCents,
    ...(taxes ? { taxes } : {}),
    markupCents,
    addedFeeCents: quote.addedFee.totalCents,
    addedSalesTaxCents: quote.addedFee.salesTaxCents,
    totalWithTipCents: quote.totalWithTipCents,
  };
}

/** The new subtotal and markup, and the taxed part of the added fee. */
type Sums = { subtotalCents: number; markupCents: number; addedFeeCents: number };
type FeesAndTaxes = Pick<
  RepricedOrder,
  'deliveryFeeCents' | 'serviceFeeCents' | 'smallOrderFeeCents' | 'salesTaxCents' | 'taxes' | 'addedSalesTaxCents'
>;

/** Fees and taxes by the agreed terms; no fee exceeds the agreed one. */
function byTerms(
  quote: FrozenQuote,
  { subtotalCents, markupCents, addedFeeCents }: Sums,
  items: readonly FulfilledItem[],
): FeesAndTaxes {
  const { terms } = quote;
  const { fees, slotDeliveryFee } = terms;
  const percents = taxPercents(terms);
  const serviceFee = terms.mode === 'delivery' ? fees.serviceFee : fees.pickupServiceFee;
  const delivery = lowestDeliveryFee(terms, subtotalCents, quote);
  const service = serviceFee ? Math.min(serviceFeeCents(serviceFee, subtotalCents), quote.serviceFeeCents) : 0;
  const small = Math.min(smallOrderFeeCents(fees.smallOrderFee, subtotalCents), quote.smallOrderFeeCents);
  const taxedDelivery = (slotDeliveryFee ?? fees.deliveryFee).taxable ? delivery : 0;
  const storeBase = subtotalCents + taxedDelivery + (serviceFee?.taxable ? service : 0);
  const tax = taxOn(percents, storeBase);
  const taxes = chargedTaxes(terms, storeBase);
  const addedBase = markupCents + addedFeeCents;
  return {
    deliveryFeeCents: delivery,
    serviceFeeCents: service,
    smallOrderFeeCents: small,
    salesTaxCents: tax,
    ...(taxes ? { taxes } : {}),
    addedSalesTaxCents: items.some(isMarkedDown)
      ? taxOn(percents, storeBase + addedBase) - tax
      : taxOn(percents, addedBase),
  };
}

/**
 * Whether an item was agreed below its store's price. Its units move the two tax bases in opposite directions, and two
 * roundings of a tax could then make fewer units a cent more expensive. So each tax is rounded once over both bases.
 */
function isMarkedDown({ unitCents, markedUnitCents, replaces }: FulfilledItem): boolean {
  const agreed = replaces ?? { unitCents, markedUnitCents };
  return agreed.markedUnitCents < agreed.unitCents;
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
