import type { Sql } from '../../platform/db/connect.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { RunningReads } from '../../platform/lib/running-reads.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import { EventLoopScheduler, isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { ProductIndexBuilder } from './build-product-index.ts';
import type { Shelf } from './product.index.ts';
import { findIndexedCategories, findIndexedProducts, type ProductRead } from './product-indexes.db.ts';
import type { ProductTerms } from './product-terms.index.ts';
import type { BuiltShelf } from './shelf-messages.ts';

/** Stores per read, which takes two statements, or more for large menus. */
const STORES_PER_READ = 25;
/** Maximum products per store and statement. */
const PRODUCTS_PER_STATEMENT = 8000;
/** Products that are added between two checks of the time slice. */
const SLICE_PRODUCTS = 250;
/** Maximum concurrent reads of menus, because other work shares the connection pool. */
const READ_LIMITS = {
  maxRunning: 2,
  maxRunningOfOwner: 2,
  maxWaiting: Infinity,
  maxWaitingOfOwner: Infinity,
  refusal: () => new Error('Too many menus are being read.'),
};

export type ShelfBuilderOptions = { db: Sql; terms: ProductTerms; reportLeftOut: ReportLeftOut };

/** Builds product indexes from menus in the database, each once for all that wait for it. */
export class ShelfBuilder {
  readonly terms: ProductTerms;
  private readonly db: Sql;
  private readonly reportLeftOut: ReportLeftOut;
  private readonly reads = new RunningReads<BuiltShelf>();
  private readonly limiter = new ConcurrencyLimiter(READ_LIMITS);
  private readonly scheduler = new EventLoopScheduler();

  constructor({ db, terms, reportLeftOut }: ShelfBuilderOptions) {
    this.db = db;
    this.terms = terms;
    this.reportLeftOut = reportLeftOut;
  }

  /**
   * Builds the shelves of these stores; empty ones for unknown stores. Owners take turns. `keep` gets each shelf whose
   * store did not change meanwhile.
   */
  async build(
    storeIds: readonly string[],
    owner: string,
    keep: (storeId: string, shelf: Shelf) => void = () => {},
  ): Promise<Map<string, BuiltShelf>> {
    const unread = storeIds.filter((storeId) => !this.reads.of(storeId));
    for (let at = 0; at < unread.length; at += STORES_PER_READ) {
      const batch = unread.slice(at, at + STORES_PER_READ);
      const read = this.limiter.run(owner, () => this.scheduler.runAs(owner, () => this.readMenus(batch)));
      for (const storeId of batch) {
        const own = read.then((built) => built.get(storeId) as BuiltShelf);
        this.reads.add(storeId, own, ({ shelf, isWhole }) => isWhole && keep(storeId, shelf));
      }
    }
    const built = storeIds.map(async (storeId) => [storeId, await this.reads.of(storeId)] as const);
    return new Map((await Promise.all(built)).flatMap(([storeId, one]) => (one ? [[storeId, one] as const] : [])));
  }

  /** A store changed: its unfinished builds still answer waiting requests, and no others. */
  drop(storeId: string): void {
    this.reads.drop(storeId);
  }

  private async readMenus(storeIds: readonly string[]): Promise<Map<string, BuiltShelf>> {
    const [categories, products] = await Promise.all([
      findIndexedCategories(this.db, storeIds),
      findIndexedProducts(this.db, storeIds, { afterNo: 0, limit: PRODUCTS_PER_STATEMENT }),
    ]);
    await nextSlice();
    const shelves = new Map<string, BuiltShelf>();
    for (const [storeId, first] of products) {
      const own = categories.get(storeId) ?? { categoryNos: new Int32Array(), names: [], taxCodes: new Int32Array() };
      const builder = new ProductIndexBuilder(storeId, own, this.terms);
      const menuProducts = await this.addAll(builder, storeId, first);
      const { productCount, shelf } = builder.finish();
      this.reportUnindexed(storeId, builder.unindexedWords);
      shelves.set(storeId, { shelf, isWhole: this.isWhole(storeId, menuProducts, productCount) });
    }
    return shelves;
  }

  private isWhole(storeId: string, menuProducts: number, indexProducts: number): boolean {
    const difference = Math.abs(menuProducts - indexProducts);
    if (difference === 0) return true;
    const text = 'the products in search differ from the menu: they are read again at the next search';
    this.reportLeftOut('product', text, { storeId, menuProducts, indexProducts }, difference);
    return false;
  }

  private reportUnindexed(storeId: string, words: number): void {
    const text = 'a menu has more words than search holds: its products are not found by the others';
    if (words > 0) this.reportLeftOut('product_word', text, { storeId }, words);
  }

  /** Adds a store's first products, then reads and adds the rest; returns how many the menu had as it was read. */
  private async addAll(builder: ProductIndexBuilder, storeId: string, first: ProductRead): Promise<number> {
    let menuProducts = 0;
    for (let read: ProductRead | undefined = first; read; ) {
      const { columns, onSale } = read;
      for (let from = 0; from < columns.productNos.length; from += SLICE_PRODUCTS) {
        builder.add(columns, from, Math.min(columns.productNos.length, from + SLICE_PRODUCTS));
        if (isSliceOver()) await nextSlice();
      }
      menuProducts += Math.min(onSale, PRODUCTS_PER_STATEMENT);
      const afterNo = columns.productNos.at(-1);
      if (onSale <= PRODUCTS_PER_STATEMENT || afterNo === undefined) break;
      const more = await findIndexedProducts(this.db, [storeId], { afterNo, limit: PRODUCTS_PER_STATEMENT });
      read = more.get(storeId);
    }
    return menuProducts;
  }
}
