import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import { FEED_LIMITS } from './feed-fields.ts';
import { type MenuState, TOP } from './menu-change.ts';
import { type CategoryState, type ItemEntry, type ItemState, itemEntry } from './menu-entry.ts';
import type { LeafProduct } from './menu-rows.ts';
import type { FeedCategory } from './parse-categories.ts';
import type { FeedProduct } from './parse-product.ts';

/** A menu in memory: all its categories, and the items of the categories that a change reaches. */

export type MenuItem = LeafProduct & { externalId: string; categoryId: string };

export type Menu = {
  categories: ReadonlyMap<string, Omit<CategoryState, 'position'>>;
  /** Categories below each category, and those at the top under `TOP`, in sequence. */
  children: ReadonlyMap<string, readonly string[]>;
  /** Items that are loaded, those that have left the menu included. */
  items: ReadonlyMap<string, MenuItem>;
  /** Items of the categories that are loaded, in sequence. */
  leaves: ReadonlyMap<string, readonly string[]>;
};

/** A category with the hours of all above it before its own, as its row has them. */
type HoursRow = { externalId: string; parentId: string | null; name: string; menuHours: readonly WeeklyHours[] };

export function categoriesOf(rows: readonly HoursRow[]): Pick<Menu, 'categories' | 'children'> {
  const known = new Map(rows.map((row) => [row.externalId, row]));
  const categories = new Map<string, Omit<CategoryState, 'position'>>();
  const children = new Map<string, string[]>();
  for (const { externalId, parentId, name, menuHours } of rows) {
    const above = parentId === null ? 0 : (known.get(parentId)?.menuHours.length ?? 0);
    categories.set(externalId, { parentId, name, hours: menuHours[above] ?? null });
    const siblings = children.get(parentId ?? TOP) ?? [];
    siblings.push(externalId);
    children.set(parentId ?? TOP, siblings);
  }
  return { categories, children };
}

/** All categories as an import writes them, parents first. */
export function feedCategories({ categories, children }: Pick<Menu, 'categories' | 'children'>): FeedCategory[] {
  const list: FeedCategory[] = [];
  const walk = (parentId: string | null) => {
    (children.get(parentId ?? TOP) ?? []).forEach((externalId, position) => {
      const category = categories.get(externalId);
      if (!category) return;
      const isLeaf = (children.get(externalId)?.length ?? 0) === 0;
      list.push({ externalId, parentId, position, name: category.name, hours: category.hours, isLeaf });
      walk(externalId);
    });
  };
  walk(null);
  return list;
}

export function categoryState({ categories, children }: Menu, id: string): CategoryState | null {
  const category = categories.get(id);
  if (!category) return null;
  return { ...category, position: (children.get(category.parentId ?? TOP) ?? []).indexOf(id) };
}

export function itemState({ items, leaves }: Menu, id: string): ItemState | null {
  const item = items.get(id);
  const position = item ? (leaves.get(item.categoryId) ?? []).indexOf(id) : -1;
  if (!item || position === -1) return null;
  return { categoryId: item.categoryId, position, entry: itemEntry(item.product) };
}

export function sequenceOf({ children, leaves }: Menu, categoryId: string): readonly string[] {
  return leaves.get(categoryId)?.length ? (leaves.get(categoryId) ?? []) : (children.get(categoryId) ?? []);
}

/** The states that a menu has of what a change names. */
export function statesOf(menu: Menu, { categories, items, sequences }: MenuState): MenuState {
  return {
    categories: Object.fromEntries(Object.keys(categories).map((id) => [id, categoryState(menu, id)])),
    items: Object.fromEntries(Object.keys(items).map((id) => [id, itemState(menu, id)])),
    sequences: Object.fromEntries(Object.keys(sequences).map((id) => [id, sequenceOf(menu, id)])),
  };
}

type Draft = {
  categories: Map<string, Omit<CategoryState, 'position'>>;
  children: Map<string, readonly string[]>;
  items: Map<string, MenuItem>;
  leaves: Map<string, readonly string[]>;
};

/** The menu with these states. Refuses a state that a feed could not have brought. */
export function applyState(menu: Menu, state: MenuState): Menu {
  const draft: Draft = {
    categories: new Map(menu.categories),
    children: new Map(menu.children),
    items: new Map(menu.items),
    leaves: new Map(menu.leaves),
  };
  for (const [id, category] of byPosition(state.categories)) putCategory(draft, id, category);
  for (const [id, item] of byPosition(state.items)) putItem(draft, id, item);
  for (const [id, ids] of Object.entries(state.sequences)) putSequence(draft, id, ids);
  checkStructure(draft, state);
  return draft;
}

