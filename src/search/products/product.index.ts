import type { ProductTerms } from './product-terms.index.ts';

/**
 * The products that one store has on sale, in stock or not, for product search and cart search. Nearly all of it is one
 * array: a search reads hundreds of indexes, and its time is mostly cache misses. An index never changes: a change of the
 * store replaces it.
 */
export type ProductIndex = {
  storeId: string;
  /** The numbers of terms in `data` are numbers of these terms. */
  terms: ProductTerms;
  productCount: number;
  categoryCount: number;
  termCount: number;
  /**
   * In this sequence: the numbers of the index's terms, ascending; for each term the element at which its postings start,
   * and the end of the last ones; the postings; from `rowsAt` on a row of `rowLength` elements for each product, by
   * ascending product number.
   */
  data: Uint32Array;
  rowsAt: number;
  rowLength: number;
  /**
   * Positions in the row of three more columns: the price for pickup; the cents that the cheapest way to meet the required
   * choices adds; what the food states (`foodClaims`). `NO_COLUMN` where the prices of both modes are equal, nothing is
   * added, nothing is stated.
   */
  pickupAt: number;
  extraAt: number;
  claimsAt: number;
  /** GTIN-14 of the products that have one, ascending, and the positions of these products. */
  gtins: Float64Array;
  gtinPositions: Uint32Array;
};

/** Memory that the arrays of an index take. */
export function bytesOf({ data, gtins, gtinPositions }: ProductIndex): number {
  return data.byteLength + gtins.byteLength + gtinPositions.byteLength;
}
