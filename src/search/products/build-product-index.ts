import { grown, lowerBound } from 'doorstep/collections';
import { NO_CLAIMS } from '../../supply/catalog/food.ts';
import { gtin14Of } from '../../supply/catalog/gtin.ts';
import { packSize } from '../../supply/catalog/unit-price.ts';
import { decimalOfMilli, type SoldByWeight, sizeOfWeight } from '../../supply/pricing/weight.ts';
import type { ProductIndex, ShelfCounts } from './product.index.ts';
import {
  CATEGORY_POSITION,
  CATEGORY_SHIFT,
  MAX_CATEGORIES,
  MAX_NAME_WORDS,
  MAX_PRODUCTS,
  NAME_LENGTH_SHIFT,
  NO_COLUMN,
  PRODUCT_SHIFT,
  ROLE_SHIFT,
  ROW_CENTS,
  ROW_FACTS,
  ROW_LENGTH,
  ROW_PRODUCT_NO,
  SIZE_POSITION,
  WEIGHED,
} from './product-layout.ts';
import type { ProductTerms, Term } from './product-terms.index.ts';
import {
  AFTER_HEAD,
  AFTER_LIST,
  AND,
  BRACKET,
  CONTENT,
  countWordsBefore,
  productWordsOf,
  STOP,
} from './product-words.ts';
import { layOutShelf } from './shelf.ts';
import {
  MENTION,
  type NamedCategory,
  type NamePhrase,
  type NameWord,
  NO_CATEGORY,
  namedCategoryOf,
  roleInCategory,
  roleOf,
} from './word-roles.ts';

/** A store's products as columns, one entry per product, by product number. */
export type ProductColumns = {
  productNos: Int32Array;
  categoryNos: Int32Array;
  deliveryCents: Int32Array;
  pickupCents: Int32Array;
  /** Cents that the cheapest required choices add. */
  extraCents: Int32Array;
  /** Bits of `foodClaims`. */
  claims: Int32Array;
  /** Codes of the products' own tax classes. */
  taxCodes: Int32Array;
  /** `IN_DELIVERY`, `IN_PICKUP` and `STOCK_COUNT_BIT`. */
  facts: Int32Array;
  names: readonly string[];
  /** Unit size, a space and its unit, both possibly empty; of goods by weight `SoldByWeight` without its code, as JSON. */
  sizes: readonly string[];
  /** Code as in the feed, possibly empty. */
  upcCodes: readonly string[];
};

/** Leaf categories of the store, with the tax class codes that they give their products. */
export type CategoryColumns = { categoryNos: Int32Array; names: readonly string[]; taxCodes: Int32Array };

/** Builds one store's product index and adds its terms to `terms`. */
export class ProductIndexBuilder {
  private readonly storeId: string;
  private readonly terms: ProductTerms;
  private readonly columns = new Columns();
  private readonly indexTerms: IndexTerms;
  private readonly categories: ReadonlyMap<number, IndexedCategory>;
  /** A size's index entry, by its text. Cached, because a store has few distinct sizes. */
  private readonly sizes = new Map<string, { terms: readonly number[]; code: number }>();

  constructor(storeId: string, categories: CategoryColumns, terms: ProductTerms) {
    this.storeId = storeId;
    this.terms = terms;
    this.indexTerms = new IndexTerms(terms);
    this.categories = addCategories(this.indexTerms, categories);
  }

  /** Appends the products from position `from` up to `to`, exclusive. */
  add(products: ProductColumns, from: number, to: number): void {
    const end = Math.min(to, from + MAX_PRODUCTS - this.columns.productNos.length);
    for (let at = from; at < end; at += 1) this.addProduct(products, at);
  }

  /** Returns the number of words that are not indexed because of `MAX_TERMS`. */
  get unindexedWords(): number {
    return this.indexTerms.unindexedWords;
  }

  finish(): ProductIndex {
    const { columns, indexTerms, categories } = this;
    const counts = {
      productCount: columns.productNos.length,
      categoryCount: categories.size + 1,
      termCount: indexTerms.count,
      rowsAt: indexTerms.dataLength,
      ...packRows(columns),
      weightCount: columns.weights.length,
    };
    const index = layOutShelf(this.storeId, counts, columns.coded.length, this.terms);
    indexTerms.writeTo(index.data);
    writeRows(index, columns);
    sortByGtin(columns.coded, index);
    return index;
  }

