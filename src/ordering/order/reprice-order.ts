import {
  chargedTaxes,
  deliveryFeeCents,
  flatAndPercent,
  type StoreTerms,
  serviceFeeCents,
  smallOrderFeeCents,
  taxableFees,
  taxableLines,
} from '../../supply/pricing/price-order.ts';
import { calculatedTaxes } from '../../supply/pricing/tax-calculator.ts';
import {
  sharesOf,
  type TaxableFees,
  type TaxableLine,
  type TaxOnOrder,
  taxesByName,
  taxesOn,
  taxOfRate,
} from '../../supply/pricing/taxes.ts';
import { type FulfilledItem, fulfilledItems, isAsOrdered } from './fulfilled-items.ts';
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

type PricedTaxation = {
  price: RepricedOrder;
  items: readonly FulfilledItem[];
  taxes: readonly TaxOnOrder[];
  lines: readonly TaxableLine[];
  fees: TaxableFees;
};
export type Taxation = PricedTaxation & {
  shares: readonly (readonly number[])[];
  /** Of `shares`, the taxes on the store's own prices and fees. */
  storeShares: readonly (readonly number[])[];
  itemShares: readonly (readonly number[])[];
  /** Of `itemShares`, the taxes on the store's own price. */
  itemStoreShares: readonly (readonly number[])[];
};

/**
 * Prices the items that are handed over (docs/orders.md#a-missing-item), whatever the sequence of adjustments. Fewer or
 * cheaper units never raise the price, but by a cent of rounding for each tax of marked-down items, and the total never
 * exceeds the agreed one. Without items, the price is zero.
 */
export function repriceOrder(order: Pick<Order, 'quote' | 'adjustments'>): RepricedOrder {
  return priceTaxation(order).price;
}

/**
 * Cents of tax on each item that is handed over: for each of the order's taxes, one amount per tax class of the item.
 */
export function itemTaxes(order: Pick<Order, 'quote' | 'adjustments'>): readonly (readonly number[])[] {
  return taxationOf(order).itemShares;
}

/** The price of the items that are handed over, the taxed amounts, and the shares of each tax (`sharesOf`). */
export function taxationOf(order: Pick<Order, 'quote' | 'adjustments'>): Taxation {
  const priced = priceTaxation(order);
  const { items, taxes, lines, fees } = priced;
  const { taxShares, taxCalculation } = order.quote;
  const calculated = taxCalculation && calculatedTaxes(taxCalculation, lines, fees).shares;
  const frozen = items.every(isAsOrdered) ? taxShares : calculated;
  const shares = frozen ?? taxes.map((tax) => sharesOf(tax, lines, fees));
  const storeLines = lines.map((line) => ({ ...line, markupCents: 0 }));
  const storeFees = { ...fees, addedCents: 0 };
  const storeShares = taxes.map((tax) => sharesOf({ ...tax, addedCents: 0 }, storeLines, storeFees));
  const ofItems = { itemShares: byItem(items, shares), itemStoreShares: byItem(items, storeShares) };
  return { ...priced, shares, storeShares, ...ofItems };
}

/** The shares of each item in each tax, one amount per tax class of the item. */
function byItem(items: readonly FulfilledItem[], shares: Taxation['shares']): Taxation['itemShares'] {
  let at = 0;
  return items.map(({ quantity, taxParts }) => {
    const from = at;
    if (quantity > 0) at += taxParts.length;
    return quantity > 0 ? shares.flatMap((ofTax) => ofTax.slice(from, at)) : [];
  });
}

