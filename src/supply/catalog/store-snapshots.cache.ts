import { LRUCache } from 'lru-cache';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { RunningReads } from '../../platform/lib/running-reads.ts';
import { findLoads } from '../pricing/kitchen.db.ts';
import { findFullSlots } from '../pricing/slots.db.ts';
import { type KitchenLoad, type KitchenWait, slotsWithoutRoom, waitFor } from '../stores/kitchen.ts';
import { heldToAgreement, isVisibleTo, type Mode, type Store } from '../stores/store.ts';
import { isStoreId } from '../stores/store-id.ts';
import { findStore } from '../stores/stores.db.ts';
import { findInventoryVersions, type InventoryVersion, type StoreView } from './inventory.db.ts';

/** Maximum cached views. A store has one for live callers and one per sandbox. */
const MAX_VIEWS = 10_000;
/** How long a view is polled after a request, in milliseconds; later, the next request reads it. */
const POLL_DURATION_MS = 10_000;
const POLL_INTERVAL_MS = 500;

/**
 * A store's version for a sandbox or (null) live callers, with the starts of its full slots in epoch seconds and the
 * load of its kitchen.
 */
export type StoreSnapshot = {
  store: Store;
  sandbox: Sandbox;
  version: InventoryVersion;
  fullStarts: Readonly<Record<Mode, ReadonlySet<number>>>;
  load: KitchenLoad;
};

/** How long an ASAP order waits for room in the kitchen; null without limits. */
export function waitOfSnapshot({ store, load }: StoreSnapshot, now: Temporal.Instant, items = 1): KitchenWait | null {
  return store.kitchen ? waitFor(store.kitchen, load, items, now) : null;
}

export type SnapshotsOptions = {
  db: Db;
  clock: Clock;
  /** Whether stores without an agreement receive no live order; by default they do. */
  requireAgreement?: boolean;
  /** 0 disables polling, so that every request confirms the store. */
  pollIntervalMs?: number;
  /** A monotonic clock in milliseconds. */
  monotonicMs?: () => number;
  /** Runs a task after a delay; returns a function that cancels it. */
  schedule?: (task: () => void, ms: number) => () => void;
};

type Entry = { snapshot: StoreSnapshot; confirmedAtMs: number; usedAtMs: number };

/** Store snapshots, and the polls that confirm them. */
export class StoreSnapshots {
  private readonly db: Db;
  private readonly clock: Clock;
  private readonly requireAgreement: boolean;
  private readonly pollIntervalMs: number;
  private readonly monotonicMs: () => number;
  private readonly schedule: (task: () => void, ms: number) => () => void;
  private readonly entries: LRUCache<string, Entry>;
  private readonly sandboxKeys = new Map<string, Set<string>>();
  private readonly reads = new RunningReads<StoreSnapshot | undefined>();
  private isClosed = false;
  private cancelPoll = () => {};

  constructor({ db, clock, requireAgreement, pollIntervalMs, monotonicMs, schedule }: SnapshotsOptions) {
    this.db = db;
    this.clock = clock;
    this.requireAgreement = requireAgreement ?? false;
    this.pollIntervalMs = pollIntervalMs ?? POLL_INTERVAL_MS;
    this.monotonicMs = monotonicMs ?? (() => performance.now());
    this.schedule = schedule ?? scheduleQuietly;
    this.entries = new LRUCache({
      max: MAX_VIEWS,
      dispose: ({ snapshot }, key, reason) => {
        if (reason !== 'set') this.forgetKey(snapshot.store.storeId, key);
      },
    });
    if (this.pollIntervalMs > 0) this.pollLater();
  }

  of(storeId: string, sandbox: Sandbox): StoreSnapshot | undefined | Promise<StoreSnapshot | undefined> {
    const nowMs = this.monotonicMs();
    const view = { storeId, sandbox };
    const key = snapshotKey(view);
    const entry = this.entries.get(key);
    if (entry && nowMs - entry.confirmedAtMs < 2 * this.pollIntervalMs) {
      entry.usedAtMs = nowMs;
      return entry.snapshot;
    }
    if (!isStoreId(storeId)) return undefined;
    // Without polling, every request reads by itself, because an earlier read could miss a write.
    const running = this.pollIntervalMs === 0 ? undefined : this.reads.of(key);
    if (running) return running;
    const known = {
      snapshot: entry?.snapshot,
      live: this.entries.peek(storeId)?.snapshot,
      requireAgreement: this.requireAgreement,
    };
    // The key is recorded during the read, so that a writer that evicts the store also drops the read.
    this.noteKey(view, key);
    const read = this.reads.add(key, loadSnapshot(this.db, view, known, this.clock.now()), (snapshot) => {
      if (snapshot) this.entries.set(key, { snapshot, confirmedAtMs: nowMs, usedAtMs: nowMs });
    });
    // A read that failed, found no store or was dropped leaves no snapshot, so its key is removed.
    const forgetUnkept = () => {
      if (!this.entries.has(key) && !this.reads.of(key)) this.forgetKey(storeId, key);
    };
    read.then(forgetUnkept, forgetUnkept);
    return read;
  }

