import type { Mode } from '../stores/mode.ts';

export const MODES: readonly Mode[] = ['delivery', 'pickup'];

/** A variant of a product, such as a size, with its whole price in each mode that sells it. */
export type Variant = { prices: Readonly<Partial<Record<Mode, number>>> };

export type PricedVariants = {
  /** The price and modes of the product that carries them. */
  price: { price: number; pickup_price: number; modes?: Mode[] };
  /** The price of each variant less the price of the cheapest variant, in the given sequence. */
  extras: number[];
};

/**
 * The price of the cheapest variant as the product's price, and the differences of the other variants as option prices: a
 * store line has one price for each mode. Null where this is impossible: a variant that only one mode sells, or
 * differences that are not equal in both modes.
 */
export function priceVariants(variants: readonly Variant[]): PricedVariants | null {
  const modes = MODES.filter((mode) => variants.some(({ prices }) => prices[mode] !== undefined));
  const byMode = modes.map((mode) => variants.flatMap(({ prices }) => prices[mode] ?? []));
  if (byMode.length === 0 || byMode.some((prices) => prices.length < variants.length)) return null;
  const lowest = byMode.map((prices) => Math.min(...prices));
  const extras = byMode.map((prices) => {
    const min = Math.min(...prices);
    return prices.map((price) => price - min);
  });
  const [first = [], second = first] = extras;
  if (first.some((extra, at) => extra !== second[at])) return null;
  const [price = 0, pickupPrice = price] = lowest;
  return {
    price: { price, pickup_price: pickupPrice, ...(modes.length === 1 ? { modes } : {}) },
    extras: first,
  };
}
