import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { listOptions } from '../catalog/options-off.ts';
import { pruneOptions, setOption } from '../catalog/set-option.flow.ts';
import { setProduct } from '../catalog/set-product.flow.ts';
import { markStoreChanged, nextChange, notifyChange } from '../stores/stores.db.ts';
import {
  countItems,
  deleteMenuEdits,
  findCategoriesOfItems,
  findMenuCategories,
  findMenuChange,
  findMenuEdits,
  findMenuItems,
  type ItemRow,
  type MenuChange,
  type MenuEdit,
  markRemoved,
  markUndone,
  recordMenuChange,
  refreshCatalogFlags,
  saveMenuEdits,
} from './menu.db.ts';
import {
  isSameMenu,
  type MenuAction,
  type MenuActor,
  type MenuState,
  NO_STATE,
  type Switches,
  TOP,
} from './menu-change.ts';
import { type CategoryState, type ItemEntry, type ItemState, isEqual, isSameState, versionOf } from './menu-entry.ts';
import {
  applyState,
  categoriesOf,
  categoryNotFound,
  categoryState,
  feedCategories,
  itemState,
  type Menu,
  type MenuItem,
  menuChanged,
  sequenceOf,
  statesOf,
  subtreeOf,
} from './menu-model.ts';
import { categoryColumns, leafRows, menuHoursOf } from './menu-rows.ts';
import { upsertCategories, upsertProducts } from './write-catalogs.db.ts';

/**
 * The edits of a menu by its store. Each is one transaction under the change clock, written by the same statements as an
 * import, so that prices, menu versions and search indexes follow as they do there.
 */

/** Parts of a menu that an edit reads, with all items of the categories. */
export type MenuPart = { items?: readonly string[]; categoryIds?: readonly string[] };

type Edit = {
  action: MenuAction;
  target: string;
  name: string;
  /** The states that the edit sets. */
  state: MenuState;
};

export type EditContext = { storeId: string; actor: MenuActor; at: Temporal.Instant };

/** The change of a finished edit; null if nothing differs. */
export type EditOutcome = { changeNo: number | null };

/** Loads a part of the menu. `lock` keeps orders and other writers from the items until the transaction ends. */
export async function loadMenu(sql: Sql, storeId: string, part: MenuPart, lock = false): Promise<Menu> {
  const known = categoriesOf(await findMenuCategories(sql, storeId));
  const ids = [...(part.items ?? [])];
  const categoryIds = [...new Set([...(part.categoryIds ?? []), ...(await findCategoriesOfItems(sql, storeId, ids))])];
  const rows = await findMenuItems(sql, storeId, { ids, categoryIds }, lock);
  const leaves = new Map<string, string[]>(categoryIds.map((id) => [id, []]));
  for (const { externalId, categoryId, removed } of rows) if (!removed) leaves.get(categoryId)?.push(externalId);
  return { ...known, items: new Map(rows.map((row) => [row.externalId, menuItem(row)])), leaves };
}

function menuItem({ externalId, categoryId, product, live, stored }: ItemRow): MenuItem {
  return { externalId, categoryId, product, live, stored };
}

/** Takes the change clock, plans the edit on the menu as it is now, and writes it with its history. */
async function editMenu(
  tx: Sql,
  context: EditContext,
  part: (menu: Menu) => MenuPart,
  plan: (menu: Menu) => Edit,
): Promise<EditOutcome> {
  const { storeId } = context;
  const seq = await nextChange(tx);
  const categories = await loadMenu(tx, storeId, {});
  const menu = await loadMenu(tx, storeId, part(categories), true);
  const edit = plan(menu);
  const before = statesOf(menu, edit.state);
  const next = applyState(menu, edit.state);
  const after = statesOf(next, edit.state);
  if (isEqual(before, after)) return { changeNo: null };
  await writeMenu(tx, context, { menu, next, seq, before, after });
  const { action, target, name } = edit;
  const { actor, at } = context;
  const change = { at, actor: actor.source, actorId: actor.id, action, target, name, before, after };
  return { changeNo: await recordMenuChange(tx, storeId, change) };
}

