import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import { createRunningReads } from '../lib/running-reads.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import type { Mode } from '../stores/mode.ts';
import { loadMenu, type MenuView, menuVersionOf } from './load-menu.flow.ts';
import type { StoreSnapshot } from './store-snapshots.cache.ts';

const MAX_MENU_BYTES = 256 * 1024 * 1024;
/** A larger menu is written for each request: few stores have one, and in memory it would take the room of many others. */
const MAX_ONE_MENU_BYTES = 32 * 1024 * 1024;

export type MenusOptions = {
  db: Db;
  tokens: TokenSealer;
  /** Bound of all menus in memory; the menu unused for longest goes first. */
  maxMenuBytes?: number;
};

/** The menus of stores. Calls `onStale` with a store whose menu is of another version than its snapshot. */
export function createMenus(
  { db, tokens, maxMenuBytes = MAX_MENU_BYTES }: MenusOptions,
  onStale: (storeId: string) => void,
) {
  const kept = new LRUCache<string, MenuView>({
    maxSize: maxMenuBytes,
    maxEntrySize: Math.min(maxMenuBytes, MAX_ONE_MENU_BYTES),
    sizeCalculation: (view) => view.categories.bytes.length + 256,
  });
  const reads = createRunningReads<MenuView | undefined>();
  return {
    bytes: () => kept.calculatedSize,
    of(snapshot: StoreSnapshot, mode: Mode, categoryNo: number | null): MenuView | Promise<MenuView | undefined> {
      const { storeId } = snapshot.store;
      const version = menuVersionOf(snapshot.version, mode);
      const key = `${storeId}:${mode}:${categoryNo ?? ''}`;
      const known = kept.get(key);
      if (known?.version === version) return known;
      const readKey = `${key}:${version}`;
      const running = reads.of(readKey);
      if (running) return running;
      return reads.add(readKey, loadMenu(db, tokens, { storeId, mode, categoryNo }, known), (view) => {
        if (view) kept.set(key, view);
        if (view?.version !== version) onStale(storeId);
      });
    },
  };
}
