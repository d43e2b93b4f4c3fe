import { setTimeout as pause } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Logger } from 'pino';
import { type Db, openDb, openPool, type Pool } from '../../platform/db/connect.ts';
import { countStoresUpTo } from '../../supply/stores/copy-stores.db.ts';
import type { Store } from '../../supply/stores/store.ts';
import { StoreFollower } from '../../supply/stores/store-feed.cache.ts';
import { AFTER_ALL_IDS, type FeedPoint } from '../../supply/stores/stores.db.ts';
import { COMPACTION_LIMITS } from '../engine/compaction.ts';
import { SegmentMemory } from '../engine/segment-memory.ts';
import { type Publication, Writer } from '../engine/writer.ts';
import { WriterLoop } from '../engine/writer-loop.flow.ts';
import { type LoadOrder, loadInThread, loadStores } from './load-stores.flow.ts';
import { SnapshotKeeper } from './snapshot-keeper.cache.ts';
import { engineRow } from './store-row.ts';

export type WriterOrder = LoadOrder & {
  /** The node's snapshot folder, if any. */
  snapshotFolder: string | null;
  /** Minimum number of stores for a snapshot, and for loading in a separate thread; both take a second. */
  manyStores?: number;
  /** Milliseconds without store changes after which a snapshot is written. */
  quietMs?: number;
};

/** Messages to the thread. A searching thread is passed as its port. */
export type ToWriter = { kind: 'reader'; port: MessagePort } | { kind: 'close' };
/** Messages of the thread to the process that started it. */
export type FromWriter = { kind: 'log'; level: LogLevel; fields: object; text: string };

/** Messages of a searching thread. */
export type FromReader = { kind: 'release'; version: number } | { kind: 'catch up'; id: number };
/**
 * Messages to a searching thread after all stores are loaded: a whole version, then each later one, with the ids of
 * changed stores and the time (system clock) before which all commits are included.
 */
export type ToReader =
  | { kind: 'version'; isWhole: boolean; publication: Publication; changed: readonly string[] }
  | { kind: 'complete'; completeMs: number }
  | { kind: 'caught up'; id: number; failure?: string };

type LogLevel = 'info' | 'warn' | 'error';

const MANY_STORES = 20_000;
const QUIET_MS = 5000;
const MIN_SPARE_BYTES = 2 ** 25;
const RETRY_MS = 1000;
/** Statement timeout of the feed; copying few stores takes a second. */
const STATEMENT_MS = 30_000;

/** A searching thread, and the oldest version that it reads. */
class Reader {
  released = 0;
  private readonly port: MessagePort;

  constructor(port: MessagePort) {
    this.port = port;
  }

  post(message: ToReader): void {
    this.port.postMessage(message);
  }

  close(): void {
    this.port.close();
  }
}

/**
 * The thread that writes a process's search index: fills it from the snapshot or the database, follows the change feed,
 * and posts each version to the searching threads.
 */
class WriterThread {
  private readonly order: WriterOrder;
  private readonly pool: Pool;
  private readonly db: Db;
  private readonly memory = new SegmentMemory(MIN_SPARE_BYTES);
  private readonly writer = new Writer(this.memory, COMPACTION_LIMITS);
  private readonly loop = new WriterLoop(this.writer, (publication) => this.publish(publication));
  private readonly manyStores: number;
  private readonly keeper: SnapshotKeeper | null;
  private readonly closing = new AbortController();
  private readonly started: Promise<StoreFollower>;
  private readonly readers = new Set<Reader>();
  private changed: string[] = [];
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
    const { snapshotFolder: folder, manyStores = MANY_STORES, quietMs = QUIET_MS } = order;
    this.manyStores = manyStores;
    this.keeper =
      folder === null ? null : new SnapshotKeeper({ folder, db: this.db, log, minStores: manyStores, quietMs });
    this.started = this.start();
    // If the start fails, the thread fails and is restarted.
    this.started.catch((error) => {
      if (!this.closing.signal.aborted) throw error;
    });
  }

  receive(message: ToWriter): void {
    if (message.kind === 'close') void this.close();
    else this.addReader(message.port);
  }

  private addReader(port: MessagePort): void {
    const reader = new Reader(port);
    this.readers.add(reader);
    port.on('message', (message: FromReader) => {
      if (message.kind === 'catch up') return void this.catchUp(reader, message.id);
      reader.released = message.version;
      this.release();
    });
    port.on('close', () => {
      this.readers.delete(reader);
      this.release();
    });
    this.postWhole([reader]);
  }

  /** No version is released before all stores are loaded. */
  private release(): void {
    const { currentVersion } = this.writer;
    const oldest = this.completeMs === undefined ? [] : Array.from(this.readers, ({ released }) => released);
    this.loop.release(Math.min(currentVersion, ...oldest));
  }

  private postWhole(readers: Iterable<Reader>): void {
    const { completeMs } = this;
    if (completeMs === undefined) return;
    const publication = this.writer.whole();
    for (const reader of readers) {
      reader.post({ kind: 'version', isWhole: true, publication, changed: [] });
      reader.post({ kind: 'complete', completeMs });
    }
  }

  private async start(): Promise<StoreFollower> {
    const from = await this.fill();
    const feed = new StoreFollower({
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
    this.keepSnapshot(feed);
    return feed;
  }

  /** Fills the index, retrying until it succeeds; returns the point up to which it is complete. */
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
    const { storeId, listed } = store;
    this.changed.push(storeId);
    this.keeper?.noteChange();
    // A store that can no longer be converted is removed from search.
    this.loop.change(storeId, null);
    if (listed) this.loop.change(storeId, engineRow(store));
  }

  private complete(beforeMs: number): void {
    const isFirst = this.completeMs === undefined;
    if (isFirst) this.loop.flush();
    this.completeMs = performance.timeOrigin + beforeMs;
    if (isFirst) this.postWhole(this.readers);
    else if (!this.writer.hasChanges) this.postComplete();
  }

  private postComplete(): void {
    const { completeMs } = this;
    if (completeMs === undefined) return;
    for (const reader of this.readers) reader.post({ kind: 'complete', completeMs });
  }

  private publish(publication: Publication): void {
    const { changed } = this;
    this.changed = [];
    if (this.completeMs === undefined) this.release();
    else for (const reader of this.readers) reader.post({ kind: 'version', isWhole: false, publication, changed });
    if (!this.writer.hasChanges) this.postComplete();
  }

  private keepSnapshot(feed: StoreFollower): void {
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

  private async catchUp(reader: Reader, id: number): Promise<void> {
    try {
      await (await this.started).catchUp();
      this.loop.flush();
      reader.post({ kind: 'caught up', id });
    } catch (error) {
      reader.post({ kind: 'caught up', id, failure: error instanceof Error ? error.message : String(error) });
    }
  }

  private async close(): Promise<void> {
    this.closing.abort();
    this.loop.close();
    await this.keeper?.close();
    const feed = await this.started.catch(() => null);
    await feed?.close();
    await this.db.destroy();
    for (const reader of this.readers) reader.close();
    parentPort?.close();
  }
}

function post(message: FromWriter): void {
  parentPort?.postMessage(message);
}

/** Forwards to the process's log. Of an error only the message, because its properties may include a password. */
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
