import { grownLength, lowerBound } from 'doorstep/collections';
import type { PreparedQuery, QueryWord } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import {
  CATEGORY_POSITION,
  PRODUCT_SHIFT,
  ROLE_MASK,
  ROLE_SHIFT,
  SIZE_POSITION,
  WORD_POSITION_MASK,
} from './product-layout.ts';
import { MISSPELLED, UNFINISHED } from './term-matches.ts';

/** Match state, by product position or category number. Query words are one bit each. */
class Marks {
  /** Words that matched, and words whose best match is incomplete or misspelled. */
  readonly matched: Uint32Array;
  readonly unfinished: Uint32Array;
  readonly misspelled: Uint32Array;
  /** Best grade of the current word. */
  readonly grade: Uint8Array;
  /** One more than the head's best role; 0 if the head has not matched. */
  readonly headRole: Uint8Array;
  /** Of products: number of words that matched in the name, and of content words among them. */
  readonly nameWords: Uint8Array;
  readonly contentWords: Uint8Array;
  /** 1 if the matched words are not adjacent. */
  readonly isApart: Uint8Array;
  /** Position plus one of the current and the previous word in the name; 0 for none. */
  readonly wordPosition: Uint8Array;
  readonly previousPosition: Uint8Array;
  /** Positions that match any word, then positions that match the current word, unsorted; each with its count. */
  readonly touched: Uint32Array;
  touchedCount = 0;
  readonly current: Uint32Array;
  currentCount = 0;

  constructor(length: number) {
    this.matched = new Uint32Array(length);
    this.unfinished = new Uint32Array(length);
    this.misspelled = new Uint32Array(length);
    this.grade = new Uint8Array(length);
    this.headRole = new Uint8Array(length);
    this.nameWords = new Uint8Array(length);
    this.contentWords = new Uint8Array(length);
    this.isApart = new Uint8Array(length);
    this.wordPosition = new Uint8Array(length);
    this.previousPosition = new Uint8Array(length);
    this.touched = new Uint32Array(length);
    this.current = new Uint32Array(length);
  }

  /** Does not clear `grade` and `wordPosition`, because a word's first match overwrites them. */
  clear(): void {
    for (let i = 0; i < this.touchedCount; i += 1) {
      const number = this.touched[i] as number;
      this.matched[number] = 0;
      this.unfinished[number] = 0;
      this.misspelled[number] = 0;
      this.headRole[number] = 0;
      this.nameWords[number] = 0;
      this.contentWords[number] = 0;
      this.isApart[number] = 0;
      this.previousPosition[number] = 0;
    }
    this.touchedCount = 0;
  }
}

/** Initial length, more than most product indexes, so that a typical search allocates its marks once. */
const INITIAL_PRODUCTS = 512;
const INITIAL_CATEGORIES = 32;

/** Scratch arrays, reused by all product indexes of a search and as long as the largest of them so far. */
export class MatchMarks {
  products: Marks;
  categories: Marks;

  constructor(products = INITIAL_PRODUCTS, categories = INITIAL_CATEGORIES) {
    this.products = new Marks(products);
    this.categories = new Marks(categories);
  }

  /** Clears the previous index's marks, even after a failed search, and makes room for this index. */
  prepare({ productCount, categoryCount }: ProductIndex): void {
    if (this.products.matched.length >= productCount) this.products.clear();
    else this.products = new Marks(grownLength(this.products.matched.length, productCount));
    if (this.categories.matched.length >= categoryCount) this.categories.clear();
    else this.categories = new Marks(grownLength(this.categories.matched.length, categoryCount));
  }
}

/** The matches of at least one query word. Valid until the marks are prepared for the next index. */
export type MarkedMatches = {
  products: Readonly<Marks>;
  categories: Readonly<Marks>;
  /** Positions of products that match by name or size, ascending: the first `count` elements. */
  positions: Uint32Array;
  count: number;
  /** Number of words looked up and postings read. Equal on every node, regardless of other words in its dictionary. */
  steps: number;
};

/** Steps of a binary search: the number of bits of the list's length. A linear search may be cheaper. */
const LOOK_UP_STEPS = 12;

/**
 * Marks the matches of each word. A product that lacks a required word, in its name and in every category, is skipped
 * for later words.
 */
export function markMatches(
  marks: MatchMarks,
  index: ProductIndex,
  { words, head, required, bound }: Pick<PreparedQuery, 'words' | 'head' | 'required' | 'bound'>,
): MarkedMatches {
  marks.prepare(index);
  const { products, categories } = marks;
  let steps = 0;
  /** Required words that no category has, one bit each, so that the product itself must have them. */
  let needed = 0;
  for (let nth = 0; nth < words.length; nth += 1) {
    const word = words[nth] as QueryWord;
    steps += 1 + markWord(marks, index, word, { nth, isHead: nth === head, needed });
    for (let i = 0; i < products.currentCount; i += 1) {
      const position = products.current[i] as number;
      if (((bound >>> nth) & 1) === 1 && !isNext(products, position)) unmark(products, position, 1 << nth);
      else finishProduct(products, position, 1 << nth, word.isMeasure);
    }
    for (let i = 0; i < categories.currentCount; i += 1) finish(categories, categories.current[i] as number, 1 << nth);
    if (categories.currentCount === 0) needed |= required & (1 << nth);
  }
  sortTouched(products);
  return { products, categories, positions: products.touched, count: products.touchedCount, steps };
}

