import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { decimalOfMilli } from '../../supply/pricing/weight.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { fulfilledItems } from '../order/fulfilled-items.ts';
import { movementOf } from '../order/money-plan.ts';
import {
  type FrozenQuote,
  isTipReturned,
  namedTaxes,
  type Order,
  type OrderedWeight,
  type QuotedItem,
} from '../order/order.ts';
import { foodSentences } from '../order/quoted-food.ts';
import { adjustedCents, toCollectCents } from '../order/reprice-order.ts';
import { discountRows, itemDiscountLines } from '../order/shown-discounts.ts';
import { withWaivedTips } from '../order/waived.ts';
import { holdCents, isWeighedOrder, openWeights } from '../order/weighed-order.ts';
import { quoteByWeight } from '../order/weighed-quote.ts';
import { itemChangeInWords, weightInWords } from '../order/wording.ts';
import { refundLines, type ShownRefund } from './refund-lines.ts';

/** A chosen option. `extraCents` is its part of one unit of the item, times the quantities of its parents. */
export type ReceiptOption = {
  customization: string;
  name: string;
  quantity: number;
  extraCents: number;
  options: readonly ReceiptOption[];
};

export type ReceiptItem = {
  name: string;
  quantity: number;
  /** The weight in words, in place of the quantity. */
  weight?: string;
  /** Its price alongside: `$8.99/lb`, `$2.29/100 g`. */
  weightPrice?: string;
  baseCents: number;
  unitCents: number;
  totalCents: number;
  options: readonly ReceiptOption[];
  notes: string;
  /** Its known food facts, a sentence each. */
  food: readonly string[];
  /** Its discounts with their payers, a line each. */
  discounts: readonly string[];
  /** The store's change to the item; `isWeighed` if only the scale showed another weight than ordered. */
  change?: string | undefined;
  isWeighed?: boolean;
};

export type ReceiptLine = { label: string; cents: number };

/**
 * The lines of a receipt. Items add up to the subtotal, and subtotal and charges to the charged total, to the cent.
 * Refunds are negative and lead to the amount finally paid.
 */
export type Receipt = {
  items: readonly ReceiptItem[];
  subtotalCents: number;
  charges: readonly ReceiptLine[];
  totalCents: number;
  refunds: readonly ReceiptLine[];
  currency: 'USD' | 'CAD';
  /** Whether goods by weight are still to be weighed. */
  isEstimate?: boolean;
  /** For items sold by weight: the estimate and the maximum charge. */
  weightNote?: string;
};

export const totalLabel = (receipt: Receipt, { words }: Locale): string =>
  (receipt.isEstimate ? words.customer.weight : words.customer.receipt).total(receipt);

export type ReceiptTerms = {
  isDelivery: boolean;
  /** Whether the added fee is shown within the service fee. */
  unifyServiceFee: boolean;
  /** Tip added after placing. */
  addedTipCents?: number;
};

/**
 * The receipt of an order now, with raised tips and refunds. Items keep their charged amounts: a missing item is marked
 * on its line and refunded below the total. Orders without a card, and orders paid at the handoff, show the deduction
 * instead.
 */
export function receiptOfOrder(order: Order, refunds: readonly ShownRefund[], locale: Locale): Receipt {
  const { request, quote, addedTipCents } = order;
  const { unifyServiceFee } = request.receipt;
  const terms = { isDelivery: request.mode === 'delivery', unifyServiceFee, addedTipCents };
  const isByWeight = isWeighedOrder(quote);
  const isEstimate = isByWeight && openWeights(order).length > 0;
  // A canceled order's maximum goes back whole, although its receipt has the estimate.
  const isExcess = movementOf(order, 'leave') === 'refund_excess' && isTipReturned(order);
  const isCanceledCash = order.moneyPlan === 'collected' && order.status === 'canceled';
  const receipt = receiptOf(withWaivedTips({ ...order, quote: quoteByWeight(order) }), terms, locale);
  const estimated = { addedTipCents, isEstimate, ...(isEstimate && { estimatedCents: receipt.totalCents }) };
  const changes = fulfilledItems(order).map((item) => ({
    change: itemChangeInWords(item, locale),
    isWeighed: item.scaled !== undefined && item.replaces === null,
  }));
  return {
    ...receipt,
    ...(isByWeight ? { isEstimate, weightNote: estimateInWords(quote, locale, estimated) } : {}),
    items: receipt.items.map((item, index) => ({ ...item, ...changes[index] })),
    refunds: [
      ...(isByWeight || movementOf(order, 'change') === 'refund' || isCanceledCash ? [] : uncharged(order, locale)),
      ...refundLines(order, refunds, locale, isExcess ? order.chargedCents - receipt.totalCents : 0),
    ],
  };
}

/** The amount that is, or was, paid at the handover: in cash, or as the store takes it where no gateway has the charge. */
export function handoverPayment(order: Order, { words }: Locale): ReceiptLine | undefined {
  const due = toCollectCents(order);
  const { payInCash, payAtHandover, paidInCash, paidAtHandover } = words.customer.receipt;
  const inCash = order.moneyPlan === 'collected';
  if (due !== null) return { label: inCash ? payInCash : payAtHandover, cents: due };
  if (order.collectedCents === null) return undefined;
  return { label: inCash ? paidInCash : paidAtHandover, cents: order.collectedCents };
}