type Written = { menu: Menu; next: Menu; seq: number; before: MenuState; after: MenuState };

async function writeMenu(tx: Sql, { storeId, at }: EditContext, { menu, next, seq, before, after }: Written) {
  await writeCategories(tx, storeId, menu, next);
  await writeItems(tx, storeId, { menu, next, seq });
  await keepFeedValues(tx, storeId, before, after);
  await refreshCatalogFlags(tx, storeId);
  await markStoreChanged(tx, storeId, { seq, at });
  await notifyChange(tx);
}

async function writeCategories(tx: Sql, storeId: string, menu: Menu, next: Menu): Promise<void> {
  const [was, is] = [feedCategories(menu), feedCategories(next)];
  if (isEqual(was, is)) return;
  await upsertCategories(tx, [storeId], categoryRows(storeId, next));
  const gone = was.map(({ externalId }) => externalId).filter((id) => !next.categories.has(id));
  await markRemoved(tx, storeId, 'categories', gone, true);
}

/** All categories of a menu as rows of the staging table. */
export function categoryRows(storeId: string, menu: Pick<Menu, 'categories' | 'children'>): string[] {
  const list = feedCategories(menu);
  const hours = menuHoursOf(list);
  return list.map((category, seq) => {
    const row = categoryColumns(category, hours.get(category.externalId) ?? []);
    return `{"seq":${seq},"store_id":"${storeId}",${row.slice(1)}`;
  });
}

async function writeItems(
  tx: Sql,
  storeId: string,
  { menu, next, seq }: Pick<Written, 'menu' | 'next' | 'seq'>,
): Promise<void> {
  const listed = ({ leaves }: Menu) => new Set([...leaves.values()].flat());
  const [were, are] = [listed(menu), listed(next)];
  const gone = [...were].filter((id) => !are.has(id));
  const back = [...are].filter((id) => !were.has(id) && next.items.get(id)?.stored);
  await markRemoved(tx, storeId, 'products', gone, true);
  // A product that returns has its switches and stock as they were.
  await markRemoved(tx, storeId, 'products', back, false);
  const itemsIn = ({ items, leaves }: Menu, id: string) =>
    (leaves.get(id) ?? []).map((one) => items.get(one)).filter((item) => item !== undefined);
  const rows: string[] = [];
  for (const categoryId of next.leaves.keys()) {
    const [before, after] = [itemsIn(menu, categoryId), itemsIn(next, categoryId)];
    if (before.length === after.length && before.every((item, at) => item === after[at])) continue;
    rows.push(...leafRows({ storeId, categoryId, before, after, nonce: String(seq) }));
  }
  await upsertProducts(tx, [storeId], rows);
  await pruneOptions(tx, [storeId]);
}

/** Records the feed's values beside first edits, and drops edits that set the feed's own value again. */
async function keepFeedValues(tx: Sql, storeId: string, before: MenuState, after: MenuState): Promise<void> {
  const known = new Map((await findMenuEdits(tx, storeId)).map((edit) => [`${edit.kind} ${edit.externalId}`, edit]));
  const made: MenuEdit[] = [];
  const ended: MenuEdit[] = [];
  const note = (
    kind: 'category' | 'item',
    externalId: string,
    was: CategoryState | ItemState | null,
    is: CategoryState | ItemState | null,
  ) => {
    if (isSameState(was, is)) return;
    const edit = known.get(`${kind} ${externalId}`);
    if (!edit) made.push({ kind, externalId, feed: was });
    else if (isSameState(stateOrNull(edit.feed), is)) ended.push(edit);
  };
  for (const [id, is] of Object.entries(after.categories)) note('category', id, before.categories[id] ?? null, is);
  for (const [id, is] of Object.entries(after.items)) note('item', id, before.items[id] ?? null, is);
  const isOwn = (id: string) => known.get(`item ${id}`)?.feed === null || known.get(`category ${id}`)?.feed === null;
  for (const id of Object.keys(after.sequences)) {
    const ids = (before.sequences[id] ?? []).filter((one) => !isOwn(one));
    if (!known.has(`sequence ${id}`)) made.push({ kind: 'sequence', externalId: id, feed: { ids } });
  }
  await saveMenuEdits(tx, storeId, made, { replace: false });
  await deleteMenuEdits(tx, storeId, ended);
}

