import { LRUCache } from 'lru-cache';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Db } from '../../platform/db/connect.ts';
import { type KeptJson, keepJson } from '../../platform/http/json-pieces.ts';
import { RunningReads } from '../../platform/lib/running-reads.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { nextSlice, runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import { type MenuHours, menuStateAt } from '../stores/menu-hours.ts';
import { scheduleOf } from '../stores/schedule.ts';
import type { Mode, Store } from '../stores/store.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import { menuId } from './catalog-tokens.ts';
import { loadMenu, type MenuQuestion, type MenuView, menuVersionOf } from './load-menu.flow.ts';
import { SlotList, type SlotListQuestion } from './slot-list.ts';
import { type SnapshotsOptions, type StoreSnapshot, StoreSnapshots } from './store-snapshots.cache.ts';
import { fillGaps, shownVersion, type TimedText, timedMembers } from './timed-menu.ts';

/*
 * Inventories as bytes, per store version and mode. A request reads the current menu version, then the cache;
 * concurrent misses share one read.
 */

const MAX_SLOT_LIST_BYTES = 64 * 1024 * 1024;

type InventoryCacheOptions = SnapshotsOptions & MenusOptions;

/**
 * Prepared inventories, up to two poll intervals old. A store that was not confirmed for that long (database down, or
 * no requests) is confirmed before it is served.
 */
