import { LRUCache } from 'lru-cache';
import type { Sandbox } from '../accounts/account.ts';
import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { createRunningReads } from '../lib/running-reads.ts';
import { findFullSlots } from '../quotes/slots.db.ts';
import { existsFor, type Mode, type Store } from '../stores/store.ts';
import { isStoreId } from '../stores/store-id.ts';
import { findStore } from '../stores/stores.db.ts';
import { findInventoryVersions, type InventoryVersion, type StoreView } from './inventory.db.ts';

/** A store as live callers see it is a view, and so is the store as one sandbox sees it. */
const MAX_VIEWS = 10_000;
/** A view is polled for so long after a request; later it is read at the next request. */
const HOT_MS = 10_000;
const POLL_INTERVAL_MS = 500;

/**
 * A store as of one version as a sandbox sees it, or live callers (null), and the starts of its windows without capacity
 * left, in epoch seconds.
 */
export type StoreSnapshot = {
  store: Store;
  sandbox: Sandbox;
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
  const { entries, keysOf, noteView, forgetView } = createEntries();
  const reads = createRunningReads<StoreSnapshot | undefined>();
  const isConfirmed = (entry: Entry, nowMs: number) => nowMs - entry.confirmedAtMs < 2 * pollIntervalMs;
  const close = pollEvery(pollIntervalMs, schedule, () => confirmHotStores(db, entries, monotonicMs()));
  return {
    of(storeId: string, sandbox: Sandbox): StoreSnapshot | undefined | Promise<StoreSnapshot | undefined> {
      const nowMs = monotonicMs();
      const view = { storeId, sandbox };
      const key = keyOf(view);
      const entry = entries.get(key);
      if (entry && isConfirmed(entry, nowMs)) {
        entry.usedAtMs = nowMs;
        return entry.snapshot;
      }
      if (!isStoreId(storeId)) return undefined;
      // Without polls every request reads by itself: a request that joined an earlier read could miss a write before it.
      const running = pollIntervalMs === 0 ? undefined : reads.of(key);
      if (running) return running;
      const known = { snapshot: entry?.snapshot, live: entries.peek(storeId)?.snapshot };
      // The view is noted while the read runs: a writer that evicts the store must drop the read.
      noteView(view);
      const read = reads.add(key, loadSnapshot(db, view, known, clock.now()), (snapshot) => {
        if (snapshot) entries.set(key, { snapshot, confirmedAtMs: nowMs, usedAtMs: nowMs });
      });
      // A read that failed, found no store or was dropped leaves no snapshot, and so no view to evict.
      const forgetUnkept = () => {
        if (!entries.has(key) && !reads.of(key)) forgetView(view);
      };
      read.then(forgetUnkept, forgetUnkept);
      return read;
    },
    /** Makes the next request for the same view read the store. */
    expire: ({ store: { storeId }, sandbox }: StoreSnapshot): void => {
      entries.delete(keyOf({ storeId, sandbox }));
    },
    /** The same for all views, or for that of one sandbox; a running read is not kept either. */
    evict(storeId: string, sandbox: Sandbox = null): void {
      const keys = sandbox === null ? keysOf(storeId) : [keyOf({ storeId, sandbox })];
      for (const key of keys) {
        entries.delete(key);
        reads.drop(key);
      }
    },
    close,
  };
}

function keyOf({ storeId, sandbox }: StoreView): string {
  return sandbox === null ? storeId : `${storeId} ${sandbox}`;
}

/** Snapshots by the keys of their views; `noteView` tells which keys a store has, until their snapshots leave memory. */
function createEntries() {
  const sandboxKeys = new Map<string, Set<string>>();
  const forget = (storeId: string, key: string): void => {
    const keys = sandboxKeys.get(storeId);
    if (keys?.delete(key) && keys.size === 0) sandboxKeys.delete(storeId);
  };
  const entries = new LRUCache<string, Entry>({
    max: MAX_VIEWS,
    dispose: ({ snapshot }, key, reason) => {
      if (reason !== 'set') forget(snapshot.store.storeId, key);
    },
  });
  return {
    entries,
    noteView(view: StoreView): void {
      if (view.sandbox === null) return;
      const keys = sandboxKeys.get(view.storeId) ?? new Set();
      sandboxKeys.set(view.storeId, keys.add(keyOf(view)));
    },
    forgetView: (view: StoreView): void => forget(view.storeId, keyOf(view)),
    keysOf: (storeId: string): string[] => [storeId, ...(sandboxKeys.get(storeId) ?? [])],
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

/** Confirms the views with a recent request whose version is unchanged; the others are read at their next request. */
async function confirmHotStores(db: Db, entries: LRUCache<string, Entry>, nowMs: number): Promise<void> {
  const hot = [...entries.values()].filter((entry) => nowMs - entry.usedAtMs < HOT_MS).map(({ snapshot }) => snapshot);
  if (hot.length === 0) return;
  const views = hot.map(({ store: { storeId }, sandbox }) => ({ storeId, sandbox }));
  const versions = await findInventoryVersions(db, views);
  for (const [nth, view] of views.entries()) {
    const entry = entries.peek(keyOf(view));
    const version = versions[nth];
    if (!entry || !version) continue;
    const isSame = isSameVersion(entry.snapshot.version, version);
    entry.confirmedAtMs = isSame ? Math.max(entry.confirmedAtMs, nowMs) : -Infinity;
  }
}

/** The last snapshot of the same view, and of live callers, whose parts may be as they were. */
type Known = { snapshot: StoreSnapshot | undefined; live: StoreSnapshot | undefined };

/** Reads the version before the content: content newer than its version is only read once more than needed. */
async function loadSnapshot(
  db: Db,
  { storeId, sandbox }: StoreView,
  known: Known,
  now: Temporal.Instant,
): Promise<StoreSnapshot | undefined> {
  const [version] = await findInventoryVersions(db, [{ storeId, sandbox }]);
  if (!version) return undefined;
  const { snapshot } = known;
  if (snapshot && isSameVersion(snapshot.version, version)) return snapshot;

  const same = [snapshot, known.live].find((one) => one?.version.changedSeq === version.changedSeq);
  const store = same?.store ?? (await findStore(db, storeId));
  // A store of other sandboxes takes the way of an unknown store.
  if (!store || !existsFor(store, sandbox)) return undefined;
  const isSameStore = snapshot?.version.changedSeq === version.changedSeq;
  if (isSameStore && snapshot.version.slotsVersion === version.slotsVersion) return { ...snapshot, version };
  const { capacity } = store.scheduling;
  const fullStartsOf = (pickup: boolean) => findFullSlots(db, { storeId, sandbox, pickup, capacity, from: now });
  const [delivery, pickup] = await Promise.all([fullStartsOf(false), fullStartsOf(true)]);
  return { store, sandbox, version, fullStarts: { delivery: shared(delivery), pickup: shared(pickup) } };
}

const NO_STARTS: ReadonlySet<number> = new Set();

/** Views without a full window have one set, by which they share the list of windows. */
function shared(starts: ReadonlySet<number>): ReadonlySet<number> {
  return starts.size === 0 ? NO_STARTS : starts;
}

function isSameVersion(a: InventoryVersion, b: InventoryVersion): boolean {
  return (
    a.changedSeq === b.changedSeq &&
    a.slotsVersion === b.slotsVersion &&
    a.menuSandbox === b.menuSandbox &&
    a.menuDigests.delivery === b.menuDigests.delivery &&
    a.menuDigests.pickup === b.menuDigests.pickup
  );
}

/** A timer that does not keep the process alive. */
function scheduleQuietly(task: () => void, ms: number): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