function stateOrNull(feed: MenuEdit['feed']): CategoryState | ItemState | null {
  return feed === null || 'ids' in feed ? null : feed;
}

/** Items of a menu up to which its store may add one. A feed may bring more. */
export const MAX_MENU_ITEMS = 5000;

/** External ids of what a store adds, which no feed has. */
const OWN_ID = 'own:';

export type NewItem = { categoryId: string; entry: ItemEntry; position?: number | undefined };

export async function addItem(tx: Sql, context: EditContext, { categoryId, entry, position }: NewItem) {
  const itemId = randomId(OWN_ID, 12);
  const outcome = await editMenu(
    tx,
    context,
    () => ({ categoryIds: [categoryId] }),
    (menu) => {
      const end = menu.leaves.get(categoryId)?.length ?? 0;
      const item = { categoryId, position: Math.min(position ?? end, end), entry };
      return { action: 'added', target: itemId, name: entry.name, state: { ...NO_STATE, items: { [itemId]: item } } };
    },
  );
  // Counted under the change clock, so that two edits at once cannot pass it.
  if ((await countItems(tx, context.storeId, MAX_MENU_ITEMS + 1)) > MAX_MENU_ITEMS) {
    const message = `cannot be added: a menu has at most ${MAX_MENU_ITEMS} items`;
    throw invalidRequest([{ in: 'body', name: 'item', message }]);
  }
  return { ...outcome, itemId };
}

export type ItemEdit = { itemId: string; version: string; categoryId: string; entry: ItemEntry };

/** Replaces an item that is as the caller read it. An item that moves to another category becomes its last. */
export async function editItem(tx: Sql, context: EditContext, { itemId, version, categoryId, entry }: ItemEdit) {
  return editMenu(
    tx,
    context,
    () => ({ items: [itemId], categoryIds: [categoryId] }),
    (menu) => {
      const before = readItem(menu, itemId, version);
      const isMoved = before.categoryId !== categoryId;
      const position = isMoved ? (menu.leaves.get(categoryId)?.length ?? 0) : before.position;
      const state = { ...NO_STATE, items: { [itemId]: { categoryId, position, entry } } };
      return { action: 'edited', target: itemId, name: entry.name, state };
    },
  );
}

export async function removeItem(
  tx: Sql,
  context: EditContext,
  { itemId, version }: { itemId: string; version: string },
) {
  return editMenu(
    tx,
    context,
    () => ({ items: [itemId] }),
    (menu) => {
      const { entry } = readItem(menu, itemId, version);
      return { action: 'removed', target: itemId, name: entry.name, state: { ...NO_STATE, items: { [itemId]: null } } };
    },
  );
}

function readItem(menu: Menu, itemId: string, version: string): ItemState {
  const item = itemState(menu, itemId);
  if (!item) throw itemNotFound();
  if (versionOf(item) !== version) throw menuChanged();
  return item;
}

export function itemNotFound(): Refusal {
  return new Refusal('product_not_found', 'The menu of this store has no item with this ID.');
}

export type CategoryEntry = Pick<CategoryState, 'name' | 'hours'>;

export async function addCategory(
  tx: Sql,
  context: EditContext,
  { parentId, entry }: { parentId: string | null; entry: CategoryEntry },
) {
  const categoryId = randomId(OWN_ID, 12);
  const outcome = await editMenu(
    tx,
    context,
    () => ({ categoryIds: parentId === null ? [] : [parentId] }),
    (menu) => {
      const position = menu.children.get(parentId ?? TOP)?.length ?? 0;
      const state = { ...NO_STATE, categories: { [categoryId]: { parentId, position, ...entry } } };
      return { action: 'added', target: categoryId, name: entry.name, state };
    },
  );
  return { ...outcome, categoryId };
}

