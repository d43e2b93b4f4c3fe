import type { Sandbox } from '../../access/accounts/account.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { menuHoursOf } from '../stores/menu-hours.ts';
import type { Country, Mode } from '../stores/store.ts';
import { isAlcohol, type TaxClass } from '../stores/tax-class.ts';
import { sealCategory, sealProduct } from './catalog-tokens.ts';
import {
  countMenuProducts,
  findCategories,
  findCategory,
  findInventoryVersions,
  findLeafDigest,
  findLevelDigest,
  findMenuProducts,
  findTimedProducts,
  type InventoryVersion,
} from './inventory.db.ts';
import { leavesOf, type MenuCategory, type MenuProduct, presentMenuItem, sumByCategory } from './present-menu.ts';
import { availabilityMembers, createTimedText, type TimedProducts, type TimedText } from './timed-menu.ts';

/**
 * The requested part of a store's inventory, and the sandbox whose stock it shows. `categoryNo` null is the top level.
 */
export type MenuQuestion = {
  storeId: string;
  sandbox: Sandbox;
  mode: Mode;
  categoryNo: number | null;
  /** Whether all levels below are requested, without products. */
  isTree?: boolean;
};

/** Maximum categories of a tree, some 500 kB. */
const MAX_TREE_CATEGORIES = 2000;

/** A menu with its inventory version. The rest depends on the time of the response. */
export type MenuView = {
  version: string;
  /** The version of the store's own fields, including menu hours. */
  changedSeq: number;
  /** The end of the response as JSON text: `"categories":[…]}`. */
  categories: TimedText;
  /** All of the store's products with menu hours, because the version covers all levels. */
  timed: readonly TimedProducts[];
  /**
   * Digest of the categories: a later version with the same digest reuses them. Null if only the version identifies
   * them.
   */
  digest: string | null;
};

/**
 * The menu's version for clients. Restaurants and groceries show the same categories differently, stores of another
 * country the same sizes.
 */
export function menuVersionOf({ type, country, menuDigests }: InventoryVersion, mode: Mode): string {
  const kind = type.charAt(0);
  return `${country === 'CA' ? kind.toUpperCase() : kind}${menuDigests[mode]}`;
}

/**
 * Reads a menu from one database snapshot and writes its JSON in slices; undefined for an unknown store or category.
 * Reuses the unchanged categories of `known`, which are most of a large grocery.
 */
export async function loadMenu(
  { db, tokens }: { db: Db; tokens: TokenSealer },
  question: MenuQuestion,
  known?: MenuView,
): Promise<MenuView | undefined> {
  const read = await readMenu(db, question, known);
  if (!read) return undefined;
  const { chosen, view } = read;
  // Called without a connection, because writing the JSON waits for slices.
  const categories = 'pieces' in chosen ? chosen : await writeCategories(tokens, question, chosen);
  return { ...view, categories };
}

/** The categories of a menu with their products, or the identical text of an earlier view. */
type ReadMenu = { view: Omit<MenuView, 'categories'>; chosen: ListedMenu | TimedText };

/**
 * Categories with an item on sale in the mode, in menu order, the products in categories that show products, and each
 * one's number of products, including all categories below it, by category number.
 */
export type ListedMenu = {
  /** The class of products that have none. */
  taxClass: TaxClass;
  country: Country;
  shown: readonly MenuCategory[];
  products: ReadonlyMap<number, readonly MenuProduct[]>;
  counts: ReadonlyMap<number, number>;
};

/** A menu's current categories and products; undefined for an unknown store or category. */
export function listMenu(db: Db, question: MenuQuestion): Promise<ListedMenu | undefined> {
  return fromSnapshot(db, async (tx) => {
    const choice = await choose(tx, question);
    return choice && readCategories(tx, choice, await countBelow(tx, choice));
  });
}

function fromSnapshot<Read>(db: Db, read: (tx: Sql) => Promise<Read>): Promise<Read> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

