import type { ProductTerms } from './product-terms.index.ts';

/**
 * A store's products on sale, in stock or not, for product and cart search. Mostly one array, because a search of
 * hundreds of indexes is bound by cache misses. Immutable: a store change replaces it.
 */
export type ProductIndex = {
  storeId: string;
  /** The terms to which the numbers in `data` refer. */
  terms: ProductTerms;
  productCount: number;
  categoryCount: number;
  termCount: number;
  /**
   * Layout: ascending term numbers; the start of each term's postings, and the end of the last; the postings; from
   * `rowsAt`, a row of `rowLength` elements per product, by product number.
   */
  data: Uint32Array;
  rowsAt: number;
  rowLength: number;
  /**
   * Positions of optional columns in a row: pickup price, cents of the cheapest required choices, food claims
   * (`foodClaims`), code of the tax class. `NO_COLUMN` if every row has the default.
   */
  pickupAt: number;
  extraAt: number;
  claimsAt: number;
  taxAt: number;
  /** Ascending GTIN-14s, and the positions of their products. */
  gtins: Float64Array;
  gtinPositions: Uint32Array;
};
