import type { Branding } from '../../access/accounts/branding.ts';
import { estimateInWords, taxLines } from '../../ordering/money/receipt.ts';
import type { FrozenQuote, Order, QuotedItem } from '../../ordering/order/order.ts';
import { otherFeesCents } from '../../ordering/order/order-view.ts';
import type { UnquotedItem } from '../../ordering/order/product-line.ts';
import { allergensOf, foodSentences } from '../../ordering/order/quoted-food.ts';
import { discountRow, lineDiscountCents } from '../../ordering/order/shown-discounts.ts';
import { isWeighedOrder, openWeights } from '../../ordering/order/weighed-order.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { OrderedLine, ShownLine, Total } from './checkout.ts';
import type { Message } from './contract.ts';

/**
 * Lines and totals of a checkout. A quoted cart has its quote's. A cart that cannot be quoted shows
 * its lines at the menu's prices.
 */

/** Items of an order under the IDs of the lines that they were ordered by. */
export const linesOf = (
  ordered: readonly Pick<OrderedLine, 'id'>[],
  items: readonly Pick<UnquotedItem, 'quantity' | 'totalCents'>[],
  quote: Pick<FrozenQuote, 'discounts'> = {},
): ShownLine[] =>
  items.map(({ quantity, totalCents }, index) => ({
    id: ordered[index]?.id ?? '',
    quantity,
    totals: lineTotals(totalCents, lineDiscountCents(quote, index)),
  }));

export const lineTotals = (amount: number, offCents: number): Total[] => [
  { type: 'subtotal', amount },
  ...(offCents > 0 ? [{ type: 'items_discount', amount: -offCents }] : []),
  { type: 'total', amount: amount - offCents },
];

/** States each product's known food facts; unknown facts are omitted. */
export function disclosures(
  items: readonly Pick<QuotedItem, 'food'>[],
  locale: Locale,
  pathOf = (nth: number) => `$.line_items[${nth}]`,
): Message[] {
  return items.flatMap((item, index): Message[] => {
    const sentences = foodSentences(item, locale);
    if (sentences.length === 0) return [];
    const { contains, mayContain } = allergensOf(item);
    const code = contains || mayContain ? 'allergens' : 'calories';
    return [{ type: 'warning', code, path: pathOf(index), presentation: 'disclosure', content: sentences.join(' ') }];
  });
}

/** Says of goods by weight that the total is an estimate until all are weighed, and the maximum charge. */
export function estimateOf(order: Order, locale: Locale): Message[] {
  if (!isWeighedOrder(order.quote) || openWeights(order).length === 0 || order.status === 'canceled') return [];
  const content = estimateInWords(order.quote, locale);
  return [{ type: 'warning', code: 'total_estimated', path: '$.totals', presentation: 'disclosure', content }];
}

/** The totals of a quote: those between the subtotal and the total add up to their difference. */
export function totalsOf(quote: FrozenQuote, locale: Locale): Total[] {
  const { receipt, places } = locale.words.customer;
  const { total, otherFees } = locale.words.checkout.amounts;
  const isDelivery = quote.terms.mode === 'delivery';
  const fees = [
    { display_text: receipt.serviceFee, amount: quote.serviceFeeCents },
    { display_text: receipt.smallOrderFee, amount: quote.smallOrderFeeCents },
    { display_text: otherFees, amount: otherFeesCents(quote) },
  ].filter(({ amount }) => amount !== 0);
  const feeTotal: Total = {
    type: 'fee',
    display_text: locale.format.list(fees.map((fee) => fee.display_text)),
    amount: fees.reduce((sum, { amount }) => sum + amount, 0),
    lines: fees,
  };
  return [
    { type: 'subtotal', display_text: receipt.subtotal, amount: quote.subtotalCents + quote.markupCents },
    ...discountTotals(quote, locale),
    {
      type: 'fulfillment',
      display_text: isDelivery ? receipt.deliveryFee : places.pickup,
      amount: quote.deliveryFeeCents,
    },
    ...(fees.length > 0 ? [feeTotal] : []),
    ...taxLines(quote, locale).map(({ label, cents }) => ({ type: 'tax', display_text: label, amount: cents })),
    ...(quote.tipCents > 0 ? [{ type: 'tip', display_text: receipt.tip, amount: quote.tipCents }] : []),
    { type: 'total', display_text: total, amount: quote.totalWithTipCents },
  ];
}

export const discountTotals = ({ discounts = [] }: Pick<FrozenQuote, 'discounts'>, locale: Locale): Total[] =>
  discounts.map((discount) => {
    const { label, cents } = discountRow(discount, locale);
    return { type: discount.slot === 'delivery' ? 'discount' : 'items_discount', display_text: label, amount: cents };
  });

/** The totals of an unquoted cart: its lines. */
export function lineSums(lines: readonly ShownLine[], { words }: Locale): Total[] {
  const amount = lines.reduce((sum, { totals }) => sum + (totals[0]?.amount ?? 0), 0);
  return [
    { type: 'subtotal', display_text: words.customer.receipt.subtotal, amount },
    { type: 'total', display_text: words.checkout.amounts.total, amount },
  ];
}

/** Links for a buyer to read before ordering. */
export const linksOf = ({ privacyUrl, termsUrl, helpUrl }: Pick<Branding, 'privacyUrl' | 'termsUrl' | 'helpUrl'>) =>
  Object.entries({ privacy_policy: privacyUrl, terms_of_service: termsUrl, help: helpUrl }).flatMap(([type, url]) =>
    url === null ? [] : [{ type, url }],
  );
