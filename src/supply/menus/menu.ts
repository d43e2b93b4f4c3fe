import { sizeOfWeight } from '../pricing/weight.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import { type CategoryFields, type ItemEntry, isEqual } from './menu-entry.ts';
import type { FeedCategory } from './parse-categories.ts';

/**
 * A store's menu is its feed with the store's patches. A patch has the shape of RFC 7396: a named field is the store's,
 * all others are the feed's, null removes the patched element, and an empty patch changes nothing. The options of an
 * item are one field. `patchMenu` is the only way from both to the menu, for imports and edits alike; it takes a whole
 * menu, or the part that a change reaches.
 */

export type Category = CategoryFields & { parentId: string | null };
export type Item = { categoryId: string; entry: ItemEntry };

export type Menu = {
  categories: ReadonlyMap<string, Category>;
  /** Subcategories of each category, and the categories at the top under `TOP`, in order. */
  children: ReadonlyMap<string, readonly string[]>;
  /** Loaded items. */
  items: ReadonlyMap<string, Item>;
  /** Items of the loaded categories, in order. */
  leaves: ReadonlyMap<string, readonly string[]>;
};

export const TOP = '';

/** The position of the store's additions and moves: after the first listed entry that exists; without any, first. */
type Place = {
  after?: readonly string[];
  /** Number of the change that put it there. */
  seq?: number;
};
/** The store's own values of fields; `added`: the feed does not have it, so that the patch is all of it. */
type Patch<Fields> = (Partial<Fields> & Place & { added?: false }) | (Fields & Place & { added: true });

/** Prices that follow the price are null, and so are the class that follows the category and the weight of pieces. */
type ItemFields = Omit<ItemEntry, 'pickupPrice' | 'originalPrice'> & {
  categoryId: string;
  pickupPrice: number | null;
  originalPrice: number | null;
};
export type ItemPatch = Patch<ItemFields>;
export type CategoryPatch = Patch<Category>;

/** A patch alongside the feed's value as the last import brought it; null: the feed does not have it. */
export type Edit<Value, Patch> = {
  feed: Value | null;
  patch: Patch;
  /** Whether an import has changed a field under the patch since the store set it. */
  feedChanged: boolean;
};
export type ItemEdit = Edit<Item, ItemPatch | null>;
export type CategoryEdit = Edit<Category, CategoryPatch | null>;
/** A list of items, subcategories or categories at the top that is not as in the feed; null: by other patches alone. */
export type SequenceEdit = Edit<readonly string[], readonly string[] | null>;

/** A store's edits by the feed's ids. */
export type Edits = {
  categories: ReadonlyMap<string, CategoryEdit>;
  items: ReadonlyMap<string, ItemEdit>;
  sequences: ReadonlyMap<string, SequenceEdit>;
};

/** The feed with the store's patches. A patch whose category the feed has dropped or divided leads to the nearest one. */
export function patchMenu(feed: Menu, edits: Edits): Menu {
  const wanted = patchItems(feed, edits.items);
  const categories = patchCategories(feed, edits.categories, wanted);
  const children = patchChildren(feed, categories, edits);
  const items = new Map<string, Item>();
  const members = new Map([...feed.leaves.keys()].map((id) => [id, new Map<string, Place>()]));
  for (const [id, item] of wanted) {
    const categoryId = homeOf(item, feed.items.get(id), { categories, children });
    if (categoryId === undefined) continue;
    items.set(id, categoryId === item.categoryId ? item : { ...item, categoryId });
    members.get(categoryId)?.set(id, edits.items.get(id)?.patch ?? {});
  }
  const leaves = new Map(
    [...members].map(([id, list]) => [id, inSequence(feed.leaves.get(id) ?? [], edits.sequences.get(id)?.patch, list)]),
  );
  return { categories, children, items, leaves };
}

function patchItems(feed: Menu, edits: Edits['items']): Map<string, Item> {
  const items = new Map(feed.items);
  for (const [id, { patch }] of edits) {
    const own = feed.items.get(id);
    if (patch === null) items.delete(id);
    else if (own) items.set(id, patch.added ? own : itemOf({ ...fieldsOf(own), ...patch }));
    else if (patch.added) items.set(id, itemOf(patch));
  }
  return items;
}

