import { hash } from 'node:crypto';
import { cleanText } from '../../platform/lib/plain-text.ts';
import {
  asObject,
  FEED_LIMITS,
  type FeedObject,
  type LineFault,
  type LineReport,
  MISSING_TEXT,
  UNIQUE_IN_STORE,
} from '../stores/feed-fields.ts';
import type { MenuWeek } from '../stores/menu-hours.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import { readMenuHours } from './feed-hours.ts';
import { type FeedProduct, readFeedProduct } from './parse-product.ts';

/** The catalog of a store line or a categories file: the category tree, and each product in its category. */

/** A category and its position among its siblings (null parent: top level), from 0. */
export type FeedCategory = {
  externalId: string;
  parentId: string | null;
  position: number;
  name: string;
  hours: MenuWeek | null;
  /** Its own class, for everything below it that has none. */
  taxClass: TaxClass | null;
  isLeaf: boolean;
};

/** A product and its position in its category, from 0. */
export type PlacedProduct = { product: FeedProduct; categoryId: string; position: number };

/** A catalog in feed order, parents before subcategories. */
export type FeedCatalog = { categories: FeedCategory[]; products: PlacedProduct[] };

/** Maximum products per line, more than any menu contains and fewer than would exhaust a node. */
const MAX_PRODUCTS_PER_LIST = 1_000_000;

type Walk = FeedCatalog & { categoryIds: Set<string>; productIds: Set<string>; scaleCodes: Set<string> };
type Parent = { id: string | null; depth: number };

/** The categories of a store line with their products; ids are unique within the store (docs/feed-format.md#categories). */
export function readCatalog(from: FeedObject): FeedCatalog {
  const ids = { categoryIds: new Set<string>(), productIds: new Set<string>(), scaleCodes: new Set<string>() };
  const walk: Walk = { categories: [], products: [], ...ids };
  readCategories(from, walk, { id: null, depth: 1 });
  return { categories: walk.categories, products: walk.products };
}

function readCategories(from: FeedObject, walk: Walk, parent: Parent): void {
  const entries = from.objects('categories', FEED_LIMITS.categoriesPerStore);
  if (entries.length > 0 && parent.depth > FEED_LIMITS.categoryDepth) {
    from.fault('categories', `expected at most ${FEED_LIMITS.categoryDepth} levels of categories`);
    return;
  }
  entries.forEach((entry, position) => {
    readCategory(entry, walk, parent, position);
  });
}

function readCategory(from: FeedObject, walk: Walk, parent: Parent, position: number): void {
  const externalId = from.requireNewId(walk.categoryIds, UNIQUE_IN_STORE);
  if (walk.categories.length === FEED_LIMITS.categoriesPerStore) {
    from.addFault(from.path, `expected at most ${FEED_LIMITS.categoriesPerStore} categories in a store`);
  }
  const hasProducts = hasEntries(from, 'products');
  const hasCategories = hasEntries(from, 'categories');
  if (hasProducts && hasCategories) {
    from.addFault(from.path, 'expected sub-categories or products, not both');
  }
  walk.categories.push({
    externalId,
    parentId: parent.id,
    position,
    name: from.requireText('name', FEED_LIMITS.nameCharacters),
    hours: readMenuHours(from),
    taxClass: from.taxClass() ?? null,
    isLeaf: !hasCategories,
  });
  readCategories(from, walk, { id: externalId, depth: parent.depth + 1 });
  let at = 0;
  for (const entry of from.objects('products', MAX_PRODUCTS_PER_LIST)) {
    const product = readFeedProduct(entry);
    if (product === null) continue;
    if (product.externalId !== '' && walk.productIds.has(product.externalId)) entry.fault('id', UNIQUE_IN_STORE);
    walk.productIds.add(product.externalId);
    const { scaleCode } = product.weight ?? {};
    if (scaleCode && walk.scaleCodes.has(scaleCode)) entry.object('weight')?.fault('scale_code', UNIQUE_IN_STORE);
    if (scaleCode) walk.scaleCodes.add(scaleCode);
    walk.products.push({ product, categoryId: externalId, position: at });
    at += 1;
  }
}

