import type { Logger } from 'pino';
import type { Sql } from '../../platform/db/connect.ts';
import { Listener } from '../../platform/db/listen.ts';
import type { Store } from './store.ts';
import { FEED_START, type FeedPoint, findStoresChangedSince, type StoreChange } from './stores.db.ts';

/**
 * Limits of a batch, so that it is read within the time-out. A store is about 2.5 kB of JSON, and up to a megabyte with
 * large areas or hundreds of dates.
 */
const BATCH = { stores: 400, bytes: 1_500_000 };
/** Maximum delay in milliseconds of a change whose notification was lost; notifications wake the reader at once. */
const POLL_MS = 1000;
/** Time-out of a database read. */
const READ_TIMEOUT_MS = 10_000;

export type StoreFeedOptions = {
  db: Sql;
  connectionString: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The position up to which the cache is already complete. */
  from?: FeedPoint;
  /** Applies a store's current state; may be called repeatedly for the same state. */
  apply(store: Store): void;
  /** Back-pressure: resolves once more stores can be applied. */
  room?: () => Promise<void>;
  /** Called when all changes committed before that moment (`performance.now()`) have been applied. */
  onComplete?: (beforeMs: number) => void;
};

/** Keeps a read cache of all stores fresh. The cache stays usable during database outages and catches up afterwards. */
export type StoreFeed = {
  /** Loads all stores after the position, then follows changes until closed. */
  start(): void;
  /** Resolves once every change committed before the call has been applied; rejects if it cannot be read. */
  catchUp(): Promise<void>;
  /** Whether all stores have been applied once. */
  readonly isLoaded: boolean;
  /** Seconds since the time up to which all commits have been applied; undefined before the first load. */
  lagSeconds(): number | undefined;
  close(): Promise<void>;
};

/**
 * Follows the change feed by its numbers, which are in commit order: no change is read twice, and a lost notification
 * loses nothing.
 */
export class StoreFollower implements StoreFeed {
  private readonly options: StoreFeedOptions;
  private point: FeedPoint;
  private completeMs: number | undefined;
  private isLost = false;
  private isClosed = false;
  private running: Promise<void> = Promise.resolve();
  private queued: Promise<void> | undefined;
  private poll: NodeJS.Timeout | undefined;
  private listener: { close(): Promise<void> } | undefined;

  constructor(options: StoreFeedOptions) {
    this.options = options;
    this.point = options.from ?? FEED_START;
  }

  /** Every change up to this position has been applied. */
  get position(): FeedPoint {
    return this.point;
  }

  get isLoaded(): boolean {
    return this.completeMs !== undefined;
  }

  lagSeconds(): number | undefined {
    return this.completeMs === undefined ? undefined : (performance.now() - this.completeMs) / 1000;
  }

  start(): void {
    const onNotice = () => this.wake();
    onNotice();
    this.poll = setInterval(onNotice, POLL_MS);
    this.listener = new Listener({
      connectionString: this.options.connectionString,
      channel: 'doorstep_stores',
      applicationName: 'doorstep-store-feed',
      log: this.options.log,
      onNotice,
    });
  }

  catchUp(): Promise<void> {
    // A running pass may have read before the caller's commit, so the caller needs the next one.
    this.queued ??= this.running
      .catch(() => {})
      .then(() => {
        this.queued = undefined;
        this.running = this.readOn();
        return this.running;
      });
    return this.queued;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.poll);
    await this.listener?.close();
    await (this.queued ?? this.running).catch(() => {});
  }

  private async readOn(): Promise<void> {
    const { room, onComplete } = this.options;
    let readMs = performance.now();
    let next = this.readBatch(this.point);
    while (!this.isClosed) {
      const { changes: batch, isEnd } = await next;
      const last = batch.at(-1);
      // Reads the next batch while this one is applied.
      if (last !== undefined && !isEnd) {
        readMs = performance.now();
        next = this.readBatch(last.point);
      }
      for (const change of batch) this.applyOne(change);
      if (last !== undefined) this.point = last.point;
      if (last === undefined || isEnd) break;
      await room?.();
    }
    if (this.isClosed) return;
    this.completeMs = readMs;
    onComplete?.(readMs);
  }

  private readBatch(after: FeedPoint) {
    const batch = findStoresChangedSince(this.options.db, after, BATCH, AbortSignal.timeout(READ_TIMEOUT_MS));
    // The batch is awaited later or, if the feed is closed, never.
    batch.catch(() => {});
    return batch;
  }

  /** A store that cannot be applied must not block later ones. */
  private applyOne({ read, point }: StoreChange): void {
    const { apply, log } = this.options;
    try {
      apply(read());
    } catch (error) {
      log.error({ err: error, storeId: point.storeId }, 'store left out of search');
    }
  }

  private wake(): void {
    if (this.isClosed) return;
    const { log } = this.options;
    this.catchUp().then(
      () => {
        if (this.isLost) log.info('following the change feed again');
        this.isLost = false;
      },
      (error) => {
        if (!this.isLost && !this.isClosed) {
          log.warn({ err: error }, 'change feed lost: search goes on with the stores that it has');
        }
        this.isLost = true;
      },
    );
  }
}
