import {
  type Category,
  type CategoryEdit,
  type CategoryPatch,
  categoryFields,
  type Edits,
  fieldsOf,
  type Item,
  type ItemEdit,
  type ItemPatch,
  type Menu,
  patchBetween,
  TOP,
  type Tree,
} from './menu.ts';
import { isEqual } from './menu-entry.ts';

/** How the edits of a menu change: by its store, whose changes are its history, and by an import. */

/** Patches by ID; `{}`, or null for an order: none. The ID of the top categories' order is `TOP`. */
export type MenuPatches = {
  categories: Readonly<Record<string, CategoryPatch | null>>;
  items: Readonly<Record<string, ItemPatch | null>>;
  sequences: Readonly<Record<string, readonly string[] | null>>;
};

/** An item's state on sale: whether it is on sale, its stock, and the IDs of its options on sale. */
export type Switches = {
  available?: boolean;
  /** When it goes on sale by itself, in epoch seconds; present with `available`. */
  availableAtS?: number | null;
  qtyAvailable?: number | null;
  options?: Readonly<Record<string, boolean>>;
};

/** One side of a change in the history: its readable name, and the patches that restore it. */
export type MenuState = {
  categories: Readonly<Record<string, Category | null>>;
  items: Readonly<Record<string, Item | null>>;
  sequences: Readonly<Record<string, readonly string[]>>;
  /** Absent in changes of switches. */
  patches?: MenuPatches;
  switches?: Readonly<Record<string, Switches>>;
};

/** `switched`: availability or stock was set. */
export const MENU_ACTIONS = ['added', 'edited', 'removed', 'sorted', 'switched', 'undone'] as const;
export type MenuAction = (typeof MENU_ACTIONS)[number];

/** `id` is the key's or session's ID, null for a command, and a feed's name. */
export type MenuActor = { source: 'key' | 'session' | 'operator' | 'feed'; id: string | null };
export type EditContext = { storeId: string; actor: MenuActor; at: Temporal.Instant };

export const NO_PATCHES: MenuPatches = { categories: {}, items: {}, sequences: {} };
export const NO_STATE: MenuState = { categories: {}, items: {}, sequences: {} };

/** Maximum preceding members that an item or category uses to find its place again. */
const MAX_ANCHORS = 20;

/** The place before the member at this position. */
export function placeAt(list: readonly string[], position: number, seq: number) {
  return { after: list.slice(Math.max(0, position - MAX_ANCHORS), position).reverse(), seq };
}

/** The present patches of the named objects. */
export function currentPatches(edits: Edits, { categories, items, sequences }: MenuPatches): MenuPatches {
  const of = <Patch>(known: ReadonlyMap<string, { patch: Patch }>, ids: object, none: Patch) =>
    Object.fromEntries(Object.keys(ids).map((id) => [id, known.has(id) ? (known.get(id)?.patch ?? null) : none]));
  return {
    categories: of<CategoryPatch | null>(edits.categories, categories, {}),
    items: of<ItemPatch | null>(edits.items, items, {}),
    sequences: of<readonly string[] | null>(edits.sequences, sequences, null),
  };
}

/** The parts of a menu named by these patches. */
export function statesOf({ categories, children, items, leaves }: Menu, patches: MenuPatches): MenuState {
  const of = <State>(states: ReadonlyMap<string, State>, ids: object) =>
    Object.fromEntries(Object.keys(ids).map((id) => [id, states.get(id) ?? null]));
  const sequences = Object.keys(patches.sequences).map((id) => [id, sequenceOf({ children, leaves }, id)]);
  return {
    categories: of(categories, patches.categories),
    items: of(items, patches.items),
    sequences: Object.fromEntries(sequences),
  };
}

export function sequenceOf({ children, leaves }: Pick<Menu, 'children' | 'leaves'>, id: string): readonly string[] {
  const items = leaves.get(id) ?? [];
  return items.length > 0 ? items : (children.get(id) ?? []);
}

/** The edits with these patches, alongside the values that the feed has now. */
export function withPatches(edits: Edits, patches: MenuPatches, feed: Menu): Edits {
  const categories = new Map(edits.categories);
  for (const [id, patch] of Object.entries(patches.categories)) {
    setEdit(categories, id, { patch, feed: feed.categories.get(id) ?? null, feedChanged: false });
  }
  const items = new Map(edits.items);
  for (const [id, patch] of Object.entries(patches.items)) {
    const known = edits.items.get(id);
    setEdit(items, id, { patch, feed: known ? known.feed : (feed.items.get(id) ?? null), feedChanged: false });
  }
  const sequences = new Map(edits.sequences);
  for (const [id, patch] of Object.entries(patches.sequences)) {
    sequences.set(id, { patch, feed: sequenceOf(feed, id), feedChanged: false });
  }
  return { categories, items, sequences };
}

function setEdit<E extends { patch: object | null }>(edits: Map<string, E>, id: string, edit: E): void {
  if (edit.patch !== null && Object.keys(edit.patch).length === 0) edits.delete(id);
  else edits.set(id, edit);
}

