import { present } from 'doorstep/collections';
import { sumCents } from '../../platform/lib/money.ts';
import type { Discount } from '../pricing/promotion.ts';
import { discountCentsOf } from '../pricing/promotions.ts';

/** `cents` is the promotion's reduction, above 0. `code` is the entered one. */
export type PromotionUse = { promotionId: string; cents: number; code?: string };

/** The fields of an order's quote that promotions count. */
type Discounted = { subtotalCents: number; discounts?: readonly Discount[]; menuDiscounts?: readonly Discount[] };

/** Each promotion of a quote, once. */
export function usesOf({ discounts = [], menuDiscounts = [] }: Discounted): PromotionUse[] {
  const ofPromotions = [...menuDiscounts, ...discounts].filter(({ slot }) => slot !== 'waived');
  const byPromotion = Map.groupBy(ofPromotions, ({ promotionId }) => promotionId);
  return [...byPromotion].flatMap(([promotionId, all]) => {
    const cents = sumCents(all.map(discountCentsOf));
    return cents > 0 ? [{ promotionId, cents, ...present({ code: all[0]?.code }) }] : [];
  });
}

/** The uses written by placing an order, as JSON; null without any. `sandbox`: empty for live orders. */
export function usesJson(sandbox: string, quote: Discounted): string | null {
  const { subtotalCents: salesCents } = quote;
  const uses = usesOf(quote).map(({ promotionId, cents }) => ({ promotionId, cents, sandbox, salesCents }));
  return uses.length === 0 ? null : JSON.stringify(uses);
}
