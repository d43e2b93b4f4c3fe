import type { Sql } from '../../platform/db/connect.ts';
import { categoryRows, loadMenu } from './edit-menu.flow.ts';
import {
  deleteMenuEdits,
  findEditedStores,
  findMenuEdits,
  findMenuItems,
  findStagedCategories,
  findStagedItems,
  type ItemRow,
  type MenuEdit,
  recordMenuChange,
  type StagedItem,
  saveMenuEdits,
  unstageCategories,
  unstageItems,
} from './menu.db.ts';
import { NO_STATE, TOP } from './menu-change.ts';
import { type CategoryState, type ItemState, isEqual, isSameState, itemEntry } from './menu-entry.ts';
import { categoriesOf, categoryState, itemState, type Menu, type MenuItem } from './menu-model.ts';
import { leafRows } from './menu-rows.ts';
import { isSameSequence, mergeCategory, mergeItem, mergeSequence } from './merge-menu.ts';
import type { FeedProduct } from './parse-product.ts';
import { stageCategories, stageProducts } from './write-catalogs.db.ts';

/** Puts the edits of stores into their staged catalogs, before an import writes those. */

export type Import = { source: string; seq: number; at: Temporal.Instant };

/** Returns the stores of these that have edits. The caller holds the change clock. */
export async function keepMenuEdits(tx: Sql, storeIds: readonly string[], source: Import): Promise<string[]> {
  const edited = await findEditedStores(tx, storeIds);
  for (const storeId of edited) await keepEdits(tx, storeId, source);
  return edited;
}

type Edits = {
  categories: ReadonlyMap<string, CategoryState | null>;
  items: ReadonlyMap<string, ItemState | null>;
  sequences: ReadonlyMap<string, readonly string[]>;
};

function editsOf(edits: readonly MenuEdit[]): Edits {
  const [categories, items, sequences] = [
    new Map<string, CategoryState | null>(),
    new Map<string, ItemState | null>(),
    new Map<string, readonly string[]>(),
  ];
  for (const { kind, externalId, feed } of edits) {
    if (feed !== null && 'ids' in feed) sequences.set(externalId, feed.ids);
    else if (kind === 'item' && (feed === null || 'entry' in feed)) items.set(externalId, feed);
    else if (kind === 'category' && (feed === null || !('entry' in feed))) categories.set(externalId, feed);
  }
  return { categories, items, sequences };
}

async function keepEdits(tx: Sql, storeId: string, source: Import): Promise<void> {
  const edits = editsOf(await findMenuEdits(tx, storeId));
  const feed = categoriesOf(await findStagedCategories(tx, storeId));
  const ids = [...edits.items.keys()];
  const stagedEdited = await findStagedItems(tx, storeId, { ids });
  const menu = await loadMenu(tx, storeId, { items: ids, categoryIds: [...edits.sequences.keys()] });
  const merged = mergeItems({ edits, menu, staged: new Map(stagedEdited.map((one) => [one.externalId, one])) });
  const affected = new Set([
    ...[...merged.values()].flatMap((item) => (item ? [item.categoryId] : [])),
    ...[...menu.items.values()].map(({ categoryId }) => categoryId),
    ...stagedEdited.map(({ categoryId }) => categoryId),
    ...edits.sequences.keys(),
    ...edits.categories.keys(),
    ...parentsOfOwn(edits, menu),
  ]);
  const staged = await findStagedItems(tx, storeId, { categoryIds: [...affected] });
  const categories = mergeCategories({ edits, menu, feed, merged, staged });
  const homes = homesOf(categories, [...stagedEdited, ...staged], merged);
  const rows = await findMenuItems(tx, storeId, { ids, categoryIds: [...new Set([...affected, ...homes.values()])] });
  const lists = listsOf({ edits, menu, feed, categories, staged, merged, homes, rows });
  await unstageCategories(tx, storeId);
  await unstageItems(tx, storeId, { ids, categoryIds: [...lists.keys()] });
  await stageCategories(tx, categoryRows(storeId, categories));
  for (const [categoryId, after] of lists) {
    const before = rows.filter((row) => !row.removed && row.categoryId === categoryId).map(liveItem);
    await stageProducts(tx, leafRows({ storeId, categoryId, before, after, nonce: String(source.seq) }));
  }
  const next = { ...categories, items: new Map([...lists.values()].flat().map((i) => [i.externalId, i])) };
  const leaves = new Map([...lists].map(([id, list]) => [id, list.map(({ externalId }) => externalId)]));
  const all = [...new Map([...stagedEdited, ...staged].map((one) => [one.externalId, one])).values()];
  await noteFeed(tx, storeId, source, { edits, menu, feed, staged: all, next: { ...next, leaves } });
}

