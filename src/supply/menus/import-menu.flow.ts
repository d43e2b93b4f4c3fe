import type { Sql } from '../../platform/db/connect.ts';
import { itemsOf } from './edit-menu.flow.ts';
import { loadMenuEdits } from './load-menu-edits.flow.ts';
import {
  findEditedStores,
  findMenuCategories,
  findMenuItems,
  findStagedCategories,
  findStagedItems,
  type StagedItem,
  saveMenuEdits,
  unstageMenu,
} from './menu.db.ts';
import { categoriesOf, type Item, type Menu, patchMenu } from './menu.ts';
import { importedEdits, withDroppedHomes } from './menu-edits.ts';
import { itemEntry } from './menu-entry.ts';
import { categoryRows, leafProduct, leafRows } from './menu-rows.ts';
import { stageCategories, stageProducts } from './write-catalogs.db.ts';

/** Puts the patches of stores on their staged catalogs, before an import writes those. */

/** Returns the stores of these that have edits. The caller holds the change clock, whose number is `seq`. */
export async function patchImports(tx: Sql, storeIds: readonly string[], seq: number): Promise<string[]> {
  const edited = await findEditedStores(tx, storeIds);
  for (const storeId of edited) await patchImport(tx, storeId, seq);
  return edited;
}

async function patchImport(tx: Sql, storeId: string, seq: number): Promise<void> {
  const known = await loadMenuEdits(tx, storeId);
  const tree = categoriesOf(await findMenuCategories(tx, storeId));
  const feedTree = categoriesOf(await findStagedCategories(tx, storeId));
  const edits = withDroppedHomes(known, { menu: tree, feed: feedTree, seq });
  const ids = [...edits.items.keys()];
  const rows = await findMenuItems(tx, storeId, { ids });
  const own = await findStagedItems(tx, storeId, { ids });
  // Shows whether the feed has filled a removed category again, or the parent of a store's own.
  const reached = [
    ...[...edits.categories].flatMap(([id, { patch }]) => [id, patch?.parentId ?? []].flat()),
    ...rows.map(({ categoryId }) => categoryId),
    ...own.map(({ categoryId }) => categoryId),
    ...edits.sequences.keys(),
  ];
  const first = await findStagedItems(tx, storeId, { ids, categoryIds: reached });
  const homes = patchMenu({ ...feedTree, ...stagedLists(first, []) }, edits).items;
  const loaded = [...new Set([...reached, ...ids.flatMap((id) => homes.get(id)?.categoryId ?? [])])];
  const staged = await findStagedItems(tx, storeId, { ids, categoryIds: loaded });
  const feed = { ...feedTree, ...stagedLists(staged, loaded) };
  const menu = patchMenu(feed, edits);
  const found = await findMenuItems(tx, storeId, { ids, categoryIds: loaded });
  await unstageMenu(tx, storeId, { ids, categoryIds: loaded });
  await stageCategories(tx, categoryRows(storeId, menu));
  const before = itemsOf(found, loaded);
  const stored = new Map(found.map((row) => [row.externalId, row]));
  const products = new Map(staged.map(({ externalId, product }) => [externalId, product]));
  for (const [categoryId, list] of menu.leaves) {
    await stageProducts(
      tx,
      leafRows({
        storeId,
        categoryId,
        before: (before.leaves.get(categoryId) ?? []).flatMap((id) => stored.get(id) ?? []),
        after: list.flatMap((id) => {
          const item = menu.items.get(id);
          return item ? leafProduct(id, item.entry, stored.get(id), products.get(id)) : [];
        }),
        nonce: String(seq),
      }),
    );
  }
  await saveMenuEdits(tx, storeId, known, importedEdits(edits, feed, menu));
}

function stagedLists(staged: readonly StagedItem[], categoryIds: readonly string[]): Pick<Menu, 'items' | 'leaves'> {
  const leaves = new Map<string, string[]>(categoryIds.map((id) => [id, []]));
  for (const { externalId, categoryId } of staged) leaves.get(categoryId)?.push(externalId);
  const items = staged.map(({ externalId, categoryId, product }): [string, Item] => [
    externalId,
    { categoryId, entry: itemEntry(product) },
  ]);
  return { items: new Map(items), leaves };
}