export type CategoryEdit = { categoryId: string; version: string; entry: CategoryEntry };

export async function editCategory(tx: Sql, context: EditContext, { categoryId, version, entry }: CategoryEdit) {
  return editMenu(
    tx,
    context,
    () => ({}),
    (menu) => {
      const before = readCategory(menu, categoryId, version);
      const state = { ...NO_STATE, categories: { [categoryId]: { ...before, ...entry } } };
      return { action: 'edited', target: categoryId, name: entry.name, state };
    },
  );
}

/** Maximum items of a category that is removed with all that it contains, so that one change can be undone. */
export const MAX_REMOVED_ITEMS = 500;

/** Removes a category with its subcategories and items. */
export async function removeCategory(
  tx: Sql,
  context: EditContext,
  { categoryId, version }: Pick<CategoryEdit, 'categoryId' | 'version'>,
) {
  return editMenu(
    tx,
    context,
    (menu) => ({ categoryIds: subtreeOf(menu, categoryId) }),
    (menu) => {
      const { name } = readCategory(menu, categoryId, version);
      const subtree = subtreeOf(menu, categoryId);
      const items = subtree.flatMap((id) => menu.leaves.get(id) ?? []);
      if (items.length + subtree.length > MAX_REMOVED_ITEMS) {
        const message = `must have at most ${MAX_REMOVED_ITEMS} items and subcategories; remove some of them first`;
        throw invalidRequest([{ in: 'path', name: 'category_id', message }]);
      }
      const none = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, null]));
      const state = { categories: none(subtree), items: none(items), sequences: {} };
      return { action: 'removed', target: categoryId, name, state };
    },
  );
}

function readCategory(menu: Menu, categoryId: string, version: string): CategoryState {
  const category = categoryState(menu, categoryId);
  if (!category) throw categoryNotFound();
  if (versionOf(category) !== version) throw menuChanged();
  return category;
}

/** `from` is the sequence that the caller read. */
export type Sort = { categoryId: string | null; from: readonly string[]; to: readonly string[] };

/** Sorts the items or subcategories of a category, or the top ones. */
export async function sortMenu(tx: Sql, context: EditContext, { categoryId, from, to }: Sort) {
  const id = categoryId ?? TOP;
  return editMenu(
    tx,
    context,
    () => ({ categoryIds: id === TOP ? [] : [id] }),
    (menu) => {
      if (id !== TOP && !menu.categories.has(id)) throw categoryNotFound();
      if (!isEqual(sequenceOf(menu, id), from)) throw menuChanged();
      const name = menu.categories.get(id)?.name ?? '';
      return { action: 'sorted', target: id, name, state: { ...NO_STATE, sequences: { [id]: to } } };
    },
  );
}

type SwitchEdit = { itemId: string; set: Switches };

/** Sets availability and stock of an item or of its options; a change of the history if anything differs. */
export async function switchItem(tx: Sql, context: EditContext, { itemId, set }: SwitchEdit): Promise<EditOutcome> {
  const { storeId } = context;
  const [seen] = await findMenuItems(tx, storeId, { ids: [itemId] });
  if (!seen || seen.removed) throw itemNotFound();
  if (isEqual(switchesOf(seen, set), set)) return { changeNo: null };
  return writeSwitches(tx, context, { itemId, action: 'switched', from: undefined, set });
}

type SwitchChange = SwitchEdit & { action: 'switched' | 'undone'; from: Switches | undefined };