/** The current word: its position in the query, and the words that a product must have matched before. */
type MarkedWord = { nth: number; isHead: boolean; needed: number };

/** Marks the postings of all terms that the index shares with the word's matches; returns their number. */
function markWord(marks: MatchMarks, index: ProductIndex, { termIds, grades }: QueryWord, marked: MarkedWord): number {
  const { data, termCount } = index;
  marks.products.currentCount = 0;
  marks.categories.currentCount = 0;
  const isShort = termIds.length * LOOK_UP_STEPS < termCount;
  let postings = 0;
  let at = 0;
  for (let i = 0; i < termIds.length && at < termCount; i += 1) {
    const wanted = termIds[i] as number;
    if (isShort) at = lowerBound(data, wanted, at, termCount);
    else while (at < termCount && (data[at] as number) < wanted) at += 1;
    if (at < termCount && data[at] === wanted) postings += markTerm(marks, index, at, grades[i] as number, marked);
  }
  return postings;
}

/** Marks the postings of one term; returns their number. */
function markTerm(
  { products, categories }: MatchMarks,
  { data, termCount }: ProductIndex,
  at: number,
  grade: number,
  { nth, isHead, needed }: MarkedWord,
): number {
  const start = data[termCount + at] as number;
  const end = data[termCount + at + 1] as number;
  for (let i = start; i < end; i += 1) {
    const posting = data[i] as number;
    if ((posting & WORD_POSITION_MASK) === CATEGORY_POSITION) markCategory(categories, posting, nth, grade, isHead);
    else if (hasAll(products, posting, needed)) markProduct(products, posting, nth, grade, isHead);
  }
  return end - start;
}

/** Whether the posting's product has matched all of these words. */
function hasAll({ matched }: Marks, posting: number, words: number): boolean {
  return ((matched[posting >>> PRODUCT_SHIFT] as number) & words) === words;
}

/** Sorts the positions, unless they are from a single term and already ascend. */
function sortTouched({ touched, touchedCount }: Marks): void {
  for (let i = 1; i < touchedCount; i += 1) {
    if ((touched[i] as number) > (touched[i - 1] as number)) continue;
    touched.subarray(0, touchedCount).sort();
    return;
  }
}

function markCategory(categories: Marks, posting: number, nth: number, grade: number, isHead: boolean): void {
  const category = posting >>> PRODUCT_SHIFT;
  if (isHead) markRole(categories, category, posting);
  if (((categories.matched[category] as number) >> nth) & 1) {
    categories.grade[category] = Math.min(categories.grade[category] as number, grade);
    return;
  }
  markFirst(categories, category, nth);
  categories.grade[category] = grade;
}

/** Stores the head's best role. */
function markRole({ headRole }: Marks, position: number, posting: number): void {
  const role = ((posting >>> ROLE_SHIFT) & ROLE_MASK) + 1;
  const known = headRole[position] as number;
  if (known === 0 || role < known) headRole[position] = role;
}

/** Marks a word's first match. */
function markFirst(marks: Marks, position: number, nth: number): void {
  const before = marks.matched[position] as number;
  if (before === 0) {
    marks.touched[marks.touchedCount] = position;
    marks.touchedCount += 1;
  }
  marks.current[marks.currentCount] = position;
  marks.currentCount += 1;
  marks.matched[position] = before | (1 << nth);
}

function markProduct(products: Marks, posting: number, nth: number, grade: number, isHead: boolean): void {
  const position = posting >>> PRODUCT_SHIFT;
  const inName = posting & WORD_POSITION_MASK;
  const wordPosition = inName === SIZE_POSITION ? 0 : inName + 1;
  if (isHead) markRole(products, position, posting);
  if (((products.matched[position] as number) >> nth) & 1) {
    const known = products.grade[position] as number;
    // Of equal grades, a match right after the previous word takes precedence, then a match in the name, then the first
    // match.
    const isNext = wordPosition === (products.previousPosition[position] as number) + 1;
    if (grade > known || (grade === known && !isNext && products.wordPosition[position] !== 0)) return;
  } else {
    markFirst(products, position, nth);
  }
  products.grade[position] = grade;
  products.wordPosition[position] = wordPosition;
}

/** Whether the current word directly follows the previous one in the name. */
function isNext({ wordPosition, previousPosition }: Marks, position: number): boolean {
  const previous = previousPosition[position] as number;
  return previous > 0 && wordPosition[position] === previous + 1;
}

function unmark({ matched }: Marks, position: number, bit: number): void {
  matched[position] = (matched[position] as number) & ~bit;
}

/** Records a word's best match once all of its matches are marked. */
function finishProduct(products: Marks, position: number, bit: number, isMeasure: boolean): void {
  finish(products, position, bit);
  const wordPosition = products.wordPosition[position] as number;
  if (wordPosition === 0) return;
  const previous = products.previousPosition[position] as number;
  if (previous > 0 && wordPosition !== previous + 1) products.isApart[position] = 1;
  products.previousPosition[position] = wordPosition;
  products.nameWords[position] = (products.nameWords[position] as number) + 1;
  if (!isMeasure) products.contentWords[position] = (products.contentWords[position] as number) + 1;
}

function finish({ unfinished, misspelled, grade }: Marks, number: number, bit: number): void {
  if (grade[number] === UNFINISHED) unfinished[number] = (unfinished[number] as number) | bit;
  else if (grade[number] === MISSPELLED) misspelled[number] = (misspelled[number] as number) | bit;
}
