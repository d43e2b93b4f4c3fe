import { LRUCache } from 'lru-cache';
import type { Sandbox } from '../accounts/account.ts';
import type { Db } from '../db/connect.ts';
import { type KeptJson, keepJson } from '../http/json-pieces.ts';
import { createRunningReads } from '../lib/running-reads.ts';
import { epochSeconds } from '../lib/time.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { nextSlice, runInSlices } from '../load/event-loop-scheduler.ts';
import { type MenuHours, menuStateAt } from '../stores/menu-hours.ts';
import { scheduleOf } from '../stores/schedule.ts';
import type { DeliveryFee, Mode, Store } from '../stores/store.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import { menuId } from './catalog-tokens.ts';
import { loadMenu, type MenuView, menuVersionOf } from './load-menu.flow.ts';
import { isFresh, type SlotList, type SlotListQuestion, slotFeeJson, slotListAt, slotListSteps } from './slot-list.ts';
import { createSnapshots, type SnapshotsOptions, type StoreSnapshot } from './store-snapshots.cache.ts';
import { fillGaps, shownVersion, type TimedText, timedMembers } from './timed-menu.ts';

const MAX_SLOT_LIST_BYTES = 64 * 1024 * 1024;
/** A window's JSON is kept as text and as bytes. */
const SLOT_LIST_WEIGHT = 3;

/**
 * Inventories ready to send. An answer shows the state of the database at most two poll intervals ago: a store that no
 * poll has confirmed for so long (the database is down, or the store had no request) is confirmed first.
 */
export type InventoryCache = {
  /**
   * The store as a sandbox or live callers see it; undefined for an unknown store, and for a store of other sandboxes. No
   * promise where the snapshot is in memory and confirmed.
   */
  snapshot(storeId: string, sandbox: Sandbox): StoreSnapshot | undefined | Promise<StoreSnapshot | undefined>;
  /** The menu as of `now`, or undefined where the store has no such category. */
  menu(
    snapshot: StoreSnapshot,
    mode: Mode,
    categoryNo: number | null,
    now: Temporal.Instant,
  ): ShownMenu | Promise<ShownMenu | undefined>;
  /**
   * Writes the windows of a mode in slices, where they are not in memory as of `now`: `slots` then finds them. No promise
   * where there is nothing to write.
   */
  prepareSlots(snapshot: StoreSnapshot, mode: Mode, now: Temporal.Instant): Promise<void> | undefined;
  /** The windows of a mode; those of a delivery show this fee, or the store's own. */
  slots(snapshot: StoreSnapshot, mode: Mode, now: Temporal.Instant, fee?: DeliveryFee): SlotList;
  /** Bytes of all menus in memory. */
  readonly menuBytes: number;
  /**
   * Called by a writer of this process right after its commit: the next answer shows it. A writer that has changed the
   * count of one sandbox names the sandbox; the answers of all other callers stay in memory.
   */
  evict(storeId: string, sandbox?: Sandbox): void;
  close(): void;
};

type InventoryCacheOptions = SnapshotsOptions & MenusOptions;

