import { firstFrom } from '../../lib/columns/lower-bound.ts';
import type { QueryWord } from './prepare-query.ts';
import type { Shelf } from './product.index.ts';
import { HEAD_BIT, PLACE_CATEGORY, PLACE_MASK, PLACE_SIZE, POSITION_SHIFT } from './product-layout.ts';
import { MISSPELT, PLURAL, UNFINISHED } from './term-matches.ts';

/** Answers by a product's position or a category's number: which words of the query, a bit each, and which only so. */
type Marks = {
  answered: Uint32Array;
  unfinished: Uint32Array;
  misspelt: Uint32Array;
  /** Best grade of the word at hand. */
  grade: Uint8Array;
  /** Numbers that answer a word at all, and those that answer the word at hand, in no order, and how many they are. */
  touched: Uint32Array;
  touchedCount: number;
  now: Uint32Array;
  nowCount: number;
};

type ProductMarks = Marks & {
  /** Words answered in the name, and those of them that are no measures. */
  inName: Uint8Array;
  told: Uint8Array;
  /** 1 where the word that says what is meant says so of the product; where words do not stand together; in the plural. */
  hasHead: Uint8Array;
  isApart: Uint8Array;
  isPlural: Uint8Array;
  /** Place in the name, plus one, of the word at hand and of the one before; 0 for none. */
  place: Uint8Array;
  placeBefore: Uint8Array;
};

/**
 * Scratch space of one search, used again for every shelf: arrays as long as the largest shelf so far. `answersOn` clears
 * the marks of the shelf before, so a search that ended halfway leaves nothing behind for the next shelf.
 */
export type ShelfMarks = { products: ProductMarks; categories: Marks };

/** What of a shelf answers at least one word of a query. Good until the marks are used for the next shelf. */
export type ShelfAnswers = {
  products: Readonly<ProductMarks>;
  categories: Readonly<Marks>;
  /** Positions of products that answer a word at all, ascending. */
  positions: Uint32Array;
  /** Words looked up, and postings read: what the time goes by. */
  steps: number;
};

/** Looking a number up in a sorted list costs about as many steps as its length has bits: reading on may be quicker. */
const LOOK_UP_STEPS = 12;

/** Marks grow by half at least, so that a search of ever larger shelves makes them anew a few times only. */
const GROWTH = 1.5;

export function createShelfMarks(): ShelfMarks {
  return { products: createProductMarks(0), categories: createMarks(0) };
}

/** Marks what answers each of the words; `head` is the number of the one that says what is meant. */
export function answersOn(marks: ShelfMarks, shelf: Shelf, words: readonly QueryWord[], head: number): ShelfAnswers {
  makeReady(marks, shelf);
  const { products, categories } = marks;
  let steps = 0;
  for (const [nth, word] of words.entries()) {
    products.nowCount = 0;
    categories.nowCount = 0;
    steps += 1 + word.wordIds.length;
    eachListed(shelf.wordIds, word, (at, grade) => {
      const start = shelf.starts[at] as number;
      const end = shelf.starts[at + 1] as number;
      steps += end - start;
      for (let i = start; i < end; i += 1) {
        const posting = shelf.postings[i] as number;
        if ((posting & PLACE_MASK) === PLACE_CATEGORY) markCategory(categories, posting, nth, grade);
        else markProduct(products, posting, nth, grade, nth === head);
      }
    });
    for (let i = 0; i < products.nowCount; i += 1) {
      finishProduct(products, products.now[i] as number, 1 << nth, word.isMeasure);
    }
    for (let i = 0; i < categories.nowCount; i += 1) finish(categories, categories.now[i] as number, 1 << nth);
  }
  return { products, categories, positions: positionsIn(products), steps };
}

/** Those of one word alone nearly always ascend already. */
function positionsIn({ touched, touchedCount }: ProductMarks): Uint32Array {
  const positions = touched.subarray(0, touchedCount);
  for (let i = 1; i < positions.length; i += 1) {
    if ((positions[i] as number) < (positions[i - 1] as number)) return positions.sort();
  }
  return positions;
}

/** Clears the marks of the shelf before, and makes them long enough for this one. */
function makeReady(marks: ShelfMarks, shelf: Shelf): void {
  const { products, categories } = marks;
  if (products.answered.length >= shelf.productNos.length) clearProducts(products);
  else marks.products = createProductMarks(grownLength(products, shelf.productNos.length));
  if (categories.answered.length >= shelf.categoryCount) clear(categories);
  else marks.categories = createMarks(grownLength(categories, shelf.categoryCount));
}

function grownLength({ answered }: Marks, needed: number): number {
  return Math.max(needed, Math.ceil(answered.length * GROWTH));
}