/** Refuses with `menu_changed` if the switches are not `from` any more: an order has taken stock, or somebody set them. */
async function writeSwitches(
  tx: Sql,
  { storeId, actor, at }: EditContext,
  { itemId, action, from, set }: SwitchChange,
) {
  await nextChange(tx);
  const [row] = await findMenuItems(tx, storeId, { ids: [itemId] }, true);
  if (!row || row.removed) throw from === undefined ? itemNotFound() : menuChanged();
  const before = switchesOf(row, set);
  if (from !== undefined && !isEqual(before, from)) throw menuChanged();
  const { options = {}, availableAtS = null, ...own } = set;
  if (Object.keys(own).length > 0) {
    // A time that has passed, which an undo may bring back, leaves the product off sale.
    const availableAt =
      availableAtS === null || availableAtS <= epochSeconds(at) ? null : instantOfEpochSeconds(availableAtS);
    await setProduct(tx, { storeId, externalId: itemId }, { ...own, availableAt }, at);
  }
  for (const [optionExternalId, isOn] of Object.entries(options)) {
    await setOption(tx, { storeId, productExternalId: itemId, optionExternalId }, isOn, at);
  }
  const names = listOptions(row.product.customizations, new Set()).filter(({ id }) => Object.hasOwn(options, id));
  const name = [row.product.name, ...names.map((option) => option.name)].join(': ');
  const changeNo = await recordMenuChange(tx, storeId, {
    at,
    actor: actor.source,
    actorId: actor.id,
    action,
    target: itemId,
    name,
    before: { ...NO_STATE, switches: { [itemId]: before } },
    after: { ...NO_STATE, switches: { [itemId]: set } },
  });
  return { changeNo };
}

/** The current values of what `like` names. Refuses an option that the item does not have. */
function switchesOf({ product, live }: ItemRow, like: Switches): Switches {
  const options = listOptions(product.customizations, new Set(live.optionsOff));
  const isOn = (id: string) => {
    const option = options.find((one) => one.id === id);
    if (!option) throw new Refusal('product_not_found', 'The menu of this store has no option with this id.');
    return option.available;
  };
  return {
    ...(like.available === undefined ? {} : { available: live.available }),
    ...(like.availableAtS === undefined ? {} : { availableAtS: live.availableAt && epochSeconds(live.availableAt) }),
    ...(like.qtyAvailable === undefined ? {} : { qtyAvailable: live.qtyAvailable }),
    ...(like.options && { options: Object.fromEntries(Object.keys(like.options).map((id) => [id, isOn(id)])) }),
  };
}

/** Sets what a change replaced, if the menu is as that change left it. The undoing is a change too. */
export async function undoChange(tx: Sql, context: EditContext, changeNo: number): Promise<EditOutcome> {
  const { storeId } = context;
  const change = await findMenuChange(tx, storeId, changeNo);
  if (!change) throw new Refusal('not_found', 'The history of this menu has no such change.');
  const { before, after, target: itemId } = change;
  const set = before.switches?.[itemId];
  const outcome = set
    ? await writeSwitches(tx, context, { itemId, action: 'undone', from: after.switches?.[itemId], set })
    : await undoEdit(tx, context, change);
  if (outcome.changeNo !== null) await markUndone(tx, storeId, changeNo, outcome.changeNo);
  return outcome;
}

async function undoEdit(tx: Sql, context: EditContext, { before, after, target, name }: MenuChange) {
  const states = [before, after].flatMap(({ items }) => Object.values(items)).filter((item) => item !== null);
  const parentIds = Object.values(before.categories).flatMap((category) => category?.parentId ?? []);
  const categoryIds = [
    ...parentIds,
    ...states.map(({ categoryId }) => categoryId),
    ...Object.keys(before.categories),
    ...Object.keys(before.sequences).filter((id) => id !== TOP),
  ];
  return editMenu(
    tx,
    context,
    () => ({ items: Object.keys(before.items), categoryIds: [...new Set(categoryIds)] }),
    (menu) => {
      // A category that got items meanwhile takes no subcategory back.
      const isTaken = parentIds.some((id) => (menu.leaves.get(id)?.length ?? 0) > 0);
      if (isTaken || !isSameMenu(after, statesOf(menu, after))) throw menuChanged();
      return { action: 'undone', target, name, state: before };
    },
  );
}
