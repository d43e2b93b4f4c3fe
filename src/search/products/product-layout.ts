import type { Mode } from '../../supply/stores/store.ts';
import type { ProductIndex } from './product.index.ts';

/** Columns that every row of a product has: its number, its delivery price in cents, and its facts. */
export const ROW_PRODUCT_NO = 0;
export const ROW_CENTS = 1;
export const ROW_FACTS = 2;
export const ROW_LENGTH = 3;
/** Stands for a column that an index does not have: no such column is the first of a row. */
export const NO_COLUMN = 0;

/**
 * Bits of a product's facts: the modes that it is sold in, the number of content words in its name, whether its stock is
 * counted, and the number of its category.
 */
export const IN_DELIVERY = 1;
export const IN_PICKUP = 2;
export const NAME_LENGTH_SHIFT = 2;
export const NAME_LENGTH_MASK = 31;
export const COUNTED_BIT = 128;
export const CATEGORY_SHIFT = 8;
/** Categories of one index; products of further categories are found by their names. */
export const MAX_CATEGORIES = 2 ** 24 - 1;

/**
 * A posting is one number. From its lowest bit: position of the word in the name, role of the word (`roleOf`), position
 * of the product in its index. Two word positions stand for words outside of the name.
 */
export const WORD_POSITION_MASK = 31;
export const ROLE_SHIFT = 5;
export const ROLE_MASK = 3;
export const PRODUCT_SHIFT = 7;
/** The posting is a category's: its product position is the number of the category, for all products in it. */
export const CATEGORY_WORD = 30;
/** The word is in the product's size. */
export const SIZE_WORD = 31;
export const MAX_NAME_WORDS = 30;
/** Products of one index; a search does not find further products of the store. */
export const MAX_PRODUCTS = 2 ** 25 - 1;

/** The mode that a request names; null takes products of both modes, delivery first. */
export type RequestedMode = Mode | null;

export function requestedModeOf(pickup: boolean | null): RequestedMode {
  return pickup === null ? null : pickup ? 'pickup' : 'delivery';
}

/** The mode that a product with these facts is sold in; undefined where it is not sold in the requested mode. */
export function soldMode(facts: number, requested: RequestedMode): Mode | undefined {
  if (requested !== 'pickup' && (facts & IN_DELIVERY) !== 0) return 'delivery';
  return requested !== 'delivery' && (facts & IN_PICKUP) !== 0 ? 'pickup' : undefined;
}

/** The element of `data` at which the row of a product begins, by the position of the product. */
export function rowStart({ rowsAt, rowLength }: ProductIndex, position: number): number {
  return rowsAt + position * rowLength;
}

/** The number of a product's category within the index. */
export function categoryAt(index: ProductIndex, position: number): number {
  return (index.data[rowStart(index, position) + ROW_FACTS] as number) >>> CATEGORY_SHIFT;
}
