import type { Mode } from '../../stores/mode.ts';

/** Bits of a product's `flags`: the modes that it is sold in, then the number of content words in its name. */
export const IN_DELIVERY = 1;
export const IN_PICKUP = 2;
export const NAME_LENGTH_SHIFT = 2;

/**
 * A posting is one number. From its lowest bit: the position of the word in the name, whether the word is the head of
 * the name, the position of the product in its index. Two word positions stand for words outside of the name.
 */
export const WORD_POSITION_MASK = 31;
export const HEAD_BIT = 32;
export const PRODUCT_SHIFT = 6;
/** The posting is a category's: its product position is the number of the category, for all products in it. */
export const CATEGORY_WORD = 30;
/** The word is in the product's size. */
export const SIZE_WORD = 31;
export const MAX_NAME_WORDS = 30;
/** Products of one index; a search does not find further products of the store. */
export const MAX_PRODUCTS = 2 ** 26 - 1;

/** The mode that a request names; null takes products of both modes, delivery first. */
export type RequestedMode = Mode | null;

/** The mode that a product with these flags is sold in; undefined where it is not sold in the requested mode. */
export function modeOf(flags: number, requested: RequestedMode): Mode | undefined {
  if (requested !== 'pickup' && (flags & IN_DELIVERY) !== 0) return 'delivery';
  return requested !== 'delivery' && (flags & IN_PICKUP) !== 0 ? 'pickup' : undefined;
}
