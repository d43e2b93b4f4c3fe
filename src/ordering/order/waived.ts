import { present } from 'doorstep/collections';
import { sumCents } from '../../platform/lib/money.ts';
import type { Discount } from '../../supply/pricing/promotion.ts';
import { discountCentsOf } from '../../supply/pricing/promotions.ts';
import type { FrozenQuote, Order } from './order.ts';

/*
 * Amounts below the minimum of a card gateway (docs/payments.md#small-amounts) are waived: nothing is charged, and the
 * operator pays them, so that every other owner gets the usual share for that price.
 */

type Waived = Pick<FrozenQuote, 'discounts'>;

const isWaiver = ({ slot }: Discount): boolean => slot === 'waived';

/** An order's waived cents; 0 if it is charged. */
export const waivedCentsOf = ({ discounts = [] }: Waived): number =>
  sumCents(discounts.filter(isWaiver).map(discountCentsOf));

/** Discounts that waive these cents, in place of others. */
export function withWaiver({ discounts = [] }: Waived, cents: number): Waived {
  const part = { payer: 'operator', lowersTax: false, lineCents: [], deliveryCents: 0, waivedCents: cents } as const;
  const waiver: Discount = { promotionId: 'waived', slot: 'waived', terms: { kind: 'waived' }, parts: [part] };
  const all = [...discounts.filter((one) => !isWaiver(one)), ...(cents > 0 ? [waiver] : [])];
  return all.length > 0 ? { discounts: all } : {};
}

function waive(quote: FrozenQuote, cents: number): FrozenQuote {
  return {
    ...quote,
    ...withWaiver(quote, waivedCentsOf(quote) + cents),
    discountCents: (quote.discountCents ?? 0) + cents,
    totalWithoutTipsCents: quote.totalWithoutTipsCents - cents,
    totalWithTipCents: quote.totalWithTipCents - cents,
  };
}

/** Whether a gateway charges nothing, because an amount is below its minimum. */
export const isBelowMinimum = (cents: number, minimumCents = 0): boolean => cents > 0 && cents < minimumCents;

/** A quote with a total waived below the minimum; the final amount of items by weight may be lower later. */
export function waiveBelow(quote: FrozenQuote, minimumCents: number): FrozenQuote {
  const { totalWithTipCents, items } = quote;
  if (isBelowMinimum(totalWithTipCents, minimumCents)) return waive(quote, totalWithTipCents);
  const isHeld = totalWithTipCents > 0 && items.some(({ weight }) => weight !== undefined) && !quote.isTakenNow;
  return { ...quote, ...present({ minimumCents: isHeld ? minimumCents : undefined }) };
}

/** The quote of an order with the later waived tips. */
export function withWaivedTips({ quote, waivedTipCents: cents }: Pick<Order, 'quote' | 'waivedTipCents'>): FrozenQuote {
  const { tipCents, totalWithTipCents } = quote;
  const tipped = { ...quote, tipCents: tipCents + cents, totalWithTipCents: totalWithTipCents + cents };
  return cents === 0 ? quote : waive(tipped, cents);
}
