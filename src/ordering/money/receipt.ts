import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { type FrozenQuote, isPaidAtHandover, namedTaxes, type Order } from '../order/order.ts';
import { foodSentences } from '../order/quoted-food.ts';
import { adjustedCents, toCollectCents } from '../order/reprice-order.ts';
import { itemChanges } from '../order/wording.ts';
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
  baseCents: number;
  unitCents: number;
  totalCents: number;
  options: readonly ReceiptOption[];
  notes: string;
  /** What is known of it as food, a sentence each. */
  food: readonly string[];
  /** The store's change to an item that it lacks. The amounts stay as charged. */
  change?: string | undefined;
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
};

export type ReceiptTerms = {
  isDelivery: boolean;
  /** Whether the added fee is shown within the service fee. */
  unifyServiceFee: boolean;
  /** Tip added after placing. */
  addedTipCents?: number;
};

/**
 * The receipt of an order now, with raised tips and refunds. Items keep their charged amounts: a missing item is marked
 * on its line and refunded below the total. Orders without a card, and those that are paid at the handover, show the
 * deduction instead.
 */
export function receiptOfOrder(order: Order, refunds: readonly ShownRefund[], locale: Locale): Receipt {
  const { request, quote, addedTipCents } = order;
  const { unifyServiceFee } = request.receipt;
  const receipt = receiptOf(quote, { isDelivery: request.mode === 'delivery', unifyServiceFee, addedTipCents }, locale);
  const changes = itemChanges(order, locale);
  return {
    ...receipt,
    items: receipt.items.map((item, index) => ({ ...item, change: changes[index] })),
    refunds: [
      ...(order.request.chargeUser && !isPaidAtHandover(order) ? [] : uncharged(order, locale)),
      ...refundLines(order, refunds, locale),
    ],
  };
}

/** The amount that is, or was, paid at the handover: in cash, or as the store takes it where no gateway has the charge. */
export function handoverPayment(order: Order, { words }: Locale): ReceiptLine | undefined {
  const due = toCollectCents(order);
  const { payInCash, payAtHandover, paidInCash, paidAtHandover } = words.customer.receipt;
  const inCash = order.request.chargeUser;
  if (due !== null) return { label: inCash ? payInCash : payAtHandover, cents: due };
  if (order.collectedCents === null) return undefined;
  return { label: inCash ? paidInCash : paidAtHandover, cents: order.collectedCents };
}

function uncharged(order: Order, { words }: Locale): ReceiptLine[] {
  const cents = adjustedCents(order);
  return cents === 0 ? [] : [{ label: words.customer.receipt.missingItems, cents: -cents }];
}

/** The receipt of a quote. It shows marked-up amounts, which equal the store's own if the quote has no markup. */
export function receiptOf(quote: FrozenQuote, terms: ReceiptTerms, locale: Locale): Receipt {
  return {
    items: quote.items.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      baseCents: item.markedBasePriceCents,
      unitCents: item.markedUnitCents,
      totalCents: item.markedTotalCents,
      options: item.customizations.flatMap((customization) => optionsOf(customization, 1)),
      notes: item.notes,
      food: foodSentences(item, locale),
    })),
    subtotalCents: quote.subtotalCents + quote.markupCents,
    charges: chargesOf(quote, terms, locale),
    totalCents: quote.totalWithTipCents + (terms.addedTipCents ?? 0),
    refunds: [],
    currency: currencyOf(quote.store.country),
  };
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
  ];
  return lines.filter(({ cents, always }) => always || cents !== 0).map(({ label, cents }) => ({ label, cents }));
}

/** Taxes by name, without those of 0 %; in one line where that leaves none. */
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