  /** Makes the next request for this view read the store again. */
  expire({ store: { storeId }, sandbox }: StoreSnapshot): void {
    this.entries.delete(snapshotKey({ storeId, sandbox }));
  }

  /** Expires all views, or one sandbox's, and drops a running read. */
  evict(storeId: string, sandbox: Sandbox = null): void {
    const all = () => [storeId, ...(this.sandboxKeys.get(storeId) ?? [])];
    for (const key of sandbox === null ? all() : [snapshotKey({ storeId, sandbox })]) {
      this.entries.delete(key);
      this.reads.drop(key);
    }
  }

  close(): void {
    this.isClosed = true;
    this.cancelPoll();
  }

  private noteKey({ storeId, sandbox }: StoreView, key: string): void {
    if (sandbox === null) return;
    const keys = this.sandboxKeys.get(storeId) ?? new Set();
    this.sandboxKeys.set(storeId, keys.add(key));
  }

  private forgetKey(storeId: string, key: string): void {
    const keys = this.sandboxKeys.get(storeId);
    if (keys?.delete(key) && keys.size === 0) this.sandboxKeys.delete(storeId);
  }

  /** Schedules the next poll when the last one has ended, even if it failed. */
  private pollLater(): void {
    if (this.isClosed) return;
    const poll = () =>
      confirmHotStores(this.db, this.entries, this.monotonicMs())
        .catch(() => {})
        .then(() => this.pollLater());
    this.cancelPoll = this.schedule(poll, this.pollIntervalMs);
  }
}

function snapshotKey({ storeId, sandbox }: StoreView): string {
  return sandbox === null ? storeId : `${storeId} ${sandbox}`;
}

/** Confirms recently requested views whose versions are unchanged. Others are read at their next request. */
async function confirmHotStores(db: Db, entries: LRUCache<string, Entry>, nowMs: number): Promise<void> {
  const hot = [...entries.values()]
    .filter((entry) => nowMs - entry.usedAtMs < POLL_DURATION_MS)
    .map(({ snapshot }) => snapshot);
  if (hot.length === 0) return;
  const views = hot.map(({ store: { storeId }, sandbox }) => ({ storeId, sandbox }));
  const versions = await findInventoryVersions(db, views);
  for (const [nth, view] of views.entries()) {
    const entry = entries.peek(snapshotKey(view));
    const version = versions[nth];
    if (!entry || !version) continue;
    const isSame = isSameVersion(entry.snapshot.version, version);
    entry.confirmedAtMs = isSame ? Math.max(entry.confirmedAtMs, nowMs) : -Infinity;
  }
}

/** The last snapshots for this view and for live callers, whose parts may be reusable. */
type KnownSnapshots = {
  snapshot: StoreSnapshot | undefined;
  live: StoreSnapshot | undefined;
  requireAgreement: boolean;
};

/** Reads the version before the content, because newer content causes only one extra read. */
async function loadSnapshot(
  db: Db,
  { storeId, sandbox }: StoreView,
  known: KnownSnapshots,
  now: Temporal.Instant,
): Promise<StoreSnapshot | undefined> {
  const [version] = await findInventoryVersions(db, [{ storeId, sandbox }]);
  if (!version) return undefined;
  const { snapshot } = known;
  if (snapshot && isSameVersion(snapshot.version, version)) return snapshot;

  const same = [snapshot, known.live].find((one) => one?.version.changedSeq === version.changedSeq);
  const found = same?.store ?? (await findStore(db, storeId));
  // Another sandbox's store counts as unknown.
  if (!found || !isVisibleTo(found, sandbox)) return undefined;
  const store = heldToAgreement(found, known.requireAgreement);
  const isSameStore = snapshot?.version.changedSeq === version.changedSeq;
  if (isSameStore && snapshot.version.loadVersion === version.loadVersion) return { ...snapshot, version };
  const { kitchen, scheduling } = store;
  const { capacity } = scheduling;
  const readFullStarts = (pickup: boolean) => findFullSlots(db, { storeId, sandbox, pickup, capacity, from: now });
  const [delivery, pickup, loads] = await Promise.all([
    readFullStarts(false),
    readFullStarts(true),
    findLoads(db, kitchen ? [storeId] : [], sandbox),
  ]);
  const load = loads.get(storeId) ?? {};
  const busy = [...slotsWithoutRoom(kitchen, load)];
  const full = (starts: ReadonlySet<number>) => shared(new Set([...starts, ...busy]));
  return { store, sandbox, version, fullStarts: { delivery: full(delivery), pickup: full(pickup) }, load };
}

const NO_STARTS: ReadonlySet<number> = new Set();

/** Views without full slots share one empty set, and therefore one slot list. */
function shared(starts: ReadonlySet<number>): ReadonlySet<number> {
  return starts.size === 0 ? NO_STARTS : starts;
}

function isSameVersion(a: InventoryVersion, b: InventoryVersion): boolean {
  return (
    a.changedSeq === b.changedSeq &&
    a.loadVersion === b.loadVersion &&
    a.menuSandbox === b.menuSandbox &&
    a.menuDigests.delivery === b.menuDigests.delivery &&
    a.menuDigests.pickup === b.menuDigests.pickup
  );
}

/** A timer that does not keep Node running. */
function scheduleQuietly(task: () => void, ms: number): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
