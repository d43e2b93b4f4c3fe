import type { ProductTerms } from './product-terms.index.ts';

/**
 * A store's products on sale, in stock or not, for product and cart search: arrays that point into one shelf. Mostly
 * one array, because a search of hundreds of indexes is bound by cache misses. Immutable: a store change replaces it.
 */
export type ProductIndex = ShelfCounts & {
  storeId: string;
  /** The terms that the numbers in `data` refer to. */
  terms: ProductTerms;
  shelf: Shelf;
  /**
   * Layout: ascending term numbers; the start of each term's postings, and the end of the last; the postings; from
   * `rowsAt`, a row of `rowLength` elements per product, by product number; entries of how goods are sold by weight.
   */
  data: Uint32Array;
  /** Ascending GTIN-14s, and their products' positions. */
  gtins: Float64Array;
  gtinPositions: Uint32Array;
};

/** The numbers that say where things are in `data`. */
export type ShelfCounts = {
  productCount: number;
  categoryCount: number;
  termCount: number;
  rowsAt: number;
  rowLength: number;
  /** Number of entries of how goods are sold by weight. */
  weightCount: number;
  /**
   * Positions of optional columns in a row: pickup price, cents of the cheapest required choices, food claims
   * (`foodClaims`), tax class code, size. `NO_COLUMN` if every row contains the default.
   */
  pickupAt: number;
  extraAt: number;
  claimsAt: number;
  taxAt: number;
  sizeAt: number;
};

/**
 * A product index as bytes, in memory and in a file alike, eight or a multiple of them: the head (`HEAD`, numbers of
 * four bytes), GTINs, their positions, and `data`.
 */
export type Shelf = Uint8Array<ArrayBuffer>;