  private addProduct(products: ProductColumns, at: number): void {
    const { columns, categories } = this;
    const position = columns.productNos.length;
    // Unlisted categories have no words and share the number after the last one.
    const listed = categories.get(products.categoryNos[at] as number);
    const { number, named, taxCode } = listed ?? { number: categories.size, named: NO_CATEGORY, taxCode: 0 };
    const size = this.sizeOf(products.sizes[at] ?? '');
    const nameLength = this.postWords(position, products.names[at] ?? '', size.terms, named);
    columns.productNos.push(products.productNos[at] as number);
    columns.deliveryCents.push(products.deliveryCents[at] as number);
    columns.pickupCents.push(products.pickupCents[at] as number);
    columns.extraCents.push(products.extraCents[at] as number);
    columns.claims.push(products.claims[at] as number);
    columns.taxCodes.push((products.taxCodes[at] as number) || taxCode);
    columns.sizes.push(size.code);
    const facts = (products.facts[at] as number) | (nameLength << NAME_LENGTH_SHIFT) | (number << CATEGORY_SHIFT);
    columns.facts.push(facts >>> 0);
    const gtin = gtin14Of(products.upcCodes[at] ?? '');
    if (gtin !== undefined) columns.coded.push({ gtin, position });
  }

  private sizeOf(text: string) {
    const known = this.sizes.get(text);
    if (known) return known;
    const weight: SoldByWeight | null = text.startsWith('{') ? JSON.parse(text) : null;
    const [, amount = '', unit = ''] = /^(\S*) (.*)$/.exec(text) ?? [];
    const packed = packSize(weight ? sizeOfWeight(weight) : { unitSize: Number(amount), unitOfMeasurement: unit });
    const words = productWordsOf(weight ? `${decimalOfMilli(weight.per)} ${weight.unit}` : text);
    const terms = words.map((word) => this.indexTerms.numberOf(word));
    const code = weight ? WEIGHED + this.columns.weights.length : packed;
    if (weight) this.columns.weights.push([packed, weight.per, weight.step, weight.min, weight.max, weight.piece ?? 0]);
    const size = { terms, code };
    this.sizes.set(text, size);
    return size;
  }

  /** Adds postings for the words of a name and its size; returns the number of distinct content words in the name. */
  private postWords(position: number, name: string, inSize: readonly number[], category: NamedCategory): number {
    const { indexTerms } = this;
    const inName = productWordsOf(name);
    const numbers: number[] = [];
    for (const word of inName) if (numbers.length < MAX_NAME_WORDS) numbers.push(indexTerms.numberOf(word));
    const phrase = namePhrase(indexTerms, name, numbers);
    const base = position << PRODUCT_SHIFT;
    let wordPosition = 0;
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] as number;
      const role = roleOf(phrase, at, category);
      indexTerms.post(number, (base | (role << ROLE_SHIFT) | wordPosition) >>> 0);
      if (!indexTerms.isStop(number)) wordPosition += 1;
    }
    for (const number of inSize) {
      if (!numbers.includes(number)) indexTerms.post(number, (base | (MENTION << ROLE_SHIFT) | SIZE_POSITION) >>> 0);
    }
    return countContent(indexTerms, numbers, countWordsBefore(BRACKET, name, numbers.length));
  }
}

type CodedProduct = { gtin: number; position: number };

/** Columns that every product adds to; `coded` has the products with a GTIN. */
class Columns {
  readonly productNos: number[] = [];
  readonly deliveryCents: number[] = [];
  readonly pickupCents: number[] = [];
  readonly extraCents: number[] = [];
  readonly claims: number[] = [];
  readonly taxCodes: number[] = [];
  readonly sizes: number[] = [];
  /** Entries of `WEIGHED`. */
  readonly weights: number[][] = [];
  readonly facts: number[] = [];
  readonly coded: CodedProduct[] = [];
}

