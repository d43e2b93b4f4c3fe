import type { Slice } from '../lib/slice.ts';
import type { NearStore } from '../stores/search/store-query.ts';
import { centsOfLines, type LineChoice } from './choose-products.ts';
import type { CartTerms } from './price-cart.ts';
import { cheapestFullCents, orderCarts, type PricedCart, priceLines } from './sort-carts.ts';
import { type Split, splitSteps } from './split-cart.ts';

/** Carts of one answer; there are no pages. */
export const MOST_CARTS = 20;
/** Pairs of stores of one answer. */
export const MOST_SPLITS = 3;
/** Products that a cart lists beside the chosen one of a line. */
export const MOST_ALTERNATIVES = 4;
/** Partial splits looked at for one answer: a few hundred do nearly always, so many take some ten milliseconds. */
const MOST_SPLIT_STEPS = 100_000;

/** A store near the customer that takes orders, and what it charges for them. */
export type CartSeller = NearStore & { terms: CartTerms };

/** What a store has of a cart, line by line. */
export type CartOffer = {
  seller: CartSeller;
  choices: readonly LineChoice[];
  /** All units of each line in cents; Infinity where it is lacking. */
  lineCents: readonly number[];
  /** What the store charges for what it has; undefined where that is nothing, or more than an order may come to. */
  cart: PricedCart | undefined;
};

/** What an answer shows, by the numbers of the offers. */
export type CartsInView = { carts: readonly number[]; splits: readonly Split[]; isExhaustive: boolean };

/** What the store's choices cost, and what it charges for them. */
export function pricedOffer(
  seller: CartSeller,
  choices: readonly LineChoice[],
  quantities: readonly number[],
): CartOffer {
  const lineCents = centsOfLines(choices, quantities);
  return { seller, choices, lineCents, cart: priceLines(seller, lineCents) };
}

/**
 * The carts to be shown in their order, and the cheapest splits where they are asked for: those that are cheaper than
 * every full cart that a store takes an order of.
 */
export async function viewOf(
  offers: readonly CartOffer[],
  { fullOnly, split }: { fullOnly: boolean; split: boolean },
  slice: Pick<Slice, 'run'>,
): Promise<CartsInView> {
  const carts = offers.flatMap(({ cart }, number) => (cart ? [{ ...cart, number }] : []));
  const shown = orderCarts(carts, { fullOnly, most: MOST_CARTS }).map(({ number }) => number);
  if (!split) return { carts: shown, splits: [], isExhaustive: true };
  const sellers = offers.map(({ seller, lineCents }) => ({ terms: seller.terms, lineCents }));
  const underCents = cheapestFullCents(carts);
  const limits = { underCents, mostSplits: MOST_SPLITS, mostSteps: MOST_SPLIT_STEPS };
  return { carts: shown, ...(await slice.run(splitSteps(sellers, limits))) };
}
