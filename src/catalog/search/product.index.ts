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