/** A category's number within the index, its name prepared for comparison with product names, and its tax code. */
type IndexedCategory = { number: number; named: NamedCategory; taxCode: number };

/** Adds postings for the words of category names. */
function addCategories(indexTerms: IndexTerms, { categoryNos, names, taxCodes }: CategoryColumns) {
  const categories = new Map<number, IndexedCategory>();
  for (const [at, categoryNo] of categoryNos.subarray(0, MAX_CATEGORIES).entries()) {
    const name = names[at] ?? '';
    const numbers = productWordsOf(name).map((word) => indexTerms.numberOf(word));
    const phrase = namePhrase(indexTerms, name, numbers);
    for (const [position, number] of numbers.entries()) {
      if (numbers.indexOf(number) !== position) continue;
      const role = roleInCategory(phrase, position);
      indexTerms.post(number, ((at << PRODUCT_SHIFT) | (role << ROLE_SHIFT) | CATEGORY_POSITION) >>> 0);
    }
    categories.set(categoryNo, { number: at, named: namedCategoryOf(phrase), taxCode: taxCodes[at] as number });
  }
  return categories;
}

/** Separators count only after a content word, because "12 oz, Milk" is milk. */
function namePhrase(indexTerms: IndexTerms, name: string, numbers: readonly number[]): NamePhrase {
  const words = numbers.map((number) => indexTerms.nameWord(number));
  const end = countWordsBefore(AFTER_HEAD, name, words.length);
  const hasContent = numbers.findIndex((number) => indexTerms.isContent(number)) < end;
  const andEnd = countWordsBefore(AND, name, words.length);
  if (!hasContent) return { words, end: words.length, listEnd: words.length, andEnd };
  return { words, end, andEnd, listEnd: name.includes('/') ? countWordsBefore(AFTER_LIST, name, words.length) : end };
}

/** Counts the distinct content words before `end`. */
function countContent(indexTerms: IndexTerms, numbers: readonly number[], end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) {
    const number = numbers[at] as number;
    if (indexTerms.isContent(number) && numbers.indexOf(number) === at) count += 1;
  }
  return count;
}

type Rows = Pick<ShelfCounts, 'rowLength' | 'pickupAt' | 'extraAt' | 'claimsAt' | 'taxAt' | 'sizeAt'>;

/** Packs the rows, without columns whose entries are all the default. */
function packRows({ deliveryCents, pickupCents, extraCents, claims, taxCodes, sizes }: Columns): Rows {
  let rowLength = ROW_LENGTH;
  const columnIf = (isNeeded: boolean): number => {
    if (!isNeeded) return NO_COLUMN;
    rowLength += 1;
    return rowLength - 1;
  };
  const pickupAt = columnIf(pickupCents.some((cents, at) => cents !== deliveryCents[at]));
  const extraAt = columnIf(extraCents.some((cents) => cents > 0));
  const claimsAt = columnIf(claims.some((stated) => stated !== NO_CLAIMS));
  const taxAt = columnIf(taxCodes.some((code) => code !== 0));
  const sizeAt = columnIf(sizes.some((size) => size !== 0));
  return { rowLength, pickupAt, extraAt, claimsAt, taxAt, sizeAt };
}

function writeRows(
  { data, rowsAt, rowLength, pickupAt, extraAt, claimsAt, taxAt, sizeAt }: ProductIndex,
  columns: Columns,
): void {
  for (let at = 0, row = rowsAt; at < columns.productNos.length; at += 1, row += rowLength) {
    data[row + ROW_PRODUCT_NO] = columns.productNos[at] as number;
    data[row + ROW_CENTS] = columns.deliveryCents[at] as number;
    data[row + ROW_FACTS] = columns.facts[at] as number;
    if (pickupAt !== NO_COLUMN) data[row + pickupAt] = columns.pickupCents[at] as number;
    if (extraAt !== NO_COLUMN) data[row + extraAt] = columns.extraCents[at] as number;
    if (claimsAt !== NO_COLUMN) data[row + claimsAt] = columns.claims[at] as number;
    if (taxAt !== NO_COLUMN) data[row + taxAt] = columns.taxCodes[at] as number;
    if (sizeAt !== NO_COLUMN) data[row + sizeAt] = columns.sizes[at] as number;
  }
  data.set(columns.weights.flat(), rowsAt + columns.productNos.length * rowLength);
}

