import type { NearStore } from '../stores/store-query.ts';
import { type LinePrices, pricesOfLines, type RankedMatches } from './choose-products.ts';
import { type CartTerms, cheapestFullCents, type PricedCart, priceLines, sortCarts } from './sort-carts.ts';
import { type Split, splitSteps } from './split-cart.ts';

/** Maximum carts per answer; there are no pages. */
export const MAX_CARTS = 20;
/** Maximum split carts per answer. */
export const MAX_SPLITS = 3;
/** Maximum alternatives listed beside the chosen product of a line. */
export const MAX_ALTERNATIVES = 4;
/** Maximum partial splits tried per answer, about ten milliseconds; a few hundred usually suffice. */
const MAX_SPLIT_STEPS = 100_000;

/** A store near the customer that takes orders, with its fees and taxes. */
export type CartSeller = NearStore & { terms: CartTerms };

/** The empty choices of a candidate that is not in the answer. */
export const NO_CHOICES: readonly RankedMatches[] = [];

/** A store's products for a cart, line by line, and their price. */
export type PricedChoices = PricedLines & { choices: readonly RankedMatches[] };

/** The prices of a store's products for a cart. */
export type PricedLines = LinePrices & {
  /** Undefined if the store has none of the lines, or the price exceeds an order's maximum. */
  cart: PricedCart | undefined;
};

/**
 * A store as candidate for the answer. Its choices and prices change as its products are read from the database. It has
 * no choices until it enters an answer.
 */
export type CartCandidate = PricedChoices & { readonly seller: CartSeller };

/** The carts and splits of an answer. `isExhaustive` is false if cheaper splits may exist (`SplitSearch`). */
export type CartsInView = {
  carts: readonly CartCandidate[];
  splits: readonly Split<CartCandidate>[];
  isExhaustive: boolean;
};

/** Prices the choices of a store. */
export function priceChoices(
  seller: CartSeller,
  choices: readonly RankedMatches[],
  quantities: readonly number[],
): PricedChoices {
  const chosen = choices.map(([best]) => best);
  return { choices, ...priceAll(seller, pricesOfLines(chosen, quantities)) };
}

/** Prices the lines that a store has. */
export function priceAll(seller: CartSeller, prices: LinePrices): PricedLines {
  return { ...prices, cart: priceLines(seller, prices) };
}

/** Finds the best carts, sorted; with `split`, also splits that cost less than any full cart. Yields between steps. */
export function* viewSteps(
  candidates: readonly CartCandidate[],
  { fullOnly, split }: { fullOnly: boolean; split: boolean },
): Generator<void, CartsInView> {
  const priced = candidates.flatMap((candidate) => (candidate.cart ? [{ ...candidate.cart, candidate }] : []));
  const carts = sortCarts(priced, { fullOnly, limit: MAX_CARTS }).map(({ candidate }) => candidate);
  if (!split) return { carts, splits: [], isExhaustive: true };
  const sellers = candidates.map((candidate) => ({
    candidate,
    terms: candidate.seller.terms,
    lineCents: candidate.lineCents,
    taxCodes: candidate.taxCodes,
  }));
  const limits = { underCents: cheapestFullCents(priced), maxSplits: MAX_SPLITS, maxSteps: MAX_SPLIT_STEPS };
  const { splits, isExhaustive } = yield* splitSteps(sellers, limits);
  const byCandidate = splits.map((one) => ({ ...one, first: one.first.candidate, second: one.second.candidate }));
  return { carts, splits: byCandidate, isExhaustive };
}
