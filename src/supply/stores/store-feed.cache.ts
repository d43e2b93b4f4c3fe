import type { Logger } from 'pino';
import type { Db, Sql } from '../../platform/db/connect.ts';
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
  db: Db;
  connectionString: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The position that the cache is already complete up to. */
  from?: FeedPoint;
  /** Applies a store's current state after a change; may be called repeatedly for the same state. */
  apply(store: Store, seq: number): void;
  /** Called for a store that cannot be read or applied. */
  onLeftOut?: (storeId: string) => void;
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
  /** Returns the seconds since the newest time with all earlier commits applied; undefined before the first load. */
  lagSeconds(): number | undefined;
  close(): Promise<void>;
};

/**
 * Follows the change feed by its numbers, which are in commit order: no change is read twice, and a lost notification
 * loses nothing.
 */
export class StoreFollower implements StoreFeed {
  /** Stores that cannot be read or applied, and why. */
  readonly leftOut = new Map<string, string>();
  private readonly options: StoreFeedOptions;
  private point: FeedPoint;
  private completeMs: number | undefined;
  private isLost = false;
  private isClosed = false;
  private running: Promise<unknown> = Promise.resolve();
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
    this.queued ??= this.runNext(() => {
      this.queued = undefined;
      return this.readOn(this.options.db);
    });
    return this.queued;
  }

  /**
   * Applies all changes up to one moment. Then `note` runs before later changes are applied, and `read` while they are.
   * The transaction sees the database as of that moment.
   */
  atOneMoment<Noted, Found>(
    note: (tx: Sql) => Promise<Noted>,
    read: (tx: Sql, noted: Noted) => Promise<Found>,
  ): Promise<Found> {
    const moment = this.options.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return moment.execute(async (tx) => {
      const noted = await this.runNext(async () => {
        await this.readOn(tx, performance.now());
        return note(tx);
      });
      return read(tx, noted);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.poll);
    await this.listener?.close();
    await this.running.catch(() => {});
  }

  private runNext<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.running.catch(() => {}).then(run);
    this.running = result;
    return result;
  }

  /** Applies all changes that the connection sees; `seenMs` is when a transaction with one snapshot began. */
  private async readOn(sql: Sql, seenMs?: number): Promise<void> {
    const { room, onComplete } = this.options;
    let readMs = performance.now();
    let next = this.readBatch(sql, this.point);
    while (!this.isClosed) {
      const { changes: batch, isEnd } = await next;
      const last = batch.at(-1);
      // Reads the next batch while this one is applied.
      if (last !== undefined && !isEnd) {
        readMs = performance.now();
        next = this.readBatch(sql, last.point);
      }
      for (const change of batch) this.applyOne(change);
      if (last !== undefined) this.point = last.point;
      if (last === undefined || isEnd) break;
      await room?.();
    }
    if (this.isClosed) return;
    this.completeMs = seenMs ?? readMs;
    onComplete?.(this.completeMs);
  }

  private readBatch(sql: Sql, after: FeedPoint) {
    const batch = findStoresChangedSince(sql, after, BATCH, AbortSignal.timeout(READ_TIMEOUT_MS));
    // The batch is awaited later or, if the feed is closed, never.
    batch.catch(() => {});
    return batch;
  }

  /** Notes a store that cannot be read or applied. */
  leaveOut(storeId: string, error: unknown): void {
    this.leftOut.set(storeId, error instanceof Error ? error.message : String(error));
    this.options.onLeftOut?.(storeId);
    this.options.log.error({ err: error, storeId }, 'store left out of search');
  }

  /** Applies one store. If that fails, later ones must not be blocked. */
  private applyOne({ read, point: { storeId, seq } }: StoreChange): void {
    try {
      this.options.apply(read(), seq);
      this.leftOut.delete(storeId);
    } catch (error) {
      this.leaveOut(storeId, error);
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
