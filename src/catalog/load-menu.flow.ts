import type { Db, Sql } from '../db/connect.ts';
import { type KeptJson, keepJson } from '../http/json-pieces.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import type { Mode } from '../stores/mode.ts';
import { menuId, sealCategory, sealProduct } from './catalog-tokens.ts';
import {
  findAllCategories,
  findCategory,
  findInventoryVersions,
  findLeafDigest,
  findLevelDigest,
  findMenuProducts,
  findSubcategories,
  type InventoryVersion,
} from './inventory.db.ts';
import { leavesOf, type MenuCategory } from './menu-tree.ts';
import { presentMenuItem } from './present-menu.ts';

/** What of a store's inventory is asked for; no category means what a first request shows. */
export type MenuQuestion = { storeId: string; mode: Mode; categoryNo: number | null };

/** An answered menu, and the version of the inventory that it shows: the end of an inventory response in two pieces. */
export type MenuView = {
  version: string;
  /** `"menu_id":…,`: another one with each version. */
  head: string;
  /** `"categories":[…]}`. */
  categories: KeptJson;
  /** Of the categories alone, to know them by in a later version; null where that is the version itself. */
  digest: string | null;
};

/** Names what a client sees of a menu; a restaurant and a grocery show the same categories differently. */
export function menuVersionOf({ type, menuDigests }: InventoryVersion, mode: Mode): string {
  return `${type.charAt(0)}${menuDigests[mode]}`;
}

/**
 * Reads and writes out a menu at one moment of the database; undefined where the store or the category is not there.
 * Of `known`, an earlier view of the same question, the categories are used again where nothing in them has changed: in a
 * large grocery most levels never see what does.
 */
export async function loadMenu(
  db: Db,
  tokens: TokenSealer,
  question: MenuQuestion,
  known?: MenuView,
): Promise<MenuView | undefined> {
  const { storeId, mode, categoryNo } = question;
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const [version] = await findInventoryVersions(tx, [storeId]);
      if (!version) return undefined;
      const asked = categoryNo === null ? null : await findCategory(tx, storeId, categoryNo);
      if (asked === undefined) return undefined;
      const menuVersion = menuVersionOf(version, mode);
      const head = `"menu_id":${JSON.stringify(menuId(tokens, storeId, mode, menuVersion))},`;
      const digest = version.type === 'grocery' ? await digestOf(tx, question, asked) : null;
      const same = known !== undefined && known.digest !== null && known.digest === digest;
      const categories = same
        ? known.categories
        : keepJson(await writeCategories(tx, tokens, { question, version, asked }));
      return { version: menuVersion, head, categories, digest };
    });
}

function digestOf(tx: Sql, { storeId, mode }: MenuQuestion, asked: MenuCategory | null): Promise<string> {
  if (asked?.isLeaf) return findLeafDigest(tx, storeId, mode, asked.categoryNo);
  return findLevelDigest(tx, storeId, asked?.categoryNo ?? null);
}

type Choice = { question: MenuQuestion; version: InventoryVersion; asked: MenuCategory | null };

async function writeCategories(tx: Sql, tokens: TokenSealer, choice: Choice): Promise<string> {
  const { storeId, mode } = choice.question;
  const { categories, showsProducts } = await chooseCategories(tx, choice);
  const withProducts = showsProducts ? categories.filter((category) => category.isLeaf) : [];
  const leafNos = withProducts.map((category) => category.categoryNo);
  const products = Map.groupBy(await findMenuProducts(tx, storeId, mode, leafNos), (product) => product.categoryNo);
  const isShown = ({ categoryNo }: MenuCategory) => choice.version.type === 'grocery' || products.has(categoryNo);
  const shown = categories.filter(isShown).map(({ categoryNo, name }) => ({
    name,
    subcategory_id: sealCategory(tokens, { storeId, categoryNo }),
    menu_item_list: (products.get(categoryNo) ?? []).map((product) =>
      presentMenuItem(product, mode, sealProduct(tokens, { storeId, productNo: product.productNo })),
    ),
  }));
  return `"categories":${JSON.stringify(shown)}}`;
}

/**
 * The leaves under the requested category of a restaurant; of a grocery its next level, or the leaf itself. The menu of a
 * restaurant leaves out a leaf without a product on sale in the mode.
 */
async function chooseCategories(
  tx: Sql,
  { question: { storeId }, version, asked }: Choice,
): Promise<{ categories: MenuCategory[]; showsProducts: boolean }> {
  if (asked?.isLeaf) return { categories: [asked], showsProducts: true };
  const categoryNo = asked?.categoryNo ?? null;
  return version.type === 'restaurant'
    ? { categories: leavesOf(await findAllCategories(tx, storeId), categoryNo), showsProducts: true }
    : { categories: await findSubcategories(tx, storeId, categoryNo), showsProducts: false };
}
