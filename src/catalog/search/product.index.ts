/**
 * The products that one store has on sale, in stock or not, for product search and cart search. The columns have one
 * entry a product, in the order of product numbers; terms have lists of products. An index never changes: a change of
 * the store replaces it.
 */
export type ProductIndex = {
  storeId: string;
  /** Number of each product within the store, ascending. */
  productNos: Uint32Array;
  /** Price of each product in cents, by mode; one array for both modes where all prices are equal. */
  deliveryCents: Uint32Array;
  pickupCents: Uint32Array;
  /** Cents that the cheapest way to meet the required choices adds to each price; null where all are 0. */
  extraCents: Uint32Array | null;
  /** 1 where the stock of a product is counted; null where no stock is. */
  counted: Uint8Array | null;
  /** What the food of each product states, by the bits of `foodClaims`; null where none states anything. */
  claims: Uint32Array | null;
  /** `IN_DELIVERY`, `IN_PICKUP`, and the number of words in the name that are neither measures nor stop words. */
  flags: Uint8Array;
  /** The category of each product, by its number within the index. */
  categoryOf: Uint16Array | Uint32Array;
  categoryCount: number;
  /** Numbers of all terms of the index, ascending, and the position at which the postings of each start. */
  termIds: Uint32Array;
  starts: Uint32Array;
  postings: Uint32Array;
  /** GTIN-14 of the products that have one, ascending, and the positions of these products. */
  gtins: Float64Array;
  gtinPositions: Uint32Array;
};

/** Memory that the arrays of an index take. */
export function bytesOf(index: ProductIndex): number {
  const { productNos, deliveryCents, pickupCents, extraCents, flags, categoryOf, termIds, starts, postings, gtins } =
    index;
  const arrays = [productNos, deliveryCents, flags, categoryOf, termIds, starts, postings, gtins, index.gtinPositions];
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return (
    bytes +
    (pickupCents === deliveryCents ? 0 : pickupCents.byteLength) +
    (extraCents?.byteLength ?? 0) +
    (index.counted?.byteLength ?? 0) +
    (index.claims?.byteLength ?? 0)
  );
}
