import { setTimeout as pause } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import {
  COMPACTION_LIMITS,
  PACKED_WIDTH,
  type Publication,
  SELLER,
  SegmentMemory,
  type StoreRow,
  Writer,
  WriterLoop,
} from 'doorstep/search-engine';
import type { Logger } from 'pino';
import { type Db, openDb, openPool, type Pool, type Sql } from '../../platform/db/connect.ts';
import { readEpochMs } from '../../platform/db/database-clock.db.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { countListedStores, countStoresUpTo, listListedIds } from '../../supply/stores/listed-stores.db.ts';
import { StoreFollower } from '../../supply/stores/store-feed.cache.ts';
import { AFTER_ALL_IDS, type FeedPoint, findUnreadStores } from '../../supply/stores/stores.db.ts';
import { type LoadData, loadInThread, loadStores } from './load-stores.flow.ts';
import { type FoundDifference, saveSearchCheck } from './search-checks.db.ts';
import type { ShelfAccess, ShelfFollower } from './shelf-access.ts';
import { SnapshotKeeper } from './snapshot-keeper.cache.ts';
import { engineRow } from './store-row.ts';

/*
 * The thread that writes the store index: loads all stores, follows the change feed, seals changes into segments and
 * posts each version to the threads that search.
 */

export type WriterData = LoadData & {
  /** The node's snapshot folder, if any. */
  snapshotFolder: string | null;
  /** Minimum number of stores for a snapshot, and for loading in a separate thread; both take a second. */
  manyStores?: number;
  /** Milliseconds without store changes before a snapshot is written. */
  quietMs?: number;
  /** Milliseconds between two comparisons of the index with the database. */
  compareMs?: number;
};

/** Messages of a searching thread. */
export type FromReader = { kind: 'release'; version: number } | { kind: 'catch up'; id: number };
/**
 * Messages to a searching thread after all stores are loaded: a whole version, then each later one, with the ids of
 * changed stores and the time (system clock) that all earlier commits are included for.
 */
export type ToReader =
  | { kind: 'version'; isWhole: boolean; publication: Publication; changed: readonly string[] }
  | { kind: 'complete'; completeMs: number; leftOut: number }
  | { kind: 'incomplete'; missing: number }
  | { kind: 'caught up'; id: number; failure?: string }
  | { kind: 'shelves'; access: ShelfAccess };

export type IndexWriterOptions = {
  data: WriterData;
  /** Names this index in the database (`search-checks.db.ts`). */
  node: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Opens the store of product indexes. */
  openShelves(db: Sql): ShelfFollower;
  /** Called once all stores are loaded. */
  onLoaded(): void;
};

const MANY_STORES = 20_000;
const QUIET_MS = 5000;
const MIN_SPARE_BYTES = 2 ** 25;
const COMPARE_MS = 3_600_000;
const RETRY_MS = 1000;
/** Statement timeout of the feed; copying few stores takes a second. */
const STATEMENT_MS = 30_000;

/** Thrown if the index does not have the same stores as the database lists. */
class SearchDiffers extends Error {}

/**
 * Writes a process's search index: fills it from the snapshot or the database, follows the change feed, and posts each
 * version to the searching threads. A failure is an unhandled rejection, which ends the thread that it runs in.
 */
export class IndexWriter {
  private readonly options: IndexWriterOptions;
  private readonly log: IndexWriterOptions['log'];
  private readonly pool: Pool;
  private readonly db: Db;
  private readonly memory = new SegmentMemory(MIN_SPARE_BYTES);
  private readonly writer = new Writer(this.memory, COMPACTION_LIMITS);
  private readonly loop = new WriterLoop(this.writer, (publication) => this.publish(publication));
  private readonly manyStores: number;
  private readonly keeper: SnapshotKeeper | null;
  private readonly shelves: ShelfFollower;
  private readonly closing = new AbortController();
  private readonly started: Promise<StoreFollower>;
  /** The searching threads, each with the oldest version that it reads. */
  private readonly readers = new Map<MessagePort, number>();
  private changed: string[] = [];
  private completeMs: number | undefined;
  private isCompared = false;
  /** Number of stores that cannot be converted, as saved. */
  private savedLeftOut = 0;
  private comparing: NodeJS.Timeout | undefined;

  constructor(options: IndexWriterOptions) {
    this.options = options;
    const { data, log } = options;
    this.log = log;
    this.pool = openPool({
      connectionString: data.connectionString,
      schema: data.schema,
      max: 7,
      applicationName: 'doorstep-search',
      settings: { statement_timeout: String(STATEMENT_MS) },
    });
    this.db = openDb(this.pool);
    const { snapshotFolder: folder, manyStores = MANY_STORES, quietMs = QUIET_MS } = data;
    this.manyStores = manyStores;
    this.keeper =
      folder === null ? null : new SnapshotKeeper({ folder, db: this.db, log, minStores: manyStores, quietMs });
    this.shelves = options.openShelves(this.db);
    this.started = this.start();
    this.endIfFailed(this.started);
  }

