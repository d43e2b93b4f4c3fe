import { grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import { firstFrom } from './first-from.ts';
import { MISSPELT, PLURAL, UNFINISHED } from './lexicon.ts';
import type { QueryWord } from './prepare-query.ts';
import { HEAD_BIT, PLACE_CATEGORY, PLACE_MASK, PLACE_SIZE, POSITION_SHIFT, type Shelf } from './shelf.ts';

/** Answers by a product's position or a category's number: which words of the query, a bit each, and which only so. */
type Marks = {
  answered: Uint32Array;
  unfinished: Uint32Array;
  misspelt: Uint32Array;
  /** Best grade of the word at hand. */
  grade: Uint8Array;
  /** Numbers that answer a word at all, and those that answer the word at hand, in no order. */
  touched: Uint32Array;
  now: Uint32Array;
};

/** How many numbers are in those lists. */
type Counts = { touched: number; now: number };

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

/** What of a shelf answers at least one word of a query. Good until the next call. */
export type ShelfAnswers = {
  products: ProductMarks;
  categories: Marks;
  /** Words looked up, and postings read: what the time goes by. */
  steps: number;
};

/** Looking a number up in a sorted list costs about as many steps as its length has bits: reading on may be quicker. */
const LOOK_UP_STEPS = 12;

/** Used again for every shelf, and cleared between two. */
const products: ProductMarks = {
  answered: new Uint32Array(0),
  unfinished: new Uint32Array(0),
  misspelt: new Uint32Array(0),
  grade: new Uint8Array(0),
  touched: new Uint32Array(0),
  now: new Uint32Array(0),
  inName: new Uint8Array(0),
  told: new Uint8Array(0),
  hasHead: new Uint8Array(0),
  isApart: new Uint8Array(0),
  isPlural: new Uint8Array(0),
  place: new Uint8Array(0),
  placeBefore: new Uint8Array(0),
};
const categories: Marks = {
  answered: new Uint32Array(0),
  unfinished: new Uint32Array(0),
  misspelt: new Uint32Array(0),
  grade: new Uint8Array(0),
  touched: new Uint32Array(0),
  now: new Uint32Array(0),
};
const productCounts: Counts = { touched: 0, now: 0 };
const categoryCounts: Counts = { touched: 0, now: 0 };

/** Marks what answers each of the words; `head` is the number of the one that says what is meant. */
export function answersOn(shelf: Shelf, words: readonly QueryWord[], head: number): ShelfAnswers {
  growMarks(products, shelf.productNos.length);
  growMarks(categories, shelf.categoryCount);
  const answers: ShelfAnswers = { products, categories, steps: 0 };
  for (const [nth, word] of words.entries()) {
    productCounts.now = 0;
    categoryCounts.now = 0;
    answers.steps += 1 + word.wordIds.length;
    eachListed(shelf.wordIds, word, (at, grade) => {
      const start = shelf.starts[at] as number;
      const end = shelf.starts[at + 1] as number;
      answers.steps += end - start;
      for (let i = start; i < end; i += 1) {
        const posting = shelf.postings[i] as number;
        if ((posting & PLACE_MASK) === PLACE_CATEGORY) markCategory(posting, nth, grade);
        else markProduct(posting, nth, grade, nth === head);
      }
    });
    for (let i = 0; i < productCounts.now; i += 1) {
      settleProduct(products.now[i] as number, 1 << nth, word.isMeasure);
    }
    for (let i = 0; i < categoryCounts.now; i += 1) settle(categories, categories.now[i] as number, 1 << nth);
  }
  return answers;
}

/** Positions that answer a word at all, ascending; those of one word alone nearly always are. */
export function positionsIn(): Uint32Array {
  const positions = products.touched.subarray(0, productCounts.touched);
  for (let i = 1; i < positions.length; i += 1) {
    if ((positions[i] as number) < (positions[i - 1] as number)) return positions.sort();
  }
  return positions;
}

/** Makes room for the next shelf. What a word's first answer sets anew may stay as it is. */
export function clearAnswers(): void {
  for (let i = 0; i < productCounts.touched; i += 1) {
    const position = products.touched[i] as number;
    clear(products, position);
    products.inName[position] = 0;
    products.told[position] = 0;
    products.hasHead[position] = 0;
    products.isApart[position] = 0;
    products.isPlural[position] = 0;
    products.placeBefore[position] = 0;
  }
  for (let i = 0; i < categoryCounts.touched; i += 1) clear(categories, categories.touched[i] as number);
  productCounts.touched = 0;
  categoryCounts.touched = 0;
}

function clear({ answered, unfinished, misspelt }: Marks, number: number): void {
  answered[number] = 0;
  unfinished[number] = 0;
  misspelt[number] = 0;
}

function growMarks(marks: Marks, needed: number): void {
  if (marks.answered.length >= needed) return;
  const arrays = marks as unknown as Record<string, Uint8Array | Uint32Array>;
  for (const [name, array] of Object.entries(arrays)) {
    arrays[name] = array instanceof Uint32Array ? grownUint32(array, needed) : grownUint8(array, needed);
  }
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

function markCategory(posting: number, nth: number, grade: number): void {
  const category = posting >>> POSITION_SHIFT;
  const before = categories.answered[category] as number;
  if ((before >> nth) & 1) {
    categories.grade[category] = Math.min(categories.grade[category] as number, grade);
    return;
  }
  if (before === 0) {
    categories.touched[categoryCounts.touched] = category;
    categoryCounts.touched += 1;
  }
  categories.now[categoryCounts.now] = category;
  categoryCounts.now += 1;
  categories.answered[category] = before | (1 << nth);
  categories.grade[category] = grade;
}

function markProduct(posting: number, nth: number, grade: number, isHead: boolean): void {
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
      products.touched[productCounts.touched] = position;
      productCounts.touched += 1;
    }
    products.now[productCounts.now] = position;
    productCounts.now += 1;
    products.answered[position] = before | (1 << nth);
  }
  products.grade[position] = grade;
  products.place[position] = place;
}

/** Once all that a word finds is marked: takes its best answer. */
function settleProduct(position: number, bit: number, isMeasure: boolean): void {
  if (products.grade[position] === PLURAL) products.isPlural[position] = 1;
  settle(products, position, bit);
  const place = products.place[position] as number;
  if (place === 0) return;
  const before = products.placeBefore[position] as number;
  if (before > 0 && place !== before + 1) products.isApart[position] = 1;
  products.placeBefore[position] = place;
  products.inName[position] = (products.inName[position] as number) + 1;
  if (!isMeasure) products.told[position] = (products.told[position] as number) + 1;
}

function settle({ unfinished, misspelt, grade }: Marks, number: number, bit: number): void {
  if (grade[number] === UNFINISHED) unfinished[number] = (unfinished[number] as number) | bit;
  else if (grade[number] === MISSPELT) misspelt[number] = (misspelt[number] as number) | bit;
}
