import type { StorePart } from '../quotes/price-order.ts';
import { type CartTerms, priceCart } from './price-cart.ts';

/** What a store charges for the lines that it has. */
export type PricedCart = {
  storeId: string;
  miles: number;
  price: StorePart;
  /** Numbers of the lines that it lacks. */
  missing: readonly number[];
  meetsMinimum: boolean;
};

/**
 * Prices what a store has of a cart. Undefined where it has none of the lines, or where they come to more than an
 * order may.
 */
export function priceLines(
  seller: { storeId: string; miles: number; terms: CartTerms },
  lineCents: readonly number[],
): PricedCart | undefined {
  const missing = lineCents.flatMap((cents, line) => (cents === Infinity ? [line] : []));
  if (missing.length === lineCents.length) return undefined;
  const subtotalCents = lineCents.reduce((sum, cents) => (cents === Infinity ? sum : sum + cents), 0);
  const price = priceCart(seller.terms, subtotalCents);
  if (!price) return undefined;
  const { storeId, miles, terms } = seller;
  return { storeId, miles, price, missing, meetsMinimum: subtotalCents >= terms.orderMinimumCents };
}

/** Full carts that the store takes an order of, full ones under its minimum, then those that lack lines. */
function rankOf({ missing, meetsMinimum }: PricedCart): number {
  if (missing.length > 0) return 1 + missing.length;
  return meetsMinimum ? 0 : 1;
}

/** In each rank the cheapest first, of equal ones the nearest. */
function compareCarts(a: PricedCart, b: PricedCart): number {
  return (
    rankOf(a) - rankOf(b) ||
    a.price.totalWithoutTipsCents - b.price.totalWithoutTipsCents ||
    a.miles - b.miles ||
    (a.storeId < b.storeId ? -1 : Number(a.storeId > b.storeId))
  );
}

/** The carts of an answer in their order; those that lack lines only where they are asked for. */
export function orderCarts<Cart extends PricedCart>(
  carts: readonly Cart[],
  { fullOnly, most }: { fullOnly: boolean; most: number },
): Cart[] {
  const wanted = fullOnly ? carts.filter(({ missing }) => missing.length === 0) : [...carts];
  return wanted.sort(compareCarts).slice(0, most);
}

/** What the cheapest full cart costs that a store takes an order of; Infinity without one. */
export function cheapestFullCents(carts: readonly PricedCart[]): number {
  const totals = carts.flatMap((cart) => (rankOf(cart) === 0 ? [cart.price.totalWithoutTipsCents] : []));
  return totals.reduce((least, cents) => Math.min(least, cents), Infinity);
}