function readMenu(db: Db, question: MenuQuestion, known: MenuView | undefined): Promise<ReadMenu | undefined> {
  const { storeId, sandbox, mode } = question;
  return fromSnapshot(db, async (tx) => {
    const choice = await choose(tx, question);
    if (!choice) return undefined;
    const { version, requested } = choice;
    const menuVersion = menuVersionOf(version, mode);
    const counts = await countBelow(tx, choice);
    const hasDigest = version.type === 'grocery' && !question.isTree;
    const digest = hasDigest
      ? `${version.taxClass} ${version.country} ${await menuDigest(tx, question, requested, counts)}`
      : null;
    const same = known !== undefined && known.digest !== null && known.digest === digest;
    const chosen = same ? known.categories : await readCategories(tx, choice, counts);
    const timed = await findTimedProducts(tx, storeId, mode, sandbox, version.taxClass);
    return { view: { version: menuVersion, changedSeq: version.changedSeq, timed, digest }, chosen };
  });
}

/** The store's version and the requested category; undefined if either does not exist. */
async function choose(tx: Sql, question: MenuQuestion): Promise<Choice | undefined> {
  const { storeId, sandbox, categoryNo } = question;
  const [version] = await findInventoryVersions(tx, [{ storeId, sandbox }]);
  if (!version) return undefined;
  const requested = categoryNo === null ? null : await findCategory(tx, storeId, categoryNo);
  return requested === undefined ? undefined : { question, version, requested };
}

async function menuDigest(
  tx: Sql,
  question: MenuQuestion,
  requested: MenuCategory | null,
  counts: ReadonlyMap<number, number>,
): Promise<string> {
  if (requested?.isLeaf) return findLeafDigest(tx, question, requested.categoryNo);
  return `${await findLevelDigest(tx, question.storeId, requested?.categoryNo ?? null)} ${[...counts].join()}`;
}

/** The products of each category of a grocery's level or of a tree; empty where the products are read themselves. */
async function countBelow(tx: Sql, { question, version, requested }: Choice): Promise<ReadonlyMap<number, number>> {
  const { storeId, mode, isTree } = question;
  if (!isTree && (version.type === 'restaurant' || requested?.isLeaf)) return new Map();
  const all = await findCategories(tx, storeId, 'any');
  const ofLeaves = await countMenuProducts(tx, storeId, mode);
  const sums = sumByCategory(all, (leafNo) => ofLeaves.get(leafNo) ?? 0);
  if (isTree) return sums;
  const level = all.filter(({ parentNo }) => parentNo === (requested?.categoryNo ?? null));
  return new Map(level.map(({ categoryNo }) => [categoryNo, sums.get(categoryNo) ?? 0]));
}

type Choice = { question: MenuQuestion; version: InventoryVersion; requested: MenuCategory | null };

async function readCategories(tx: Sql, choice: Choice, counted: ReadonlyMap<number, number>): Promise<ListedMenu> {
  const { storeId, sandbox, mode } = choice.question;
  const { categories, showsProducts } = await chooseCategories(tx, choice);
  const withProducts = showsProducts ? categories.filter((category) => category.isLeaf) : [];
  const leafNos = withProducts.map((category) => category.categoryNo);
  const found = await findMenuProducts(tx, storeId, mode, leafNos, sandbox);
  const products = Map.groupBy(found, (product) => product.categoryNo);
  const counts = showsProducts ? new Map([...products].map(([leafNo, list]) => [leafNo, list.length])) : counted;
  const isShown = ({ categoryNo }: MenuCategory) => (counts.get(categoryNo) ?? 0) > 0;
  const { taxClass, country } = choice.version;
  return { taxClass, country, shown: categories.filter(isShown), products, counts };
}

