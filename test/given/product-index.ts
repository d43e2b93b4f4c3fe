import {
  type CategoryColumns,
  type ProductColumns,
  ProductIndexBuilder,
} from '../../src/search/products/build-product-index.ts';
import { MatchMarks } from '../../src/search/products/mark-matches.ts';
import { type ProductMatch, visitCategoryMatches, visitMatches } from '../../src/search/products/match-products.ts';
import { type PreparedQuery, readQuery } from '../../src/search/products/prepare-query.ts';
import type { ProductIndex } from '../../src/search/products/product.index.ts';
import { IN_DELIVERY, IN_PICKUP, type RequestedMode } from '../../src/search/products/product-layout.ts';
import { ProductTerms } from '../../src/search/products/product-terms.index.ts';

type GivenProduct = {
  name: string;
  category?: string;
  size?: string;
  upc?: string;
  deliveryCents?: number;
  pickupCents?: number;
  modes?: number;
  claims?: number;
};

export function productIndexOf(
  products: readonly GivenProduct[],
  terms: ProductTerms = new ProductTerms(),
): { index: ProductIndex; terms: ProductTerms; unindexedWords: number } {
  const names = [...new Set(products.map(({ category }) => category ?? 'All'))];
  const categories: CategoryColumns = {
    categoryNos: Int32Array.from(names.keys(), (at) => at + 7),
    names,
    taxCodes: new Int32Array(names.length),
  };
  const integers = (of: (product: GivenProduct, at: number) => number) => Int32Array.from(products, of);
  const columns: ProductColumns = {
    productNos: integers((_, at) => at + 1),
    categoryNos: integers(({ category }) => names.indexOf(category ?? 'All') + 7),
    deliveryCents: integers(({ deliveryCents }) => deliveryCents ?? 100),
    pickupCents: integers(({ pickupCents, deliveryCents }) => pickupCents ?? deliveryCents ?? 100),
    extraCents: integers(() => 0),
    claims: integers(({ claims }) => claims ?? 0),
    taxCodes: integers(() => 0),
    facts: integers(({ modes }) => modes ?? IN_DELIVERY | IN_PICKUP),
    names: products.map(({ name }) => name),
    sizes: products.map(({ size }) => size ?? ''),
    upcCodes: products.map(({ upc }) => upc ?? ''),
  };
  const builder = new ProductIndexBuilder('5f0000000000000000000001', categories, terms);
  builder.add(columns, 0, Math.floor(products.length / 2));
  builder.add(columns, Math.floor(products.length / 2), products.length);
  return { index: builder.finish(), terms, unindexedWords: builder.unindexedWords };
}

/** A text as typed, without its other readings. */
export const prepareQuery = (text: string, terms: ProductTerms, gtins: ReadonlySet<number> | null = null, claims = 0) =>
  readQuery(text, terms, [], gtins, claims).typed;

/** All matches of a query, by product number. */
export function matchProducts(index: ProductIndex, query: PreparedQuery, mode: RequestedMode): ProductMatch[] {
  const matches: ProductMatch[] = [];
  visitMatches(new MatchMarks(), index, query, mode, (match) => matches.push({ ...match }));
  return matches;
}

/** The matches by category and not by name, by product number. */
function matchCategories(index: ProductIndex, query: PreparedQuery, mode: RequestedMode): ProductMatch[] {
  const matches: ProductMatch[] = [];
  visitCategoryMatches(new MatchMarks(), index, query, mode, (match) => matches.push({ ...match }));
  return matches;
}

export function searching(products: readonly GivenProduct[]) {
  const { index, terms } = productIndexOf(products);
  const match = (text: string, gtins: ReadonlySet<number> | null = null, mode: RequestedMode = null, claims = 0) =>
    matchProducts(index, prepareQuery(text, terms, gtins, claims), mode);
  const byCategory = (text: string, mode: RequestedMode = null, claims = 0) =>
    matchCategories(index, prepareQuery(text, terms, null, claims), mode);
  return {
    /** Names of the matches, best first; equal matches by product number. */
    names: (text: string) =>
      match(text)
        .sort((a, b) => a.quality - b.quality || a.productNo - b.productNo)
        .map(({ productNo }) => products[productNo - 1]?.name),
    match,
    byCategory,
  };
}

export const named = (...names: string[]) => names.map((name) => ({ name }));
