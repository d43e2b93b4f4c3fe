import { lowerBound } from '../../lib/columns/lower-bound.ts';
import { NO_CLAIMS } from '../food.ts';
import { gtin14Of } from '../gtin.ts';
import { createIndexTerms, type IndexTerms } from './index-terms.ts';
import type { ProductIndex } from './product.index.ts';
import {
  CATEGORY_WORD,
  HEAD_BIT,
  IN_DELIVERY,
  IN_PICKUP,
  MAX_NAME_WORDS,
  MAX_PRODUCTS,
  NAME_LENGTH_SHIFT,
  PRODUCT_SHIFT,
  SIZE_WORD,
} from './product-layout.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { countHeadWords, countNameWords, productWordsOf } from './product-words.ts';

/** Products as columns, one entry each, in the order of their numbers. */
export type ProductColumns = {
  productNos: Int32Array;
  categoryNos: Int32Array;
  deliveryCents: Int32Array;
  pickupCents: Int32Array;
  /** Cents that the cheapest way to meet the required choices adds. */
  extraCents: Int32Array;
  /** 1 where stock is counted, else 0. */
  counted: Int32Array;
  /** The bits of `foodClaims`. */
  claims: Int32Array;
  /** `IN_DELIVERY` and `IN_PICKUP`. */
  modes: Int32Array;
  names: readonly string[];
  /** Unit size with its unit; may be empty. */
  sizes: readonly string[];
  /** As the feed has them; may be empty. */
  upcCodes: readonly string[];
};

/** The store's leaf categories. */
export type CategoryColumns = { categoryNos: Int32Array; names: readonly string[] };

export type ProductIndexBuilder = {
  /** Appends the products from position `from` up to `to`, without the latter. */
  add(products: ProductColumns, from: number, to: number): void;
  finish(): ProductIndex;
  /** Releases the terms of an index that will not be finished. */
  abandon(): void;
};

/** The builder acquires the terms of the index from `terms`. */
export function createProductIndexBuilder(
  storeId: string,
  categories: CategoryColumns,
  terms: ProductTerms,
): ProductIndexBuilder {
  const indexTerms = createIndexTerms(terms);
  const columns = createColumns();
  const categoryNumbers = addCategories(indexTerms, categories);
  return {
    add(products, from, to) {
      const end = Math.min(to, from + MAX_PRODUCTS - columns.productNos.length);
      for (let at = from; at < end; at += 1) addProduct({ columns, indexTerms, categoryNumbers }, products, at);
    },
    finish: () => ({
      storeId,
      ...packColumns(columns, categoryNumbers.size + 1),
      ...indexTerms.finish(),
      ...sortByGtin(columns.coded),
    }),
    abandon: indexTerms.abandon,
  };
}

type Coded = { gtin: number; position: number };

/** Columns that grow with every product; `coded` has the products with a GTIN. */
type Columns = Record<
  'productNos' | 'deliveryCents' | 'pickupCents' | 'extraCents' | 'counted' | 'claims' | 'flags' | 'categoryOf',
  number[]
> & { coded: Coded[] };

function createColumns(): Columns {
  return {
    productNos: [],
    deliveryCents: [],
    pickupCents: [],
    extraCents: [],
    counted: [],
    claims: [],
    flags: [],
    categoryOf: [],
    coded: [],
  };
}

/** Posts the words of the category names; returns the number of each category within the index. */
function addCategories(indexTerms: IndexTerms, { categoryNos, names }: CategoryColumns): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const [at, categoryNo] of categoryNos.entries()) {
    numbers.set(categoryNo, at);
    for (const word of new Set(productWordsOf(names[at] ?? ''))) {
      indexTerms.post(indexTerms.numberOf(word), (at << PRODUCT_SHIFT) | CATEGORY_WORD);
    }
  }
  return numbers;
}

type Parts = { columns: Columns; indexTerms: IndexTerms; categoryNumbers: ReadonlyMap<number, number> };