const liveItem = ({ externalId, categoryId, product, live, stored }: ItemRow): MenuItem => ({
  externalId,
  categoryId,
  product,
  live,
  stored,
});

const parentsOfOwn = ({ categories }: Edits, menu: Menu) =>
  [...categories.keys()].map((id) => menu.categories.get(id)?.parentId ?? null).filter((id) => id !== null);

type Merged = ReadonlyMap<string, { categoryId: string; product: FeedProduct } | null>;

/** Each edited item after the import; null: not in the menu. */
function mergeItems(known: { edits: Edits; menu: Menu; staged: ReadonlyMap<string, StagedItem> }): Merged {
  const { edits, menu, staged } = known;
  const merged = new Map<string, { categoryId: string; product: FeedProduct } | null>();
  for (const [id, before] of edits.items) {
    const [own, item, now] = [itemState(menu, id), menu.items.get(id), staged.get(id)];
    merged.set(id, mergeOne({ before, own, item, now }));
  }
  return merged;
}

type ItemSides = {
  before: ItemState | null;
  own: ItemState | null;
  item: MenuItem | undefined;
  now: StagedItem | undefined;
};

function mergeOne({ before, own, item, now }: ItemSides): { categoryId: string; product: FeedProduct } | null {
  if (!now) return before === null && own && item ? { categoryId: own.categoryId, product: item.product } : null;
  const is = { categoryId: now.categoryId, entry: itemEntry(now.product) };
  if (before === null) return now;
  if (!own) return isSameState(before, { ...is, position: 0 }) ? null : now;
  const { categoryId, entry } = mergeItem({ before, own, now: is });
  return { categoryId, product: { ...now.product, ...entry } };
}

type Sides = {
  edits: Edits;
  menu: Menu;
  feed: Pick<Menu, 'categories' | 'children'>;
  merged: Merged;
  staged: readonly StagedItem[];
};

type CategoryTree = Pick<Menu, 'categories' | 'children'>;

/** The categories of the feed and of the store. A category that is still in use does not leave. */
function mergeCategories({ edits, menu, feed, merged, staged }: Sides): CategoryTree {
  const categories = new Map<string, Omit<CategoryState, 'position'>>();
  const stays = usedCategories({ edits, feed, merged, staged });
  for (const [id, category] of feed.categories) {
    const before = edits.categories.get(id);
    const now = { ...category, position: 0 };
    const own = categoryState(menu, id);
    if (!before) categories.set(id, category);
    else if (own) categories.set(id, withoutPosition(mergeCategory({ before, own, now })));
    else if (!isSameState(before, now) || stays.has(id)) categories.set(id, category);
  }
  const withItems = new Set([...staged.map((one) => one.categoryId), ...categoriesOfMerged(merged)]);
  const added = [...edits.categories].filter(([, before]) => before === null).map(([id]) => id);
  for (const id of [...added, ...homesOfAdded(edits, merged)]) {
    const own = menu.categories.get(id);
    if (own && !categories.has(id)) categories.set(id, own);
  }
  for (const [id, category] of categories) {
    if (feed.categories.has(id)) continue;
    categories.set(id, { ...category, parentId: nearestParent(categories, category.parentId, withItems) });
  }
  return { categories, children: childrenOf(categories, { edits, menu, feed }) };
}

/** Categories of the items that the store added. They stay when the feed drops them. */
const homesOfAdded = (edits: Edits, merged: Merged) =>
  [...merged].flatMap(([id, item]) => (item && edits.items.get(id) === null ? [item.categoryId] : []));
