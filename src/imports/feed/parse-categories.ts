import type { WeeklyHours } from '../../stores/hours.ts';
import {
  addFault,
  type FeedObject,
  faultAt,
  given,
  readObjects,
  requireNewId,
  requireText,
  UNIQUE_IN_STORE,
} from './feed-fields.ts';
import { readMenuHours } from './feed-hours.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import { type FeedProduct, readProduct } from './parse-product.ts';

/** A category and its place among the sub-categories of its parent (null: at the top), counted from 0. */
export type FeedCategory = {
  externalId: string;
  parentId: string | null;
  position: number;
  name: string;
  hours: WeeklyHours | null;
  isLeaf: boolean;
};

/** A product and its place in its category, counted from 0. */
export type PlacedProduct = { product: FeedProduct; categoryId: string; position: number };

/** A catalogue in the order of the feed; parents come before their sub-categories. */
export type FeedCatalogue = { categories: FeedCategory[]; products: PlacedProduct[] };

/** Products of one line: more than any menu has, fewer than exhaust a node. */
const PRODUCTS_PER_LIST = 1_000_000;

type Walk = FeedCatalogue & { categoryIds: Set<string>; productIds: Set<string> };
type Parent = { id: string | null; depth: number };

/** The categories of a store line with their products; ids are unique within the store (docs/feeds.md#categories). */
export function readCatalogue(from: FeedObject): FeedCatalogue {
  const walk: Walk = { categories: [], products: [], categoryIds: new Set(), productIds: new Set() };
  readCategories(from, walk, { id: null, depth: 1 });
  return { categories: walk.categories, products: walk.products };
}

function readCategories(from: FeedObject, walk: Walk, parent: Parent): void {
  const entries = readObjects(from, 'categories', FEED_LIMITS.categoriesPerStore);
  if (entries.length > 0 && parent.depth > FEED_LIMITS.categoryDepth) {
    faultAt(from, 'categories', `expected at most ${FEED_LIMITS.categoryDepth} levels of categories`);
    return;
  }
  entries.forEach((entry, position) => {
    readCategory(entry, walk, parent, position);
  });
}

function readCategory(from: FeedObject, walk: Walk, parent: Parent, position: number): void {
  const externalId = requireNewId(from, walk.categoryIds, UNIQUE_IN_STORE);
  if (walk.categories.length === FEED_LIMITS.categoriesPerStore) {
    addFault(from.report, from.path, `expected at most ${FEED_LIMITS.categoriesPerStore} categories in a store`);
  }
  const hasProducts = hasEntries(from, 'products');
  const hasCategories = hasEntries(from, 'categories');
  if (hasProducts && hasCategories) {
    addFault(from.report, from.path, 'expected sub-categories or products, not both');
  }
  walk.categories.push({
    externalId,
    parentId: parent.id,
    position,
    name: requireText(from, 'name', FEED_LIMITS.nameCharacters),
    hours: readMenuHours(from),
    isLeaf: !hasCategories,
  });
  readCategories(from, walk, { id: externalId, depth: parent.depth + 1 });
  readObjects(from, 'products', PRODUCTS_PER_LIST).forEach((entry, at) => {
    const product = readProduct(entry);
    if (product.externalId !== '' && walk.productIds.has(product.externalId)) faultAt(entry, 'id', UNIQUE_IN_STORE);
    walk.productIds.add(product.externalId);
    walk.products.push({ product, categoryId: externalId, position: at });
  });
}

function hasEntries(from: FeedObject, key: string): boolean {
  const value = given(from, key);
  return Array.isArray(value) && value.length > 0;
}
