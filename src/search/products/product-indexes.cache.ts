import { LRUCache } from 'lru-cache';
import type { Sql } from '../../platform/db/connect.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { RunningReads } from '../../platform/lib/running-reads.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import { type EventLoopScheduler, isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { type ProductColumns, ProductIndexBuilder } from './build-product-index.ts';
import type { ProductIndex } from './product.index.ts';
import { findIndexedCategories, findIndexedProducts, type ProductRead } from './product-indexes.db.ts';
import { ProductTerms } from './product-terms.index.ts';

/** Maximum products of all cached indexes: about 20,000 menus. */
export const MAX_CACHED_PRODUCTS = 4_000_000;
/** Maximum terms of all indexes, including stems; three million products of 20,000 menus have 69,000. */
const MAX_TERMS = 1_000_000;
/** Fixed cost of an index, in products. */
const INDEX_WEIGHT = 16;
/** Stores per read, which takes two statements, or more for large menus. */
const STORES_PER_READ = 25;
/** Maximum products per store and statement. */
const PRODUCTS_PER_STATEMENT = 8000;
/** Products that are added between two checks of the time slice. */
const SLICE_PRODUCTS = 250;
/** Maximum concurrent reads of product indexes, because other work shares the connection pool. */
const READ_LIMITS = {
  maxRunning: 2,
  maxRunningOfOwner: 2,
  maxWaiting: Infinity,
  maxWaitingOfOwner: Infinity,
  refusal: () => new Error('Too many product indexes are read.'),
};

export type ProductIndexesOptions = {
  db: Sql;
  scheduler: EventLoopScheduler;
  reportLeftOut: ReportLeftOut;
  maxProducts?: number;
  maxTerms?: number;
};

/**
 * Product indexes in memory: built on first use, dropped when the store changes, evicted LRU beyond `maxProducts`.
 * Shared terms only grow: beyond `maxTerms`, a new `ProductTerms` starts and indexes of the old one are dropped. An
 * index that differs from its menu is reported, and built again at its next use.
 */
export class ProductIndexes {
  private terms = new ProductTerms();
  private readonly maxTerms: number;
  private readonly db: Sql;
  private readonly scheduler: EventLoopScheduler;
  private readonly reportLeftOut: ReportLeftOut;
  private readonly kept: LRUCache<string, ProductIndex>;
  private readonly differing = new WeakSet<ProductIndex>();
  private readonly reads = new RunningReads<ProductIndex>();
  private readonly readLimiter = new ConcurrencyLimiter(READ_LIMITS);

  constructor(options: ProductIndexesOptions) {
    const { db, scheduler, reportLeftOut, maxProducts = MAX_CACHED_PRODUCTS, maxTerms = MAX_TERMS } = options;
    this.db = db;
    this.scheduler = scheduler;
    this.reportLeftOut = reportLeftOut;
    this.maxTerms = maxTerms;
    this.kept = new LRUCache({
      maxSize: maxProducts,
      sizeCalculation: indexWeight,
    });
  }

  /**
   * Returns the product indexes of these stores; empty ones for unknown stores. Their `terms` differ if they were reset
   * between two reads. Reads are scheduled fairly by owner. Without `mayEvict`, an index is cached only if there is
   * room.
   */
  async of(storeIds: readonly string[], owner: string, mayEvict = true): Promise<ReadonlyMap<string, ProductIndex>> {
    const found = new Map<string, ProductIndex>();
    const missing: string[] = [];
    for (const storeId of storeIds) {
      const index = mayEvict ? this.kept.get(storeId) : this.kept.peek(storeId);
      if (index) found.set(storeId, index);
      else missing.push(storeId);
    }
    this.readMissing(missing, owner, mayEvict);
    for (const index of await Promise.all(missing.flatMap((storeId) => this.reads.of(storeId) ?? []))) {
      found.set(index.storeId, index);
    }
    return found;
  }

  /** Drops a store's index after a change was committed, so that the next answer shows the change. */
  drop(storeId: string): void {
    this.kept.delete(storeId);
    this.reads.drop(storeId);
  }

  /** Drops all indexes, if changes may have been missed. */
  dropAll(): void {
    this.kept.clear();
    this.reads.dropAll();
  }

  get productCount(): number {
    return this.kept.calculatedSize - this.kept.size * INDEX_WEIGHT;
  }

  get indexCount(): number {
    return this.kept.size;
  }

  /** Starts reads for stores that no running read includes. */
  private readMissing(missing: readonly string[], owner: string, mayEvict: boolean): void {
    const unread = missing.filter((storeId) => !this.reads.of(storeId));
    for (let at = 0; at < unread.length; at += STORES_PER_READ) {
      const batch = unread.slice(at, at + STORES_PER_READ);
      const read = this.readLimiter.run(owner, () => this.scheduler.runAs(owner, () => this.build(batch)));
      for (const storeId of batch) {
        const own = read.then((indexes) => requireIndex(indexes, storeId));
        this.reads.add(storeId, own, (index) => this.keep(index, mayEvict));
      }
    }
  }

  private keep(index: ProductIndex, mayEvict: boolean): void {
    if (index.terms !== this.terms || this.differing.has(index)) return;
    const hasRoom = this.kept.calculatedSize + indexWeight(index) <= this.kept.maxSize;
    if (mayEvict || hasRoom) this.kept.set(index.storeId, index);
  }

  /** Builds the product indexes of these stores from rows; an empty one for an unknown store. */
  private async build(storeIds: readonly string[]): Promise<Map<string, ProductIndex>> {
    const [categories, products] = await Promise.all([
      findIndexedCategories(this.db, storeIds),
      findIndexedProducts(this.db, storeIds, { afterNo: 0, limit: PRODUCTS_PER_STATEMENT }),
    ]);
    await nextSlice();
    const indexes = new Map<string, ProductIndex>();
    for (const [storeId, first] of products) {
      const own = categories.get(storeId) ?? { categoryNos: new Int32Array(), names: [], taxCodes: new Int32Array() };
      if (this.terms.size > this.maxTerms) this.resetTerms();
      const builder = new ProductIndexBuilder(storeId, own, this.terms);
      const menuProducts = await this.addAll(builder, storeId, first);
      const index = builder.finish();
      indexes.set(storeId, index);
      this.check(index, menuProducts, builder.unindexedWords);
    }
    return indexes;
  }

  private check(index: ProductIndex, menuProducts: number, unindexedWords: number): void {
    const { storeId, productCount: indexProducts } = index;
    const difference = Math.abs(menuProducts - indexProducts);
    if (difference > 0) {
      this.differing.add(index);
      const text = 'the products in search differ from the menu: they are read again at the next search';
      this.reportLeftOut('product', text, { storeId, menuProducts, indexProducts }, difference);
    }
    if (unindexedWords > 0) {
      const text = 'a menu has more words than search holds: its products are not found by the others';
      this.reportLeftOut('product_word', text, { storeId }, unindexedWords);
    }
  }

  private resetTerms(): void {
    this.terms = new ProductTerms();
    this.kept.clear();
  }

  /** Adds a store's first products, then reads and adds the rest; returns how many the menu had as it was read. */
  private async addAll(builder: ProductIndexBuilder, storeId: string, first: ProductRead): Promise<number> {
    let menuProducts = 0;
    for (let read: ProductRead | undefined = first; read; ) {
      const { columns, onSale } = read;
      await addInSlices(builder, columns);
      menuProducts += Math.min(onSale, PRODUCTS_PER_STATEMENT);
      const afterNo = columns.productNos.at(-1);
      if (onSale <= PRODUCTS_PER_STATEMENT || afterNo === undefined) break;
      const more = await findIndexedProducts(this.db, [storeId], { afterNo, limit: PRODUCTS_PER_STATEMENT });
      read = more.get(storeId);
    }
    return menuProducts;
  }
}

function indexWeight({ productCount }: ProductIndex): number {
  return productCount + INDEX_WEIGHT;
}

async function addInSlices(builder: ProductIndexBuilder, columns: ProductColumns): Promise<void> {
  const count = columns.productNos.length;
  for (let from = 0; from < count; from += SLICE_PRODUCTS) {
    builder.add(columns, from, Math.min(count, from + SLICE_PRODUCTS));
    if (isSliceOver()) await nextSlice();
  }
}

function requireIndex(indexes: ReadonlyMap<string, ProductIndex>, storeId: string): ProductIndex {
  const index = indexes.get(storeId);
  if (!index) throw new Error(`The products of store ${storeId} were not read.`);
  return index;
}