const withoutPosition = ({ parentId, name, hours }: CategoryState) => ({ parentId, name, hours });
const categoriesOfMerged = (merged: Merged) => [...merged.values()].flatMap((item) => (item ? [item.categoryId] : []));

/** Categories with an item or subcategory that the store has not removed, and all above them. */
function usedCategories({ edits, feed, merged, staged }: Omit<Sides, 'menu'>): Set<string> {
  const used = new Set<string>();
  const use = (id: string | null) => {
    for (let at = id; at !== null && !used.has(at); at = feed.categories.get(at)?.parentId ?? null) used.add(at);
  };
  for (const { externalId, categoryId } of staged) if (!edits.items.has(externalId)) use(categoryId);
  for (const id of categoriesOfMerged(merged)) use(id);
  for (const [id, { parentId }] of feed.categories) if (!edits.categories.has(id)) use(parentId);
  return used;
}

/** A feed may remove the parent of a store's category, or put items into it. */
function nearestParent(
  categories: CategoryTree['categories'],
  parentId: string | null,
  withItems: ReadonlySet<string>,
): string | null {
  if (parentId === null) return null;
  const parent = categories.get(parentId);
  if (!parent) return null;
  return withItems.has(parentId) ? nearestParent(categories, parent.parentId, withItems) : parentId;
}

function childrenOf(
  categories: CategoryTree['categories'],
  { edits, menu, feed }: Pick<Sides, 'edits' | 'menu' | 'feed'>,
): Map<string, string[]> {
  const below = new Map<string, Set<string>>();
  for (const [id, { parentId }] of categories) {
    below.set(parentId ?? TOP, (below.get(parentId ?? TOP) ?? new Set()).add(id));
  }
  return new Map(
    [...below].map(([parentId, present]) => {
      const [own, now] = [menu.children.get(parentId) ?? [], feed.children.get(parentId) ?? []];
      const sequence = mergeSequence({ before: edits.sequences.get(parentId) ?? null, own, now, present });
      return [parentId, [...sequence, ...[...present].filter((id) => !sequence.includes(id))]];
    }),
  );
}

/** The category of each merged item: its own, or where that has left or got subcategories, the nearest one below. */
function homesOf(tree: CategoryTree, staged: readonly StagedItem[], merged: Merged): Map<string, string> {
  const homes = new Map<string, string>();
  const feedHome = new Map(staged.map(({ externalId, categoryId }) => [externalId, categoryId]));
  const firstLeaf = (id: string): string => {
    const [child] = tree.children.get(id) ?? [];
    return child === undefined ? id : firstLeaf(child);
  };
  for (const [id, item] of merged) {
    if (!item) continue;
    const wanted = [item.categoryId, feedHome.get(id)].find((one) => one !== undefined && tree.categories.has(one));
    const [top] = tree.children.get(TOP) ?? [];
    const home = wanted ?? top;
    if (home !== undefined) homes.set(id, firstLeaf(home));
  }
  return homes;
}

type ListSides = Sides & { categories: CategoryTree; homes: ReadonlyMap<string, string>; rows: readonly ItemRow[] };

/** The items of each category that an edit reaches, in sequence. */
function listsOf(sides: ListSides): Map<string, MenuItem[]> {
  const { edits, menu, categories, staged, merged, homes, rows } = sides;
  const known = new Map(rows.map((row) => [row.externalId, row]));
  const placed = new Map<string, MenuItem>();
  for (const { externalId, categoryId, product } of staged) {
    if (!edits.items.has(externalId)) placed.set(externalId, importedItem(known.get(externalId), categoryId, product));
  }
  for (const [id, item] of merged) {
    const home = homes.get(id);
    if (item && home !== undefined) placed.set(id, importedItem(known.get(id), home, item.product));
  }
  const reached = new Set([...staged.map(({ categoryId }) => categoryId), ...homes.values()]);
  const lists = new Map<string, MenuItem[]>();
  for (const id of reached) {
    if (!categories.categories.has(id)) continue;
    const present = new Set([...placed.values()].filter((item) => item.categoryId === id).map((i) => i.externalId));
    const own = rows.filter((row) => !row.removed && row.categoryId === id).map(({ externalId }) => externalId);
    const now = staged.filter((one) => one.categoryId === id).map(({ externalId }) => externalId);
    const before = edits.sequences.get(id) ?? null;
    const sequence = mergeSequence({ before, own: own.length > 0 ? own : (menu.leaves.get(id) ?? []), now, present });
    const list = [...sequence, ...[...present].filter((one) => !sequence.includes(one))];
    lists.set(
      id,
      list.map((one) => placed.get(one)).filter((item) => item !== undefined),
    );
  }
  return lists;
}