function createMarks(length: number): Marks {
  return {
    answered: new Uint32Array(length),
    unfinished: new Uint32Array(length),
    misspelt: new Uint32Array(length),
    grade: new Uint8Array(length),
    touched: new Uint32Array(length),
    touchedCount: 0,
    now: new Uint32Array(length),
    nowCount: 0,
  };
}

function createProductMarks(length: number): ProductMarks {
  return {
    ...createMarks(length),
    inName: new Uint8Array(length),
    told: new Uint8Array(length),
    hasHead: new Uint8Array(length),
    isApart: new Uint8Array(length),
    isPlural: new Uint8Array(length),
    place: new Uint8Array(length),
    placeBefore: new Uint8Array(length),
  };
}

/** What a word's first answer sets anew, `grade` and `place`, may stay as it is. */
function clearProducts(products: ProductMarks): void {
  for (let i = 0; i < products.touchedCount; i += 1) {
    const position = products.touched[i] as number;
    products.inName[position] = 0;
    products.told[position] = 0;
    products.hasHead[position] = 0;
    products.isApart[position] = 0;
    products.isPlural[position] = 0;
    products.placeBefore[position] = 0;
  }
  clear(products);
}

function clear(marks: Marks): void {
  for (let i = 0; i < marks.touchedCount; i += 1) {
    const number = marks.touched[i] as number;
    marks.answered[number] = 0;
    marks.unfinished[number] = 0;
    marks.misspelt[number] = 0;
  }
  marks.touchedCount = 0;
}

/** Visits the places of those numbers that both lists have, both ascending, with the grade of each. */
function eachListed(
  listed: Uint32Array,
  { wordIds, grades }: QueryWord,
  visit: (at: number, grade: number) => void,
): void {
  const isFew = wordIds.length * LOOK_UP_STEPS < listed.length;
  let at = 0;
  for (let i = 0; i < wordIds.length && at < listed.length; i += 1) {
    const wanted = wordIds[i] as number;
    if (isFew) at = firstFrom(listed, wanted, at);
    else while (at < listed.length && (listed[at] as number) < wanted) at += 1;
    if (listed[at] === wanted) visit(at, grades[i] as number);
  }
}

function markCategory(categories: Marks, posting: number, nth: number, grade: number): void {
  const category = posting >>> POSITION_SHIFT;
  const before = categories.answered[category] as number;
  if ((before >> nth) & 1) {
    categories.grade[category] = Math.min(categories.grade[category] as number, grade);
    return;
  }
  if (before === 0) {
    categories.touched[categories.touchedCount] = category;
    categories.touchedCount += 1;
  }
  categories.now[categories.nowCount] = category;
  categories.nowCount += 1;
  categories.answered[category] = before | (1 << nth);
  categories.grade[category] = grade;
}

function markProduct(products: ProductMarks, posting: number, nth: number, grade: number, isHead: boolean): void {
  const position = posting >>> POSITION_SHIFT;
  const where = posting & PLACE_MASK;
  const place = where === PLACE_SIZE ? 0 : where + 1;
  const before = products.answered[position] as number;
  if (isHead && (posting & HEAD_BIT) !== 0) products.hasHead[position] = 1;
  if ((before >> nth) & 1) {
    const known = products.grade[position] as number;
    // Of equal ones the first counts, but one in the name before the size, and one right after the word before.
    const isNext = place === (products.placeBefore[position] as number) + 1;
    if (grade > known || (grade === known && !isNext && products.place[position] !== 0)) return;
  } else {
    if (before === 0) {
      products.touched[products.touchedCount] = position;
      products.touchedCount += 1;
    }
    products.now[products.nowCount] = position;
    products.nowCount += 1;
    products.answered[position] = before | (1 << nth);
  }
  products.grade[position] = grade;
  products.place[position] = place;
}

/** Once all that a word finds is marked: takes its best answer. */
function finishProduct(products: ProductMarks, position: number, bit: number, isMeasure: boolean): void {
  if (products.grade[position] === PLURAL) products.isPlural[position] = 1;
  finish(products, position, bit);
  const place = products.place[position] as number;
  if (place === 0) return;
  const before = products.placeBefore[position] as number;
  if (before > 0 && place !== before + 1) products.isApart[position] = 1;
  products.placeBefore[position] = place;
  products.inName[position] = (products.inName[position] as number) + 1;
  if (!isMeasure) products.told[position] = (products.told[position] as number) + 1;
}

function finish({ unfinished, misspelt, grade }: Marks, number: number, bit: number): void {
  if (grade[number] === UNFINISHED) unfinished[number] = (unfinished[number] as number) | bit;
  else if (grade[number] === MISSPELT) misspelt[number] = (misspelt[number] as number) | bit;
}
