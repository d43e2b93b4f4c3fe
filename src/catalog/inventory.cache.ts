import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { findFullSlots } from '../quotes/slots.db.ts';
import type { Mode } from '../stores/mode.ts';
import type { Store } from '../stores/store.ts';
import { isStoreId } from '../stores/store-id.ts';
import { findStore } from '../stores/stores.db.ts';
import { findInventoryVersions, type InventoryVersion } from './inventory.db.ts';
import { loadMenu, type MenuView, menuVersionOf } from './load-menu.flow.ts';
import { type SlotList, slotListAt } from './slot-list.ts';

const MAX_STORES = 10_000;
const MAX_MENU_BYTES = 256 * 1024 * 1024;
/** A menu above this is written out for each request: few stores have one, and it would push many others out. */
const MAX_ONE_MENU_BYTES = 32 * 1024 * 1024;
const MAX_SLOT_LIST_BYTES = 64 * 1024 * 1024;
/** A window's JSON is kept as text and as bytes. */
const SLOT_LIST_WEIGHT = 3;
/** Stores asked for within this time are polled; others are looked at again when they are asked for. */
const HOT_MS = 10_000;
const POLL_INTERVAL_MS = 500;

/** A store as of one version, and the starts of its windows without capacity left, in epoch seconds. */
export type StoreFacts = {
  store: Store;
  version: InventoryVersion;
  fullStarts: Readonly<Record<Mode, ReadonlySet<number>>>;
};

/**
 * Inventories ready to send. What is answered was the database's state at most two poll intervals ago: a store that no
 * poll has confirmed for so long (the database is down, or the store was not asked for) is confirmed first.
 */
export type InventoryCache = {
  /** The store; undefined where there is none. Not a promise where it is known. */
  facts(storeId: string): StoreFacts | undefined | Promise<StoreFacts | undefined>;
  /** The menu, or undefined where the store has no such category. */
  menu(facts: StoreFacts, mode: Mode, categoryNo: number | null): MenuView | Promise<MenuView | undefined>;
  slots(facts: StoreFacts, mode: Mode, now: Temporal.Instant): SlotList;
  /** Of all menus that are kept. */
  readonly menuBytes: number;
  /** Called by a writer of this process right after its commit: the next answer shows it. */
  evict(storeId: string): void;
  close(): void;
};

export type InventoryCacheOptions = {
  db: Db;
  tokens: TokenSealer;
  clock: Clock;
  /** 0 does not poll, and confirms the store for every request. */
  pollIntervalMs?: number;
  /** Bound of all menus that are kept; those unused for longest go first. */
  mostMenuBytes?: number;
  /** Milliseconds of a clock that never jumps. */
  monotonicMs?: () => number;
  /** Runs a task once after a time, and gives the way to call that off. */
  schedule?: (task: () => void, ms: number) => () => void;
};

type Entry = { facts: StoreFacts; confirmedAtMs: number; usedAtMs: number };

