import type { FrozenQuote } from '../../ordering/order/order.ts';
import { otherFeesCents } from '../../ordering/order/order-view.ts';
import { sumCents } from '../../platform/lib/money.ts';
import type { Discount } from '../../supply/pricing/promotion.ts';
import { discountCentsOf } from '../../supply/pricing/promotions.ts';

/**
 * A part of an order that costs a different amount than the customer was shown. Items have a name; other parts are
 * identified by their kind, and discounts by their promotion.
 */
export type QuoteChange = { beforeCents: number; afterCents: number } & (
  | { kind: 'item'; name: string }
  | { kind: 'discount'; discount: Discount }
  | { kind: 'delivery_fee' | 'service_fee' | 'small_order_fee' | 'other_fees' | 'taxes' | 'tip' }
);

/**
 * The lines of a quote that differ from an earlier quote of the same items. Together they are the change of the total.
 */
export function quoteChanges(before: FrozenQuote, after: FrozenQuote): QuoteChange[] {
  const items = after.items.map((item, index): QuoteChange => {
    const beforeCents = before.items[index]?.markedTotalCents ?? 0;
    return { kind: 'item', name: item.name, beforeCents, afterCents: item.markedTotalCents };
  });
  // The client may have replaced the order with a shorter one while the page was open.
  const gone = before.items.slice(after.items.length).map(({ name, markedTotalCents }): QuoteChange => {
    return { kind: 'item', name, beforeCents: markedTotalCents, afterCents: 0 };
  });
  const [was, is] = [chargesOf(before), chargesOf(after)];
  const charges = KINDS.map((kind): QuoteChange => ({ kind, beforeCents: was[kind], afterCents: is[kind] }));
  return [...items, ...gone, ...discountChanges(before, after), ...charges].filter(
    ({ beforeCents, afterCents }) => beforeCents !== afterCents,
  );
}

/** Each promotion once, including promotions that have ended since. */
function discountChanges({ discounts: was = [] }: FrozenQuote, { discounts: is = [] }: FrozenQuote): QuoteChange[] {
  const centsIn = (discounts: readonly Discount[], { promotionId }: Discount) =>
    0 - sumCents(discounts.filter((one) => one.promotionId === promotionId).map(discountCentsOf));
  const ended = was.filter((one) => centsIn(is, one) === 0);
  return [...is, ...ended].map((discount) => ({
    kind: 'discount',
    discount,
    beforeCents: centsIn(was, discount),
    afterCents: centsIn(is, discount),
  }));
}

const KINDS = ['delivery_fee', 'service_fee', 'small_order_fee', 'other_fees', 'taxes', 'tip'] as const;

function chargesOf(quote: FrozenQuote): Record<(typeof KINDS)[number], number> {
  return {
    delivery_fee: quote.deliveryFeeCents,
    service_fee: quote.serviceFeeCents,
    small_order_fee: quote.smallOrderFeeCents,
    other_fees: otherFeesCents(quote),
    taxes: quote.salesTaxCents + quote.addedFee.salesTaxCents,
    tip: quote.tipCents,
  };
}
