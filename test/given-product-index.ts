import {
  type CategoryColumns,
  createShelfBuilder,
  type ProductColumns,
} from '../src/catalog/search/build-product-index.ts';
import { matchShelf } from '../src/catalog/search/match-products.ts';
import { prepareQuery } from '../src/catalog/search/prepare-query.ts';
import type { Shelf } from '../src/catalog/search/product.index.ts';
import { type AskedMode, IN_DELIVERY, IN_PICKUP } from '../src/catalog/search/product-layout.ts';
import { createLexicon, type Lexicon } from '../src/catalog/search/product-terms.index.ts';

type Stocked = {
  name: string;
  category?: string;
  size?: string;
  upc?: string;
  deliveryCents?: number;
  pickupCents?: number;
  modes?: number;
};

/** A shelf of the products, numbered from 1. */
export function shelfOf(
  products: readonly Stocked[],
  lexicon: Lexicon = createLexicon(),
): { shelf: Shelf; lexicon: Lexicon } {
  const names = [...new Set(products.map(({ category }) => category ?? 'All'))];
  const categories: CategoryColumns = { categoryNos: Int32Array.from(names.keys(), (at) => at + 7), names };
  const integers = (of: (product: Stocked, at: number) => number) => Int32Array.from(products, of);
  const columns: ProductColumns = {
    productNos: integers((_, at) => at + 1),
    categoryNos: integers(({ category }) => names.indexOf(category ?? 'All') + 7),
    deliveryCents: integers(({ deliveryCents }) => deliveryCents ?? 100),
    pickupCents: integers(({ pickupCents, deliveryCents }) => pickupCents ?? deliveryCents ?? 100),
    extraCents: integers(() => 0),
    counted: integers(() => 0),
    modes: integers(({ modes }) => modes ?? IN_DELIVERY | IN_PICKUP),
    names: products.map(({ name }) => name),
    sizes: products.map(({ size }) => size ?? ''),
    upcCodes: products.map(({ upc }) => upc ?? ''),
  };
  const builder = createShelfBuilder('5f0000000000000000000001', categories, lexicon);
  builder.add(columns, 0, Math.floor(products.length / 2));
  builder.add(columns, Math.floor(products.length / 2), products.length);
  return { shelf: builder.finish(), lexicon };
}

/** Asks a shelf of the products. */
export function asking(products: readonly Stocked[]) {
  const { shelf, lexicon } = shelfOf(products);
  const ask = (text: string, gtins: ReadonlySet<number> | null = null, mode: AskedMode = null) =>
    matchShelf(shelf, prepareQuery(text, lexicon, gtins), mode);
  return {
    /** Names of what answers, best first, and of equals in the order of the shelf. */
    names: (text: string) =>
      ask(text)
        .sort((a, b) => a.quality - b.quality || a.productNo - b.productNo)
        .map(({ productNo }) => products[productNo - 1]?.name),
    quality: (text: string, name: string) =>
      ask(text).find(({ productNo }) => products[productNo - 1]?.name === name)?.quality,
    ask,
  };
}

export const named = (...names: string[]) => names.map((name) => ({ name }));