/** By position, so that neighbors that return together do so in sequence. */
function byPosition<T extends { position: number }>(states: Readonly<Record<string, T | null>>): [string, T | null][] {
  return Object.entries(states).sort(([, a], [, b]) => (a?.position ?? 0) - (b?.position ?? 0));
}

function putCategory(draft: Draft, id: string, state: CategoryState | null): void {
  const known = draft.categories.get(id);
  if (state === null) {
    if (known) setList(draft.children, known.parentId ?? TOP, (list) => list.filter((one) => one !== id));
    draft.categories.delete(id);
    return;
  }
  const { position, ...category } = state;
  draft.categories.set(id, { ...category, parentId: known ? known.parentId : category.parentId });
  if (!known) setList(draft.children, category.parentId ?? TOP, (list) => list.toSpliced(position, 0, id));
}

function putItem(draft: Draft, id: string, state: ItemState | null): void {
  const known = draft.items.get(id);
  const isListed = known && draft.leaves.get(known.categoryId)?.includes(id);
  if (isListed && state?.categoryId === known.categoryId) {
    draft.items.set(id, withEntry(known, state.entry));
    return;
  }
  if (isListed) setList(draft.leaves, known.categoryId, (list) => list.filter((one) => one !== id));
  if (state === null) return;
  const item = known ?? newItem(id, state);
  draft.items.set(id, { ...withEntry(item, state.entry), categoryId: state.categoryId });
  setList(draft.leaves, state.categoryId, (list) => list.toSpliced(state.position, 0, id));
}

function newItem(externalId: string, { categoryId, entry }: ItemState): MenuItem {
  const product = { externalId, ...entry, available: true, qtyAvailable: null };
  return { externalId, categoryId, product, live: { available: true, optionsOff: [] }, stored: null };
}

/** The item with another entry. The feed's stock and sale state stay beside it, with a feed product's keys in sequence. */
function withEntry(item: MenuItem, entry: ItemEntry): MenuItem {
  const product: FeedProduct = { ...item.product, ...entry };
  return { ...item, product };
}

function setList(
  lists: Map<string, readonly string[]>,
  key: string,
  change: (list: readonly string[]) => readonly string[],
): void {
  lists.set(key, change(lists.get(key) ?? []));
}

function putSequence(draft: Draft, categoryId: string, ids: readonly string[]): void {
  const lists = (draft.leaves.get(categoryId)?.length ?? 0) > 0 ? draft.leaves : draft.children;
  const listed = lists.get(categoryId) ?? [];
  const isSameSet = listed.length === ids.length && new Set([...listed, ...ids]).size === listed.length;
  if (!isSameSet) throw menuChanged();
  lists.set(categoryId, ids);
}

/** An edit of something that has changed since the caller read it. */
export function menuChanged(): Refusal {
  return new Refusal('menu_changed', 'This part of the menu has changed since it was read; read it again.');
}

function checkStructure(menu: Draft, { categories, items }: MenuState): void {
  for (const [id, category] of Object.entries(categories)) {
    if (category === null) {
      if ((menu.children.get(id)?.length ?? 0) + (menu.leaves.get(id)?.length ?? 0) > 0) throw menuChanged();
    } else checkParent(menu, menu.categories.get(id)?.parentId ?? null);
  }
  for (const item of Object.values(items)) {
    if (item === null) continue;
    if (!menu.categories.has(item.categoryId)) throw categoryNotFound();
    if ((menu.children.get(item.categoryId)?.length ?? 0) > 0) {
      throw invalidRequest([{ in: 'body', name: 'category_id', message: 'must be a category without subcategories' }]);
    }
  }
  if (menu.categories.size > FEED_LIMITS.categoriesPerStore) {
    const message = `must be one of at most ${FEED_LIMITS.categoriesPerStore} categories`;
    throw invalidRequest([{ in: 'body', name: 'name', message }]);
  }
}

function checkParent({ categories, leaves }: Draft, parentId: string | null): void {
  let depth = 1;
  for (let at = parentId; at !== null; at = categories.get(at)?.parentId ?? null) {
    if (!categories.has(at)) throw categoryNotFound();
    depth += 1;
  }
  const fault = (message: string) => invalidRequest([{ in: 'body', name: 'parent_id', message }]);
  if (depth > FEED_LIMITS.categoryDepth) throw fault(`must leave at most ${FEED_LIMITS.categoryDepth} levels`);
  if (parentId !== null && (leaves.get(parentId)?.length ?? 0) > 0) throw fault('must be a category without items');
}

export function categoryNotFound(): Refusal {
  return new Refusal('subcategory_not_found', 'The menu of this store has no category with this ID.');
}

/** A category and all below it. */
export function subtreeOf({ children }: Pick<Menu, 'children'>, id: string): string[] {
  return [id, ...(children.get(id) ?? []).flatMap((child) => subtreeOf({ children }, child))];
}