export function createInventoryCache(options: InventoryCacheOptions): InventoryCache {
  const { db, tokens, clock, pollIntervalMs = POLL_INTERVAL_MS, mostMenuBytes = MAX_MENU_BYTES } = options;
  const { monotonicMs = () => performance.now(), schedule = scheduleQuietly } = options;
  const entries = new LRUCache<string, Entry>({ max: MAX_STORES });
  const menus = new LRUCache<string, MenuView>({
    maxSize: mostMenuBytes,
    maxEntrySize: Math.min(mostMenuBytes, MAX_ONE_MENU_BYTES),
    sizeCalculation: (view) => view.categories.bytes.length + 256,
  });
  const slotLists = new LRUCache<string, SlotList>({
    maxSize: MAX_SLOT_LIST_BYTES,
    sizeCalculation: (list) => list.json.bytes.length * SLOT_LIST_WEIGHT + 256,
  });
  const factsUnderWay = new Map<string, Promise<StoreFacts | undefined>>();
  const menusUnderWay = new Map<string, Promise<MenuView | undefined>>();
  let closed = false;
  let cancelPoll = () => {};

  const isConfirmed = (entry: Entry, nowMs: number) => nowMs - entry.confirmedAtMs < 2 * pollIntervalMs;

  /** Confirms or reads a store anew; an eviction in between keeps the outcome out of the cache. */
  function readFacts(storeId: string, known: StoreFacts | undefined): Promise<StoreFacts | undefined> {
    const startedMs = monotonicMs();
    const reading = loadFacts(db, storeId, known, clock.now()).then((facts) => {
      const usable = factsUnderWay.get(storeId) === reading;
      if (usable && facts) entries.set(storeId, { facts, confirmedAtMs: startedMs, usedAtMs: startedMs });
      return facts;
    });
    factsUnderWay.set(storeId, reading);
    const forget = () => {
      if (factsUnderWay.get(storeId) === reading) factsUnderWay.delete(storeId);
    };
    reading.then(forget, forget);
    return reading;
  }

  async function poll(): Promise<void> {
    const startedMs = monotonicMs();
    const hot = [...entries.entries()].filter(([, entry]) => startedMs - entry.usedAtMs < HOT_MS).map(([id]) => id);
    if (hot.length === 0) return;
    for (const version of await findInventoryVersions(db, hot)) {
      const entry = entries.peek(version.storeId);
      if (!entry) continue;
      const same = isSameVersion(entry.facts.version, version);
      entry.confirmedAtMs = same ? Math.max(entry.confirmedAtMs, startedMs) : -Infinity;
    }
  }

  function pollLater(): void {
    if (closed || pollIntervalMs === 0) return;
    const again = () =>
      poll()
        .catch(() => {})
        .then(pollLater);
    cancelPoll = schedule(again, pollIntervalMs);
  }
  pollLater();

  return {
    facts(storeId) {
      const nowMs = monotonicMs();
      const entry = entries.get(storeId);
      if (entry && isConfirmed(entry, nowMs)) {
        entry.usedAtMs = nowMs;
        return entry.facts;
      }
      if (!isStoreId(storeId)) return undefined;
      // Without polls every request looks for itself: one that joined an earlier look could miss a write before it.
      const underWay = pollIntervalMs === 0 ? undefined : factsUnderWay.get(storeId);
      return underWay ?? readFacts(storeId, entry?.facts);
    },

    menu(facts, mode, categoryNo) {
      const { storeId } = facts.store;
      const version = menuVersionOf(facts.version, mode);
      const key = `${storeId}:${mode}:${categoryNo ?? ''}`;
      const known = menus.get(key);
      if (known?.version === version) return known;
      const flight = `${key}:${version}`;
      const underWay = menusUnderWay.get(flight);
      if (underWay) return underWay;
      const loading = loadMenu(db, tokens, { storeId, mode, categoryNo }, known)
        .then((view) => {
          if (view) menus.set(key, view);
          if (view?.version !== version) entries.delete(storeId);
          return view;
        })
        .finally(() => menusUnderWay.delete(flight));
      menusUnderWay.set(flight, loading);
      return loading;
    },

    slots({ store, version, fullStarts }, mode, now) {
      const key = `${store.storeId}:${mode}`;
      const previous = slotLists.get(key);
      const question = { store, storeVersion: version.changedSeq, mode, now, fullStarts: fullStarts[mode], tokens };
      const list = slotListAt(question, previous);
      if (list !== previous) slotLists.set(key, list);
      return list;
    },

    get menuBytes() {
      return menus.calculatedSize;
    },

    evict(storeId) {
      entries.delete(storeId);
      factsUnderWay.delete(storeId);
    },

    close() {
      closed = true;
      cancelPoll();
    },
  };
}

/** Versions are read before what they stand for: content newer than its version is only read once more than needed. */
async function loadFacts(
  db: Db,
  storeId: string,
  known: StoreFacts | undefined,
  now: Temporal.Instant,
): Promise<StoreFacts | undefined> {
  const [version] = await findInventoryVersions(db, [storeId]);
  if (!version) return undefined;
  if (known && isSameVersion(known.version, version)) return known;

  const sameStore = known?.version.changedSeq === version.changedSeq;
  const store = sameStore ? known.store : await findStore(db, storeId);
  if (!store) return undefined;
  if (sameStore && known.version.slotsVersion === version.slotsVersion) return { ...known, version };
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
