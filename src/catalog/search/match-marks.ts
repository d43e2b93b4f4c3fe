import type { ProductIndex } from './product.index.ts';

/** By the position of a product or the number of a category; words of the query are a bit each. */
export type Marks = {
  /** Words that match at all, and the words of them whose best match is unfinished or misspelt. */
  matched: Uint32Array;
  unfinished: Uint32Array;
  misspelt: Uint32Array;
  /** Best grade of the current word. */
  grade: Uint8Array;
  /** One more than the best role of the query's head; 0 without the head. */
  headRole: Uint8Array;
  /** Unsorted positions that match some word, then positions that match the current word, each list with its count. */
  touched: Uint32Array;
  touchedCount: number;
  current: Uint32Array;
  currentCount: number;
};

export type ProductMarks = Marks & {
  /** Number of words that the name matches, and of the words among them that are no measures. */
  nameWords: Uint8Array;
  contentWords: Uint8Array;
  /** 1 where words are apart. */
  isApart: Uint8Array;
  /** Position in the name, plus one, of the current word and of the previous one; 0 for none. */
  wordPosition: Uint8Array;
  previousPosition: Uint8Array;
};

/**
 * Scratch space of one search, used again for every product index: arrays as long as the largest index so far.
 * `prepareMarks` clears the marks of the index before, so a search that ends halfway leaves nothing for the next index.
 */
export type MatchMarks = { products: ProductMarks; categories: Marks };

/** Marks grow by half at least: a search of ever larger indexes makes them anew a few times only. */
const GROWTH = 1.5;
/** Longer than most product indexes, so that a usual search makes its marks once. */
const FIRST_PRODUCTS = 512;
const FIRST_CATEGORIES = 32;

export function createMatchMarks(products = FIRST_PRODUCTS, categories = FIRST_CATEGORIES): MatchMarks {
  return { products: createProductMarks(products), categories: createMarks(categories) };
}

/** Clears the marks of the index before, and makes them long enough for this index. */
export function prepareMarks(marks: MatchMarks, index: ProductIndex): void {
  const { products, categories } = marks;
  if (products.matched.length >= index.productCount) clearProducts(products);
  else marks.products = createProductMarks(grownLength(products, index.productCount));
  if (categories.matched.length >= index.categoryCount) clear(categories);
  else marks.categories = createMarks(grownLength(categories, index.categoryCount));
}

function grownLength({ matched }: Marks, needed: number): number {
  return Math.max(needed, Math.ceil(matched.length * GROWTH));
}

function createMarks(length: number): Marks {
  return {
    matched: new Uint32Array(length),
    unfinished: new Uint32Array(length),
    misspelt: new Uint32Array(length),
    grade: new Uint8Array(length),
    headRole: new Uint8Array(length),
    touched: new Uint32Array(length),
    touchedCount: 0,
    current: new Uint32Array(length),
    currentCount: 0,
  };
}

function createProductMarks(length: number): ProductMarks {
  return {
    ...createMarks(length),
    nameWords: new Uint8Array(length),
    contentWords: new Uint8Array(length),
    isApart: new Uint8Array(length),
    wordPosition: new Uint8Array(length),
    previousPosition: new Uint8Array(length),
  };
}

/** `grade` and `wordPosition` may keep their values: the first match of a word overwrites them. */
function clearProducts(products: ProductMarks): void {
  for (let i = 0; i < products.touchedCount; i += 1) {
    const position = products.touched[i] as number;
    products.nameWords[position] = 0;
    products.contentWords[position] = 0;
    products.isApart[position] = 0;
    products.previousPosition[position] = 0;
  }
  clear(products);
}

function clear(marks: Marks): void {
  for (let i = 0; i < marks.touchedCount; i += 1) {
    const number = marks.touched[i] as number;
    marks.matched[number] = 0;
    marks.unfinished[number] = 0;
    marks.misspelt[number] = 0;
    marks.headRole[number] = 0;
  }
  marks.touchedCount = 0;
}
