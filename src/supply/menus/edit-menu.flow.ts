import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { epochSeconds, instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { listOptions } from '../catalog/options-off.ts';
import { pruneOptions, setOption } from '../catalog/set-option.flow.ts';
import { setProduct } from '../catalog/set-product.flow.ts';
import { markShownAgain } from '../promotions/shown-promotions.db.ts';
import { FEED_LIMITS } from '../stores/feed-fields.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import { markStoreChanged, nextChange, notifyChange } from '../stores/stores.db.ts';
import { loadMenuEdits } from './load-menu-edits.flow.ts';
import {
  countItems,
  findMenuCategories,
  findMenuChange,
  findMenuItems,
  type ItemRow,
  type MenuChange,
  markRemoved,
  markUndone,
  recordMenuChange,
  refreshCatalogFlags,
  saveMenuEdits,
} from './menu.db.ts';
import {
  type Category,
  categoriesOf,
  type Edits,
  feedSide,
  type Item,
  listCategories,
  type Menu,
  patchMenu,
  subtreeOf,
  TOP,
} from './menu.ts';
import {
  categoryPatch,
  currentPatches,
  type EditContext,
  isSamePatches,
  itemPatch,
  type MenuAction,
  type MenuPatches,
  NO_PATCHES,
  NO_STATE,
  placeAt,
  type Switches,
  sequenceOf,
  statesOf,
  withFeedLists,
  withoutEnded,
  withPatches,
} from './menu-edits.ts';
import { type CategoryFields, isEqual, itemEntry, versionOf } from './menu-entry.ts';
import { categoryRows, leafProduct, leafRows } from './menu-rows.ts';
import { hasRepeatedScaleCode, upsertCategories, upsertProducts } from './write-catalogs.db.ts';

/**
 * A store's edits of its menu. Each is one transaction under the change clock: it sets patches, computes the menu from
 * the feed and all patches, and writes the differences with the statements of an import, so that prices, menu versions
 * and search indexes follow as they do there.
 */

/** Parts of a menu that an edit reads, with all items of the categories, and of all `below` one. */
type MenuPart = { items?: readonly string[]; categoryIds?: readonly string[]; below?: string };

/** A part of the menu as it is, its rows, and the feed and the edits that it is made of. */
type Known = { menu: Menu; rows: ReadonlyMap<string, ItemRow>; feed: Menu; edits: Edits; seq: number };

/** Patches that an edit sets, and the item, category or order that the history names for it. */
type Change = { action: MenuAction; target: string; name: string; patches: MenuPatches };

/** The change of a finished edit; null if nothing differs. */
export type EditOutcome = { changeNo: number | null };

/** Loads a part of the menu, and keeps orders and other writers from its items until the transaction ends. */
async function loadMenu(tx: Sql, storeId: string, part: MenuPart): Promise<Known> {
  const seq = await nextChange(tx);
  const edits = await loadMenuEdits(tx, storeId);
  const tree = categoriesOf(await findMenuCategories(tx, storeId));
  const { items: ids = [], categoryIds = [], below } = part;
  const homes = (await findMenuItems(tx, storeId, { ids })).map(({ categoryId }) => categoryId);
  const ofFeed = ids.flatMap((id) => edits.items.get(id)?.feed?.categoryId ?? []);
  const loaded = [...new Set([...categoryIds, ...subtreeOf(tree, below), ...homes, ...ofFeed])];
  const found = await findMenuItems(tx, storeId, { ids, categoryIds: loaded }, true);
  const menu = { ...tree, ...itemsOf(found, loaded) };
  return { menu, rows: new Map(found.map((row) => [row.externalId, row])), feed: feedSide(menu, edits), edits, seq };
}

/** The items of these rows that are in the menu, and the lists of these categories. */
export function itemsOf(rows: readonly ItemRow[], categoryIds: readonly string[]): Pick<Menu, 'items' | 'leaves'> {
  const items = new Map<string, Item>();
  const leaves = new Map<string, string[]>(categoryIds.map((id) => [id, []]));
  for (const { externalId, categoryId, product, removed } of rows) {
    if (removed) continue;
    items.set(externalId, { categoryId, entry: itemEntry(product) });
    leaves.get(categoryId)?.push(externalId);
  }
  return { items, leaves };
}

/** Plans an edit on the menu as it is now, and writes it with its history. */
async function editMenu(tx: Sql, context: EditContext, part: MenuPart, plan: (known: Known) => Change) {
  const { storeId, at } = context;
  const known = await loadMenu(tx, storeId, part);
  const { menu, feed, edits, seq } = known;
  const { action, target, name, patches } = plan(known);
  const before = currentPatches(edits, patches);
  if (isSamePatches(before, patches)) return { changeNo: null };
  const nextEdits = withPatches(edits, patches, feed);
  const next = patchMenu(feed, nextEdits);
  checkMenu({ ...known, next, edits: nextEdits }, patches);
  await writeMenu(tx, context, { ...known, next });
  const codes = Object.keys(patches.items).flatMap((id) => next.items.get(id)?.entry.weight?.scaleCode ?? []);
  if (codes.length > 0 && (await hasRepeatedScaleCode(tx, storeId, codes)))
    throw invalidField('body', 'weight.scale_code', 'must be unique within the store');
  const saved = { ...nextEdits, categories: withoutEnded(nextEdits.categories, next) };
  await saveMenuEdits(tx, storeId, edits, withFeedLists(saved, feed, next));
  await markStoreChanged(tx, storeId, { seq, at });
  await notifyChange(tx);
  const changeNo = await recordMenuChange(tx, context, {
    action,
    target,
    name,
    before: { ...statesOf(menu, patches), patches: before },
    after: { ...statesOf(next, patches), patches },
  });
  return { changeNo };
}

type Written = Pick<Known, 'menu' | 'rows' | 'seq'> & { next: Menu };

async function writeMenu(tx: Sql, { storeId }: EditContext, { menu, next, rows, seq }: Written): Promise<void> {
  const [were, are] = [listCategories(menu), listCategories(next)];
  if (!isEqual(were, are)) {
    await upsertCategories(tx, [storeId], categoryRows(storeId, next));
    const gone = were.map(({ externalId }) => externalId).filter((id) => !next.categories.has(id));
    await markRemoved(tx, storeId, 'categories', gone, true);
  }
  const [listed, nextListed] = [menu, next].map(({ leaves }) => new Set([...leaves.values()].flat()));
  const gone = [...(listed ?? [])].filter((id) => !nextListed?.has(id));
  const back = [...(nextListed ?? [])].filter((id) => !listed?.has(id) && rows.has(id));
  await markRemoved(tx, storeId, 'products', gone, true);
  // A product that returns has its switches and stock as they were.
  await markRemoved(tx, storeId, 'products', back, false);
  const texts: string[] = [];
  for (const [categoryId, ids] of next.leaves) {
    const before = (menu.leaves.get(categoryId) ?? []).flatMap((id) => rows.get(id) ?? []);
    const after = ids.flatMap((id) => {
      const [item, row] = [next.items.get(id), rows.get(id)];
      return item ? leafProduct(id, item.entry, row && { ...row, removed: false }) : [];
    });
    const isSame = before.length === after.length && before.every(({ product }, at) => product === after[at]?.product);
    if (!isSame) texts.push(...leafRows({ storeId, categoryId, before, after, nonce: String(seq) }));
  }
  await upsertProducts(tx, [storeId], texts);
  await markShownAgain(tx, [storeId]);
  await pruneOptions(tx, [storeId]);
  await refreshCatalogFlags(tx, storeId);
}

/** Refuses values a feed couldn't contain, and changes since the caller's read. */
function checkMenu({ menu, next, feed, edits }: Known & { next: Menu }, { categories, items }: MenuPatches): void {
  const isLeft = (id: string) =>
    (menu.leaves.get(id) ?? []).some((one) => next.items.has(one)) ||
    (menu.children.get(id) ?? []).some((one) => next.categories.has(one));
  for (const id of Object.keys(categories)) {
    const patch = edits.categories.get(id)?.patch;
    const isPresent = next.categories.has(id);
    if (isPresent ? patch === null : isLeft(id)) throw menuChanged();
    if (isPresent) checkParent(next, patch?.parentId ?? null, id);
  }
  for (const id of Object.keys(items)) {
    const item = next.items.get(id);
    const categoryId = edits.items.get(id)?.patch?.categoryId ?? feed.items.get(id)?.categoryId ?? '';
    if (!item || item.categoryId === categoryId) continue;
    if (!next.categories.has(categoryId)) throw categoryNotFound();
    throw invalidField('body', 'category_id', 'must be a category without subcategories');
  }
  if (next.categories.size > FEED_LIMITS.categoriesPerStore) {
    throw invalidField('body', 'name', `must be one of at most ${FEED_LIMITS.categoriesPerStore} categories`);
  }
}

/** `parentId` is where the store wants one of its own categories. */
function checkParent({ categories, leaves }: Menu, parentId: string | null, id: string): void {
  let depth = 1;
  for (let at = parentId; at !== null; at = categories.get(at)?.parentId ?? null) {
    if (!categories.has(at)) throw categoryNotFound();
    depth += 1;
  }
  const fault = (message: string) => invalidField('body', 'parent_id', message);
  if (depth > FEED_LIMITS.categoryDepth) throw fault(`must leave at most ${FEED_LIMITS.categoryDepth} levels`);
  const isMoved = parentId !== null && categories.get(id)?.parentId !== parentId;
  if (isMoved || (parentId !== null && (leaves.get(parentId)?.length ?? 0) > 0)) {
    throw fault('must be a category without items');
  }
}

/** An edit of something that has changed since the caller read it. */
function menuChanged(): Refusal {
  return new Refusal('menu_changed', 'This part of the menu has changed since it was read. Read it again.');
}

export function categoryNotFound(): Refusal {
  return new Refusal('subcategory_not_found', "This store's menu contains no category with this ID.");
}

export function itemNotFound(): Refusal {
  return new Refusal('product_not_found', "This store's menu contains no item with this ID.");
}

/** Maximum items of a menu before its store can't add more. A feed may contain more. */
export const MAX_MENU_ITEMS = 5000;

/** External IDs of a store's additions, which no feed has. */
const OWN_ID = 'own:';

export type NewItem = Item & { position?: number | undefined };

export async function addItem(tx: Sql, context: EditContext, { categoryId, entry, position }: NewItem) {
  const itemId = randomId(OWN_ID, 12);
  const outcome = await editMenu(tx, context, { categoryIds: [categoryId] }, ({ menu, seq }) => {
    const list = menu.leaves.get(categoryId) ?? [];
    const place = placeAt(list, Math.min(position ?? list.length, list.length), seq);
    const patches = { ...NO_PATCHES, items: { [itemId]: itemPatch({ categoryId, entry }, undefined, place) } };
    return { action: 'added', target: itemId, name: entry.name, patches };
  });
  // Counted under the change clock, so that two edits at once cannot pass it.
  if ((await countItems(tx, context.storeId, MAX_MENU_ITEMS + 1)) > MAX_MENU_ITEMS) {
    throw invalidField('body', 'item', `cannot be added: a menu has at most ${MAX_MENU_ITEMS} items`);
  }
  return { ...outcome, itemId };
}

export type ItemChange = Item & { itemId: string; version: string };

/** Unknown menu hours are shown as none; an edit that leaves them so does not make them all hours. */
const keptHours = (before: { hours: MenuWeek | null }, { hours }: { hours: MenuWeek | null }) =>
  hours === null && before.hours === 'unknown' ? { hours: before.hours } : {};

/** Replaces an item that is as the caller read it. An item that moves to another category becomes its last. */
export async function editItem(tx: Sql, context: EditContext, { itemId, version, categoryId, entry }: ItemChange) {
  return editMenu(tx, context, { items: [itemId], categoryIds: [categoryId] }, ({ menu, feed, edits, seq }) => {
    const item = readItem(menu, itemId, version);
    const known = edits.items.get(itemId)?.patch;
    const list = menu.leaves.get(categoryId) ?? [];
    const before = item.categoryId === categoryId ? known : { ...known, ...placeAt(list, list.length, seq) };
    const edited = { ...keptTaxClass(item), ...entry, ...keptHours(item.entry, entry) };
    const patch = itemPatch({ categoryId, entry: edited }, feed.items.get(itemId), before);
    return {
      action: 'edited',
      target: itemId,
      name: entry.name,
      patches: { ...NO_PATCHES, items: { [itemId]: patch } },
    };
  });
}

/** A class that is left out stays as it is. */
const keptTaxClass = ({ entry: { taxClass } }: Item) => (taxClass ? { taxClass } : {});

type Read = { itemId: string; version: string };

export async function removeItem(tx: Sql, context: EditContext, { itemId, version }: Read) {
  return editMenu(tx, context, { items: [itemId] }, ({ menu, edits }) => {
    const { entry } = readItem(menu, itemId, version);
    const patches = { ...NO_PATCHES, items: { [itemId]: removal(edits.items.get(itemId)) } };
    return { action: 'removed', target: itemId, name: entry.name, patches };
  });
}

/** The store's addition leaves with its patch. */
const removal = (edit: { patch: { added?: boolean } | null } | undefined) => (edit?.patch?.added ? {} : null);

function readItem(menu: Menu, itemId: string, version: string): Item {
  const item = menu.items.get(itemId);
  if (!item) throw itemNotFound();
  if (versionOf(item) !== version) throw menuChanged();
  return item;
}

export async function addCategory(
  tx: Sql,
  context: EditContext,
  { parentId, entry }: { parentId: string | null; entry: CategoryFields },
) {
  const categoryId = randomId(OWN_ID, 12);
  const outcome = await editMenu(tx, context, { categoryIds: parentId === null ? [] : [parentId] }, ({ menu, seq }) => {
    const list = menu.children.get(parentId ?? TOP) ?? [];
    const patch = categoryPatch({ parentId, ...entry }, undefined, placeAt(list, list.length, seq));
    const patches = { ...NO_PATCHES, categories: { [categoryId]: patch } };
    return { action: 'added', target: categoryId, name: entry.name, patches };
  });
  return { ...outcome, categoryId };
}

export type CategoryChange = { categoryId: string; version: string; entry: CategoryFields };

export async function editCategory(tx: Sql, context: EditContext, { categoryId, version, entry }: CategoryChange) {
  return editMenu(tx, context, {}, ({ menu, feed, edits }) => {
    const before = readCategory(menu, categoryId, version);
    const category = { ...before, ...entry, ...keptHours(before, entry) };
    const patch = categoryPatch(category, feed.categories.get(categoryId), edits.categories.get(categoryId)?.patch);
    const patches = { ...NO_PATCHES, categories: { [categoryId]: patch } };
    return { action: 'edited', target: categoryId, name: entry.name, patches };
  });
}

/** Maximum items of a category that is removed with all that it contains, so that one change can be undone. */
export const MAX_REMOVED_ITEMS = 500;

/** Removes a category with its subcategories and items. */
export async function removeCategory(
  tx: Sql,
  context: EditContext,
  { categoryId, version }: Pick<CategoryChange, 'categoryId' | 'version'>,
) {
  return editMenu(tx, context, { below: categoryId }, ({ menu, edits }) => {
    const { name } = readCategory(menu, categoryId, version);
    const subtree = subtreeOf(menu, categoryId);
    const items = subtree.flatMap((id) => menu.leaves.get(id) ?? []);
    if (items.length + subtree.length > MAX_REMOVED_ITEMS) {
      const message = `must have at most ${MAX_REMOVED_ITEMS} items and subcategories; remove some of them first`;
      throw invalidField('path', 'category_id', message);
    }
    const patches = {
      ...NO_PATCHES,
      categories: Object.fromEntries(subtree.map((id) => [id, removal(edits.categories.get(id))])),
      items: Object.fromEntries(items.map((id) => [id, removal(edits.items.get(id))])),
    };
    return { action: 'removed', target: categoryId, name, patches };
  });
}

function readCategory(menu: Menu, categoryId: string, version: string): Category {
  const category = menu.categories.get(categoryId);
  if (!category) throw categoryNotFound();
  if (versionOf(category) !== version) throw menuChanged();
  return category;
}

/** `from` is the order that the caller read. */
export type Sort = { categoryId: string | null; from: readonly string[]; to: readonly string[] };

/** Sorts the items or subcategories of a category, or the top ones. */
export async function sortMenu(tx: Sql, context: EditContext, { categoryId, from, to }: Sort) {
  const id = categoryId ?? TOP;
  return editMenu(tx, context, { categoryIds: id === TOP ? [] : [id] }, ({ menu }) => {
    if (id !== TOP && !menu.categories.has(id)) throw categoryNotFound();
    const isSameSet = from.length === to.length && new Set([...from, ...to]).size === from.length;
    if (!isSameSet || !isEqual(sequenceOf(menu, id), from)) throw menuChanged();
    const sequences = isEqual(from, to) ? {} : { [id]: to };
    return {
      action: 'sorted',
      target: id,
      name: menu.categories.get(id)?.name ?? '',
      patches: { ...NO_PATCHES, sequences },
    };
  });
}

/** An item, a category or a sort order, the top one with the id `TOP`. */
export type EditTarget = { kind: 'item' | 'category' | 'sequence'; id: string };

/** Ends the store's edit: from now on the feed decides. */
export async function asFeedHas(tx: Sql, context: EditContext, { kind, id }: EditTarget) {
  const part = kind === 'item' ? { items: [id] } : { categoryIds: id === TOP ? [] : [id] };
  return editMenu(tx, context, part, ({ menu, feed }) => {
    const of = (member: keyof MenuPatches, patch: object | null): Change => {
      const name = menu.items.get(id)?.entry.name ?? menu.categories.get(id)?.name ?? '';
      return { action: 'edited', target: id, name, patches: { ...NO_PATCHES, [member]: { [id]: patch } } };
    };
    if (kind === 'sequence') return of('sequences', null);
    const isItem = kind === 'item';
    if (!(isItem ? feed.items : feed.categories).has(id)) throw isItem ? itemNotFound() : categoryNotFound();
    return of(isItem ? 'items' : 'categories', {});
  });
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

/** Refuses with `menu_changed` if the switches are not `from` any more: an order took stock, or someone set them. */
async function writeSwitches(tx: Sql, context: EditContext, { itemId, action, from, set }: SwitchChange) {
  const { storeId, at } = context;
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
  const changeNo = await recordMenuChange(tx, context, {
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
    if (!option) throw new Refusal('product_not_found', "This store's menu contains no option with this ID.");
    return option.available;
  };
  return {
    ...(like.available === undefined ? {} : { available: live.available }),
    ...(like.availableAtS === undefined ? {} : { availableAtS: live.availableAt && epochSeconds(live.availableAt) }),
    ...(like.qtyAvailable === undefined ? {} : { qtyAvailable: live.qtyAvailable }),
    ...(like.options && { options: Object.fromEntries(Object.keys(like.options).map((id) => [id, isOn(id)])) }),
  };
}

/** Restores a change's former values, if the menu is still as the change left it. Undoing is a change too. */
export async function undoChange(tx: Sql, context: EditContext, changeNo: number): Promise<EditOutcome> {
  const { storeId } = context;
  const change = await findMenuChange(tx, storeId, changeNo);
  if (!change) throw new Refusal('not_found', "This menu's history contains no such change.");
  const { before, after, target: itemId } = change;
  const set = before.switches?.[itemId];
  const outcome = set
    ? await writeSwitches(tx, context, { itemId, action: 'undone', from: after.switches?.[itemId], set })
    : await undoEdit(tx, context, change);
  if (outcome.changeNo !== null) await markUndone(tx, storeId, changeNo, outcome.changeNo);
  return outcome;
}

async function undoEdit(tx: Sql, context: EditContext, { before, after, target, name }: MenuChange) {
  const named = [before, after].flatMap((state) => [
    ...Object.keys(state.categories),
    ...Object.values(state.categories).flatMap((category) => category?.parentId ?? []),
    ...Object.values(state.items).flatMap((item) => item?.categoryId ?? []),
    ...Object.keys(state.sequences).filter((id) => id !== TOP),
  ]);
  return editMenu(tx, context, { items: Object.keys(before.items), categoryIds: [...new Set(named)] }, (known) => {
    const { patches: was = NO_PATCHES } = before;
    const { patches: is = NO_PATCHES } = after;
    const parentIds = Object.values(before.categories).flatMap((category) => category?.parentId ?? []);
    // A category that got items meanwhile takes no subcategory back.
    const isTaken = parentIds.some((id) => (known.menu.leaves.get(id)?.length ?? 0) > 0);
    if (isTaken || !isSamePatches(is, currentPatches(known.edits, is))) throw menuChanged();
    return { action: 'undone', target, name, patches: was };
  });
}
