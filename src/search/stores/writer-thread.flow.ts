import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Logger } from 'pino';
import { type Db, openDb, openPool, type Pool } from '../../db/connect.ts';
import { countStoresUpTo } from '../../stores/copy-stores.db.ts';
import type { Store } from '../../stores/store.ts';
import { type FollowedStores, followStores } from '../../stores/store-feed.cache.ts';
import { AFTER_ALL_IDS, type FeedPoint } from '../../stores/stores.db.ts';
import { COMPACTION_LIMITS } from '../engine/compaction.ts';
import { SegmentMemory } from '../engine/segment-memory.ts';
import { type Publication, Writer } from '../engine/writer.ts';
import { WriterLoop } from '../engine/writer-loop.flow.ts';
import { type LoadOrder, loadInThread, loadStores } from './load-stores.flow.ts';
import { SnapshotKeeper } from './snapshot-keeper.cache.ts';
import { rowOf } from './store-row.ts';

export type WriterOrder = LoadOrder & {
  /** The folder of the node's snapshot, and whether this process keeps it; null where the node has none. */
  snapshot: { folder: string; isKept: boolean } | null;
  /** With fewer stores they are read in this thread, and no snapshot is written: both take a second. */
  manyStores?: number;
  /** A snapshot is written once no store has changed for so long. */
  quietMs?: number;
};

/** A store that has changed, as far as caches of the process need to know. */
export type ChangedStore = Pick<Store, 'storeId' | 'listed' | 'hasCatalogue'>;

export type ToWriter = { kind: 'release'; version: number } | { kind: 'catch up'; id: number } | { kind: 'close' };

export type FromWriter =
  /** `completeMs`: every change committed before that moment (of the system's clock) is in; undefined until the load ends. */
  | { kind: 'version'; publication: Publication; changed: readonly ChangedStore[]; completeMs: number | undefined }
  | { kind: 'complete'; completeMs: number }
  | { kind: 'caught up'; id: number; failure?: string }
  | { kind: 'log'; level: LogLevel; fields: object; text: string };

type LogLevel = 'info' | 'warn' | 'error';

const MANY_STORES = 20_000;
const QUIET_MS = 5000;
const SPARE_BYTES = 2 ** 26;
const RETRY_MS = 1000;
/** A statement of the feed is given up earlier; a copy of few stores takes a second. */
const STATEMENT_MS = 30_000;

/**
 * The thread that writes the search index of a process: fills it from the snapshot or the database, follows the change
 * feed, and posts each version to the thread that searches.
 */
class WriterThread {
  private readonly order: WriterOrder;
  private readonly pool: Pool;
  private readonly db: Db;
  private readonly memory = new SegmentMemory(SPARE_BYTES);
  private readonly writer = new Writer(this.memory, COMPACTION_LIMITS);
  private readonly loop = new WriterLoop(this.writer, (publication) => this.publish(publication));
  private readonly manyStores: number;
  private readonly keeper: SnapshotKeeper | null;
  private readonly closing = new AbortController();
  private readonly started: Promise<FollowedStores>;
  private changed: ChangedStore[] = [];
  private completeMs: number | undefined;

  constructor(order: WriterOrder) {
    this.order = order;
    this.pool = openPool({
      connectionString: order.connectionString,
      schema: order.schema,
      max: 2,
      applicationName: 'doorstep-search',
      settings: { statement_timeout: String(STATEMENT_MS) },
    });
    this.db = openDb(this.pool);
    const { snapshot, manyStores = MANY_STORES, quietMs = QUIET_MS } = order;
    this.manyStores = manyStores;
    this.keeper =
      snapshot && new SnapshotKeeper({ folder: snapshot.folder, db: this.db, log, minStores: manyStores, quietMs });
    this.started = this.start();
    // Who waits for it gets the failure; so does the process.
    this.started.catch(() => {});
  }

  receive(message: ToWriter): void {
    if (message.kind === 'release') this.loop.release(message.version);
    else if (message.kind === 'catch up') void this.catchUp(message.id);
    else void this.close();
  }