/** The edits with the feed's side of each list that differs, and without the lists that do no more. */
export function withFeedLists(edits: Edits, feed: Menu, menu: Menu): Edits {
  const sequences = new Map(edits.sequences);
  const lists = [feed.children, menu.children, menu.leaves, sequences].flatMap((known) => [...known.keys()]);
  for (const id of new Set(lists)) {
    const known = sequences.get(id);
    // Unloaded items.
    if (known && !feed.leaves.has(id) && !feed.children.has(id)) continue;
    const ids = sequenceOf(feed, id);
    const { patch = null, feedChanged = false } = known ?? {};
    if (patch === null && isEqual(ids, sequenceOf(menu, id))) sequences.delete(id);
    else if (!isEqual(known?.feed, ids)) sequences.set(id, { patch, feed: ids, feedChanged });
  }
  return { ...edits, sequences };
}

/** Before an import: categories that the feed drops while the store has items of its own in them become the store's. */
export function withDroppedHomes(edits: Edits, { menu, feed, seq }: { menu: Tree; feed: Tree; seq: number }): Edits {
  const categories = new Map(edits.categories);
  for (const { patch } of edits.items.values()) {
    if (!patch?.added || feed.categories.has(patch.categoryId)) continue;
    const id = patch.categoryId;
    const dropped = menu.categories.get(id);
    if (!dropped || categories.get(id)?.patch?.added) continue;
    const siblings = menu.children.get(dropped.parentId ?? TOP) ?? [];
    const own = categoryPatch(dropped, undefined, placeAt(siblings, siblings.indexOf(id), seq));
    categories.set(id, { feed: null, patch: own, feedChanged: false });
  }
  return { ...edits, categories };
}

/** Without removals of categories that are in the menu again, because something in them is. */
export function withoutEnded(edits: Edits['categories'], menu: Menu): Edits['categories'] {
  return new Map([...edits].filter(([id, { patch }]) => patch !== null || !menu.categories.has(id)));
}

/**
 * The edits after an import that made this menu of them: with the feed's new values, and without ended edits. A removed
 * category that the feed has filled again is restored, and its former contents follow to the current place.
 */
export function importedEdits(edits: Edits, feed: Menu, menu: Menu): Edits {
  const categories = new Map<string, CategoryEdit>();
  for (const [id, edit] of withoutEnded(edits.categories, menu)) {
    const now = feed.categories.get(id) ?? null;
    const { parentId = null } = menu.categories.get(id) ?? {};
    if (now && edit.patch?.added) continue;
    const patch = edit.patch?.added ? { ...edit.patch, parentId } : edit.patch;
    setEdit(categories, id, { patch, feed: now, feedChanged: isChanged(edit, now) });
  }
  const items = new Map<string, ItemEdit>();
  for (const [id, edit] of edits.items) {
    const now = feed.items.get(id) ?? null;
    if (now && edit.patch?.added) continue;
    const patch = atHome(edit.patch, now, menu.items.get(id)?.categoryId);
    setEdit(items, id, { patch, feed: now, feedChanged: isChanged(fieldsOfEdit(edit), now && fieldsOf(now)) });
  }
  return withFeedLists({ ...edits, categories, items }, feed, menu);
}

const fieldsOfEdit = ({ feed, ...edit }: ItemEdit) => ({ ...edit, feed: feed && fieldsOf(feed) });

/** Whether the feed has, now or since the store set the patch, changed a field under it. */
function isChanged<Value extends object>(
  { feed, patch, feedChanged }: { feed: Value | null; patch: object | null; feedChanged: boolean },
  now: Value | null,
): boolean {
  if (!feed || !now || !patch) return feedChanged;
  const changed = patchBetween(feed, now);
  return feedChanged || Object.keys(patch).some((field) => Object.hasOwn(changed, field));
}

function atHome(patch: ItemPatch | null, feed: Item | null, categoryId: string | undefined): ItemPatch | null {
  if (!patch || patch.categoryId === undefined || categoryId === undefined || patch.categoryId === categoryId) {
    return patch;
  }
  if (patch.added || feed?.categoryId !== categoryId) return { ...patch, categoryId };
  const { categoryId: _, after: __, seq: ___, ...fields } = patch;
  return fields;
}

/** The patch that makes this item of the feed's, in place of an earlier patch. */
export function itemPatch(item: Item, feed: Item | undefined, before: ItemPatch | null = null): ItemPatch {
  if (!feed) return { ...fieldsOf(item), ...placeOf(before), added: true };
  const fields = patchBetween(fieldsOf(feed), fieldsOf(item), before);
  return fields.categoryId === undefined ? fields : { ...fields, ...placeOf(before) };
}

/** The patch that makes this category of the feed's, which decides on its parent. */
export function categoryPatch(
  category: Category,
  feed: Category | undefined,
  before: CategoryPatch | null = null,
): CategoryPatch {
  const fields = categoryFields(category);
  if (!feed) return { parentId: category.parentId, ...fields, ...placeOf(before), added: true };
  return patchBetween(categoryFields(feed), fields, before);
}

function placeOf(patch: ItemPatch | CategoryPatch | null) {
  return patch?.after && patch.seq !== undefined ? { after: patch.after, seq: patch.seq } : {};
}

/** Whether the patches are equal, in any order of items and categories. */
export const isSamePatches = (a: MenuPatches, b: MenuPatches): boolean => isEqual(withoutPlaces(a), withoutPlaces(b));

function withoutPlaces({ categories, items, sequences }: MenuPatches) {
  const of = (patches: Readonly<Record<string, CategoryPatch | ItemPatch | null>>) =>
    Object.fromEntries(Object.entries(patches).map(([id, patch]) => [id, patch && { ...patch, after: [], seq: 0 }]));
  return { categories: of(categories), items: of(items), sequences };
}