/** Sorts by GTIN; products with the same GTIN keep their order. */
function sortByGtin(coded: readonly CodedProduct[], { gtins, gtinPositions }: ProductIndex): void {
  // Sorting plain numbers and looking up their positions takes a tenth of the time of sorting pairs.
  for (const [at, { gtin }] of coded.entries()) gtins[at] = gtin;
  gtins.sort();
  const taken = new Uint32Array(coded.length);
  for (const { gtin, position } of coded) {
    const first = lowerBound(gtins, gtin);
    gtinPositions[first + (taken[first] as number)] = position;
    taken[first] = (taken[first] as number) + 1;
  }
}

/** Maximum distinct terms per index. Any further word becomes `NO_WORD`, which no query contains. */
const MAX_TERMS = 100_000;
const NO_WORD = '';

/** The distinct terms of an index under construction, numbered from 0, and their postings. */
class IndexTerms {
  private readonly terms: ProductTerms;
  private readonly numbers = new Map<string, number>();
  private readonly termIds: number[] = [];
  private readonly known: Term[] = [];
  private readonly counts: number[] = [];
  /** Postings in order of arrival, each with its term's number. */
  private postings = new Uint32Array(1024);
  private postingTerms = new Uint32Array(1024);
  private postingCount = 0;
  /** Terms that no other index had before. */
  private added = 0;
  unindexedWords = 0;

  constructor(terms: ProductTerms) {
    this.terms = terms;
  }

  /** Returns the term's number in the index, and adds a new one to `terms`. */
  numberOf(word: string): number {
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    const mayHave = this.numbers.size < MAX_TERMS && this.terms.mayHave(word, this.added);
    if (!mayHave && word !== NO_WORD) {
      this.unindexedWords += 1;
      return this.numberOf(NO_WORD);
    }
    const number = this.numbers.size;
    this.numbers.set(word, number);
    const before = this.terms.termCount;
    const termId = this.terms.add(word);
    this.added += this.terms.termCount - before;
    this.termIds.push(termId);
    this.known.push(this.terms.at(termId));
    this.counts.push(0);
    return number;
  }

  /** Whether the term is a content word: neither a stop word nor a measure. */
  isContent(number: number): boolean {
    return this.known[number]?.kind === CONTENT;
  }

  isStop(number: number): boolean {
    return this.known[number]?.kind === STOP;
  }

  nameWord(number: number): NameWord {
    return (this.known[number] as Term).nameWord;
  }

  post(number: number, posting: number): void {
    const at = this.postingCount;
    this.postingCount += 1;
    if (at === this.postings.length) {
      this.postings = grown(this.postings, this.postingCount);
      this.postingTerms = grown(this.postingTerms, this.postingCount);
    }
    this.postings[at] = posting;
    this.postingTerms[at] = number;
    this.counts[number] = (this.counts[number] as number) + 1;
  }

  get count(): number {
    return this.termIds.length;
  }

  /** Length of the terms with their postings. */
  get dataLength(): number {
    return 2 * this.count + 1 + this.postingCount;
  }

  /** Writes terms sorted by their numbers in `ProductTerms`, and their postings in the order of arrival. */
  writeTo(data: Uint32Array): void {
    const { termIds, counts, postings, postingTerms, count } = this;
    const sorted = [...termIds.keys()].sort((a, b) => (termIds[a] as number) - (termIds[b] as number));
    const postingStart = new Uint32Array(count);
    let start = 2 * count + 1;
    for (const [at, number] of sorted.entries()) {
      data[at] = termIds[number] as number;
      data[count + at] = start;
      postingStart[number] = start;
      start += counts[number] as number;
    }
    data[2 * count] = start;
    for (let at = 0; at < this.postingCount; at += 1) {
      const number = postingTerms[at] as number;
      const position = postingStart[number] as number;
      data[position] = postings[at] as number;
      postingStart[number] = position + 1;
    }
  }
}