  private async start(): Promise<FollowedStores> {
    const from = await this.fill();
    const feed = followStores({
      db: this.db,
      connectionString: this.order.connectionString,
      log,
      from,
      apply: (store) => this.apply(store),
      room: () => this.loop.room(),
      onComplete: (beforeMs) => this.complete(beforeMs),
    });
    this.closing.signal.throwIfAborted();
    feed.start();
    if (this.order.snapshot?.isKept) this.keepSnapshot(feed);
    return feed;
  }

  /** Fills the index until that has worked; returns the point up to which it is complete. */
  private async fill(): Promise<FeedPoint> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return (await this.readSnapshot()) ?? (await this.load());
      } catch (error) {
        this.closing.signal.throwIfAborted();
        if (isFirst) log.warn({ err: error }, 'stores cannot be read: trying again');
        await pause(RETRY_MS, undefined, { signal: this.closing.signal });
      }
    }
  }

  private async readSnapshot(): Promise<FeedPoint | null> {
    const read = await this.keeper?.read(this.memory);
    if (!read) return null;
    this.publish(this.writer.restore(read.segments));
    log.info({ stores: this.writer.liveStores, seq: read.point.seq }, 'search loaded from its snapshot');
    return read.point;
  }

  private async load(): Promise<FeedPoint> {
    if ((await countStoresUpTo(this.db, this.manyStores)) >= this.manyStores) {
      const { segments, seq } = await loadInThread(this.order, this.closing.signal);
      this.publish(this.writer.restore(segments));
      log.info({ stores: this.writer.liveStores, seq }, 'search loaded from the database');
      return { seq, storeId: AFTER_ALL_IDS };
    }
    const { publication, seq } = await loadStores(this.pool, this.writer, { log, signal: this.closing.signal });
    this.publish(publication);
    return { seq, storeId: AFTER_ALL_IDS };
  }

  private apply(store: Store): void {
    const { storeId, listed, hasCatalogue } = store;
    this.loop.change(storeId, listed ? rowOf(store) : null);
    this.changed.push({ storeId, listed, hasCatalogue });
    this.keeper?.noteChange();
  }

  private complete(beforeMs: number): void {
    const isFirst = this.completeMs === undefined;
    this.completeMs = performance.timeOrigin + beforeMs;
    if (isFirst) this.loop.flush();
    if (!this.writer.hasChanges) post({ kind: 'complete', completeMs: this.completeMs });
  }

  private publish(publication: Publication): void {
    const { changed } = this;
    this.changed = [];
    post({ kind: 'version', publication, changed, completeMs: this.completeMs });
  }

  private keepSnapshot(feed: FollowedStores): void {
    const { writer, loop } = this;
    this.keeper?.keep({
      get storeCount() {
        return writer.liveStores;
      },
      get point() {
        return feed.position;
      },
      pin: () => loop.pin(),
      unpin: () => loop.unpin(),
    });
  }

  private async catchUp(id: number): Promise<void> {
    try {
      await (await this.started).catchUp();
      this.loop.flush();
      post({ kind: 'caught up', id });
    } catch (error) {
      post({ kind: 'caught up', id, failure: error instanceof Error ? error.message : String(error) });
    }
  }

  private async close(): Promise<void> {
    this.closing.abort();
    this.loop.close();
    await this.keeper?.close();
    const feed = await this.started.catch(() => null);
    await feed?.close();
    await this.db.destroy();
    parentPort?.close();
  }
}

function post(message: FromWriter): void {
  parentPort?.postMessage(message);
}

/** The log of the process. The message of an error alone: its properties may hold a password. */
function logAt(level: LogLevel): Logger[LogLevel] {
  return (fields: unknown, text?: string) => {
    if (typeof fields === 'string') return post({ kind: 'log', level, fields: {}, text: fields });
    const { err, ...others } = fields as { err?: unknown };
    const reason = err instanceof Error ? { reason: err.message } : {};
    post({ kind: 'log', level, fields: { ...others, ...reason }, text: text ?? '' });
  };
}

const log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
const thread = new WriterThread(workerData as WriterOrder);
parentPort?.on('message', (message: ToWriter) => thread.receive(message));
