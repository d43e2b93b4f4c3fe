import type { ProductTerms } from './product-terms.index.ts';

/**
 * The products that one store has on sale, in stock or not, for product search and cart search. Numbers lie in one array,
 * since a search looks at hundreds of indexes and mostly waits for memory: what it needs of one index is beside each
 * other. An index never changes: a change of the store replaces it.
 */
export type ProductIndex = {
  storeId: string;
  /** The terms by whose numbers the index has its words. */
  terms: ProductTerms;
  productCount: number;
  categoryCount: number;
  termCount: number;
  /**
   * Numbers of all terms of the index, ascending; then the element of `data` at which the postings of each term start,
   * and the end of the last; then the postings; from `rowsAt`, a row of `rowLength` elements for each product, in the
   * order of product numbers.
   */
  data: Uint32Array;
  rowsAt: number;
  rowLength: number;
  /**
   * Columns of the rows beside those that every row has (`ROW_PRODUCT_NO`), by their position in the row: the price for
   * pickup; cents that the cheapest way to meet the required choices adds to each price; what the food states, by the
   * bits of `foodClaims`. `NO_COLUMN` where the prices of both modes are equal, nothing is added, nothing is stated.
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
