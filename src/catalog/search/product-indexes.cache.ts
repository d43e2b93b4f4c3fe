import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/connect.ts';
import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import { createSlice, type Slice } from '../../lib/slice.ts';
import {
  type CategoryColumns,
  createShelfBuilder,
  type ProductColumns,
  type ShelfBuilder,
} from './build-product-index.ts';
import type { Shelf } from './product.index.ts';
import { findShelfCategories, findShelfProducts } from './product-indexes.db.ts';
import { createLexicon, type Lexicon } from './product-terms.index.ts';

/** Products of all shelves that are kept: some 50 bytes each, 150 to 200 MB with their words. */
export const MOST_PRODUCTS_KEPT = 3_000_000;
/** A shelf weighs as much as so many products besides those on it. */
const SHELF_WEIGHT = 16;
/** Stores of one statement, and products of each that one statement brings: an answer stays below some 20 MB. */
const STORES_READ = 25;
const PRODUCTS_READ = 8000;
/** Statements under way at a time, of all requests: others need the pool too. */
const MOST_READS = 2;
/** Products that are put on a shelf between two looks at the time. */
const SLICE_PRODUCTS = 250;

/** What stores sell, in memory, read when it is first asked for and dropped when the store changes. */
export type Shelves = {
  /**
   * The shelves of the named stores in their order; of a store that is not there, an empty one. Take the words of a
   * query (`prepareQuery`) after this, from `lexicon`.
   */
  of(storeIds: readonly string[]): Promise<ReadonlyMap<string, Shelf>>;
  readonly lexicon: Lexicon;
  /** Called for every change of a store, after its commit: the next answer shows it. */
  drop(storeId: string): void;
  /** Products kept at the moment, and shelves. */
  readonly productCount: number;
  readonly shelfCount: number;
};

export type ShelvesOptions = { db: Sql; mostProducts?: number };

export function createShelves({ db, mostProducts = MOST_PRODUCTS_KEPT }: ShelvesOptions): Shelves {
  const lexicon = createLexicon();
  const kept = new LRUCache<string, Shelf>({
    maxSize: mostProducts,
    sizeCalculation: ({ productNos }) => productNos.length + SHELF_WEIGHT,
  });
  const underWay = new Map<string, Promise<Shelf>>();
  const inTurn = limitConcurrency(MOST_READS);
  /** A shelf's words are let go when nobody has the shelf any more: numbers on it mean the same as long as it is used. */
  const unused = new FinalizationRegistry<Uint32Array>((wordIds) => {
    for (const wordId of wordIds) lexicon.release(wordId);
  });

  const hold = (shelf: Shelf): void => unused.register(shelf, shelf.wordIds);

  /** Reads shelves together; one whose store changes meanwhile is given to those who wait, and not kept. */
  function read(storeIds: readonly string[]): void {
    const reading = inTurn(() => readShelves(db, lexicon, storeIds, hold));
    for (const storeId of storeIds) {
      const shelf = reading.then((shelves) => {
        const one = shelves.get(storeId) as Shelf;
        if (underWay.get(storeId) === shelf) kept.set(storeId, one);
        return one;
      });
      underWay.set(storeId, shelf);
      const forget = (): void => {
        if (underWay.get(storeId) === shelf) underWay.delete(storeId);
      };
      shelf.then(forget, forget);
    }
  }

  return {
    lexicon,
    async of(storeIds) {
      const missing = storeIds.filter((storeId) => !kept.has(storeId) && !underWay.has(storeId));
      for (let at = 0; at < missing.length; at += STORES_READ) read(missing.slice(at, at + STORES_READ));
      const shelves = await Promise.all(storeIds.map((storeId) => kept.get(storeId) ?? underWay.get(storeId)));
      return new Map(storeIds.map((storeId, at) => [storeId, shelves[at] as Shelf]));
    },
    drop(storeId) {
      kept.delete(storeId);
      underWay.delete(storeId);
    },
    get productCount() {
      return kept.calculatedSize - kept.size * SHELF_WEIGHT;
    },
    get shelfCount() {
      return kept.size;
    },
  };
}

/** `hold` is told of each shelf as soon as it has words. */
async function readShelves(
  db: Sql,
  lexicon: Lexicon,
  storeIds: readonly string[],
  hold: (shelf: Shelf) => void,
): Promise<Map<string, Shelf>> {
  const [categories, products] = await Promise.all([
    findShelfCategories(db, storeIds),
    findShelfProducts(db, storeIds, { afterNo: 0, limit: PRODUCTS_READ }),
  ]);
  const shelves = new Map<string, Shelf>();
  const slice = createSlice();
  for (const storeId of storeIds) {
    const builder = createShelfBuilder(storeId, categories.get(storeId) as CategoryColumns, lexicon);
    try {
      await addAll(db, builder, storeId, products.get(storeId) as ProductColumns, slice);
    } catch (error) {
      builder.abandon();
      throw error;
    }
    const shelf = builder.finish();
    hold(shelf);
    shelves.set(storeId, shelf);
  }
  return shelves;
}

/** Adds what has been read of a store, and reads on while there is more. */
async function addAll(
  db: Sql,
  builder: ShelfBuilder,
  storeId: string,
  first: ProductColumns,
  slice: Slice,
): Promise<void> {
  await addInSlices(builder, first, slice);
  for (let columns = first; columns.productNos.length === PRODUCTS_READ; ) {
    const afterNo = columns.productNos.at(-1) as number;
    const more = await findShelfProducts(db, [storeId], { afterNo, limit: PRODUCTS_READ });
    columns = more.get(storeId) as ProductColumns;
    await addInSlices(builder, columns, slice);
  }
}

async function addInSlices(builder: ShelfBuilder, columns: ProductColumns, slice: Slice): Promise<void> {
  const count = columns.productNos.length;
  for (let from = 0; from < count; from += SLICE_PRODUCTS) {
    builder.add(columns, from, Math.min(count, from + SLICE_PRODUCTS));
    if (slice.isOver()) await slice.next();
  }
}