  /** Posts versions to this searching thread, from the next version with all stores. */
  addReader(port: MessagePort): void {
    this.readers.set(port, 0);
    port.on('message', (message: FromReader) => {
      if (message.kind === 'catch up') return void this.catchUp(port, message.id);
      if (this.readers.has(port)) this.readers.set(port, message.version);
      this.release();
    });
    port.on('close', () => {
      this.readers.delete(port);
      this.release();
    });
    const access = this.shelves.connect();
    post([port], { kind: 'shelves', access }, [access.port]);
    this.postWhole([port]);
  }

  /** Releases versions that no thread reads. Threads get no version until all stores are loaded. */
  private release(): void {
    const { currentVersion } = this.writer;
    const oldest = this.completeMs === undefined ? [] : this.readers.values();
    this.loop.release(Math.min(currentVersion, ...oldest));
  }

  private postWhole(ports: readonly MessagePort[]): void {
    if (this.completeMs === undefined) return;
    post(ports, { kind: 'version', isWhole: true, publication: this.writer.whole(), changed: [] });
    this.postComplete(ports);
  }

  private async start(): Promise<StoreFollower> {
    const from = await this.retry(async () => (await this.readSnapshot()) ?? (await this.load()));
    this.endIfFailed(this.retry(() => this.shelves.open()));
    const feed = new StoreFollower({
      db: this.db,
      connectionString: this.options.data.connectionString,
      log: this.log,
      from,
      apply: (store, seq) => {
        this.shelves.change(store.storeId, seq, store.listed && store.hasCatalog);
        this.change(store.storeId, store.listed ? engineRow(store) : null);
      },
      onLeftOut: (storeId) => this.change(storeId, null),
      room: () => this.loop.room(),
      onComplete: (beforeMs) => this.complete(feed, beforeMs),
    });
    await this.retry(() => this.compare(feed));
    this.closing.signal.throwIfAborted();
    this.isCompared = true;
    feed.start();
    this.keeper?.keep({ writer: this.writer, loop: this.loop, feed });
    this.compareLater(feed);
    return feed;
  }

  private compareLater(feed: StoreFollower): void {
    this.comparing = setTimeout(() => {
      this.endIfFailed(this.retry(() => this.compare(feed)).then(() => this.compareLater(feed)));
    }, this.options.data.compareMs ?? COMPARE_MS);
  }

  /** Ends the thread if the work fails; a new thread is started. */
  private endIfFailed(running: Promise<unknown>): void {
    running.catch((error) => {
      if (!this.closing.signal.aborted) throw error;
    });
  }

