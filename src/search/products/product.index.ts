import type { ProductTerms } from './product-terms.index.ts';

/**
 * A store's products on sale, in stock or not, for product and cart search. Almost all is one array, because a search
 * of hundreds of indexes is bound by cache misses. Immutable: a change of the store replaces it.
 */
export type ProductIndex = {
  storeId: string;
  /** The numbers of terms in `data` are numbers of these terms. */
  terms: ProductTerms;
  productCount: number;
  categoryCount: number;
  termCount: number;
  /**
   * Layout: term numbers, ascending; the start of each term's postings, and the end of the last; the postings; from
   * `rowsAt`, a row of `rowLength` elements per product, by product number.
   */
  data: Uint32Array;
  rowsAt: number;
  rowLength: number;
  /**
   * Row positions of optional columns: pickup price, cents added by the cheapest required choices, stated food facts
   * (`foodClaims`). `NO_COLUMN` if every row has the default.
   */
  pickupAt: number;
  extraAt: number;
  claimsAt: number;
  /** GTIN-14 of the products that have one, ascending, and the positions of these products. */
  gtins: Float64Array;
  gtinPositions: Uint32Array;
};

/** Memory that the arrays of an index take. */
export function indexBytes({ data, gtins, gtinPositions }: ProductIndex): number {
  return data.byteLength + gtins.byteLength + gtinPositions.byteLength;
}
