import type { SoldByWeight } from '../../supply/pricing/weight.ts';
import type { Mode } from '../../supply/stores/store.ts';
import type { ProductIndex, ShelfCounts } from './product.index.ts';

/** Columns of every product row: number, delivery price in cents, and facts. */
export const ROW_PRODUCT_NO = 0;
export const ROW_CENTS = 1;
export const ROW_FACTS = 2;
export const ROW_LENGTH = 3;
/** Marks an absent optional column. 0 is unambiguous, because the first column of a row is a required one. */
export const NO_COLUMN = 0;

/**
 * The size column of a product (`packSize`); from `WEIGHED` on, the number of an entry of how goods are sold by weight:
 * the packed size that its price is for, and as in `SoldByWeight` per, step, minimum, maximum and piece, 0 for none.
 */
export const WEIGHED = 0xf000_0000;
export const WEIGHT_LENGTH = 6;

/**
 * Bits of a product's facts: its modes, the number of content words in its name, whether stock is counted, and its
 * category number.
 */
export const IN_DELIVERY = 1;
export const IN_PICKUP = 2;
export const NAME_LENGTH_SHIFT = 2;
export const NAME_LENGTH_MASK = 31;
export const STOCK_COUNT_BIT = 128;
export const CATEGORY_SHIFT = 8;
/** Maximum categories per index; products of further categories are found only by name. */
export const MAX_CATEGORIES = 2 ** 24 - 1;

/**
 * A posting is one number. From the lowest bit: word position in the name, role (`roleOf`), product position in the
 * index. Two word positions mark words outside of the name.
 */
export const WORD_POSITION_MASK = 31;
export const ROLE_SHIFT = 5;
export const ROLE_MASK = 3;
export const PRODUCT_SHIFT = 7;
/**
 * Word position in a category's posting. Its product position is the category's number, and it applies to all products
 * of the category.
 */
export const CATEGORY_POSITION = 30;
/** Word position of a word in the product's size. */
export const SIZE_POSITION = 31;
export const MAX_NAME_WORDS = 30;
/** Maximum products per index; further products of a store are not found by search. */
export const MAX_PRODUCTS = 2 ** 25 - 1;

/** The requested mode; null for both, with delivery preferred. */
export type RequestedMode = Mode | null;

export function requestedModeOf(pickup: boolean | null): RequestedMode {
  return pickup === null ? null : pickup ? 'pickup' : 'delivery';
}

/** Returns the mode where a product with these facts is sold; undefined if it is not sold in the requested mode. */
export function soldMode(facts: number, requested: RequestedMode): Mode | undefined {
  if (requested !== 'pickup' && (facts & IN_DELIVERY) !== 0) return 'delivery';
  return requested !== 'delivery' && (facts & IN_PICKUP) !== 0 ? 'pickup' : undefined;
}

/** Returns the start of the entries of how goods are sold by weight. */
export function weightsStart(counts: Pick<ShelfCounts, 'rowsAt' | 'productCount' | 'rowLength'>): number {
  return counts.rowsAt + counts.productCount * counts.rowLength;
}

/** Returns the entry of a match's weight in `data` (`WEIGHED`). */
export function weightIn(
  { data }: ProductIndex,
  at: number,
): Pick<SoldByWeight, 'per' | 'step' | 'min' | 'max' | 'piece'> {
  const [per, step, min, max, piece] = data.subarray(at + 1, at + WEIGHT_LENGTH) as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { per, step, min, max, piece: piece === 0 ? null : piece };
}

/** Returns the start of a product's row in `data`. */
export function rowStart({ rowsAt, rowLength }: ProductIndex, position: number): number {
  return rowsAt + position * rowLength;
}

export function categoryAt(index: ProductIndex, position: number): number {
  return (index.data[rowStart(index, position) + ROW_FACTS] as number) >>> CATEGORY_SHIFT;
}