export class InventoryCache {
  private readonly tokens: TokenSealer;
  private readonly snapshots: StoreSnapshots;
  private readonly menus: Menus;
  private readonly slotLists = new LRUCache<string, SlotList>({
    maxSize: MAX_SLOT_LIST_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  /** Single-flight: slot lists being written, by key. */
  private readonly writing = new Map<string, Promise<SlotList>>();

  constructor(options: InventoryCacheOptions) {
    this.tokens = options.tokens;
    this.snapshots = new StoreSnapshots(options);
    this.menus = new Menus(options, (snapshot) => this.snapshots.expire(snapshot));
  }

  get menuBytes(): number {
    return this.menus.bytes;
  }

  /**
   * The store as a sandbox or live callers see it; undefined for an unknown store or another sandbox's. Not a promise
   * if the snapshot is cached and confirmed.
   */
  snapshot(storeId: string, sandbox: Sandbox): StoreSnapshot | undefined | Promise<StoreSnapshot | undefined> {
    return this.snapshots.of(storeId, sandbox);
  }

  /** The menu at `now`, or all its categories without products; undefined if the store has no such category. */
  menu(
    snapshot: StoreSnapshot,
    mode: Mode,
    categoryNo: number | null,
    now: Temporal.Instant,
    isTree = false,
  ): ShownMenu | Promise<ShownMenu | undefined> {
    return this.menus.of(snapshot, { mode, categoryNo, isTree }, now);
  }

  /** The slots of a mode at `now`. Not a promise if cached; otherwise written in slices. */
  slots(
    { store, sandbox, version, fullStarts: full }: StoreSnapshot,
    mode: Mode,
    now: Temporal.Instant,
  ): SlotList | Promise<SlotList> {
    const fullStarts = full[mode];
    // Views without full slots share one list.
    const view = fullStarts.size === 0 ? '' : `:${sandbox ?? 'live'}`;
    const key = `${store.storeId}:${mode}${view}`;
    const question = { store, storeVersion: version.changedSeq, mode, now, fullStarts, tokens: this.tokens };
    const kept = this.slotLists.get(key);
    return kept?.isFresh(question) ? kept : this.writeSlots(key, question);
  }

  /**
   * Called by a writer of this process right after its commit, so that the next answer shows the change. A writer that
   * changed only one sandbox's counts names that sandbox; the responses of others stay cached.
   */
  evict(storeId: string, sandbox?: Sandbox): void {
    this.snapshots.evict(storeId, sandbox);
  }

  close(): void {
    this.snapshots.close();
  }

  private async writeSlots(key: string, question: SlotListQuestion): Promise<SlotList> {
    for (let running = this.writing.get(key); running; running = this.writing.get(key)) {
      const list = await running;
      if (list.isFresh(question)) return list;
    }
    const own = this.writeOne(key, question).finally(() => this.writing.delete(key));
    this.writing.set(key, own);
    return own;
  }

  private async writeOne(key: string, question: SlotListQuestion): Promise<SlotList> {
    await nextSlice();
    const list = await runInSlices(SlotList.write(question, this.slotLists.get(key)));
    this.slotLists.set(key, list);
    return list;
  }
}

const MAX_MENU_BYTES = 256 * 1024 * 1024;
/**
 * Maximum bytes of a cached menu. Larger ones are rare and would evict many others, so they are written per request.
 */
const MAX_CACHEABLE_MENU_BYTES = 32 * 1024 * 1024;
/** Memory per gap, including its text. */
const GAP_BYTES = 200;

type MenusOptions = {
  db: Db;
  tokens: TokenSealer;
  /** Maximum bytes of all cached menus; the least recently used is evicted. */
  maxMenuBytes?: number;
};

/** A menu at a moment: the last part of an inventory response, in two pieces. */
type ShownMenu = {
  /** `"menu_id":…,`, which changes with the content. */
  head: string;
  /** `"categories":[…]}`. */
  categories: KeptJson;
};

/** The menu as last shown to a view. Valid until a product's menu hours begin or end, or the store changes. */
type RenderedMenu = { menu: ShownMenu; changedSeq: number; fromS: number; untilS: number };

type MenuPart = Pick<MenuQuestion, 'mode' | 'categoryNo'> & { isTree: boolean };

/** The cached menus of stores. Calls `onStale` for a snapshot whose menu contains another version. */
class Menus {
  private readonly db: Db;
  private readonly tokens: TokenSealer;
  private readonly onStale: (snapshot: StoreSnapshot) => void;
  private readonly views: LRUCache<string, MenuView>;
  private readonly reads = new RunningReads<MenuView | undefined>();
  private readonly lastShown = new WeakMap<MenuView, RenderedMenu>();
  private readonly lastFilled = new WeakMap<TimedText, { key: string; json: KeptJson }>();

  constructor({ db, tokens, maxMenuBytes = MAX_MENU_BYTES }: MenusOptions, onStale: (snapshot: StoreSnapshot) => void) {
    this.db = db;
    this.tokens = tokens;
    this.onStale = onStale;
    this.views = new LRUCache({
      maxSize: maxMenuBytes,
      maxEntrySize: Math.min(maxMenuBytes, MAX_CACHEABLE_MENU_BYTES),
      sizeCalculation: viewBytes,
    });
  }

  get bytes(): number {
    return this.views.calculatedSize;
  }

  /** The menu as of `now`; undefined for an unknown category. */
  of(snapshot: StoreSnapshot, part: MenuPart, now: Temporal.Instant): ShownMenu | Promise<ShownMenu | undefined> {
    const { mode } = part;
    const view = this.viewOf(snapshot, part);
    const nowS = epochSeconds(now);
    if (!(view instanceof Promise)) return this.show(view, snapshot, mode, nowS);
    return view.then((read) => read && this.show(read, snapshot, mode, nowS));
  }

  private viewOf(snapshot: StoreSnapshot, part: MenuPart) {
    const { mode, categoryNo, isTree } = part;
    const { db, tokens } = this;
    const { storeId } = snapshot.store;
    const version = menuVersionOf(snapshot.version, mode);
    // A sandbox without holds at the store shares the cached bytes of live callers.
    const { changedSeq, menuSandbox: sandbox } = snapshot.version;
    const key = `${storeId}:${mode}:${isTree ? 'tree' : ''}${categoryNo ?? ''}:${sandbox ?? ''}`;
    const known = this.views.get(key);
    const isCurrent = (view: MenuView | undefined) => view?.version === version && view.changedSeq === changedSeq;
    if (known && isCurrent(known)) return known;
    const readKey = `${key}:${version}:${changedSeq}`;
    const running = this.reads.of(readKey);
    if (running) return running;
    const read = loadMenu({ db, tokens }, { storeId, sandbox, ...part }, known);
    return this.reads.add(readKey, read, (view) => {
      if (view) this.views.set(key, view);
      if (!isCurrent(view)) this.onStale(snapshot);
    });
  }

  private show(view: MenuView, { store, version }: StoreSnapshot, mode: Mode, nowS: number): ShownMenu {
    const last = this.lastShown.get(view);
    const isValid = last?.changedSeq === version.changedSeq && last.fromS <= nowS && nowS < last.untilS;
    if (isValid) return last.menu;
    const members = availabilityMembers(store, mode, nowS);
    const categories = this.fill(view.categories, members.of);
    const id = menuId(this.tokens, store.storeId, mode, shownVersion(view.version, view.timed, members.of));
    const menu = { head: `"menu_id":${JSON.stringify(id)},`, categories };
    this.lastShown.set(view, { menu, changedSeq: version.changedSeq, fromS: nowS, untilS: members.untilS() });
    return menu;
  }

  /** Fills the gaps of a text, or reuses the last result if nothing has changed. */
  private fill(text: TimedText, membersOf: (hours: MenuHours) => string): KeptJson {
    const members = text.gaps.map(membersOf);
    const key = members.join();
    const last = this.lastFilled.get(text);
    if (last?.key === key) return last.json;
    const json = keepJson(fillGaps(text, members));
    this.lastFilled.set(text, { key, json });
    return json;
  }
}

function viewBytes({ categories: { pieces, gaps } }: MenuView): number {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 256);
  // A menu with gaps is cached twice: with its gaps, and as last shown.
  return gaps.length === 0 ? bytes : 2 * bytes + gaps.length * GAP_BYTES;
}

/** The availability members of products with menu hours, each computed once. They are valid until `untilS`. */
function availabilityMembers(store: Store, mode: Mode, nowS: number) {
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
