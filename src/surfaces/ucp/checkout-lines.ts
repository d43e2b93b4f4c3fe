import type { Branding } from '../../access/accounts/branding.ts';
import { estimateInWords, taxLines } from '../../ordering/money/receipt.ts';
import type { FrozenQuote, Order, QuotedItem } from '../../ordering/order/order.ts';
import { otherFeesCents } from '../../ordering/order/order-view.ts';
import type { UnquotedItem } from '../../ordering/order/product-line.ts';
import { allergensOf, foodSentences } from '../../ordering/order/quoted-food.ts';
import { discountRow, lineDiscountCents } from '../../ordering/order/shown-discounts.ts';
import { isWeighedOrder, openWeights } from '../../ordering/order/weighed-order.ts';
import type { PricedCustomization } from '../../supply/pricing/price-order.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { ShownLine, Total } from './checkout.ts';
import type { CheckoutRequest, Message } from './contract.ts';

/**
 * Dishes and totals of a checkout. Those of a cart that was quoted are its quote's. A cart that cannot be quoted shows
 * its dishes at the menu's prices.
 */

/** Lines keep the IDs that the platform gave them. */
export function linesOf(
  { line_items: input }: CheckoutRequest,
  items: readonly UnquotedItem[],
  quote: Pick<FrozenQuote, 'discounts'> = {},
): ShownLine[] {
  const used = new Set<string>();
  return items.map((item, index) => {
    const { id: given } = input[index] ?? {};
    const id = given && !used.has(given) ? given : `li_${index + 1}`;
    used.add(id);
    const offCents = lineDiscountCents(quote, index);
    return {
      id,
      quantity: item.quantity,
      dish: showDish(item),
      totals: lineTotals(item.totalCents, offCents),
    };
  });
}

export const lineTotals = (amount: number, offCents: number): Total[] => [
  { type: 'subtotal', amount },
  ...(offCents > 0 ? [{ type: 'items_discount', amount: -offCents }] : []),
  { type: 'total', amount: amount - offCents },
];

function showDish({ productId, name, basePriceCents, image, notes, customizations }: UnquotedItem): object {
  const modifications = flatModifications(customizations);
  return {
    id: productId,
    title: name,
    price: basePriceCents,
    ...(image ? { media: [{ type: 'image', url: image }] } : {}),
    ...(modifications.length > 0 ? { modifications } : {}),
    ...(notes === '' ? {} : { note: notes }),
  };
}

/**
 * Options as a flat list, so that the price of a dish is the sum of prices times quantities: the price of a nested
 * option counts its parents' quantities.
 */
function flatModifications(from: readonly PricedCustomization[], times = 1): Modification[] {
  return from.flatMap(({ options }) =>
    options.flatMap(({ id, name, priceCents, quantity, customizations }) => [
      { id, title: name, price: priceCents * times, quantity },
      ...flatModifications(customizations, times * quantity),
    ]),
  );
}
type Modification = { id: string; title: string; price: number; quantity: number };

/** States what is known of each product as food; of what is not known nothing is said. */
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

/** Says of goods by weight that the total is an estimate until all are weighed, and the most that is paid. */
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

/** The totals of a cart that was not quoted: its dishes. */
export function dishTotals(lines: readonly ShownLine[], { words }: Locale): Total[] {
  const amount = lines.reduce((sum, { totals }) => sum + (totals[0]?.amount ?? 0), 0);
  return [
    { type: 'subtotal', display_text: words.customer.receipt.subtotal, amount },
    { type: 'total', display_text: words.checkout.amounts.total, amount },
  ];
}

/** What a buyer may read before ordering. */
export const linksOf = ({ privacyUrl, termsUrl, helpUrl }: Pick<Branding, 'privacyUrl' | 'termsUrl' | 'helpUrl'>) =>
  Object.entries({ privacy_policy: privacyUrl, terms_of_service: termsUrl, help: helpUrl }).flatMap(([type, url]) =>
    url === null ? [] : [{ type, url }],
  );
