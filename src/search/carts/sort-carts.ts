import { Refusal } from '../../platform/http/refusal.ts';
import { sumCents } from '../../platform/lib/money.ts';
import {
  deliveryFeeFor,
  priceStorePart,
  type StoreDiscounts,
  type StorePart,
  type StoreTerms,
  withinOrderLimit,
} from '../../supply/pricing/price-order.ts';
import { discountCentsOf, fillSlots, type PromotionQuestion, taxOffsOf } from '../../supply/pricing/promotions.ts';
import type { TaxableLine } from '../../supply/pricing/taxes.ts';
import { isAlcohol, type TaxClass, taxClassOfCode } from '../../supply/stores/tax-class.ts';
import type { LinePrices } from './choose-products.ts';

/** The price of the lines that a store has. */
export type PricedCart = {
  storeId: string;
  miles: number;
  price: CartPrice;
  /** Positions of the lines that the store lacks. */
  missing: readonly number[];
  meetsMinimum: boolean;
};

/** Prices the lines that a store has. Undefined if it has none, or the price exceeds an order's maximum. */
export function priceLines(
  seller: { storeId: string; miles: number; terms: CartTerms },
  prices: LinePrices,
): PricedCart | undefined {
  const { lineCents } = prices;
  const missing = lineCents.flatMap((cents, line) => (cents === Infinity ? [line] : []));
  if (missing.length === lineCents.length) return undefined;
  const subtotalCents = lineCents.reduce((sum, cents) => (cents === Infinity ? sum : sum + cents), 0);
  const price = priceCart(seller.terms, subtotalCents, prices);
  if (!price) return undefined;
  const { storeId, miles, terms } = seller;
  return { storeId, miles, price, missing, meetsMinimum: subtotalCents >= terms.orderMinimumCents };
}

/** Ranks full carts above the order minimum, then full carts below it, then carts with missing lines, fewest first. */
function cartRank({ missing, meetsMinimum }: PricedCart): number {
  if (missing.length > 0) return 1 + missing.length;
  return meetsMinimum ? 0 : 1;
}

/** Sorts the cheapest cart of each rank first, then the nearest, then the smallest store id. */
function compareCarts(a: PricedCart, b: PricedCart): number {
  return (
    cartRank(a) - cartRank(b) ||
    a.price.totalWithoutTipsCents - b.price.totalWithoutTipsCents ||
    a.miles - b.miles ||
    (a.storeId < b.storeId ? -1 : Number(a.storeId > b.storeId))
  );
}

/** Returns the first `limit` carts, sorted; `fullOnly` drops carts with missing lines. */
export function sortCarts<Cart extends PricedCart>(
  carts: readonly Cart[],
  { fullOnly, limit }: { fullOnly: boolean; limit: number },
): Cart[] {
  const wanted = fullOnly ? carts.filter(({ missing }) => missing.length === 0) : [...carts];
  return wanted.sort(compareCarts).slice(0, limit);
}

/**
 * A store's fees and taxes in the cart's mode, its order minimum, the tax class of products without their own, and the
 * promotions that apply to any cart.
 */
export type CartTerms = StoreTerms & {
  orderMinimumCents: number;
  taxClass: TaxClass;
  promotions?: Omit<PromotionQuestion, 'items'>;
};

/** A cart's price; `discountCents` is absent without promotions. */
export type CartPrice = StorePart & { discountCents?: number };

/**
 * Returns the price of the lines that a cart has, which add up to this subtotal, before a tip and exactly as for an
 * order (docs/quotes.md#money). Undefined if it exceeds an order's maximum.
 */
export function priceCart(
  terms: CartTerms,
  subtotalCents: number,
  prices: LinePrices,
  has: (line: number) => boolean = () => true,
): CartPrice | undefined {
  try {
    const { promotions } = terms;
    // Percentages are exact of amounts within it.
    withinOrderLimit(subtotalCents);
    if (!promotions) return priceStorePart(terms, subtotalCents, taxableOf(terms, subtotalCents, prices, has)).store;
    const lines = taxableOf(terms, subtotalCents, prices, has);
    const promoted = promoteCart({ ...terms, promotions }, subtotalCents, lines);
    const { discountCents } = promoted;
    const { store } = priceStorePart(terms, subtotalCents, lines, 0, promoted);
    return { ...store, ...(discountCents > 0 ? { discountCents } : {}) };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The discounts of a cart whose lines have only prices and tax classes, by groups of equal class. */
function promoteCart(
  terms: StoreTerms & { promotions: Omit<PromotionQuestion, 'items'> },
  subtotalCents: number,
  lines: readonly TaxableLine[],
): StoreDiscounts {
  const items = lines.map(({ taxClass }) => {
    return { externalId: '', categories: [], taxClass, isAlcoholic: isAlcohol({ isAlcoholic: false }, [taxClass]) };
  });
  const promoted = lines.map(({ cents }) => ({ quantity: 1, baseCents: cents, totalCents: cents, roomCents: cents }));
  const { discounts } = fillSlots({ ...terms.promotions, items }, promoted, deliveryFeeFor(terms, subtotalCents));
  const offs = taxOffsOf({ discounts, menuDiscounts: [] }, lines);
  return {
    discountCents: sumCents(discounts.map(discountCentsOf)),
    taxedLines: lines.map((line, at) => ({ ...line, cents: line.cents - (offs.lines[at]?.taxOffCents ?? 0) })),
    deliveryTaxOffCents: offs.deliveryCents,
  };
}

/** Returns the amounts to be taxed. If all lines have the store's default class, their sum is one amount. */
function taxableOf(terms: CartTerms, subtotalCents: number, prices: LinePrices, has: (line: number) => boolean) {
  const { taxClass } = terms;
  if (prices.taxCodes.length === 0) return [{ taxClass, cents: subtotalCents, markupCents: 0 }];
  return linesOf(terms, prices, has);
}

function linesOf({ taxClass }: CartTerms, { lineCents, taxCodes }: LinePrices, has: (line: number) => boolean) {
  return lineCents.flatMap((cents, line) => {
    if (cents === Infinity || !has(line)) return [];
    return [{ taxClass: taxClassOfCode(taxCodes[line] ?? 0, taxClass), cents, markupCents: 0 }];
  });
}