function hasEntries(from: FeedObject, key: string): boolean {
  const value = from.value(key);
  return Array.isArray(value) && value.length > 0;
}

/** A line of a categories file: a product, null if it is left out, and its category path from the top. */
type ParsedProductLine =
  | { ok: true; product: FeedProduct | null; path: readonly string[]; warnings: readonly LineFault[] }
  | { ok: false; faults: readonly LineFault[]; warnings: readonly LineFault[] };

/** The category tree built from a file's paths. Memory grows with categories, not products. */
export type CategoryTree = {
  /**
   * Returns a path's leaf category and the product's position in it, or an error if the leaf has subcategories or a
   * parent has products.
   */
  place(path: readonly string[]): { categoryId: string; position: number } | { fault: string };
  /** In order of first mention, parents first. */
  categories(): FeedCategory[];
};

type Node = { category: FeedCategory; children: Map<string, Node>; productCount: number };

/** Parses a product line's JSON value; reports all errors at once. */
export function parseProductLine(value: unknown): ParsedProductLine {
  const report: LineReport = { faults: [], warnings: [] };
  const from = asObject(value, report);
  if (!from) return { ok: false, ...report };
  const path = readPath(from);
  const product = readFeedProduct(from);
  if (report.faults.length > 0) return { ok: false, ...report };
  return { ok: true, product, path, warnings: report.warnings };
}

function readPath(from: FeedObject): string[] {
  const value = from.value('path');
  if (value === undefined || (Array.isArray(value) && value.length === 0)) from.fault('path', MISSING_TEXT);
  return from.list('path', FEED_LIMITS.categoryDepth).map(({ value: name, path }) => {
    const text = typeof name === 'string' ? cleanText(name) : '';
    const fits = text !== '' && text.length <= FEED_LIMITS.nameCharacters;
    if (!fits) from.addFault(path, `expected text of 1 to ${FEED_LIMITS.nameCharacters} characters`);
    return text;
  });
}

export function createCategoryTree(): CategoryTree {
  const roots = new Map<string, Node>();
  const named: FeedCategory[] = [];

  function childOf(parent: Node | null, path: readonly string[]): Node {
    const siblings = parent?.children ?? roots;
    const name = path.at(-1) ?? '';
    const known = siblings.get(name);
    if (known) return known;
    const category = {
      externalId: categoryIdOf(path),
      parentId: parent?.category.externalId ?? null,
      position: siblings.size,
      name,
      hours: null,
      taxClass: null,
      isLeaf: true,
    };
    const node = { category, children: new Map<string, Node>(), productCount: 0 };
    siblings.set(name, node);
    named.push(category);
    return node;
  }

  return {
    place(path) {
      let node: Node | null = null;
      for (let depth = 1; depth <= path.length; depth += 1) {
        if (node && node.productCount > 0) return { fault: 'expected a category without products above its own' };
        if (node) node.category.isLeaf = false;
        node = childOf(node, path.slice(0, depth));
      }
      if (!node || node.children.size > 0) return { fault: 'expected a category without sub-categories' };
      if (named.length > FEED_LIMITS.categoriesPerStore) {
        return { fault: `expected at most ${FEED_LIMITS.categoriesPerStore} categories in a store` };
      }
      return { categoryId: node.category.externalId, position: node.productCount++ };
    },
    categories: () => named,
  };
}

/** A category's id: its path, or a hash of a path too long for an id. Equal paths are the same category. */
function categoryIdOf(path: readonly string[]): string {
  const text = JSON.stringify(path);
  return text.length <= FEED_LIMITS.idCharacters ? text : hash('sha256', text);
}
