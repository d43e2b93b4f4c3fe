import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { createRunningReads } from '../lib/running-reads.ts';
import { findFullSlots } from '../quotes/slots.db.ts';
import type { Mode } from '../stores/mode.ts';
import type { Store } from '../stores/store.ts';
import { isStoreId } from '../stores/store-id.ts';
import { findStore } from '../stores/stores.db.ts';
import { findInventoryVersions, type InventoryVersion } from './inventory.db.ts';

const MAX_STORES = 10_000;
/** A store is polled for so long after a request; later it is read at the next request. */
const HOT_MS = 10_000;
const POLL_INTERVAL_MS = 500;

/** A store as of one version, and the starts of its windows without capacity left, in epoch seconds. */
export type StoreSnapshot = {
  store: Store;
  version: InventoryVersion;
  fullStarts: Readonly<Record<Mode, ReadonlySet<number>>>;
};

export type SnapshotsOptions = {
  db: Db;
  clock: Clock;
  /** 0 does not poll, and confirms the store for every request. */
  pollIntervalMs?: number;
  /** Milliseconds of a clock that never jumps. */
  monotonicMs?: () => number;
  /** Runs a task once after a time; returns how to cancel it. */
  schedule?: (task: () => void, ms: number) => () => void;
};

type Entry = { snapshot: StoreSnapshot; confirmedAtMs: number; usedAtMs: number };

/** The snapshots of stores, and the polls that confirm them. */
export function createSnapshots({
  db,
  clock,
  pollIntervalMs = POLL_INTERVAL_MS,
  monotonicMs = () => performance.now(),
  schedule = scheduleQuietly,
}: SnapshotsOptions) {
  const entries = new LRUCache<string, Entry>({ max: MAX_STORES });
  const reads = createRunningReads<StoreSnapshot | undefined>();
  const isConfirmed = (entry: Entry, nowMs: number) => nowMs - entry.confirmedAtMs < 2 * pollIntervalMs;
  const close = pollEvery(pollIntervalMs, schedule, () => confirmHotStores(db, entries, monotonicMs()));
  return {
    of(storeId: string): StoreSnapshot | undefined | Promise<StoreSnapshot | undefined> {
      const nowMs = monotonicMs();
      const entry = entries.get(storeId);
      if (entry && isConfirmed(entry, nowMs)) {
        entry.usedAtMs = nowMs;
        return entry.snapshot;
      }
      if (!isStoreId(storeId)) return undefined;
      // Without polls every request reads by itself: a request that joined an earlier read could miss a write before it.
      const running = pollIntervalMs === 0 ? undefined : reads.of(storeId);
      if (running) return running;
      return reads.add(storeId, loadSnapshot(db, storeId, entry?.snapshot, clock.now()), (snapshot) => {
        if (snapshot) entries.set(storeId, { snapshot, confirmedAtMs: nowMs, usedAtMs: nowMs });
      });
    },
    /** Makes the next request read the store. */
    expire: (storeId: string): void => {
      entries.delete(storeId);
    },
    /** The same; a running read is not kept either. */
    evict(storeId: string): void {
      entries.delete(storeId);
      reads.drop(storeId);
    },
    close,
  };
}

/** Runs a task so long after its last run ended, also after a failure; 0 runs none. Returns how to stop it. */
function pollEvery(
  intervalMs: number,
  schedule: (task: () => void, ms: number) => () => void,
  poll: () => Promise<void>,
): () => void {
  let isClosed = intervalMs === 0;
  let cancel = () => {};
  const pollLater = (): void => {
    if (isClosed) return;
    const run = () =>
      poll()
        .catch(() => {})
        .then(pollLater);
    cancel = schedule(run, intervalMs);
  };
  pollLater();
  return () => {
    isClosed = true;
    cancel();
  };
}

/** Confirms the stores with a recent request whose version is unchanged; the others are read at their next request. */
async function confirmHotStores(db: Db, entries: LRUCache<string, Entry>, nowMs: number): Promise<void> {
  const hot = [...entries.entries()].filter(([, entry]) => nowMs - entry.usedAtMs < HOT_MS).map(([id]) => id);
  if (hot.length === 0) return;
  for (const version of await findInventoryVersions(db, hot)) {
    const entry = entries.peek(version.storeId);
    if (!entry) continue;
    const isSame = isSameVersion(entry.snapshot.version, version);
    entry.confirmedAtMs = isSame ? Math.max(entry.confirmedAtMs, nowMs) : -Infinity;
  }
}

/** Reads the version before the content: content newer than its version is only read once more than needed. */
async function loadSnapshot(
  db: Db,
  storeId: string,
  known: StoreSnapshot | undefined,
  now: Temporal.Instant,
): Promise<StoreSnapshot | undefined> {
  const [version] = await findInventoryVersions(db, [storeId]);
  if (!version) return undefined;
  if (known && isSameVersion(known.version, version)) return known;

  const isSameStore = known?.version.changedSeq === version.changedSeq;
  const store = isSameStore ? known.store : await findStore(db, storeId);
  if (!store) return undefined;
  if (isSameStore && known.version.slotsVersion === version.slotsVersion) return { ...known, version };
  const { capacity } = store.scheduling;
  const fullStartsOf = (pickup: boolean) => findFullSlots(db, { storeId, pickup, capacity, from: now });
  const [delivery, pickup] = await Promise.all([fullStartsOf(false), fullStartsOf(true)]);
  return { store, version, fullStarts: { delivery, pickup } };
}

function isSameVersion(a: InventoryVersion, b: InventoryVersion): boolean {
  return (
    a.changedSeq === b.changedSeq &&
    a.slotsVersion === b.slotsVersion &&
    a.menuDigests.delivery === b.menuDigests.delivery &&
    a.menuDigests.pickup === b.menuDigests.pickup
  );
}

/** A timer that does not keep the process alive. */
function scheduleQuietly(task: () => void, ms: number): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
