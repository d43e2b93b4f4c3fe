import type { Db, Sql } from '../db/connect.ts';
import { type KeptJson, keepJson } from '../lib/json-pieces.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { menuId, sealCategory, sealProduct } from './catalog-tokens.ts';
import {
  findAllCategories,
  findCategory,
  findInventoryVersions,
  findMenuProducts,
  findSubcategories,
  type InventoryVersion,
} from './inventory.db.ts';
import { leavesOf, type MenuCategory } from './menu-tree.ts';
import { presentMenuItem } from './present-menu.ts';
import type { Mode } from './product.ts';

/** What of a store's inventory is asked for; no category means what a first request shows. */
export type MenuQuestion = { storeId: string; mode: Mode; categoryNo: number | null };

/** An answered menu, and the version of the inventory that it shows. */
export type MenuView = {
  version: string;
  /** `"menu_id":…,"categories":[…]}`: the end of an inventory response. */
  json: KeptJson;
};

/** Names what a client sees of a menu; a restaurant and a grocery show the same categories differently. */
export function menuVersionOf({ type, menuDigests }: InventoryVersion, mode: Mode): string {
  return `${type.charAt(0)}${menuDigests[mode]}`;
}

/** Reads and writes out a menu at one moment of the database; undefined where the store or the category is not there. */
export async function loadMenu(db: Db, tokens: TokenSealer, question: MenuQuestion): Promise<MenuView | undefined> {
  const { storeId, mode } = question;
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const [version] = await findInventoryVersions(tx, [storeId]);
      const shown = version && (await chooseCategories(tx, version, question));
      if (!version || !shown) return undefined;
      const withProducts = shown.showsProducts ? shown.categories.filter((category) => category.isLeaf) : [];
      const products = Map.groupBy(
        await findMenuProducts(
          tx,
          storeId,
          mode,
          withProducts.map((category) => category.categoryNo),
        ),
        (product) => product.categoryNo,
      );
      const menuVersion = menuVersionOf(version, mode);
      const json = JSON.stringify({
        menu_id: menuId(tokens, storeId, mode, menuVersion),
        categories: shown.categories.map(({ categoryNo, name }) => ({
          name,
          subcategory_id: sealCategory(tokens, { storeId, categoryNo }),
          menu_item_list: (products.get(categoryNo) ?? []).map((product) =>
            presentMenuItem(product, mode, sealProduct(tokens, { storeId, productNo: product.productNo })),
          ),
        })),
      }).slice(1);
      return { version: menuVersion, json: keepJson(json) };
    });
}

/** A restaurant shows the leaves under what is asked for; a grocery the next level, or the products of a leaf. */
async function chooseCategories(
  tx: Sql,
  { type }: InventoryVersion,
  { storeId, categoryNo }: MenuQuestion,
): Promise<{ categories: MenuCategory[]; showsProducts: boolean } | undefined> {
  const asked = categoryNo === null ? undefined : await findCategory(tx, storeId, categoryNo);
  if (categoryNo !== null && !asked) return undefined;
  if (asked?.isLeaf) return { categories: [asked], showsProducts: true };
  return type === 'restaurant'
    ? { categories: leavesOf(await findAllCategories(tx, storeId), categoryNo), showsProducts: true }
    : { categories: await findSubcategories(tx, storeId, categoryNo), showsProducts: false };
}