export function createInventoryCache(options: InventoryCacheOptions): InventoryCache {
  const { tokens } = options;
  const snapshots = createSnapshots(options);
  const menus = createMenus(options, snapshots.expire);
  const slotLists = new LRUCache<string, SlotList>({
    maxSize: MAX_SLOT_LIST_BYTES,
    sizeCalculation: (list) => list.json.bytes.length * SLOT_LIST_WEIGHT + 256,
  });
  /** Lists that are being written, by key: the requests of a moment share the work. */
  const writing = new Map<string, Promise<void>>();

  function questionOf(
    { store, sandbox, version, fullStarts }: StoreSnapshot,
    mode: Mode,
    now: Temporal.Instant,
    fee = store.fees.deliveryFee,
  ): { key: string; ownKey: string; question: SlotListQuestion } {
    const own = slotFeeJson(mode === 'delivery' ? store.fees.deliveryFee : null);
    const feeJson = slotFeeJson(mode === 'delivery' ? fee : null);
    // Views without a full window share their list.
    const view = fullStarts[mode].size === 0 ? '' : `:${sandbox ?? 'live'}`;
    const ownKey = `${store.storeId}:${mode}${view}`;
    const key = feeJson === own ? ownKey : `${ownKey}:${feeJson}`;
    const storeVersion = version.changedSeq;
    return { key, ownKey, question: { store, storeVersion, mode, now, fullStarts: fullStarts[mode], tokens, feeJson } };
  }

  async function writeSlots(key: string, question: SlotListQuestion): Promise<void> {
    while (!isFresh(question, slotLists.get(key))) {
      const shared = writing.get(key);
      if (shared) {
        await shared;
        continue;
      }
      const own = writeOne(key, question).finally(() => writing.delete(key));
      writing.set(key, own);
      await own;
      return;
    }
  }

  async function writeOne(key: string, question: SlotListQuestion): Promise<void> {
    await nextSlice();
    slotLists.set(key, await runInSlices(slotListSteps(question, slotLists.get(key))));
  }

  return {
    snapshot: snapshots.of,
    menu: menus.of,
    prepareSlots(snapshot, mode, now) {
      const { key, question } = questionOf(snapshot, mode, now);
      return isFresh(question, slotLists.get(key)) ? undefined : writeSlots(key, question);
    },
    slots(snapshot, mode, now, fee) {
      const { key, ownKey, question } = questionOf(snapshot, mode, now, fee);
      const kept = slotLists.get(key);
      // The list with the store's own fee is the one that was prepared.
      const previous = isFresh(question, kept) ? kept : (slotLists.get(ownKey) ?? kept);
      const list = slotListAt(question, previous);
      if (list !== previous) slotLists.set(key, list);
      return list;
    },
    get menuBytes() {
      return menus.bytes();
    },
    evict: snapshots.evict,
    close: snapshots.close,
  };
}

const MAX_MENU_BYTES = 256 * 1024 * 1024;
/** A larger menu is written for each request: few stores have one, and in memory it would take the room of many others. */
const MAX_ONE_MENU_BYTES = 32 * 1024 * 1024;
/** Bytes of a gap's text, and of what else a gap takes. */
const GAP_BYTES = 200;

type MenusOptions = {
  db: Db;
  tokens: TokenSealer;
  /** Bound of all menus in memory; the menu unused for longest goes first. */
  maxMenuBytes?: number;
};

/** The menus of stores. Calls `onStale` with a snapshot whose menu is of another version. */
function createMenus(
  { db, tokens, maxMenuBytes = MAX_MENU_BYTES }: MenusOptions,
  onStale: (snapshot: StoreSnapshot) => void,
) {
  const kept = new LRUCache<string, MenuView>({
    maxSize: maxMenuBytes,
    maxEntrySize: Math.min(maxMenuBytes, MAX_ONE_MENU_BYTES),
    sizeCalculation: bytesOf,
  });
  const reads = createRunningReads<MenuView | undefined>();
  const show = createShownMenus(tokens);

  function viewOf(snapshot: StoreSnapshot, mode: Mode, categoryNo: number | null) {
    const { storeId } = snapshot.store;
    const version = menuVersionOf(snapshot.version, mode);
    const { changedSeq } = snapshot.version;
    // A sandbox that holds no stock at the store shows the same bytes as live callers.
    const { menuSandbox: sandbox } = snapshot.version;
    const key = `${storeId}:${mode}:${categoryNo ?? ''}:${sandbox ?? ''}`;
    const known = kept.get(key);
    const isCurrent = (view: MenuView | undefined) => view?.version === version && view.changedSeq === changedSeq;
    if (known && isCurrent(known)) return known;
    const readKey = `${key}:${version}:${changedSeq}`;
    const running = reads.of(readKey);
    if (running) return running;
    const read = loadMenu({ db, tokens }, { storeId, sandbox, mode, categoryNo }, known);
    return reads.add(readKey, read, (view) => {
      if (view) kept.set(key, view);
      if (!isCurrent(view)) onStale(snapshot);
    });
  }

  return {
    bytes: () => kept.calculatedSize,
    /** The menu as of `now`; undefined for an unknown category. */
    of(
      snapshot: StoreSnapshot,
      mode: Mode,
      categoryNo: number | null,
      now: Temporal.Instant,
    ): ShownMenu | Promise<ShownMenu | undefined> {
      const view = viewOf(snapshot, mode, categoryNo);
      const nowS = epochSeconds(now);
      if (!(view instanceof Promise)) return show(view, snapshot, mode, nowS);
      return view.then((read) => read && show(read, snapshot, mode, nowS));
    },
  };
}

