import { type Candidate, type LinePrices, pricesOfLines, type RankedMatches } from './choose-products.ts';
import type { CartSeller, ListedSeller } from './list-candidates.flow.ts';
import { type PricedCart, priceLines, sortCarts } from './sort-carts.ts';

/** Maximum carts per answer; there are no pages. */
export const MAX_CARTS = 20;
/** Maximum alternatives listed alongside the chosen product of a line. */
export const MAX_ALTERNATIVES = 4;

/** A store's products for a cart, line by line, and their price. */
export type PricedChoices = LinePrices & {
  choices: readonly RankedMatches[];
  /** Undefined if the store has none of the lines, or the price exceeds an order's maximum. */
  cart: PricedCart | undefined;
};

/**
 * A store as candidate for the response. Its choices and prices change as its products are read from the database. It
 * has no choices until it enters a response.
 */
export type CartCandidate = ListedSeller & PricedChoices;

/** Prices the chosen product of each line at a store: the first of its choices, unless given. */
export function priceChoices(
  seller: CartSeller,
  choices: readonly RankedMatches[],
  chosen: readonly (Candidate | undefined)[] = choices.map(([best]) => best),
): PricedChoices {
  const prices = pricesOfLines(chosen);
  return { choices, ...prices, cart: priceLines(seller, prices) };
}

/** Returns the best carts, sorted. */
export function bestCarts(candidates: readonly CartCandidate[], fullOnly: boolean): CartCandidate[] {
  const priced = candidates.flatMap((candidate) => (candidate.cart ? [{ ...candidate.cart, candidate }] : []));
  return sortCarts(priced, { fullOnly, limit: MAX_CARTS }).map(({ candidate }) => candidate);
}