async function writeCategories(
  tokens: TokenSealer,
  { storeId, mode, isTree, categoryNo }: MenuQuestion,
  { taxClass, country, shown, products, counts }: ListedMenu,
): Promise<TimedText> {
  const text = createTimedText();
  const headOf = (category: MenuCategory) => ({
    name: category.name,
    subcategory_id: sealCategory(tokens, { storeId, categoryNo: category.categoryNo }),
    has_subcategories: !category.isLeaf,
    product_count: counts.get(category.categoryNo) ?? 0,
  });
  if (isTree) {
    text.add(`"categories":${JSON.stringify(treeOf(shown, categoryNo, headOf))}}`);
    return text.finish();
  }
  text.add('"categories":[');
  await nextSlice();
  for (const [n, category] of shown.entries()) {
    const head = headOf(category);
    text.add(`${n === 0 ? '' : ','}${JSON.stringify(head).slice(0, -1)},"menu_item_list":[`);
    for (const [at, product] of (products.get(category.categoryNo) ?? []).entries()) {
      if (isSliceOver()) await nextSlice();
      const productId = sealProduct(tokens, { storeId, productNo: product.productNo });
      const inheritedClass = category.taxClasses.at(-1) ?? taxClass;
      const item = presentMenuItem(product, mode, productId, { taxClass: inheritedClass, country });
      text.add(`${at === 0 ? '' : ','}${JSON.stringify(item).slice(0, -1)},`);
      writeAvailability(text, product, category, inheritedClass);
    }
    text.add(']}');
    if (isSliceOver()) await nextSlice();
  }
  text.add(']}');
  return text.finish();
}

type TreeNode<Head> = Head & { menu_item_list: []; subcategories: TreeNode<Head>[] };

/** The categories below one, each with those below it; of a leaf, the leaf. */
function treeOf<Head>(
  categories: readonly MenuCategory[],
  rootNo: number | null,
  headOf: (category: MenuCategory) => Head,
): TreeNode<Head>[] {
  const nodes = new Map(
    categories.map((category): [number, TreeNode<Head>] => [
      category.categoryNo,
      { ...headOf(category), menu_item_list: [], subcategories: [] },
    ]),
  );
  const top: TreeNode<Head>[] = [];
  for (const { categoryNo, parentNo } of categories) {
    const node = nodes.get(categoryNo);
    const siblings = categoryNo === rootNo || parentNo === rootNo ? top : nodes.get(parentNo ?? -1)?.subcategories;
    if (node) siblings?.push(node);
  }
  return top;
}

/** Writes the last fields of an item. A sold-out product is never available, at any hour. */
function writeAvailability(
  text: Pick<ReturnType<typeof createTimedText>, 'add' | 'gap'>,
  product: MenuProduct,
  { menuHours }: MenuCategory,
  inheritedClass: TaxClass,
): void {
  const all = menuHoursOf([product.hours, ...menuHours], isAlcohol(product, [product.taxClass ?? inheritedClass]));
  if (product.qtyAvailable === 0 || all.length === 0) text.add(availabilityMembers(product.qtyAvailable !== 0));
  else text.gap(all);
  text.add('}');
}

/**
 * For a restaurant, the leaves below the requested category that sell something in the mode. For a grocery, the next
 * level, or the leaf itself.
 */
async function chooseCategories(
  tx: Sql,
  { question: { storeId, isTree }, version, requested }: Choice,
): Promise<{ categories: MenuCategory[]; showsProducts: boolean }> {
  if (requested?.isLeaf) return { categories: [requested], showsProducts: !isTree };
  const categoryNo = requested?.categoryNo ?? null;
  if (isTree) return { categories: await findTree(tx, storeId, categoryNo), showsProducts: false };
  return version.type === 'restaurant'
    ? { categories: leavesOf(await findCategories(tx, storeId, 'any'), categoryNo), showsProducts: true }
    : { categories: await findCategories(tx, storeId, categoryNo), showsProducts: false };
}

/** All categories below one, null for all. Refuses a tree that is too large with invalid_request. */
async function findTree(tx: Sql, storeId: string, rootNo: number | null): Promise<MenuCategory[]> {
  const all = await findCategories(tx, storeId, 'any');
  const below = new Set<number | null>([rootNo]);
  for (let size = 0; size < below.size; ) {
    size = below.size;
    for (const { categoryNo, parentNo } of all) if (below.has(parentNo)) below.add(categoryNo);
  }
  const tree = all.filter(({ parentNo }) => below.has(parentNo));
  if (tree.length <= MAX_TREE_CATEGORIES) return tree;
  const message = `has more than ${MAX_TREE_CATEGORIES} categories: read a level, or the tree of a category`;
  throw invalidField('query', 'category_tree', message);
}
