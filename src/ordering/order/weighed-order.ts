import { sumCents } from '../../platform/lib/money.ts';
import { fulfilledItems } from './fulfilled-items.ts';
import { type FrozenQuote, type ItemAdjustment, isWeighedOrder, type Order } from './order.ts';
import { discountsByWeight, isDiscounted } from './order-discounts.ts';
import { agreedFees, type PricedTaxation, priceItems } from './price-items.ts';
import { waivedCentsOf } from './waived.ts';

/* Orders with goods by weight (docs/weights.md): an estimate until their store has weighed them. */

export { isWeighedOrder };

/** Every line by weight at the most that may be handed off of it. */
export const heaviest = (items: FrozenQuote['items']): ItemAdjustment[] =>
  items.flatMap(({ weight }, index): ItemAdjustment[] =>
    weight ? [{ index, quantity: 1, substitute: null, scaled: { milli: weight.max, from: 'limit' } }] : [],
  );

/** The most that an order may come to, which its card holds: the estimate's total, without goods by weight. */
export const holdCents = (quote: FrozenQuote): number =>
  !isWeighedOrder(quote) || waivedCentsOf(quote) > 0 ? quote.totalWithTipCents : mostCents(quote);

/** The most that an order with goods by weight may come to, whether it is charged or waived. */
export const mostCents = (quote: FrozenQuote): number =>
  Math.max(quote.totalWithTipCents + waivedCentsOf(quote), priceHeaviest(quote).price.totalWithTipCents);

/** The order at its heaviest, with the fees of its estimate. */
export const priceHeaviest = (quote: FrozenQuote): PricedTaxation =>
  priceItems(quote, fulfilledItems({ quote, adjustments: heaviest(quote.items) }), agreedFees(quote));

type Promoted = Pick<FrozenQuote, 'subtotalCents' | 'discounts' | 'menuDiscounts'>;

/** The discounts and subtotal of the handoff; without items by weight the quote's. */
export function finalDiscounts({ quote, adjustments }: Pick<Order, 'quote' | 'adjustments'>): Promoted {
  if (!isWeighedOrder(quote) || !isDiscounted(quote)) return quote;
  const items = fulfilledItems({ quote, adjustments });
  const subtotalCents = sumCents(items.map(({ unitCents, quantity }) => unitCents * quantity));
  return { subtotalCents, ...discountsByWeight(quote, items) };
}

/** The most that promotions may take off an order, and the subtotal for it. */
export const heldDiscounts = (quote: FrozenQuote): Promoted =>
  finalDiscounts({ quote, adjustments: heaviest(quote.items) });

/** Indexes of lines by weight that are neither weighed nor missing. */
export function openWeights({ quote, adjustments }: Pick<Order, 'quote' | 'adjustments'>): number[] {
  return quote.items.flatMap(({ weight }, index) => {
    const { quantity = 1, substitute = null, scaled } = adjustments.find((one) => one.index === index) ?? {};
    const isByWeight = substitute ? substitute.weight !== undefined : weight !== undefined;
    return isByWeight && quantity > 0 && scaled === undefined ? [index] : [];
  });
}