function uncharged(order: Order, { words }: Locale): ReceiptLine[] {
  const cents = adjustedCents(order);
  return cents === 0 ? [] : [{ label: words.customer.receipt.missingItems, cents: -cents }];
}

/** Whether the total of goods by weight is an estimate, and the most that is paid, or is taken where no card holds it. */
export function estimateInWords(
  quote: FrozenQuote,
  { words, format }: Locale,
  more: { addedTipCents?: number; isEstimate?: boolean; estimatedCents?: number } = {},
): string {
  const { atMost, takenNow, settled } = words.customer.weight;
  const { addedTipCents = 0, isEstimate = true, estimatedCents = quote.totalWithTipCents + addedTipCents } = more;
  const current = quote.isTakenNow ? takenNow : atMost;
  const amount = format.money(estimatedCents);
  const limit = format.money(holdCents(quote) + addedTipCents);
  return (isEstimate ? current : settled)({ amount, limit });
}

/** The receipt of a quote. It shows marked-up amounts, which equal the store's own without a markup. */
export function receiptOf(quote: FrozenQuote, terms: ReceiptTerms, locale: Locale): Receipt {
  return {
    items: quote.items.map((item, at) => ({
      name: item.name,
      quantity: item.quantity,
      ...(item.weight && item.quantity > 0 ? weightOf(item, item.weight, locale) : {}),
      baseCents: item.markedBasePriceCents,
      unitCents: item.markedUnitCents,
      totalCents: item.markedTotalCents,
      options: item.customizations.flatMap((customization) => optionsOf(customization, 1)),
      notes: item.notes,
      food: foodSentences(item, locale),
      discounts: itemDiscountLines(quote, at, locale),
    })),
    subtotalCents: quote.subtotalCents + quote.markupCents,
    charges: chargesOf(quote, terms, locale),
    totalCents: quote.totalWithTipCents + (terms.addedTipCents ?? 0),
    refunds: [],
    currency: currencyOf(quote.store.country),
  };
}

function weightOf({ markedBasePriceCents }: QuotedItem, weight: OrderedWeight, locale: Locale) {
  const { words, format } = locale;
  const per = weight.per === 1000 ? weight.unit : format.weight(decimalOfMilli(weight.per), weight.unit);
  const weightPrice = words.customer.weight.price({ price: format.money(markedBasePriceCents), per });
  return { weight: weightInWords(weight, locale), weightPrice };
}

function optionsOf({ name: customization, options }: PricedCustomization, times: number): ReceiptOption[] {
  return options.map((option) => ({
    customization,
    name: option.name,
    quantity: option.quantity,
    extraCents: option.markedPriceCents * option.quantity * times,
    options: option.customizations.flatMap((nested) => optionsOf(nested, option.quantity * times)),
  }));
}

/** A delivery always shows its fee, and every receipt its taxes; any other charge of zero has no line. */
export function chargesOf(
  quote: FrozenQuote,
  { isDelivery, unifyServiceFee, addedTipCents = 0 }: ReceiptTerms,
  locale: Locale,
  additionalFee = locale.words.customer.receipt.additionalFee,
): ReceiptLine[] {
  const { receipt } = locale.words.customer;
  const { addedFee } = quote;
  const service = quote.serviceFeeCents + (unifyServiceFee ? addedFee.totalCents : 0);
  const lines: (ReceiptLine & { always?: boolean })[] = [
    { label: receipt.deliveryFee, cents: quote.deliveryFeeCents, always: isDelivery },
    { label: receipt.serviceFee, cents: service },
    { label: receipt.smallOrderFee, cents: quote.smallOrderFeeCents },
    { label: additionalFee, cents: unifyServiceFee ? 0 : addedFee.totalCents },
    ...quote.miscFees.map(({ name, amountCents }) => ({ label: name, cents: amountCents })),
    ...taxLines(quote, locale).map((line) => ({ ...line, always: true })),
    { label: receipt.tip, cents: quote.tipCents + addedTipCents },
    ...discountRows(quote, locale),
  ];
  return lines.filter(({ cents, always }) => always || cents !== 0).map(({ label, cents }) => ({ label, cents }));
}

/** Taxes by name, without taxes of 0 %; in one line where that leaves none. */
export function taxLines(quote: FrozenQuote, { words, format }: Locale): ReceiptLine[] {
  const { receipt } = words.customer;
  const known: Readonly<Record<string, string>> = words.customer.taxName;
  const taxes = namedTaxes(quote).filter(({ percent, cents }) => percent !== 0 || cents > 0);
  if (taxes.length === 0) return [{ label: receipt.taxes, cents: quote.salesTaxCents + quote.addedFee.salesTaxCents }];
  return taxes.map(({ name, percent, cents }) => {
    const shown = (Object.hasOwn(known, name) ? known[name] : undefined) ?? name;
    return { label: percent === null ? shown : receipt.tax({ name: shown, percent: format.percent(percent) }), cents };
  });
}