/** An item as the import leaves it: its sale state follows the feed where that has changed. */
function importedItem(row: ItemRow | undefined, categoryId: string, product: FeedProduct): MenuItem {
  const keeps = row && !row.removed && row.product.available === product.available;
  const live = {
    available: keeps ? row.live.available : product.available,
    optionsOff: row?.live.optionsOff ?? [],
  };
  const same = row && isEqual(row.product, product) ? row.product : product;
  return { externalId: product.externalId, categoryId, product: same, live, stored: row?.stored ?? null };
}

type Noted = { edits: Edits; menu: Menu; feed: CategoryTree; staged: readonly StagedItem[]; next: Menu };

/** Records the feed's new values, drops edits without effect, and says in the history what the feed replaced. */
async function noteFeed(tx: Sql, storeId: string, source: Import, noted: Noted): Promise<void> {
  const { edits, menu, feed, staged, next } = noted;
  const stagedById = new Map(staged.map((one) => [one.externalId, one]));
  const saved: MenuEdit[] = [];
  const ended: MenuEdit[] = [];
  const note = (kind: 'item' | 'category', id: string, is: State | null, now: State | null) => {
    if (isSameState(is, now)) ended.push({ kind, externalId: id, feed: null });
    else saved.push({ kind, externalId: id, feed: now });
  };
  for (const id of edits.items.keys()) {
    const [was, is, now] = [itemState(menu, id), itemState(next, id), stagedById.get(id)];
    note('item', id, is, now ? itemStateOf(now) : null);
    if (!isSameState(was, is)) await recordImported(tx, storeId, source, { kind: 'items', id, was, is });
  }
  const unknown = [...next.categories.keys()].filter((id) => !feed.categories.has(id));
  for (const id of new Set([...edits.categories.keys(), ...unknown])) {
    const [was, is] = [categoryState(menu, id), categoryState(next, id)];
    note('category', id, is, categoryState({ ...next, ...feed }, id));
    if (!isSameState(was, is)) await recordImported(tx, storeId, source, { kind: 'categories', id, was, is });
  }
  for (const [id, before] of edits.sequences) {
    const items = staged.filter(({ categoryId }) => categoryId === id).map(({ externalId }) => externalId);
    const ids = items.length > 0 ? items : (feed.children.get(id) ?? []);
    const edit: MenuEdit = { kind: 'sequence', externalId: id, feed: { ids } };
    (isSameSequence(before, ids) ? saved : ended).push(edit);
  }
  await saveMenuEdits(tx, storeId, saved, { replace: true });
  await deleteMenuEdits(tx, storeId, ended);
}

type State = ItemState | CategoryState;
type Imported = { kind: 'items' | 'categories'; id: string; was: State | null; is: State | null };

async function recordImported(tx: Sql, storeId: string, { source, at }: Import, { kind, id, was, is }: Imported) {
  const state = is ?? was;
  const name = state === null ? '' : 'entry' in state ? state.entry.name : state.name;
  await recordMenuChange(tx, storeId, {
    at,
    actor: 'feed',
    actorId: source,
    action: 'imported',
    target: id,
    name,
    before: { ...NO_STATE, [kind]: { [id]: was } },
    after: { ...NO_STATE, [kind]: { [id]: is } },
  });
}

function itemStateOf({ categoryId, product }: StagedItem): ItemState {
  return { categoryId, position: 0, entry: itemEntry(product) };
}