function priceTaxation({ quote, adjustments }: Pick<Order, 'quote' | 'adjustments'>): PricedTaxation {
  const items = fulfilledItems({ quote, adjustments });
  const handedOver = items.filter(({ quantity }) => quantity > 0);
  const lines = taxableLines(handedOver);
  if (items.every(isAsOrdered)) return agreedTaxation(quote, items, lines);
  const { terms, addedFee } = quote;
  const subtotalCents = handedOver.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0);
  const markedCents = handedOver.reduce((sum, { markedUnitCents, quantity }) => sum + markedUnitCents * quantity, 0);
  const charged = handedOver.length === 0 ? NO_FEES : feesByTerms(quote, subtotalCents);
  const addedFeeCents = handedOver.length === 0 ? 0 : flatAndPercent(addedFee, subtotalCents);
  const fees = taxableFees(terms, charged, orderedLines(quote), addedFee.taxable ? addedFeeCents : 0);
  const calculated = quote.taxCalculation && calculatedTaxes(quote.taxCalculation, lines, fees);
  const taxes = calculated?.taxes ?? taxesOn(lines, fees, terms.fees.taxes);
  const salesTaxCents = taxes.reduce((sum, { cents }) => sum + cents, 0);
  const addedSalesTaxCents = taxes.reduce((sum, { addedCents }) => sum + addedCents, 0);
  const { deliveryFeeCents: delivery, serviceFeeCents: service, smallOrderFeeCents: small } = charged;
  const unchanged = quote.tipCents + quote.miscFees.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const total =
    markedCents + delivery + service + small + salesTaxCents + addedFeeCents + addedSalesTaxCents + unchanged;
  const price = {
    subtotalCents,
    ...charged,
    salesTaxCents,
    taxes: chargedTaxes(taxes, lines).taxes,
    markupCents: markedCents - subtotalCents,
    addedFeeCents,
    addedSalesTaxCents,
    totalWithTipCents: handedOver.length === 0 ? 0 : Math.min(total, quote.totalWithTipCents),
  };
  return { price, items, taxes, lines, fees };
}

/** Cents by which adjustments have lowered the agreed total. */
export function adjustedCents(order: Pick<Order, 'quote' | 'adjustments'>): number {
  return order.quote.totalWithTipCents - repriceOrder(order).totalWithTipCents;
}

/** The customer's price of the items that are handed over, with later tips, when nothing is refunded. */
export function dueCents(order: Pick<Order, 'quote' | 'adjustments' | 'addedTipCents'>): number {
  return repriceOrder(order).totalWithTipCents + order.addedTipCents;
}

/** What driver or store collects at the handover; null if nothing, or not any more. */
export function toCollectCents(
  order: Pick<Order, 'quote' | 'adjustments' | 'addedTipCents' | 'chargeState'>,
): number | null {
  return order.chargeState === 'to_collect' ? dueCents(order) : null;
}

const NO_FEES = { deliveryFeeCents: 0, serviceFeeCents: 0, smallOrderFeeCents: 0 };

function agreedTaxation(
  quote: FrozenQuote,
  items: readonly FulfilledItem[],
  lines: readonly TaxableLine[],
): PricedTaxation {
  const { subtotalCents, deliveryFeeCents, serviceFeeCents, smallOrderFeeCents, salesTaxCents, markupCents } = quote;
  const { addedFee, taxes, totalWithTipCents } = quote;
  const price = {
    subtotalCents,
    deliveryFeeCents,
    serviceFeeCents,
    smallOrderFeeCents,
    salesTaxCents,
    taxes,
    markupCents,
    addedFeeCents: addedFee.totalCents,
    addedSalesTaxCents: addedFee.salesTaxCents,
    totalWithTipCents,
  };
  const rates = quote.terms.fees.taxes;
  const named = quote.taxCalculation ? rates.map(taxOfRate) : taxesByName(rates);
  const charged = named.map((tax, at) => ({
    tax,
    cents: taxes[at]?.cents ?? 0,
    addedCents: addedFee.taxes[at]?.cents ?? 0,
  }));
  const fees = taxableFees(quote.terms, quote, orderedLines(quote), addedFee.taxable ? addedFee.totalCents : 0);
  return { price, items, taxes: charged, lines, fees };
}

/** Fees by the agreed terms; none exceeds the agreed one. */
function feesByTerms(
  quote: FrozenQuote,
  subtotalCents: number,
): Pick<RepricedOrder, 'deliveryFeeCents' | 'serviceFeeCents' | 'smallOrderFeeCents'> {
  const { terms } = quote;
  const { fees, mode } = terms;
  const serviceFee = mode === 'delivery' ? fees.serviceFee : fees.pickupServiceFee;
  return {
    deliveryFeeCents: lowestDeliveryFee(terms, subtotalCents, quote),
    serviceFeeCents: serviceFee ? Math.min(serviceFeeCents(serviceFee, subtotalCents), quote.serviceFeeCents) : 0,
    smallOrderFeeCents: Math.min(smallOrderFeeCents(fees.smallOrderFee, subtotalCents), quote.smallOrderFeeCents),
  };
}

/** The goods that fees are taxed with, whatever is handed over; none where a tax service has taxed the fees. */
function orderedLines(quote: FrozenQuote): readonly TaxableLine[] {
  return quote.taxCalculation ? [] : taxableLines(fulfilledItems({ quote, adjustments: [] }));
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
