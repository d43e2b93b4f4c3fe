import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import { createRunningReads } from '../lib/running-reads.ts';
import { epochSeconds } from '../lib/time.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import type { Mode } from '../stores/mode.ts';
import { loadMenu, type MenuView, menuVersionOf } from './load-menu.flow.ts';
import { createShownMenus, type ShownMenu } from './shown-menus.cache.ts';
import type { StoreSnapshot } from './store-snapshots.cache.ts';

const MAX_MENU_BYTES = 256 * 1024 * 1024;
/** A larger menu is written for each request: few stores have one, and in memory it would take the room of many others. */
const MAX_ONE_MENU_BYTES = 32 * 1024 * 1024;
/** Bytes of a gap's text, and of what else a gap takes. */
const GAP_BYTES = 200;

export type MenusOptions = {
  db: Db;
  tokens: TokenSealer;
  /** Bound of all menus in memory; the menu unused for longest goes first. */
  maxMenuBytes?: number;
};

/** The menus of stores. Calls `onStale` with a snapshot whose menu is of another version. */
export function createMenus(
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
