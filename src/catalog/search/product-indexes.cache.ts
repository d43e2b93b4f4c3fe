import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/connect.ts';
import type { FairTurns } from '../../lib/fair-turns.ts';
import { limitByOwner } from '../../lib/limit-by-owner.ts';
import { createRunningReads } from '../../lib/running-reads.ts';
import type { Slice } from '../../lib/slice.ts';
import { createProductIndexBuilder, type ProductColumns, type ProductIndexBuilder } from './build-product-index.ts';
import type { ProductIndex } from './product.index.ts';
import { findIndexedCategories, findIndexedProducts } from './product-indexes.db.ts';
import { termIdsOf } from './product-layout.ts';
import { createProductTerms, type ProductTerms } from './product-terms.index.ts';

/** Products of all indexes in memory: those of 20,000 menus, and room for what searches ask for beside them. */
export const MAX_PRODUCTS_KEPT = 4_000_000;
/** An index weighs as much as so many products more than it has. */
const INDEX_WEIGHT = 16;
/** Stores of one statement, and products of each store: an answer stays below some 20 MB. */
const STORES_READ = 25;
const PRODUCTS_READ = 8000;
/** Statements that run at a time, of all requests: other work needs the pool too. Waiting reads are of running searches. */
const READ_LIMITS = {
  maxRunning: 2,
  maxRunningOfOwner: 2,
  maxWaiting: Infinity,
  maxWaitingOfOwner: Infinity,
  refusal: () => new Error('Too many product indexes are read.'),
};
/** Products that are added between two readings of the clock. */
const SLICE_PRODUCTS = 250;

/** Product indexes in memory: read at the first request, dropped when the store changes. */
export type ProductIndexes = {
  /**
   * The product indexes of the named stores, by store; an unknown store has an empty one. Look terms up (`prepareQuery`)
   * after this, since reading an index adds its terms. Owners take turns in reading.
   */
  of(storeIds: readonly string[], owner: string): Promise<ReadonlyMap<string, ProductIndex>>;
  readonly terms: ProductTerms;
  /** Called for every change of a store, after its commit: the next answer shows it. */
  drop(storeId: string): void;
  /** Products and indexes in memory. */
  readonly productCount: number;
  readonly indexCount: number;
};

export type ProductIndexesOptions = { db: Sql; turns: FairTurns; maxProducts?: number };

export function createProductIndexes(options: ProductIndexesOptions): ProductIndexes {
  const { db, turns, maxProducts = MAX_PRODUCTS_KEPT } = options;
  const terms = createProductTerms();
  const kept = new LRUCache<string, ProductIndex>({
    maxSize: maxProducts,
    sizeCalculation: ({ productCount }) => productCount + INDEX_WEIGHT,
  });
  const reads = createRunningReads<ProductIndex>();
  const limitReads = limitByOwner(READ_LIMITS);
  const onBuilt = releaseWhenUnused(terms);

  /** Begins to read the stores that no running read has. */
  function readMissing(missing: readonly string[], owner: string): void {
    const unread = missing.filter((storeId) => !reads.of(storeId));
    for (let at = 0; at < unread.length; at += STORES_READ) {
      const batch = unread.slice(at, at + STORES_READ);
      const read = limitReads(owner, () =>
        readProductIndexes(db, terms, batch, { onBuilt, slice: turns.sliceOf(owner) }),
      );
      for (const storeId of batch) {
        const own = read.then((indexes) => indexOf(indexes, storeId));
        reads.add(storeId, own, (index) => kept.set(storeId, index));
      }
    }
  }

  return {
    terms,
    async of(storeIds, owner) {
      const found = new Map<string, ProductIndex>();
      const missing: string[] = [];
      for (const storeId of storeIds) {
        const index = kept.get(storeId);
        if (index) found.set(storeId, index);
        else missing.push(storeId);
      }
      readMissing(missing, owner);
      for (const index of await Promise.all(missing.flatMap((storeId) => reads.of(storeId) ?? []))) {
        found.set(index.storeId, index);
      }
      return found;
    },
    drop(storeId) {
      kept.delete(storeId);
      reads.drop(storeId);
    },
    get productCount() {
      return kept.calculatedSize - kept.size * INDEX_WEIGHT;
    },
    get indexCount() {
      return kept.size;
    },
  };
}

/** Releases slot and terms with the last reference to an index: a request may use the numbers while it has the index. */
function releaseWhenUnused(terms: ProductTerms): (index: ProductIndex) => void {
  const unused = new FinalizationRegistry<{ slot: number; termIds: Uint32Array }>(({ slot, termIds }) => {
    terms.indexes.remove(slot, termIds);
    for (const termId of termIds) terms.release(termId);
  });
  // A copy: a part of the index's array would keep all of it in memory until the release.
  return (index) => unused.register(index, { slot: index.slot, termIds: termIdsOf(index).slice() });
}

function indexOf(indexes: ReadonlyMap<string, ProductIndex>, storeId: string): ProductIndex {
  const index = indexes.get(storeId);
  if (!index) throw new Error(`The products of store ${storeId} were not read.`);
  return index;
}

/** Calls `onBuilt` with each index as soon as it holds terms. */
async function readProductIndexes(
  db: Sql,
  terms: ProductTerms,
  storeIds: readonly string[],
  { onBuilt, slice }: { onBuilt: (index: ProductIndex) => void; slice: Slice },
): Promise<Map<string, ProductIndex>> {
  const [categories, products] = await Promise.all([
    findIndexedCategories(db, storeIds),
    findIndexedProducts(db, storeIds, { afterNo: 0, limit: PRODUCTS_READ }),
  ]);
  const indexes = new Map<string, ProductIndex>();
  await slice.next();
  for (const [storeId, first] of products) {
    const ownCategories = categories.get(storeId) ?? { categoryNos: new Int32Array(), names: [] };
    const builder = createProductIndexBuilder(storeId, ownCategories, terms);
    try {
      await addAll(db, builder, storeId, first, slice);
    } catch (error) {
      builder.abandon();
      throw error;
    }
    const index = builder.finish();
    onBuilt(index);
    indexes.set(storeId, index);
  }
  return indexes;
}

/** Adds the first products of a store, then reads and adds the rest. */
async function addAll(
  db: Sql,
  builder: ProductIndexBuilder,
  storeId: string,
  first: ProductColumns,
  slice: Slice,
): Promise<void> {
  for (let columns: ProductColumns | undefined = first; columns; ) {
    await addInSlices(builder, columns, slice);
    if (columns.productNos.length < PRODUCTS_READ) return;
    const afterNo = columns.productNos.at(-1) ?? 0;
    const more = await findIndexedProducts(db, [storeId], { afterNo, limit: PRODUCTS_READ });
    columns = more.get(storeId);
  }
}

async function addInSlices(builder: ProductIndexBuilder, columns: ProductColumns, slice: Slice): Promise<void> {
  const count = columns.productNos.length;
  for (let from = 0; from < count; from += SLICE_PRODUCTS) {
    builder.add(columns, from, Math.min(count, from + SLICE_PRODUCTS));
    if (slice.isOver()) await slice.next();
  }
}
