import { sumCents } from '../../platform/lib/money.ts';
import { chargedTaxes, type StorePart, taxableFees, taxableLines } from '../../supply/pricing/price-order.ts';
import { calculatedTaxes } from '../../supply/pricing/tax-calculator.ts';
import {
  type TaxableFees,
  type TaxableLine,
  type TaxOnOrder,
  taxesByName,
  taxesOn,
  taxOfRate,
} from '../../supply/pricing/taxes.ts';
import { type FulfilledItem, fulfilledItems } from './fulfilled-items.ts';
import { type FrozenQuote, isWeighedOrder } from './order.ts';
import { cutCents, cutsOf, type OrderCuts } from './order-discounts.ts';
import { waivedCentsOf } from './waived.ts';

/** The total for the items handed off, with given fees, by the order's frozen terms. */

/** Amounts of an order as it is handed off, in cents. */
export type RepricedOrder = Pick<FrozenQuote, Exclude<keyof StorePart, 'totalWithoutTipsCents'> | 'markupCents'> & {
  addedFeeCents: number;
  addedSalesTaxCents: number;
  /** Without menu prices. */
  discountCents: number;
  /** The part of `discountCents` too small to charge. */
  waivedCents: number;
  totalWithTipCents: number;
};

/** An order's fees; the added fee is the account's. */
export type ChargedFees = Pick<
  RepricedOrder,
  'deliveryFeeCents' | 'serviceFeeCents' | 'smallOrderFeeCents' | 'addedFeeCents'
>;

export type PricedTaxation = {
  price: RepricedOrder;
  items: readonly FulfilledItem[];
  cuts: OrderCuts;
  taxes: readonly TaxOnOrder[];
  lines: readonly TaxableLine[];
  fees: TaxableFees;
};

export const agreedFees = (quote: FrozenQuote): ChargedFees => {
  const { deliveryFeeCents, serviceFeeCents, smallOrderFeeCents, addedFee } = quote;
  return { deliveryFeeCents, serviceFeeCents, smallOrderFeeCents, addedFeeCents: addedFee.totalCents };
};

/** Prices the handoff of these items. */
export function priceItems(quote: FrozenQuote, items: readonly FulfilledItem[], charged: ChargedFees): PricedTaxation {
  const { terms, addedFee, taxCalculation } = quote;
  const { deliveryFeeCents: delivery, serviceFeeCents: service, smallOrderFeeCents: small, addedFeeCents } = charged;
  const subtotalCents = subtotalOf(items);
  const markedCents = sumCents(items.map(({ markedUnitCents, quantity }) => markedUnitCents * quantity));
  const cuts = cutsOf(quote, items, delivery);
  const lines = discountedLines(items, cuts);
  const discountCents = slotCents(items, cuts);
  const fees = taxableFees(
    terms,
    lowerDelivery(charged, cuts),
    orderedLines(quote),
    addedFee.taxable ? addedFeeCents : 0,
  );
  const calculated = taxCalculation && calculatedTaxes(taxCalculation, lines, fees, isWeighedOrder(quote));
  const taxes = calculated?.taxes ?? taxesOn(lines, fees, terms.fees.taxes);
  const salesTaxCents = sumCents(taxes.map(({ cents }) => cents));
  const addedSalesTaxCents = sumCents(taxes.map(({ addedCents }) => addedCents));
  const unchanged = quote.tipCents + sumCents(quote.miscFees.map(({ amountCents }) => amountCents));
  const withTaxes = markedCents + delivery + service + small + salesTaxCents + addedFeeCents + addedSalesTaxCents;
  const price = {
    subtotalCents,
    ...charged,
    salesTaxCents,
    taxes: chargedTaxes(taxes, lines).taxes,
    markupCents: markedCents - subtotalCents,
    addedSalesTaxCents,
    discountCents,
    waivedCents: 0,
    totalWithTipCents: withTaxes + unchanged - discountCents,
  };
  return { price, items, cuts, taxes, lines, fees };
}

export const subtotalOf = (items: readonly FulfilledItem[]): number =>
  sumCents(items.map(({ unitCents, quantity }) => unitCents * quantity));

/** The handed-off lines at their taxed prices. */
const discountedLines = (items: readonly FulfilledItem[], cuts: OrderCuts): TaxableLine[] =>
  taxableLines(items.map((item, at) => ({ ...item, ...cuts.lines[at] })).filter(({ quantity }) => quantity > 0));

const lowerDelivery = <Charged extends { deliveryFeeCents: number }>(charged: Charged, { delivery }: OrderCuts) => ({
  ...charged,
  deliveryFeeCents: charged.deliveryFeeCents - delivery.taxOffCents,
});

const slotCents = (items: readonly FulfilledItem[], { lines, delivery }: OrderCuts) =>
  sumCents([delivery, ...lines].map(cutCents)) - sumCents(items.map(menuCents));

/** An item's reduction by menu prices. */
const menuCents = ({ listUnitCents, unitCents, quantity }: FulfilledItem) => (listUnitCents - unitCents) * quantity;

/** The agreed price, for items as they were ordered. */
export function agreedTaxation(quote: FrozenQuote, items: readonly FulfilledItem[]): PricedTaxation {
  const cuts = cutsOf(quote, items, quote.deliveryFeeCents);
  const lines = discountedLines(items, cuts);
  const { subtotalCents, salesTaxCents, markupCents, addedFee, taxes, totalWithTipCents } = quote;
  const price = {
    subtotalCents,
    ...agreedFees(quote),
    salesTaxCents,
    taxes,
    markupCents,
    addedSalesTaxCents: addedFee.salesTaxCents,
    discountCents: quote.discountCents ?? 0,
    waivedCents: waivedCentsOf(quote),
    totalWithTipCents,
  };
  const rates = quote.terms.fees.taxes;
  const named = quote.taxCalculation ? rates.map(taxOfRate) : taxesByName(rates);
  const charged = named.map((tax, at) => ({
    tax,
    cents: taxes[at]?.cents ?? 0,
    addedCents: addedFee.taxes[at]?.cents ?? 0,
  }));
  const addedCents = addedFee.taxable ? addedFee.totalCents : 0;
  const fees = taxableFees(quote.terms, lowerDelivery(quote, cuts), orderedLines(quote), addedCents);
  return { price, items, cuts, taxes: charged, lines, fees };
}

/** The items that fees are taxed with, even if others are handed off; none where a tax service has taxed the fees. */
function orderedLines(quote: FrozenQuote): readonly TaxableLine[] {
  return quote.taxCalculation ? [] : taxableLines(fulfilledItems({ quote, adjustments: [] }));
}
