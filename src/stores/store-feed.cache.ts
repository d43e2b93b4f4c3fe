import type { Logger } from 'pino';
import type { Sql } from '../db/connect.ts';
import { listen } from '../db/listen.ts';
import type { Store } from './store.ts';
import { FEED_START, type FeedPoint, findStoresChangedSince, type StoreChange } from './stores.db.ts';

/**
 * A store is about 2.5 kB of JSON, and up to a megabyte with areas of many positions or hundreds of dates: a batch ends
 * soon after a megabyte and a half, so that it is read within the time-out.
 */
const BATCH = { stores: 400, bytes: 1_500_000 };
/** Notifications wake the reader; a missed notification delays a change by this much. */
const POLL_MS = 1000;
/** A read of the database is given up after this time. */
const READ_TIMEOUT_MS = 10_000;

export type StoreFeedOptions = {
  db: Sql;
  connectionString: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The position up to which the cache is complete. */
  from?: FeedPoint;
  /** Takes in one store as it is now; called again with the same store at worst. */
  apply(store: Store): void;
  /** Back-pressure: resolves once more stores may be applied. */
  room?: () => Promise<void>;
  /** Called whenever all changes committed before that moment (`performance.now()`) have been applied. */
  onComplete?: (beforeMs: number) => void;
};

/** Keeps a read cache of all stores fresh. The cache stays usable while the database is away, and catches up after. */
export type StoreFeed = {
  /** Applies all stores after the position, then follows their changes until closed. */
  start(): void;
  /** Resolves once every change committed before the call has been applied; rejects where it cannot be read. */
  catchUp(): Promise<void>;
  /** Whether all stores have been applied once. */
  readonly isLoaded: boolean;
  /** Seconds since the moment up to which every committed change has been applied; undefined before the first load. */
  lagSeconds(): number | undefined;
  close(): Promise<void>;
};

/** A feed that reads the database itself: how far it has come is known. */
export type FollowedStores = StoreFeed & {
  /** Every change up to this position has been applied. */
  readonly position: FeedPoint;
};

/**
 * Follows the change feed by its numbers, which appear in the sequence of commits: no change is read twice, and a missed
 * notification loses nothing.
 */
export function followStores({
  db,
  connectionString,
  log,
  from = FEED_START,
  apply,
  room = async () => {},
  onComplete = () => {},
}: StoreFeedOptions): FollowedStores {
  let position = from;
  let isLoaded = false;
  let isLost = false;
  let completeMs: number | undefined;
  let isClosed = false;
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
        running = readOn();
        return running;
      });
    return queued;
  }

  async function readOn(): Promise<void> {
    let readMs = performance.now();
    let next = readBatch(position);
    while (!isClosed) {
      const { changes: batch, isEnd } = await next;
      const last = batch.at(-1);
      // The database reads the next batch while this one is applied.
      if (last !== undefined && !isEnd) {
        readMs = performance.now();
        next = readBatch(last.point);
      }
      for (const change of batch) applyOne(change);
      if (last !== undefined) position = last.point;
      if (last === undefined || isEnd) break;
      await room();
    }
    if (isClosed) return;
    isLoaded = true;
    completeMs = readMs;
    onComplete(readMs);
  }

  function readBatch(after: FeedPoint) {
    const batch = findStoresChangedSince(db, after, BATCH, AbortSignal.timeout(READ_TIMEOUT_MS));
    // The batch is awaited later, or never if the feed is closed meanwhile.
    batch.catch(() => {});
    return batch;
  }

  /** A store that cannot be applied must not block the stores after it. */
  function applyOne({ read, point }: StoreChange): void {
    try {
      apply(read());
    } catch (error) {
      log.error({ err: error, storeId: point.storeId }, 'store left out of search');
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
    get position() {
      return position;
    },
    lagSeconds: () => (completeMs === undefined ? undefined : (performance.now() - completeMs) / 1000),
    async close() {
      isClosed = true;
      clearInterval(poll);
      await listener?.close();
      await (queued ?? running).catch(() => {});
    },
  };
}
