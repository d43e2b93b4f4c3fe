import type { MessagePort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { RunningReads } from '../../platform/lib/running-reads.ts';
import { nextSlice, runInSlices } from '../../platform/load/event-loop-scheduler.ts';
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
/** Owner of the reads of indexes in memory whose store changed, and stores per read. */
const RENEWALS = 'renewals';
const STORES_PER_RENEWAL = 25;
/** Milliseconds after a change during which searches may use the index of before, while it is read again. */
const MAX_STALE_MS = 1000;
/** Fixed cost of an index, in products. */
const INDEX_WEIGHT = 16;

export type ProductIndexesOptions = { reportLeftOut: ReportLeftOut; maxProducts?: number };

type BuiltShelves = ReadonlyMap<string, BuiltShelf>;
/** Indexes that were read at once: they share memory, and leave it together. */
type Block = { storeIds: Set<string>; weight: number };
type KeptIndex = { index: ProductIndex; block: Block };
type ReadIndex = KeptIndex & { isWhole: boolean };
/** An index that lacks a change of its store, and the time until which searches use it. */
type StaleIndex = { index: ProductIndex; untilMs: number };

/** The shelves and the builder of one writer thread, as this thread reaches them. */
type Source = { terms: ProductTerms; usage: ShelfUsage; folder: ShelfFolder | null; port: MessagePort };

/**
 * Product indexes in this thread's memory: read from the node's shelves, or built by the thread that writes them, on
 * first use; read again at once when the store changes, during which searches use the one of before, so that none waits;
 * evicted with those that were read with it, the least recently used first, beyond `maxProducts`.
 */
export class ProductIndexes {
  private readonly reportLeftOut: ReportLeftOut;
  private readonly kept = new Map<string, KeptIndex>();
  private readonly blocks: LRUCache<Block, true>;
  private readonly reads = new RunningReads<ReadIndex>();
  private readonly started = Promise.withResolvers<void>();
  private source: Source | undefined;
  /** Indexes that were in memory as their store changed. */
  private readonly stale = new Map<string, StaleIndex>();
  private renewing: Promise<void> | undefined;
  /** Running calls; `null` answers those of a thread that has ended. */
  private readonly calls = new Map<number, PromiseWithResolvers<BuiltShelves | null>>();
  private lastCall = 0;

  constructor({ reportLeftOut, maxProducts = MAX_CACHED_PRODUCTS }: ProductIndexesOptions) {
    this.reportLeftOut = reportLeftOut;
    this.blocks = new LRUCache({
      maxSize: maxProducts,
      sizeCalculation: (_, { weight }) => weight,
      dispose: (_, { storeIds }) => {
        for (const storeId of storeIds) this.kept.delete(storeId);
      },
    });
  }

  /** Uses the shelves of a started writer thread. Its terms may have other numbers than those of the one before. */
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
      const index = kept?.index ?? this.findStale(storeId);
      if (kept) used.add(kept.block);
      if (index) found.set(storeId, index);
      else missing.push(storeId);
    }
    for (const block of used) this.blocks.get(block);
    if (missing.length === 0) return found;
    this.readMissing(missing, owner);
    for (const { index } of await Promise.all(missing.flatMap((storeId) => this.reads.of(storeId) ?? []))) {
      found.set(index.storeId, index);
    }
    return found;
  }

  /** Returns terms that include those of all products of these stores; undefined if one is neither in memory nor in a file. */
  async findTerms(storeIds: readonly string[]): Promise<ProductTerms | undefined> {
    const { source } = this;
    const isThere = (storeId: string) =>
      this.kept.has(storeId) || this.findStale(storeId) || source?.folder?.directory.find(storeId) !== undefined;
    if (!storeIds.every(isThere)) return undefined;
    // The log had the terms of a shelf before the directory had the shelf.
    await runInSlices(source?.terms.follow() ?? [].values());
    return source?.terms;
  }

  /** Notes a committed change of a store: its index is read again. */
  change(storeId: string): void {
    this.reads.drop(storeId);
    const kept = this.kept.get(storeId);
    const stale = this.stale.get(storeId);
    const index = kept?.index ?? stale?.index;
    if (index === undefined) return;
    const untilMs = stale?.untilMs ?? performance.now() + MAX_STALE_MS;
    this.forget(storeId);
    this.stale.set(storeId, { index, untilMs });
    this.renewing ??= nextSlice().then(() => this.renew());
  }

  /** Resolves when searches use no index that lacks a change noted before. */
  async renewed(): Promise<void> {
    await this.renewing;
  }

  /** Drops all indexes, if changes may have been missed. */
  dropAll(): void {
    this.blocks.clear();
    this.stale.clear();
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

  private findStale(storeId: string): ProductIndex | undefined {
    const stale = this.stale.get(storeId);
    return stale !== undefined && performance.now() < stale.untilMs ? stale.index : undefined;
  }

  /** Reads the indexes of changed stores a few at a time, because an import may change all. */
  private async renew(): Promise<void> {
    while (this.stale.size > 0) {
      const some = [...this.stale.entries().take(STORES_PER_RENEWAL)];
      const storeIds = some.map(([storeId]) => storeId);
      this.readMissing(storeIds, RENEWALS);
      await Promise.allSettled(storeIds.map((storeId) => this.reads.of(storeId)));
      // Of a failed read, too: the next search reads again and reports the failure. A store that changed meanwhile stays.
      for (const [storeId, stale] of some) if (this.stale.get(storeId) === stale) this.stale.delete(storeId);
    }
    this.renewing = undefined;
  }

  /** Starts a read for stores that no running read includes. */
  private readMissing(missing: readonly string[], owner: string): void {
    const unread = missing.filter((storeId) => !this.reads.of(storeId));
    const read = this.read(unread, owner);
    for (const storeId of unread) {
      const own = read.then((indexes) => requireIndex(indexes, storeId));
      this.reads.add(storeId, own, (one) => one.isWhole && this.keep(one));
    }
  }

  private keep({ index, block }: KeptIndex): void {
    const { storeId, terms } = index;
    if (terms !== this.source?.terms) return;
    this.forget(storeId);
    this.stale.delete(storeId);
    this.kept.set(storeId, { index, block });
    block.storeIds.add(storeId);
    // A block that is larger than all memory is not kept.
    if (!this.blocks.has(block)) this.blocks.set(block, true);
    if (!this.blocks.has(block)) this.kept.delete(storeId);
  }

  private forget(storeId: string): void {
    const block = this.kept.get(storeId)?.block;
    this.kept.delete(storeId);
    block?.storeIds.delete(storeId);
    if (block?.storeIds.size === 0) this.blocks.delete(block);
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
      const block: Block = { storeIds: new Set(), weight: 0 };
      const indexes = new Map<string, ReadIndex>();
      const add = (storeId: string, shelf: Shelf, isWhole: boolean) => {
        const index = openShelf(storeId, shelf, terms);
        indexes.set(storeId, { index, isWhole, block });
        block.weight += index.productCount + INDEX_WEIGHT;
      };
      for (const [storeId, shelf] of read) add(storeId, shelf, true);
      for (const [storeId, { shelf, isWhole }] of built) add(storeId, shelf, isWhole);
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

function requireIndex<Index>(indexes: ReadonlyMap<string, Index>, storeId: string): Index {
  const index = indexes.get(storeId);
  if (!index) throw new Error(`The products of store ${storeId} were not read.`);
  return index;
}
