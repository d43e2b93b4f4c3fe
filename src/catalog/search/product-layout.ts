import type { Mode } from '../../stores/mode.ts';

/** Bits of a product's `facts`: the modes that it is sold in; its name's words are above them. */
export const IN_DELIVERY = 1;
export const IN_PICKUP = 2;
export const NAME_LENGTH_SHIFT = 2;

/**
 * A word's place in the name is the low bits of a posting; then whether it says what the product is, then the
 * product's position on the shelf. Two places stand for words that are not in the name.
 */
export const PLACE_MASK = 31;
export const HEAD_BIT = 32;
export const POSITION_SHIFT = 6;
/** The posting is of a category: its position is the category's, for all products in it. */
export const PLACE_CATEGORY = 30;
/** The word tells the product's size. */
export const PLACE_SIZE = 31;
export const MOST_NAME_WORDS = 30;
/** Products of one shelf; what a store has beyond is not found. */
export const MOST_PRODUCTS = 2 ** 26 - 1;

/** Modes of a request: one of them, or whichever a product is sold in, delivery first. */
export type AskedMode = Mode | null;

/** Which mode a product of these facts is had in; undefined where it is not sold in the mode that is asked for. */
export function modeOf(facts: number, asked: AskedMode): Mode | undefined {
  if (asked !== 'pickup' && (facts & IN_DELIVERY) !== 0) return 'delivery';
  return asked !== 'delivery' && (facts & IN_PICKUP) !== 0 ? 'pickup' : undefined;
}