/** The fields of an item that a patch may name. */
export function fieldsOf({ categoryId, entry }: Item): ItemFields {
  const { price, pickupPrice, originalPrice } = entry;
  return {
    ...entry,
    categoryId,
    pickupPrice: pickupPrice === price ? null : pickupPrice,
    originalPrice: originalPrice === price ? null : originalPrice,
    taxClass: entry.taxClass ?? null,
    weight: entry.weight ?? null,
  };
}

function itemOf({ categoryId, ...fields }: ItemFields & Place & { added?: boolean }): Item {
  const { after: _, seq: __, added: ___, price, pickupPrice, originalPrice, taxClass, weight, ...rest } = fields;
  const ownClass = taxClass ? { taxClass } : {};
  const entry = { ...rest, ...ownClass, ...(weight ? { ...sizeOfWeight(weight), weight } : {}) };
  // The store's price may have passed the feed's original price, or the other way around.
  const original = Math.max(originalPrice ?? price, price);
  return { categoryId, entry: { ...entry, price, pickupPrice: pickupPrice ?? price, originalPrice: original } };
}

/** Categories of the feed and of the store. A category that still has an item or subcategory stays. */
function patchCategories(
  feed: Menu,
  edits: Edits['categories'],
  items: ReadonlyMap<string, Item>,
): Map<string, Category> {
  const used = new Set<string>();
  const use = (from: string | null) => {
    for (let id = from; id !== null && !used.has(id); id = feed.categories.get(id)?.parentId ?? null) used.add(id);
  };
  for (const { categoryId } of items.values()) use(categoryId);
  for (const [id, { parentId }] of feed.categories) if (edits.get(id)?.patch !== null) use(parentId);
  const categories = new Map<string, Category>();
  for (const [id, category] of feed.categories) {
    const patch = edits.get(id)?.patch;
    if (patch === null && !used.has(id)) continue;
    const fields = categoryFields({ ...category, ...(patch?.added ? {} : patch) });
    categories.set(id, { parentId: category.parentId, ...fields });
  }
  for (const [id, { patch }] of edits) {
    if (!patch?.added || categories.has(id)) continue;
    categories.set(id, { parentId: patch.parentId, ...categoryFields(patch) });
  }
  const homes = new Set([...items.values()].map(({ categoryId }) => categoryId));
  for (const [id, category] of categories) {
    if (!feed.categories.has(id)) {
      categories.set(id, { ...category, parentId: nearestParent(categories, category.parentId, homes) });
    }
  }
  return categories;
}

/** The fields of a category that a patch may set, besides its position. */
export function categoryFields({ name, hours, taxClass = null }: CategoryFields): Required<CategoryFields> {
  return { name, hours, taxClass };
}

/** A feed may drop the parent of a store's category, or put items into it. */
function nearestParent(
  categories: Menu['categories'],
  parentId: string | null,
  homes: ReadonlySet<string>,
): string | null {
  const parent = parentId === null ? undefined : categories.get(parentId);
  if (!parent || parentId === null) return null;
  return homes.has(parentId) ? nearestParent(categories, parent.parentId, homes) : parentId;
}

export type Tree = Pick<Menu, 'categories' | 'children'>;
function patchChildren(feed: Menu, categories: Menu['categories'], edits: Edits): Map<string, readonly string[]> {
  const below = new Map<string, Map<string, Place>>();
  for (const [id, { parentId }] of categories) {
    const members = below.get(parentId ?? TOP) ?? new Map<string, Place>();
    below.set(parentId ?? TOP, members.set(id, edits.categories.get(id)?.patch ?? {}));
  }
  return new Map(
    [...below].map(([id, members]) => [
      id,
      inSequence(feed.children.get(id) ?? [], edits.sequences.get(id)?.patch, members),
    ]),
  );
}

/** An item's category: its own, or the feed's, or the first; below it the first that has no subcategories. */
function homeOf(item: Item, feed: Item | undefined, { categories, children }: Tree): string | undefined {
  const known = [item.categoryId, feed?.categoryId].find((id) => id !== undefined && categories.has(id));
  let home = known ?? children.get(TOP)?.[0];
  for (let below = home; below !== undefined; below = children.get(below)?.[0]) home = below;
  return home;
}

