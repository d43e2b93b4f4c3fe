import {
  deliveryFeeCents,
  flatAndPercent,
  type StoreTerms,
  serviceFeeCents,
  smallOrderFeeCents,
  taxableFees,
  taxableLines,
  taxesOfTerms,
} from '../../supply/pricing/price-order.ts';
import { calculatedTaxes } from '../../supply/pricing/tax-calculator.ts';
import { sharesOf, type TaxableFees, type TaxableLine, type TaxOnOrder, taxesOn } from '../../supply/pricing/taxes.ts';
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

type PricedTaxation = {
  price: RepricedOrder;
  items: readonly FulfilledItem[];
  taxes: readonly TaxOnOrder[];
  lines: readonly TaxableLine[];
  fees: TaxableFees;
};
type Taxation = PricedTaxation & {
  shares: readonly (readonly number[])[];
  itemShares: readonly (readonly number[])[];
};

/**
 * Prices the items that are handed over (docs/orders.md#a-missing-item), whatever the sequence of adjustments. Fewer or
 * cheaper units never raise the price, and the total never exceeds the agreed one. Without items, the price is zero.
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
  let at = 0;
  const itemShares = items.map(({ quantity, taxParts }) => {
    const from = at;
    if (quantity > 0) at += taxParts.length;
    return quantity > 0 ? shares.flatMap((ofTax) => ofTax.slice(from, at)) : [];
  });
  return { ...priced, shares, itemShares };
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
  const fees = taxableFees(terms, charged, addedFee.taxable ? addedFeeCents : 0);
  const calculated = quote.taxCalculation && calculatedTaxes(quote.taxCalculation, lines, fees);
  const taxes =
    calculated?.taxes ??
    taxesOn(lines, fees, taxesOfTerms(terms)).map((tax) =>
      items.some(isMarkedDown) ? roundedOnce(tax, lines, fees) : tax,
    );
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
    ...(quote.taxes ? { taxes: taxes.map(({ tax, cents }) => ({ ...tax, cents })) } : {}),
    markupCents: markedCents - subtotalCents,
    addedFeeCents,
    addedSalesTaxCents,
    totalWithTipCents: handedOver.length === 0 ? 0 : Math.min(total, quote.totalWithTipCents),
  };
  return { price, items, taxes, lines, fees };
}

function isAsOrdered({ quantity, orderedQuantity, replaces }: FulfilledItem): boolean {
  return quantity === orderedQuantity && replaces === null;
}

/** Cents by which adjustments have lowered the agreed total. */
export function adjustedCents(order: Pick<Order, 'quote' | 'adjustments'>): number {
  return order.quote.totalWithTipCents - repriceOrder(order).totalWithTipCents;
}

/** What the customer pays for what is handed over, with later tips, when nothing is refunded. */
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
    ...(taxes ? { taxes } : {}),
    markupCents,
    addedFeeCents: addedFee.totalCents,
    addedSalesTaxCents: addedFee.salesTaxCents,
    totalWithTipCents,
  };
  const charged = taxesOfTerms(quote.terms).map((tax, at) => ({
    tax,
    cents: taxes ? (taxes[at]?.cents ?? 0) : salesTaxCents,
    addedCents: taxes ? (addedFee.taxes?.[at]?.cents ?? 0) : addedFee.salesTaxCents,
  }));
  const fees = taxableFees(quote.terms, quote, addedFee.taxable ? addedFee.totalCents : 0);
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

/** Rounds the tax once over both bases: `cents` is on the store's base, `addedCents` is the rest. */
function roundedOnce({ tax, cents }: TaxOnOrder, lines: readonly TaxableLine[], fees: TaxableFees): TaxOnOrder {
  const marked = lines.map(({ taxClass, cents: own, markupCents }) => ({
    taxClass,
    cents: own + markupCents,
    markupCents: 0,
  }));
  const together = { ...fees, deliveryCents: fees.deliveryCents + fees.addedCents, addedCents: 0 };
  const [both] = taxesOn(marked, together, [tax]);
  return { tax, cents, addedCents: (both?.cents ?? 0) - cents };
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