function bytesOf({ categories: { pieces, gaps } }: MenuView): number {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 256);
  // A menu with gaps is kept with them, and as it was last shown.
  return gaps.length === 0 ? bytes : 2 * bytes + gaps.length * GAP_BYTES;
}

/** A menu as it is shown at a moment: the end of an inventory response in two pieces. */
type ShownMenu = {
  /** `"menu_id":…,`, which changes with everything that is shown. */
  head: string;
  /** `"categories":[…]}`. */
  categories: KeptJson;
};

/** What was shown of a view; it is shown again until a product's menu hours begin or end, or the store changes. */
type Shown = { menu: ShownMenu; changedSeq: number; fromS: number; untilS: number };

/** Shows a menu at a moment, in epoch seconds. */
type ShowMenu = (view: MenuView, snapshot: StoreSnapshot, mode: Mode, nowS: number) => ShownMenu;

function createShownMenus(tokens: TokenSealer): ShowMenu {
  const lastShown = new WeakMap<MenuView, Shown>();
  const fill = createFiller();
  return (view, { store, version }, mode, nowS) => {
    const last = lastShown.get(view);
    const isValid = last?.changedSeq === version.changedSeq && last.fromS <= nowS && nowS < last.untilS;
    if (isValid) return last.menu;
    const members = membersAt(store, mode, nowS);
    const categories = fill(view.categories, members.of);
    const id = menuId(tokens, store.storeId, mode, shownVersion(view.version, view.timed, members.of));
    const menu = { head: `"menu_id":${JSON.stringify(id)},`, categories };
    lastShown.set(view, { menu, changedSeq: version.changedSeq, fromS: nowS, untilS: members.untilS() });
    return menu;
  };
}

/** Fills the gaps of a text, or takes the text as it was last filled where nothing has changed. */
function createFiller() {
  const lastFilled = new WeakMap<TimedText, { key: string; json: KeptJson }>();
  return (text: TimedText, membersOf: (hours: MenuHours) => string): KeptJson => {
    const members = text.gaps.map(membersOf);
    const key = members.join();
    const last = lastFilled.get(text);
    if (last?.key === key) return last.json;
    const json = keepJson(fillGaps(text, members));
    lastFilled.set(text, { key, json });
    return json;
  };
}

/** The members of products with menu hours at a moment, each computed once; `untilS` is until when all of them hold. */
function membersAt(store: Store, mode: Mode, nowS: number) {
  const schedule = scheduleOf(store, mode);
  const known = new Map<string, string>();
  const texts = new Map<MenuHours, string>();
  let untilS = Infinity;
  const compute = (hours: MenuHours): string => {
    const state = menuStateAt(hours, schedule, zoneClock(store.timeZone), nowS);
    untilS = Math.min(untilS, state.untilS);
    return timedMembers(state, nowS);
  };
  return {
    of(hours: MenuHours): string {
      const text = texts.get(hours);
      if (text !== undefined) return text;
      const key = JSON.stringify(hours);
      const members = known.get(key) ?? compute(hours);
      known.set(key, members);
      texts.set(hours, members);
      return members;
    },
    untilS: () => untilS,
  };
}
