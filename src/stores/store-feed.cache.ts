import type { Logger } from 'pino';
import type { Sql } from '../db/connect.ts';
import { listen } from '../db/listen.ts';
import { type EventLoopScheduler, isSliceOver, nextSlice, runInSlices } from '../load/event-loop-scheduler.ts';
import type { Store } from './store.ts';
import { FEED_START, type FeedPoint, findStoresChangedSince, type StoreChange } from './stores.db.ts';

/**
 * A store is about 2.5 kB of JSON, and up to a megabyte with areas of many positions or hundreds of dates: a batch ends
 * soon after a megabyte and a half, so that it is read within the time-out.
 */
const BATCH = { stores: 400, bytes: 1_500_000 };
/** Notifications wake the reader; a missed notification delays a change by this much. */
const POLL_MS = 1000;
/**
 * Changes have low priority for so long after the first of them were read. Otherwise a batch would come before waiting
 * requests, since the changes of stores use less time than a busy account. A change is shown within two seconds.
 */
const LOW_PRIORITY_MS = 200;
/** Changes of stores count for no account. */
const OWNER = 'changes of stores';
/** A read of the database is given up after this time. */
const READ_TIMEOUT_MS = 10_000;

export type StoreFeedOptions = {
  db: Sql;
  connectionString: string;
  log: Logger;
  scheduler: EventLoopScheduler;
  /**
   * Takes in one store as it is now, in steps where a large store would take long; called again with the same store at
   * worst.
   */
  apply(store: Store): Iterator<void, void>;
  /**
   * Fills the cache from a copy of this node, in slices, and returns the position up to which the copy is complete; null
   * where no copy counts. The signal ends the work when the feed is closed. Absent where the node keeps none.
   */
  restore?: ((signal: AbortSignal) => Promise<FeedPoint | null>) | undefined;
  /** Ends the load in steps, once all stores have been applied and before the cache counts as loaded. */
  finishLoad?: () => Iterator<void, void>;
  /** Called once, when all stores have been applied. */
  onLoaded?: () => void;
};

/** Keeps a read cache of all stores fresh. The cache stays usable while the database is away, and catches up after. */
export type StoreFeed = {
  /** Loads all stores, then follows their changes until closed. */
  start(): void;
  /** Resolves once every change committed before the call has been applied; rejects where it cannot be read. */
  catchUp(): Promise<void>;
  /** Whether all stores have been applied once. */
  readonly isLoaded: boolean;
  /** Changes that were applied so far, all stores of a first read included. */
  readonly changes: number;
  /** Seconds since the moment up to which every committed change has been applied; undefined before the first load. */
  lagSeconds(): number | undefined;
  close(): Promise<void>;
};

/**
 * Follows the change feed by its numbers, which appear in the sequence of commits: no change is read twice, and a missed
 * notification loses nothing.
 */
export function followStores({
  db,
  connectionString,
  log,
  scheduler,
  apply,
  restore,
  finishLoad,
  onLoaded,
}: StoreFeedOptions): StoreFeed {
  let lowPriorityUntilMs = -Infinity;
  const inSlices = <Result>(work: () => Result): Result =>
    scheduler.runAs(OWNER, work, () => isLoaded && performance.now() < lowPriorityUntilMs);
  let position: FeedPoint = FEED_START;
  let changes = 0;
  let isLoaded = false;
  let isLost = false;
  let completeMs: number | undefined;
  let isClosed = false;
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;
  let poll: NodeJS.Timeout | undefined;
  let listener: { close(): Promise<void> } | undefined;

  function catchUp(): Promise<void> {
    // A running pass may have read before the caller's commit: the caller needs the next pass.
    queued ??= running
      .catch(() => {})
      .then(() => {
        queued = undefined;
        running = inSlices(readOn);
        return running;
      });
    return queued;
  }

  async function restoreFrom(copy: NonNullable<StoreFeedOptions['restore']>): Promise<void> {
    position = (await inSlices(() => copy(closing.signal))) ?? FEED_START;
  }

  async function readOn(): Promise<void> {
    let readMs = performance.now();
    lowPriorityUntilMs = Infinity;
    let next = readBatch(position);
    while (!isClosed) {
      const { changes: batch, isEnd } = await next;
      // A long row of batches has low priority once.
      lowPriorityUntilMs = Math.min(lowPriorityUntilMs, performance.now() + LOW_PRIORITY_MS);
      const last = batch.at(-1);
      // The database reads the next batch while this one is applied.
      if (last !== undefined && !isEnd) {
        readMs = performance.now();
        next = readBatch(last.point);
      }
      await applyInSlices(batch);
      if (last !== undefined) position = last.point;
      changes += batch.length;
      if (last === undefined || isEnd) break;
    }
    if (isClosed) return;
    if (!isLoaded) {
      if (finishLoad) await runInSlices(finishLoad());
      isLoaded = true;
      onLoaded?.();
    }
    completeMs = readMs;
  }

  function readBatch(after: FeedPoint) {
    const batch = findStoresChangedSince(db, after, BATCH, AbortSignal.timeout(READ_TIMEOUT_MS));
    // The batch is awaited later, or never if the feed is closed meanwhile.
    batch.catch(() => {});
    return batch;
  }

  async function applyInSlices(batch: readonly StoreChange[]): Promise<void> {
    for (const { read, point } of batch) {
      if (isSliceOver()) await nextSlice();
      await applyOne(read, point.storeId);
    }
  }

  /** A store that cannot be applied must not block the stores after it. */
  async function applyOne(read: () => Store, storeId: string): Promise<void> {
    try {
      await runInSlices(apply(read()));
    } catch (error) {
      log.error({ err: error, storeId }, 'store left out of search');
    }
  }

  function wake(): void {
    if (isClosed) return;
    catchUp().then(
      () => {
        if (isLost) log.info('following the change feed again');
        isLost = false;
      },
      (error) => {
        if (!isLost && !isClosed) log.warn({ err: error }, 'change feed lost: search goes on with what it knows');
        isLost = true;
      },
    );
  }

  return {
    start() {
      // A caller of catchUp waits for the copy first.
      if (restore) running = restoreFrom(restore);
      wake();
      poll = setInterval(wake, POLL_MS);
      listener = listen({
        connectionString,
        channel: 'doorstep_stores',
        applicationName: 'doorstep-store-feed',
        onNotice: wake,
      });
    },
    catchUp,
    get isLoaded() {
      return isLoaded;
    },
    get changes() {
      return changes;
    },
    lagSeconds: () => (completeMs === undefined ? undefined : (performance.now() - completeMs) / 1000),
    async close() {
      isClosed = true;
      closing.abort();
      clearInterval(poll);
      await listener?.close();
      await (queued ?? running).catch(() => {});
    },
  };
}