function addProduct({ columns, indexTerms, categoryNumbers }: Parts, products: ProductColumns, at: number): void {
  const position = columns.productNos.length;
  const nameLength = postWords(indexTerms, position, products.names[at] ?? '', products.sizes[at] ?? '');
  columns.productNos.push(products.productNos[at] as number);
  columns.deliveryCents.push(products.deliveryCents[at] as number);
  columns.pickupCents.push(products.pickupCents[at] as number);
  columns.extraCents.push(products.extraCents[at] as number);
  columns.counted.push(products.counted[at] as number);
  columns.claims.push(products.claims[at] as number);
  columns.flags.push(((products.modes[at] as number) & (IN_DELIVERY | IN_PICKUP)) | (nameLength << NAME_LENGTH_SHIFT));
  // An unlisted category has no words: the number after all categories stands for every such category.
  columns.categoryOf.push(categoryNumbers.get(products.categoryNos[at] as number) ?? categoryNumbers.size);
  const gtin = gtin14Of(products.upcCodes[at] ?? '');
  if (gtin !== undefined) columns.coded.push({ gtin, position });
}

/** Posts the words of a name and of the size beside it; returns the number of different content words in the name. */
function postWords(indexTerms: IndexTerms, position: number, name: string, size: string): number {
  const inName = productWordsOf(name).slice(0, MAX_NAME_WORDS);
  const numbers = inName.map((word) => indexTerms.numberOf(word));
  const beforeHead = numbers.slice(0, countHeadWords(name, numbers.length));
  const headAt = beforeHead.findLastIndex(indexTerms.isContent);
  const head = headAt < 0 ? numbers.findLastIndex(indexTerms.isContent) : headAt;
  const base = position << PRODUCT_SHIFT;
  let wordPosition = 0;
  for (const [at, number] of numbers.entries()) {
    indexTerms.post(number, (base | (at === head ? HEAD_BIT : 0) | wordPosition) >>> 0);
    if (!indexTerms.isStop(number)) wordPosition += 1;
  }
  if (size !== '') {
    for (const word of productWordsOf(size)) {
      const number = indexTerms.numberOf(word);
      if (!numbers.includes(number)) indexTerms.post(number, (base | SIZE_WORD) >>> 0);
    }
  }
  return new Set(numbers.slice(0, countNameWords(name, numbers.length)).filter(indexTerms.isContent)).size;
}

/** A column whose entries all say the same takes no memory. */
function packColumns(columns: Columns, categoryCount: number) {
  const deliveryCents = Uint32Array.from(columns.deliveryCents);
  const isOnePrice = columns.pickupCents.every((cents, at) => cents === deliveryCents[at]);
  return {
    productNos: Uint32Array.from(columns.productNos),
    deliveryCents,
    pickupCents: isOnePrice ? deliveryCents : Uint32Array.from(columns.pickupCents),
    extraCents: columns.extraCents.some((cents) => cents > 0) ? Uint32Array.from(columns.extraCents) : null,
    counted: columns.counted.some((isCounted) => isCounted > 0) ? Uint8Array.from(columns.counted) : null,
    claims: columns.claims.some((claims) => claims !== NO_CLAIMS) ? Uint32Array.from(columns.claims) : null,
    flags: Uint8Array.from(columns.flags),
    categoryOf: (categoryCount > 0xffff ? Uint32Array : Uint16Array).from(columns.categoryOf),
    categoryCount,
  };
}

/** Products of one GTIN stay in the order of their positions. */
function sortByGtin(coded: readonly Coded[]): Pick<ProductIndex, 'gtins' | 'gtinPositions'> {
  // Sorting plain numbers and looking positions up holds the event loop for a tenth of the time of sorting pairs.
  const gtins = Float64Array.from(coded, ({ gtin }) => gtin).sort();
  const gtinPositions = new Uint32Array(coded.length);
  const taken = new Uint32Array(coded.length);
  for (const { gtin, position } of coded) {
    const first = lowerBound(gtins, gtin);
    gtinPositions[first + (taken[first] as number)] = position;
    taken[first] = (taken[first] as number) + 1;
  }
  return { gtins, gtinPositions };
}
