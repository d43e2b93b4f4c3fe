import { type Candidate, type LinePrices, pricesOfLines, type RankedMatches } from './choose-products.ts';
import type { CartSeller, ListedSeller } from './list-candidates.flow.ts';
import { cheapestFullCents, type PricedCart, priceLines, sortCarts } from './sort-carts.ts';
import { type Split, splitSteps } from './split-cart.ts';

/** Maximum carts per answer; there are no pages. */
export const MAX_CARTS = 20;
/** Maximum split carts per answer. */
export const MAX_SPLITS = 3;
/** Maximum alternatives listed beside the chosen product of a line. */
export const MAX_ALTERNATIVES = 4;
/** Maximum partial splits tried per answer, about ten milliseconds; a few hundred usually suffice. */
const MAX_SPLIT_STEPS = 100_000;

/** A store's products for a cart, line by line, and their price. */
export type PricedChoices = LinePrices & {
  choices: readonly RankedMatches[];
  /** Undefined if the store has none of the lines, or the price exceeds an order's maximum. */
  cart: PricedCart | undefined;
};

/**
 * A store as candidate for the answer. Its choices and prices change as its products are read from the database. It has
 * no choices until it enters an answer.
 */
export type CartCandidate = ListedSeller & PricedChoices;

/** The carts and splits of an answer. `isExhaustive` is false if cheaper splits may exist (`SplitSearch`). */
export type CartsInView = {
  carts: readonly CartCandidate[];
  splits: readonly Split<CartCandidate>[];
  isExhaustive: boolean;
};

/** Prices the chosen product of each line at a store: the first of its choices, unless given. */
export function priceChoices(
  seller: CartSeller,
  choices: readonly RankedMatches[],
  quantities: readonly number[],
  chosen: readonly (Candidate | undefined)[] = choices.map(([best]) => best),
): PricedChoices {
  const prices = pricesOfLines(chosen, quantities);
  return { choices, ...prices, cart: priceLines(seller, prices) };
}

/** Finds the best carts, sorted; with `split`, also splits that cost less than any full cart. Yields between steps. */
export function* viewSteps(
  candidates: readonly CartCandidate[],
  { fullOnly, split }: { fullOnly: boolean; split: boolean },
): Generator<void, CartsInView> {
  const priced = candidates.flatMap((candidate) => (candidate.cart ? [{ ...candidate.cart, candidate }] : []));
  const carts = sortCarts(priced, { fullOnly, limit: MAX_CARTS }).map(({ candidate }) => candidate);
  if (!split) return { carts, splits: [], isExhaustive: true };
  const limits = { underCents: cheapestFullCents(priced), maxSplits: MAX_SPLITS, maxSteps: MAX_SPLIT_STEPS };
  return { carts, ...(yield* splitSteps(candidates, limits)) };
}
