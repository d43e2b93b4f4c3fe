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

/**
 * What one store sells, as product search and cart search look at it: on sale as the database had it when it was read,
 * in stock or not. One entry a product, in the order of their numbers; the words as lists of products. It never
 * changes: a store that changes gets another one.
 */
export type Shelf = {
  storeId: string;
  /** Number of each product within the store, ascending. */
  productNos: Uint32Array;
  /** Price of each in cents by mode; one array for both where they are the same. */
  deliveryCents: Uint32Array;
  pickupCents: Uint32Array;
  /** Cents that the cheapest way to meet its required choices adds to each; null where that is nothing for all. */
  extraCents: Uint32Array | null;
  /** 1 where the stock of a product is counted; null where that is so for none. */
  counted: Uint8Array | null;
  /** `IN_DELIVERY`, `IN_PICKUP`, and the number of words in the name that are neither measures nor stop words. */
  facts: Uint8Array;
  /** The category of each, numbered within the shelf. */
  categoryOf: Uint16Array | Uint32Array;
  categoryCount: number;
  /** Numbers of the lexicon of all words on the shelf, ascending, and where each one's postings start. */
  wordIds: Uint32Array;
  starts: Uint32Array;
  postings: Uint32Array;
  /** GTIN-14 of the products that have one, ascending, and their positions. */
  gtins: Float64Array;
  gtinPositions: Uint32Array;
};

/** What shelves cost in memory. */
export function bytesOf(shelf: Shelf): number {
  const { productNos, deliveryCents, pickupCents, extraCents, facts, categoryOf, wordIds, starts, postings, gtins } =
    shelf;
  const arrays = [productNos, deliveryCents, facts, categoryOf, wordIds, starts, postings, gtins, shelf.gtinPositions];
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return (
    bytes +
    (pickupCents === deliveryCents ? 0 : pickupCents.byteLength) +
    (extraCents?.byteLength ?? 0) +
    (shelf.counted?.byteLength ?? 0)
  );
}

/** Modes of a request: one of them, or whichever a product is sold in, delivery first. */
export type AskedMode = Mode | null;

/** Which mode a product of these facts is had in; undefined where it is not sold in the mode that is asked for. */
export function modeOf(facts: number, asked: AskedMode): Mode | undefined {
  if (asked !== 'pickup' && (facts & IN_DELIVERY) !== 0) return 'delivery';
  return asked !== 'delivery' && (facts & IN_PICKUP) !== 0 ? 'pickup' : undefined;
}
