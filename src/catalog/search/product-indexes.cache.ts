import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/connect.ts';
import { createRunningReads } from '../../lib/running-reads.ts';
import { ConcurrencyLimiter } from '../../load/concurrency-limiter.ts';
import type { EventLoopScheduler } from '../../load/event-loop-scheduler.ts';
import type { ProductIndex } from './product.index.ts';
import { termIdsOf } from './product-layout.ts';
import { createProductTerms, type ProductTerms } from './product-terms.index.ts';
import { readIndexes } from './stored/read-indexes.flow.ts';
import type { IndexWriter } from './stored/store-indexes.cache.ts';

/** Products of all indexes in memory: those of 20,000 menus, and room for what searches ask for beside them. */
export const MAX_PRODUCTS_KEPT = 4_000_000;
/** An index weighs as much as so many products more than it has. */
const INDEX_WEIGHT = 16;
/** Stores of one read, which takes one to three statements; more where menus are large. */
const STORES_READ = 25;
/** Statements that run at a time, of all requests: other work needs the pool too. Waiting reads are of running searches. */
const READ_LIMITS = {
  maxRunning: 2,
  maxRunningOfOwner: 2,
  maxWaiting: Infinity,
  maxWaitingOfOwner: Infinity,
  refusal: () => new Error('Too many product indexes are read.'),
};
/** Product indexes in memory: read at the first request, dropped when the store changes. */
export type ProductIndexes = {
  /**
   * The product indexes of the named stores, by store; an unknown store has an empty one. Look terms up (`prepareQuery`)
   * after this, since reading an index adds its terms. Owners take turns in reading.
   */
  of(storeIds: readonly string[], owner: string): Promise<ReadonlyMap<string, ProductIndex>>;
  /** The product index of a store, where it is in memory. */
  inMemory(storeId: string): ProductIndex | undefined;
  readonly terms: ProductTerms;
  /** Called for every change of a store, after its commit: the next answer shows it. */
  drop(storeId: string): void;
  /** Products and indexes in memory. */
  readonly productCount: number;
  readonly indexCount: number;
  close(): Promise<void>;
};

export type ProductIndexesOptions = {
  db: Sql;
  scheduler: EventLoopScheduler;
  maxProducts?: number;
  /** How indexes are stored for nodes that start. None is stored without it. */
  stored?: StoredIndexes;
};

export type StoredIndexes = {
  /** Null where the format is unknown: no index is then read or stored. */
  format(): Promise<string | null>;
  writerOf(terms: ProductTerms): IndexWriter;
  /** Called for each stored index, or read of stored indexes, that failed. */
  onUnreadable(error: unknown): void;
};

export function createProductIndexes(options: ProductIndexesOptions): ProductIndexes {
  const { db, scheduler, stored, maxProducts = MAX_PRODUCTS_KEPT } = options;
  const terms = createProductTerms();
  const writer = stored?.writerOf(terms);
  const kept = new LRUCache<string, ProductIndex>({
    maxSize: maxProducts,
    sizeCalculation: ({ productCount }) => productCount + INDEX_WEIGHT,
  });
  const reads = createRunningReads<ProductIndex>();
  const readLimiter = new ConcurrencyLimiter(READ_LIMITS);
  const onRead = releaseWhenUnused(terms);
  const onBuilt = (index: ProductIndex, changedSeq: number) => writer?.note(index, changedSeq);
  const onUnreadable = (error: unknown) => stored?.onUnreadable(error);

  /** Begins to read the stores that no running read has. */
  function readMissing(missing: readonly string[], owner: string): void {
    const unread = missing.filter((storeId) => !reads.of(storeId));
    for (let at = 0; at < unread.length; at += STORES_READ) {
      const batch = unread.slice(at, at + STORES_READ);
      const read = readLimiter.run(owner, async () => {
        const format = (await stored?.format()) ?? null;
        const reads = { db, terms, format, onRead, onBuilt, onUnreadable };
        return scheduler.runAs(owner, () => readIndexes(reads, batch));
      });
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
    inMemory: (storeId) => kept.peek(storeId),
    drop(storeId) {
      kept.delete(storeId);
      reads.drop(storeId);
      writer?.drop(storeId);
    },
    get productCount() {
      return kept.calculatedSize - kept.size * INDEX_WEIGHT;
    },
    get indexCount() {
      return kept.size;
    },
    close: async () => writer?.close(),
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