/** The members of a list in the store's order, otherwise the feed's. */
function inSequence(
  feed: readonly string[],
  own: readonly string[] | null | undefined,
  members: ReadonlyMap<string, Place>,
): string[] {
  const list = own ? withFollowers(own, feed) : [...feed];
  const listed = new Set(list);
  const placed = [...members].filter(([id]) => !listed.has(id)).sort(([, a], [, b]) => (a.seq ?? 0) - (b.seq ?? 0));
  for (const [id, { after }] of placed) {
    const anchor = after?.find((one) => list.includes(one));
    const at = anchor !== undefined ? list.indexOf(anchor) + 1 : after?.length === 0 ? 0 : list.length;
    list.splice(at, 0, id);
  }
  return list.filter((id) => members.has(id));
}

/** The store's order, with the feed's missing entries inserted after their predecessors. */
function withFollowers(own: readonly string[], feed: readonly string[]): string[] {
  const list = [...own];
  const listed = new Set(list);
  feed.forEach((id, at) => {
    if (!listed.has(id)) list.splice(at === 0 ? 0 : list.indexOf(feed[at - 1] ?? '') + 1, 0, id);
    listed.add(id);
  });
  return list;
}

/** The feed unchanged: the edited parts are kept next to them, the rest is in the menu. */
export function feedSide(menu: Menu, edits: Edits): Menu {
  const categories = withFeedValues(menu.categories, edits.categories);
  const items = withFeedValues(menu.items, edits.items);
  const parents = new Set([...categories.values()].map(({ parentId }) => parentId ?? TOP));
  const listOf = (id: string, lists: Menu['children']) => edits.sequences.get(id)?.feed ?? lists.get(id) ?? [];
  return {
    categories,
    items,
    children: new Map([...parents].map((id) => [id, listOf(id, menu.children)])),
    leaves: new Map([...menu.leaves.keys()].map((id) => [id, parents.has(id) ? [] : listOf(id, menu.leaves)])),
  };
}

function withFeedValues<Value>(
  menu: ReadonlyMap<string, Value>,
  edits: ReadonlyMap<string, { feed: Value | null }>,
): Map<string, Value> {
  const values = new Map(menu);
  for (const [id, { feed }] of edits) {
    if (feed === null) values.delete(id);
    else values.set(id, feed);
  }
  return values;
}

/** The members of `to` that differ from `from`, and members that the earlier patch set to the same value. */
export function patchBetween<Fields extends object>(from: Fields, to: Fields, before?: Partial<Fields> | null) {
  const patch: Partial<Fields> = {};
  for (const key of Object.keys(to) as (keyof Fields)[]) {
    const isKept = before && Object.hasOwn(before, key) && isEqual(before[key], to[key]);
    if (isKept || !isEqual(from[key], to[key])) patch[key] = to[key];
  }
  return patch;
}

/** A category with the hours and classes of all above it before its own, as its row contains them. */
export type CategoryRow = {
  externalId: string;
  parentId: string | null;
  name: string;
  menuHours: readonly MenuWeek[];
  taxClasses: readonly TaxClass[];
};

/** The categories of rows that come in order. */
export function categoriesOf(rows: readonly CategoryRow[]): Tree {
  const known = new Map(rows.map((row) => [row.externalId, row]));
  const categories = new Map<string, Category>();
  const children = new Map<string, string[]>();
  for (const { externalId, parentId, name, menuHours, taxClasses } of rows) {
    const above = parentId === null ? undefined : known.get(parentId);
    const hours = menuHours[above?.menuHours.length ?? 0] ?? null;
    const taxClass = taxClasses[above?.taxClasses.length ?? 0] ?? null;
    categories.set(externalId, { parentId, name, hours, taxClass });
    children.set(parentId ?? TOP, [...(children.get(parentId ?? TOP) ?? []), externalId]);
  }
  return { categories, children };
}

/** All categories as an import writes them, parents first. */
export function listCategories({ categories, children }: Tree, below: string | null = null): FeedCategory[] {
  return (children.get(below ?? TOP) ?? []).flatMap((externalId, position) => {
    const category = categories.get(externalId);
    if (!category) return [];
    const fields = categoryFields(category);
    const subcategories = listCategories({ categories, children }, externalId);
    const isLeaf = subcategories.length === 0;
    return [{ externalId, parentId: below, position, ...fields, isLeaf }, ...subcategories];
  });
}

/** A category and all below it; of no category nothing. */
export function subtreeOf({ children }: Pick<Menu, 'children'>, id: string | undefined): string[] {
  return id === undefined ? [] : [id, ...(children.get(id) ?? []).flatMap((child) => subtreeOf({ children }, child))];
}
