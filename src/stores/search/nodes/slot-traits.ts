import type { SpatialTree } from '../spatial-tree.ts';
import { SLOT_BITS, SLOT_MASK } from '../spatial-tree.ts';
import type { StoreTraits } from '../store-columns.ts';
import type { NodeFilter } from './node-filter.ts';
import { priceBit } from './node-summaries.ts';

/**
 * What a walk needs to rule out most stores of a leaf, two words beside each slot: the columns of stores lie in the
 * sequence of ordinals, and each store of a leaf would be a miss of the processor's cache there. The first word has the
 * bit of the store's flags (16 bits), of its price level (8) and its rating in fiftieths, rounded up (8); the second has
 * the bits of its cuisines.
 */
export const WORDS_OF_SLOT = 2;

/** The conditions of a search as a slot is judged by them; a slot that passes may still fail the conditions. */
export type SlotFilter = { kinds: number; prices: number; rating: number; cuisines: number };

export function putSlotTraits(tree: SpatialTree, slot: number, traits: StoreTraits, ordinal: number): void {
  const words = tree.traits[slot >>> SLOT_BITS] as Uint32Array;
  const at = (slot & SLOT_MASK) * WORDS_OF_SLOT;
  const set = (traits.cuisineSets[ordinal] as number) * 2;
  const kind = 1 << (traits.flags[ordinal] as number);
  const price = priceBit(traits.dollarSigns[ordinal] as number) << 16;
  words[at] = kind | price | (fiftieths(traits.ratings[ordinal] as number) << 24);
  words[at + 1] = (traits.cuisineBits[set] as number) | (traits.cuisineBits[set + 1] as number);
}

export function slotFilterOf({ kinds, prices, minimumRating, cuisine }: NodeFilter): SlotFilter {
  const cuisines = cuisine === null ? 0 : cuisine.low | cuisine.high;
  return { kinds, prices: prices << 16, rating: fiftieths(minimumRating), cuisines };
}

/** The bits of the first word's price level, and of its rating. */
export const PRICE_BITS = 0xff0000;
export const RATING_BITS = 0xff000000;

/** The rating of the first word, in fiftieths. */
export const fiftiethsOf = (trait: number): number => trait >>> 24;

/** The bit of the first word's price level; that of an unknown level is the highest. */
export const priceBitsOf = (trait: number): number => (trait >>> 16) & 0xff;

/** The bits of a rating in fiftieths, and of the price level whose bit has that number, under the masks above. */
export const bitsOfFiftieths = (fiftieths: number): number => fiftieths << 24;
export const bitsOfPrice = (bit: number): number => 1 << (16 + bit);

const MOST_FIFTIETHS = 255;

/** A rating in fiftieths, rounded up, from 0 to 255; 0 without a rating. Never less for a better rating. */
export function fiftieths(rating: number): number {
  return rating > 0 ? Math.min(MOST_FIFTIETHS, Math.ceil(rating * 50)) : 0;
}

/** The best rating of so many fiftieths: rounding may have made one unit in the last place more of `rating * 50` less. */
export function bestOfFiftieths(count: number): number {
  if (count === MOST_FIFTIETHS) return Infinity;
  const rating = count / 50;
  const next = rating + 2 ** (Math.floor(Math.log2(rating)) - 52);
  return fiftieths(next) === count ? next : rating;
}
