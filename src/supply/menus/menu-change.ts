import { type CategoryState, type ItemState, isEqual, isSameState } from './menu-entry.ts';

/** A change of a menu: the states before and after of each item, category and sequence that it writes. */

/** States by id; null: not in the menu. A sequence is that of a category's children, of the top ones under ''. */
export type MenuState = {
  categories: Readonly<Record<string, CategoryState | null>>;
  items: Readonly<Record<string, ItemState | null>>;
  sequences: Readonly<Record<string, readonly string[]>>;
  /** Of a change that sets availability or stock, by item: what it sets. */
  switches?: Readonly<Record<string, Switches>>;
};

/** What a store sells now of an item: whether it is on sale, its stock, and which options are on sale, by id. */
export type Switches = {
  available?: boolean;
  /** Epoch seconds at which it goes on sale by itself; absent in older changes. */
  availableAtS?: number | null;
  qtyAvailable?: number | null;
  options?: Readonly<Record<string, boolean>>;
};

export const TOP = '';

/**
 * `switched`: availability or stock was set. `imported`: a feed brought another value than before, which replaced the
 * store's.
 */
export const MENU_ACTIONS = ['added', 'edited', 'removed', 'sorted', 'switched', 'undone', 'imported'] as const;
export type MenuAction = (typeof MENU_ACTIONS)[number];

/** `id` is that of the key or session, null of a command; of a feed its name. */
export type MenuActor = { source: 'key' | 'session' | 'operator' | 'feed'; id: string | null };

/** The feed's own value as of its last import, beside an edit. A sequence has the feed's ids. */
export type FeedMenuValue = CategoryState | ItemState | { ids: readonly string[] };

export const NO_STATE: MenuState = { categories: {}, items: {}, sequences: {} };

/** Whether the menu still is as this change left it. */
export function isSameMenu(a: MenuState, b: MenuState): boolean {
  return (
    Object.keys(a.items).every((id) => isSameState(a.items[id] ?? null, b.items[id] ?? null)) &&
    Object.keys(a.categories).every((id) => isSameState(a.categories[id] ?? null, b.categories[id] ?? null)) &&
    isEqual(a.sequences, b.sequences)
  );
}
