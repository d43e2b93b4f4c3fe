import { Refusal } from '../../platform/http/refusal.ts';
import { priceStorePart, type StorePart, type StoreTerms } from '../../supply/pricing/price-order.ts';

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

/** Full carts above the order minimum, then full carts below it, then carts with missing lines, fewest first. */
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

/** The first `limit` carts, sorted; `fullOnly` drops carts with missing lines. */
export function sortCarts<Cart extends PricedCart>(
  carts: readonly Cart[],
  { fullOnly, limit }: { fullOnly: boolean; limit: number },
): Cart[] {
  const wanted = fullOnly ? carts.filter(({ missing }) => missing.length === 0) : [...carts];
  return wanted.sort(compareCarts).slice(0, limit);
}

/** Price of the cheapest full cart above its store's order minimum; Infinity if there is none. */
export function cheapestFullCents(carts: readonly PricedCart[]): number {
  const totals = carts.flatMap((cart) => (cartRank(cart) === 0 ? [cart.price.totalWithoutTipsCents] : []));
  return totals.reduce((least, cents) => Math.min(least, cents), Infinity);
}

/** A store's fees and taxes in the cart's mode, and its order minimum. */
export type CartTerms = StoreTerms & { orderMinimumCents: number };

/**
 * The price of a cart with this subtotal before a tip, exactly as for an order (docs/quotes.md#money). Undefined if it
 * exceeds an order's maximum.
 */
export function priceCart(terms: CartTerms, subtotalCents: number): StorePart | undefined {
  try {
    return priceStorePart(terms, subtotalCents);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
