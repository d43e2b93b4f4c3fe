import { hash } from 'node:crypto';
import { cleanText } from '../../lib/clean-text.ts';
import { parseOsmHours } from '../../stores/osm-hours.ts';
import {
  addFault,
  asObject,
  type FeedObject,
  faultAt,
  given,
  type LineFault,
  type LineReport,
  MISSING_TEXT,
  type ReadOsmHours,
  readList,
} from './feed-fields.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import type { FeedCategory } from './parse-categories.ts';
import { type FeedProduct, readProduct } from './parse-product.ts';

/** A line of a categories file: a product and the names of its categories from the top down. */
export type ParsedProductLine =
  | { ok: true; product: FeedProduct; path: readonly string[]; warnings: readonly LineFault[] }
  | { ok: false; faults: readonly LineFault[]; warnings: readonly LineFault[] };

/** The categories that the paths of a file have named so far. Memory grows with the categories, not with the products. */
export type CategoryTree = {
  /** The leaf category of a path and the product's position in it; a fault where the leaf has sub-categories, or a category above it has products. */
  place(path: readonly string[]): { categoryId: string; position: number } | { fault: string };
  /** In the order in which they were first named, parents first. */
  categories(): FeedCategory[];
};

type Node = { category: FeedCategory; children: Map<string, Node>; productCount: number };

/** Reads the JSON value of one product line; all its faults are reported at once. */
export function parseProductLine(value: unknown, readOsmHours: ReadOsmHours = parseOsmHours): ParsedProductLine {
  const report: LineReport = { faults: [], warnings: [] };
  const from = asObject(value, null, { report, readOsmHours });
  if (!from) return { ok: false, ...report };
  const path = readPath(from);
  const product = readProduct(from);
  if (report.faults.length > 0) return { ok: false, ...report };
  return { ok: true, product, path, warnings: report.warnings };
}

function readPath(from: FeedObject): string[] {
  const value = given(from, 'path');
  if (value === undefined || (Array.isArray(value) && value.length === 0)) faultAt(from, 'path', MISSING_TEXT);
  return readList(from, 'path', FEED_LIMITS.categoryDepth).map(({ value: name, path }) => {
    const text = typeof name === 'string' ? cleanText(name) : '';
    const fits = text !== '' && text.length <= FEED_LIMITS.nameCharacters;
    if (!fits) addFault(from.report, path, `expected text of 1 to ${FEED_LIMITS.nameCharacters} characters`);
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

/** The id of a category: its path, or a hash of a path that is too long for an id. The same path is the same category. */
function categoryIdOf(path: readonly string[]): string {
  const text = JSON.stringify(path);
  return text.length <= FEED_LIMITS.idCharacters ? text : hash('sha256', text);
}
