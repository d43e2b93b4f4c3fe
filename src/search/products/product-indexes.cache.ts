import type { MessagePort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { RunningReads } from '../../platform/lib/running-reads.ts';
import { runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import type { ShelfAccess, ShelfLocation } from '../stores/shelf-access.ts';
import type { ProductIndex, Shelf } from './product.index.ts';
import { ProductTerms } from './product-terms.index.ts';
import { readShelves, type ShelfFolder } from './read-shelves.cache.ts';
import { openShelf } from './shelf.ts';
import { ShelfDirectory } from './shelf-directory.index.ts';
import type { BuiltShelf, FromShelfReader, ToShelfReader } from './shelf-messages.ts';
import { ShelfUsage } from './shelf-usage.index.ts';
import { TermLog } from './term-log.index.ts';

/** Maximum products of all cached indexes: about 20,000 menus. */
export const MAX_CACHED_PRODUCTS = 4_000_000;
/** Owner of the reads that renew indexes in memory after changes, and stores per read. */
const RENEWALS = 'renewals';
const STORES_PER_RENEWAL = 25;
/** Fixed cost of an index, in products. */
const INDEX_WEIGHT = 16;

export type ProductIndexesOptions = { reportLeftOut: ReportLeftOut; maxProducts?: number };

type BuiltShelves = ReadonlyMap<string, BuiltShelf>;
/** Indexes that share memory and leave it together: their stores, and their weight in products. */
type Block = { storeIds: Set<string>; weight: number };
type KeptIndex = { index: ProductIndex; block: Block };
type ReadIndex = KeptIndex & { isWhole: boolean };

/** The shelves and the builder of one writer thread, as this thread reaches them. */
type Source = { terms: ProductTerms; usage: ShelfUsage; folder: ShelfFolder | null; port: MessagePort };

/**
 * Product indexes in this thread's memory: read from the node's shelves, or built by the thread that writes them, on
 * first use; dropped, and read again at once, when the store changes. Beyond `maxProducts`, the block that was used least
 * recently is evicted.
 */
export class ProductIndexes {
  private readonly reportLeftOut: ReportLeftOut;
  private readonly kept = new Map<string, KeptIndex>();
  private readonly blocks: LRUCache<Block, true>;
  private readonly reads = new RunningReads<ReadIndex>();
  private readonly started = Promise.withResolvers<void>();
  private source: Source | undefined;
  /** Stores whose index was in memory as they changed. */
  private readonly changed = new Set<string>();
  private isRenewing = false;
  /** Running calls; `null` ends the calls to a dead thread. */
  private readonly calls = new Map<number, PromiseWithResolvers<BuiltShelves | null>>();
  private lastCall = 0;

  constructor({ reportLeftOut, maxProducts = MAX_CACHED_PRODUCTS }: ProductIndexesOptions) {
    this.reportLeftOut = reportLeftOut;
    this.blocks = new LRUCache({
      maxSize: maxProducts,
      sizeCalculation: (_, { weight }) => weight,
      dispose: (_, { storeIds }) => {
        for (const storeId of storeIds) this.kept.delete(storeId);
        storeIds.clear();
      },
    });
  }

  /** Uses the shelves of a started writer thread. Its terms may be numbered differently. */
  attach({ terms, usage, shelves, port }: ShelfAccess): void {
    this.source?.port.close();
    const source = { terms: new ProductTerms(new TermLog(terms)), usage: new ShelfUsage(usage), folder: null, port };
    this.source = source;
    if (shelves !== null) useShelves(source, shelves);
    port.on('message', (message: ToShelfReader) => this.receive(source, message));
    this.dropAll();
    for (const { resolve } of this.calls.values()) resolve(null);
    this.calls.clear();
    this.started.resolve();
  }

  /**
   * Returns the product indexes of these stores; empty ones for unknown stores. Their `terms` differ if the writer
   * thread was started again between two reads.
   */
  async of(storeIds: readonly string[], owner: string): Promise<ReadonlyMap<string, ProductIndex>> {
    const found = new Map<string, ProductIndex>();
    const used = new Set<Block>();
    const missing: string[] = [];
    for (const storeId of storeIds) {
      const kept = this.kept.get(storeId);
      if (kept) {
        found.set(storeId, kept.index);
        used.add(kept.block);
      } else missing.push(storeId);
    }
    for (const block of used) this.blocks.get(block);
    if (missing.length === 0) return found;
    this.readMissing(missing, owner);
    for (const { index } of await Promise.all(missing.flatMap((storeId) => this.reads.of(storeId) ?? []))) {
      found.set(index.storeId, index);
    }
    return found;
  }

  /** Returns terms that include all products of these stores; undefined if one is neither in memory nor in a file. */
  async findTerms(storeIds: readonly string[]): Promise<ProductTerms | undefined> {
    const { source } = this;
    const isThere = (storeId: string) =>
      this.kept.has(storeId) || source?.folder?.directory.find(storeId) !== undefined;
    if (!storeIds.every(isThere)) return undefined;
    // The log had the terms of a shelf before the directory had the shelf.
    await runInSlices(source?.terms.follow() ?? [].values());
    return source?.terms;
  }

  /** Drops a store's index after a change was committed, so that the next answer shows the change. */
  drop(storeId: string): void {
    this.reads.drop(storeId);
    const kept = this.kept.get(storeId);
    if (kept === undefined) return;
    this.forget(storeId, kept);
    this.changed.add(storeId);
    if (this.isRenewing) return;
    this.isRenewing = true;
    setImmediate(() => void this.renew());
  }

  /** Drops all indexes, if changes may have been missed. */
  dropAll(): void {
    this.blocks.clear();
    this.reads.dropAll();
  }

  get productCount(): number {
    return this.kept.values().reduce((sum, { index }) => sum + index.productCount, 0);
  }

  get indexCount(): number {
    return this.kept.size;
  }

  close(): void {
    this.source?.port.close();
    for (const { reject } of this.calls.values()) reject(new Error('The service is closing.'));
  }

  /** Reads the indexes of changed stores, most likely before the next search near them; an import may change all. */
  private async renew(): Promise<void> {
    for (;;) {
      const storeIds = [...this.changed.values().take(STORES_PER_RENEWAL)];
      if (storeIds.length === 0) break;
      for (const storeId of storeIds) this.changed.delete(storeId);
      // A search that needs one of them reports the failure.
      await this.of(storeIds, RENEWALS).catch(() => {});
    }
    this.isRenewing = false;
  }

  /** Starts a read for stores that no running read includes. */
  private readMissing(missing: readonly string[], owner: string): void {
    const unread = missing.filter((storeId) => !this.reads.of(storeId));
    if (unread.length === 0) return;
    const read = this.read(unread, owner);
    for (const storeId of unread) {
      const own = read.then((indexes) => indexes.get(storeId) as ReadIndex);
      this.reads.add(storeId, own, (one) => one.isWhole && this.keep(one));
    }
  }

  private keep({ index, block }: KeptIndex): void {
    const { storeId, terms } = index;
    if (terms !== this.source?.terms || block.weight > this.blocks.maxSize) return;
    this.kept.set(storeId, { index, block });
    block.storeIds.add(storeId);
    if (!this.blocks.has(block)) this.blocks.set(block, true);
  }

  /** The memory of a block is free once all of its stores have left. */
  private forget(storeId: string, { block }: KeptIndex): void {
    this.kept.delete(storeId);
    block.storeIds.delete(storeId);
    if (block.storeIds.size === 0) this.blocks.delete(block);
  }

  private async read(storeIds: readonly string[], owner: string): Promise<Map<string, ReadIndex>> {
    await this.started.promise;
    for (;;) {
      const source = this.source as Source;
      const { terms, folder } = source;
      const read = folder === null ? new Map<string, Shelf>() : await readShelves(folder, storeIds);
      const absent = storeIds.filter((storeId) => !read.has(storeId));
      const built = absent.length === 0 ? new Map<string, BuiltShelf>() : await this.build(source, absent, owner);
      await runInSlices(terms.follow());
      if (built === null || source !== this.source || built.size < absent.length) continue;
      const indexes = new Map<string, ReadIndex>();
      const add = (storeId: string, shelf: Shelf, isWhole: boolean, block: Block) => {
        const index = openShelf(storeId, shelf, terms);
        block.weight += index.productCount + INDEX_WEIGHT;
        indexes.set(storeId, { index, isWhole, block });
      };
      const shared = newBlock();
      for (const [storeId, shelf] of read) add(storeId, shelf, true, shared);
      for (const [storeId, { shelf, isWhole }] of built) add(storeId, shelf, isWhole, newBlock());
      return indexes;
    }
  }

  private build({ port }: Source, storeIds: readonly string[], owner: string): Promise<BuiltShelves | null> {
    this.lastCall += 1;
    const call = Promise.withResolvers<BuiltShelves | null>();
    this.calls.set(this.lastCall, call);
    port.postMessage({ id: this.lastCall, storeIds, owner } satisfies FromShelfReader);
    return call.promise;
  }

  private settle(message: Extract<ToShelfReader, { id: number }>): void {
    const call = this.calls.get(message.id);
    this.calls.delete(message.id);
    if (message.kind === 'built') call?.resolve(new Map(message.shelves));
    else call?.reject(new Error(message.reason));
  }

  private receive(source: Source, message: ToShelfReader): void {
    if (message.kind === 'left out') this.reportLeftOut(...message.report);
    else if (message.kind === 'directory') useShelves(source, message);
    else this.settle(message);
  }
}

function useShelves(source: Source, { folder, directory }: ShelfLocation): void {
  source.folder = { folder, directory: new ShelfDirectory(directory), usage: source.usage };
  // Else the first search would take in all terms of before.
  void runInSlices(source.terms.follow());
}

const newBlock = (): Block => ({ storeIds: new Set(), weight: 0 });
