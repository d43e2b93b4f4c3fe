import type { Sql } from '../../../db/connect.ts';
import { isSliceOver, nextSlice } from '../../../load/event-loop-scheduler.ts';
import { createProductIndexBuilder, type ProductColumns, type ProductIndexBuilder } from '../build-product-index.ts';
import type { ProductIndex } from '../product.index.ts';
import { findIndexedCategories, findIndexedProducts } from '../product-indexes.db.ts';
import type { ProductTerms } from '../product-terms.index.ts';
import { unpackIndex } from './pack-index.ts';
import { deleteStoredIndex, findStoredIndexes } from './stored-indexes.db.ts';

/** Products of each store in one statement. */
const PRODUCTS_READ = 8000;
/** Products that are added between two looks at the clock. */
const SLICE_PRODUCTS = 250;

export type IndexReads = {
  db: Sql;
  terms: ProductTerms;
  /** The format of stored indexes; null where none are read. */
  format: string | null;
  /** Called with each index as soon as it holds terms. */
  onRead(index: ProductIndex): void;
  /** Called with each index that was built from rows, and the number of the store's last change before they were read. */
  onBuilt(index: ProductIndex, changedSeq: number): void;
  /** Called where stored indexes cannot be read: indexes are then built from rows. */
  onUnreadable(error: unknown): void;
};

/** The product indexes of the named stores: as they are stored, else built from rows. An unknown store has an empty one. */
export async function readIndexes(reads: IndexReads, storeIds: readonly string[]): Promise<Map<string, ProductIndex>> {
  const indexes = await readStored(reads, storeIds);
  const unstored = storeIds.filter((storeId) => !indexes.has(storeId));
  if (unstored.length > 0) for (const index of await buildIndexes(reads, unstored)) indexes.set(index.storeId, index);
  return indexes;
}

async function readStored(reads: IndexReads, storeIds: readonly string[]): Promise<Map<string, ProductIndex>> {
  const { format, onRead } = reads;
  const indexes = new Map<string, ProductIndex>();
  if (format === null) return indexes;
  for (let unread = storeIds; unread.length > 0; ) {
    const stored = await findStored(reads, unread, format);
    await nextSlice();
    for (const [storeId, bytes] of stored) {
      const index = bytes && (await unpackStored(reads, storeId, bytes));
      if (!index) continue;
      onRead(index);
      indexes.set(storeId, index);
      if (isSliceOver()) await nextSlice();
    }
    unread = [...stored].flatMap(([storeId, bytes]) => (bytes === null ? [storeId] : []));
  }
  return indexes;
}

/** As `findStoredIndexes`; none where PostgreSQL cannot read the table. */
async function findStored({ db, onUnreadable }: IndexReads, storeIds: readonly string[], format: string) {
  try {
    return await findStoredIndexes(db, storeIds, format);
  } catch (error) {
    onUnreadable(error);
    return new Map<string, Buffer | null>();
  }
}

/** Damaged bytes are deleted, so that the index built from rows is stored in their stead. */
async function unpackStored(
  { db, terms, onUnreadable }: IndexReads,
  storeId: string,
  bytes: Buffer,
): Promise<ProductIndex | undefined> {
  try {
    return unpackIndex(storeId, bytes, terms);
  } catch (error) {
    onUnreadable(error);
    await deleteStoredIndex(db, storeId).catch(onUnreadable);
    return undefined;
  }
}

async function buildIndexes(reads: IndexReads, storeIds: readonly string[]): Promise<ProductIndex[]> {
  const { db, terms, onRead, onBuilt } = reads;
  const [categories, products] = await Promise.all([
    findIndexedCategories(db, storeIds),
    findIndexedProducts(db, storeIds, { afterNo: 0, limit: PRODUCTS_READ }),
  ]);
  const indexes: ProductIndex[] = [];
  await nextSlice();
  for (const [storeId, first] of products) {
    const ownCategories = categories.get(storeId) ?? { categoryNos: new Int32Array(), names: [], changedSeq: null };
    const builder = createProductIndexBuilder(storeId, ownCategories, terms);
    try {
      await addAll(db, builder, storeId, first);
    } catch (error) {
      builder.abandon();
      throw error;
    }
    const index = builder.finish();
    onRead(index);
    // A change between the two statements has made the index old, and its store has another number.
    if (first.changedSeq !== null && first.changedSeq === ownCategories.changedSeq) onBuilt(index, first.changedSeq);
    indexes.push(index);
  }
  return indexes;
}

/** Adds the first products of a store, then reads and adds the rest. */
async function addAll(db: Sql, builder: ProductIndexBuilder, storeId: string, first: ProductColumns): Promise<void> {
  for (let columns: ProductColumns | undefined = first; columns; ) {
    await addInSlices(builder, columns);
    if (columns.productNos.length < PRODUCTS_READ) return;
    const afterNo = columns.productNos.at(-1) ?? 0;
    const more = await findIndexedProducts(db, [storeId], { afterNo, limit: PRODUCTS_READ });
    columns = more.get(storeId);
  }
}

async function addInSlices(builder: ProductIndexBuilder, columns: ProductColumns): Promise<void> {
  const count = columns.productNos.length;
  for (let from = 0; from < count; from += SLICE_PRODUCTS) {
    builder.add(columns, from, Math.min(count, from + SLICE_PRODUCTS));
    if (isSliceOver()) await nextSlice();
  }
}