  /** Retries until it succeeds, or finds a difference that another try would find as well. */
  private async retry<Result>(run: () => Promise<Result>): Promise<Result> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await run();
      } catch (error) {
        this.closing.signal.throwIfAborted();
        if (error instanceof SearchDiffers) throw error;
        if (isFirst) this.log.warn({ err: error }, 'stores cannot be read: trying again');
        await pause(RETRY_MS, undefined, { signal: this.closing.signal });
      }
    }
  }

  /**
   * Compares the index with the listed stores as of one moment. A store that cannot be converted counts as present. Any
   * other difference ends the thread, and the next one reads all stores from the database.
   */
  private async compare(feed: StoreFollower): Promise<void> {
    const indexed = () => {
      this.loop.flush();
      return this.writer.liveStores + feed.leftOut.size;
    };
    const isEqual = await feed.atOneMoment(
      async () => indexed(),
      async (tx, stores) => stores === (await countListedStores(tx)),
    );
    if (isEqual) return this.saveCheck(feed, null);
    // Later changes wait, so that a store that leaves search meanwhile does not seem to be missing.
    const found = await feed.atOneMoment(
      async (tx) => {
        const listed = await countListedStores(tx);
        const missing = await this.findMissing(tx, feed);
        const surplus = indexed() + missing.length - listed;
        return { listed, missing: missing.length, firstMissing: missing[0] ?? null, surplus };
      },
      async (_, difference) => difference,
    );
    const { missing, firstMissing, surplus } = found;
    if (missing === 0 && surplus === 0) return this.saveCheck(feed, null);
    this.log.error(found, 'search differs from the database: reading all stores again');
    post(this.readers.keys(), { kind: 'incomplete', missing });
    await this.saveCheck(feed, { missing, firstMissing });
    await this.keeper?.discard();
    throw new SearchDiffers(
      `The search index lacks ${missing} of ${found.listed} stores and contains ${surplus} others.`,
    );
  }

  /** Finds the stores that search lacks although they can be converted; notes the others. */
  private async findMissing(tx: Sql, feed: StoreFollower): Promise<string[]> {
    const missing: string[] = [];
    feed.leftOut.clear();
    for await (const ids of listListedIds(tx)) {
      const absent = ids.filter((id) => !this.writer.has(id));
      for (const { storeId, read } of await findUnreadStores(tx, absent)) {
        try {
          engineRow(read());
          missing.push(storeId);
        } catch (error) {
          feed.leaveOut(storeId, error);
        }
      }
    }
    return missing.sort();
  }

  /** Saves the result of the comparison for operators. Search does not depend on it. */
  private async saveCheck({ leftOut }: StoreFollower, difference: FoundDifference | null): Promise<void> {
    const { db, options } = this;
    this.savedLeftOut = leftOut.size;
    const save = async () => {
      await systemClock.measure(() => readEpochMs(db));
      await saveSearchCheck(db, options.node, systemClock.now(), { leftOut, difference });
    };
    await save().catch((error) => {
      if (!this.closing.signal.aborted) this.log.warn({ err: error }, 'check of search not saved');
    });
  }

  private async readSnapshot(): Promise<FeedPoint | null> {
    const read = await this.keeper?.read(this.memory);
    if (!read) return null;
    this.publish(this.writer.restore(read.segments));
    this.log.info({ stores: this.writer.liveStores, seq: read.point.seq }, 'search loaded from its snapshot');
    return read.point;
  }

  private async load(): Promise<FeedPoint> {
    if ((await countStoresUpTo(this.db, this.manyStores)) >= this.manyStores) {
      const { segments, seq } = await loadInThread(this.options.data, this.closing.signal);
      this.publish(this.writer.restore(segments));
      this.log.info({ stores: this.writer.liveStores, seq }, 'search loaded from the database');
      return { seq, storeId: AFTER_ALL_IDS };
    }
    const { publication, seq } = await loadStores(this.pool, this.writer, { signal: this.closing.signal });
    this.publish(publication);
    return { seq, storeId: AFTER_ALL_IDS };
  }

  private change(storeId: string, row: StoreRow | null): void {
    this.changed.push(storeId);
    this.keeper?.noteChange();
    this.loop.change(storeId, row);
  }

  /** Notes that all changes before a moment are indexed. Shows no version before it was compared with the database. */
  private complete(feed: StoreFollower, beforeMs: number): void {
    if (!this.isCompared) return;
    const isFirst = this.completeMs === undefined;
    if (isFirst) this.loop.flush();
    this.shelves.complete(feed.position.seq);
    this.completeMs = performance.timeOrigin + beforeMs;
    if (isFirst) {
      this.options.onLoaded();
      this.postWhole([...this.readers.keys()]);
      this.shelves.buildAhead(listSellers(this.writer));
    } else if (!this.writer.hasChanges) this.postComplete();
    if (feed.leftOut.size !== this.savedLeftOut) void this.saveCheck(feed, null);
  }

  private postComplete(ports: Iterable<MessagePort> = this.readers.keys()): void {
    const { completeMs, savedLeftOut: leftOut } = this;
    if (completeMs !== undefined) post(ports, { kind: 'complete', completeMs, leftOut });
  }

  private publish(publication: Publication): void {
    const { changed } = this;
    this.changed = [];
    if (this.completeMs === undefined) this.release();
    else post(this.readers.keys(), { kind: 'version', isWhole: false, publication, changed });
    if (!this.writer.hasChanges) this.postComplete();
  }

  private async catchUp(port: MessagePort, id: number): Promise<void> {
    // If the start fails, the searching thread repeats its request to the next writer.
    const feed = await this.started.catch(() => null);
    if (feed === null) return;
    try {
      await feed.catchUp();
      this.loop.flush();
      post([port], { kind: 'caught up', id });
    } catch (error) {
      post([port], { kind: 'caught up', id, failure: error instanceof Error ? error.message : String(error) });
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    clearTimeout(this.comparing);
    this.loop.close();
    await this.keeper?.close();
    await this.shelves.close();
    const feed = await this.started.catch(() => null);
    await feed?.close();
    await this.db.destroy();
    for (const port of this.readers.keys()) port.close();
  }
}

function post(ports: Iterable<MessagePort>, message: ToReader, transferred: MessagePort[] = []): void {
  for (const port of ports) port.postMessage(message, transferred);
}

/** Lists the stores with a catalog, neighbors side by side. Packed, because they may be more than a million. */
function listSellers(writer: Writer): Iterator<string> {
  const packed = Buffer.allocUnsafe(writer.liveStores * PACKED_WIDTH);
  let end = 0;
  for (const { segment, died } of writer.snapshot()) {
    for (let slot = 0; slot < segment.size; slot += 1) {
      const isSeller = ((segment.columns.traits[slot] as number) & SELLER) !== 0;
      if (died[slot] === 0 && isSeller) end += packed.write(segment.ids.at(slot), end, 'hex');
    }
  }
  const ids = function* () {
    for (let at = 0; at < end; at += PACKED_WIDTH) yield packed.toString('hex', at, at + PACKED_WIDTH);
  };
  return ids();
}
