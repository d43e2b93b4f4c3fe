import { Refusal } from '../../platform/http/refusal.ts';
import { priceStorePart, type StorePart, type StoreTerms } from '../../supply/pricing/price-order.ts';
import type { TaxableLine } from '../../supply/pricing/taxes.ts';
import { type TaxClass, taxClassOfCode } from '../../supply/stores/tax-class.ts';
import type { LinePrices } from './choose-products.ts';

/** The price of the lines that a store has. */
export type PricedCart = {
  storeId: string;
  miles: number;
  price: StorePart;
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

/** A store's fees and taxes in the cart's mode, its order minimum, and the tax class of products without their own. */
export type CartTerms = StoreTerms & { orderMinimumCents: number; taxClass: TaxClass };

/**
 * Returns the price of the lines that a cart has, which add up to this subtotal, before a tip and exactly as for an
 * order (docs/quotes.md#money). Undefined if it exceeds an order's maximum.
 */
export function priceCart(
  terms: CartTerms,
  subtotalCents: number,
  prices: LinePrices,
  has: (line: number) => boolean = () => true,
): StorePart | undefined {
  try {
    return priceStorePart(terms, subtotalCents, taxableOf(terms, subtotalCents, prices, has)).store;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Returns the amounts to be taxed. If all lines have the store's default class, their sum is one amount. */
function taxableOf(
  { taxClass }: CartTerms,
  subtotalCents: number,
  { lineCents, taxCodes }: LinePrices,
  has: (line: number) => boolean,
): TaxableLine[] {
  if (taxCodes.length === 0) return [{ taxClass, cents: subtotalCents, markupCents: 0 }];
  return lineCents.flatMap((cents, line) => {
    if (cents === Infinity || !has(line)) return [];
    return [{ taxClass: taxClassOfCode(taxCodes[line] as number, taxClass), cents, markupCents: 0 }];
  });
}
