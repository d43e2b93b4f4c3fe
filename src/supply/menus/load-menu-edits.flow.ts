import type { Sql } from '../../platform/db/connect.ts';
import { findMenuCategories, findMenuEdits, findMenuItems, type StoredEdit, saveMenuEdits } from './menu.db.ts';
import {
  type CategoryEdit,
  categoriesOf,
  type Edits,
  type Item,
  type ItemEdit,
  type SequenceEdit,
  TOP,
} from './menu.ts';
import { categoryPatch, itemPatch, placeAt } from './menu-edits.ts';
import { itemEntry } from './menu-entry.ts';

const NO_EDITS: Edits = { categories: new Map(), items: new Map(), sequences: new Map() };

/** The edits of a store, for one that changes them: the caller holds the change clock. */
export async function loadMenuEdits(tx: Sql, storeId: string): Promise<Edits> {
  const stored = await findMenuEdits(tx, storeId);
  if (stored.every(({ patch }) => patch !== undefined)) return editsOf(stored);
  const edits = editsOf(await patched(tx, storeId, stored));
  await saveMenuEdits(tx, storeId, NO_EDITS, edits);
  return edits;
}

function editsOf(stored: readonly StoredEdit[]): Edits {
  const categories = new Map<string, CategoryEdit>();
  const items = new Map<string, ItemEdit>();
  const sequences = new Map<string, SequenceEdit>();
  for (const { externalId, ...edit } of stored) {
    const { feedChanged } = edit;
    if (edit.patch === undefined) continue;
    if (edit.kind === 'category') categories.set(externalId, { feed: edit.feed, patch: edit.patch, feedChanged });
    else if (edit.kind === 'item') items.set(externalId, { feed: edit.feed, patch: edit.patch, feedChanged });
    else sequences.set(externalId, { feed: edit.feed, patch: edit.patch, feedChanged });
  }
  return { categories, items, sequences };
}

/**
 * Gives a patch to each edit of a version that had none: what the menu has now in place of the feed's value.
 */
async function patched(tx: Sql, storeId: string, stored: readonly StoredEdit[]): Promise<StoredEdit[]> {
  const { categories, children } = categoriesOf(await findMenuCategories(tx, storeId));
  const rows = (await findMenuItems(tx, storeId, { categoryIds: [...categories.keys()] })).filter((r) => !r.removed);
  const items = new Map(
    rows.map((r): [string, Item] => [r.externalId, { categoryId: r.categoryId, entry: itemEntry(r.product) }]),
  );
  const leaves = new Map<string, string[]>();
  for (const { externalId, categoryId } of rows)
    leaves.set(categoryId, [...(leaves.get(categoryId) ?? []), externalId]);
  const placeIn = (list: readonly string[] = [], id: string) => placeAt(list, list.indexOf(id), 0);
  return stored.map((edit): StoredEdit => {
    const id = edit.externalId;
    if (edit.patch !== undefined) return edit;
    if (edit.kind === 'item') {
      const item = items.get(id);
      const place = item && placeIn(leaves.get(item.categoryId), id);
      return { ...edit, patch: item ? itemPatch(item, edit.feed ?? undefined, place) : null };
    }
    if (edit.kind === 'category') {
      const category = categories.get(id);
      const place = category && placeIn(children.get(category.parentId ?? TOP), id);
      return { ...edit, patch: category ? categoryPatch(category, edit.feed ?? undefined, place) : null };
    }
    return { ...edit, patch: leaves.get(id) ?? children.get(id) ?? [] };
  });
}
