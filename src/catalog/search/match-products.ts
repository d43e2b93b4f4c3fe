import { firstFrom } from '../../lib/columns/lower-bound.ts';
import { answersOn, createShelfMarks, type ShelfAnswers, type ShelfMarks } from './mark-matches.ts';
import type { PreparedQuery } from './prepare-query.ts';
import type { Shelf } from './product.index.ts';
import { type AskedMode, modeOf, NAME_LENGTH_SHIFT } from './product-layout.ts';

/** A product that answers a query. */
export type ShelfMatch = {
  productNo: number;
  priceCents: number;
  /** What the cheapest way to meet its required choices adds to the price. */
  extraCents: number;
  /** Whether its stock is counted. */
  isCounted: boolean;
  /** How good an answer it is, smaller is better: few steps, so that what is as good goes by distance and price. */
  quality: number;
  /** Whether the word that says what is meant says so of the product or of its category: milk, and not chocolate with milk. */
  isMeant: boolean;
  /** It has a word of the query in the other number only, singular or plural. */
  isOtherNumber: boolean;
};

/** All words but those of sizes are there; one is unfinished; one is misspelt. */
export const NO_GUESS = 0;
export const GUESSED_END = 1;
export const GUESSED_SPELLING = 2;

/** All sizes are there; some are; none is. It tells apart what needs the same guess of words. */
const ALL_SIZES = 0;
const SOME_SIZES = 1;
const NO_SIZE = 2;
export const SIZE_GUESSES = 3;

/** What counts against a product that is not exactly what was asked for; a word in its category alone is elsewhere. */
const MEANT_BY_ONE = 1;
const MEANT_BY_NONE = 4;
const WORD_ELSEWHERE = 1;
const WORDS_APART = 1;
/** By the number of words that nobody asked for; the last counts for all beyond. */
const WORDS_BESIDE = [0, 1, 2, 2, 3] as const;

/** The quality of what has so much against it: it is what was asked for, or a kind of it; it is close; it mentions it. */
const QUALITY_OF = [0, 1, 1, 2, 2, 3] as const;
/** Qualities of one guess; those of the next one come after. */
export const QUALITIES = 4;
/** All qualities are below. */
export const QUALITY_END = QUALITIES * SIZE_GUESSES * 3;

/** Which guess a quality tells of, of words first and then of sizes; 0 for none. */
export function guessOf(quality: number): number {
  return Math.floor(quality / QUALITIES);
}

/** How words are guessed: `NO_GUESS`, `GUESSED_END` or `GUESSED_SPELLING`. */
export function wordGuessOf(guess: number): number {
  return Math.floor(guess / SIZE_GUESSES);
}

/**
 * The products of a shelf that answer the query and are sold in the mode (null: in either), in the order of their
 * numbers; prices are the mode's, for null that of delivery where it is delivered. Every word must be in the name, in
 * the size beside it or in the category's name, and one at least in the name; a size may be missing. What counts for
 * the quality: guesses most, of words and then of sizes; then whether the word that says what is meant says so of the
 * product too, whether the category has it, whether the words stand together, and how much else the name says.
 */
export function matchShelf(shelf: Shelf, query: PreparedQuery, mode: AskedMode): ShelfMatch[] {
  const matches: ShelfMatch[] = [];
  eachMatch(createShelfMarks(), shelf, query, mode, (match) => matches.push({ ...match }));
  return matches;
}

/**
 * Shows the same to whoever keeps only some of it: one object serves for all, and means another product once `visit`
 * has returned. Gives the steps that it took: what was looked up, and places on the shelf where a word stands. The marks
 * serve one shelf after the other; `visit` must not use them for another one.
 */
export function eachMatch(
  marks: ShelfMarks,
  shelf: Shelf,
  query: PreparedQuery,
  mode: AskedMode,
  visit: (match: Readonly<ShelfMatch>) => void,
): number {
  const { gtins, words } = query;
  if (gtins !== null && shelf.gtins.length === 0) return 1;
  const coded = gtins === null ? null : positionsWith(shelf, gtins);
  const match: ShelfMatch = { ...NAMED_BY_CODE };
  if (words.length === 0) {
    const positions = [...(coded ?? [])].sort((a, b) => a - b);
    for (const position of positions) if (fill(match, shelf, position, mode)) visit(match);
    return 1 + positions.length;
  }
  const answers = answersOn(marks, shelf, words, query.head);
  for (let at = 0; at < answers.positions.length; at += 1) {
    const position = answers.positions[at] as number;
    if ((coded !== null && !coded.has(position)) || !isAnswer(shelf, query, answers, position)) continue;
    if (!fill(match, shelf, position, mode)) continue;
    match.quality = qualityAt(shelf, query, answers, position);
    match.isMeant = isMeant(shelf, query, answers, position);
    match.isOtherNumber = answers.products.isPlural[position] === 1;
    visit(match);
  }
  return answers.steps;
}

const NAMED_BY_CODE: Readonly<ShelfMatch> = {
  productNo: 0,
  priceCents: 0,
  extraCents: 0,
  isCounted: false,
  quality: 0,
  isMeant: true,
  isOtherNumber: false,
};

/** Sets what the shelf says of the product; false where it is not sold in the mode. */
function fill(match: ShelfMatch, shelf: Shelf, position: number, mode: AskedMode): boolean {
  const had = modeOf(shelf.facts[position] as number, mode);
  if (had === undefined) return false;
  match.productNo = shelf.productNos[position] as number;
  match.priceCents = (had === 'pickup' ? shelf.pickupCents : shelf.deliveryCents)[position] as number;
  match.extraCents = shelf.extraCents === null ? 0 : (shelf.extraCents[position] as number);
  match.isCounted = shelf.counted !== null && shelf.counted[position] === 1;
  return true;
}

function isAnswer(shelf: Shelf, { words, required }: PreparedQuery, answers: ShelfAnswers, position: number): boolean {
  const answered = answeredAt(shelf, answers, position);
  if ((answered & required) !== required) return false;
  // What lacks a size is not there for a number in its name.
  const { inName, told } = answers.products;
  return ((answered === 2 ** words.length - 1 ? inName : told)[position] as number) > 0;
}

/** The words that are there at all, a bit each. */
function answeredAt(shelf: Shelf, { products, categories }: ShelfAnswers, position: number): number {
  const category = shelf.categoryOf[position] as number;
  return (products.answered[position] as number) | (categories.answered[category] as number);
}

function sizeGuessOf(sizes: readonly number[], answered: number): number {
  let missing = 0;
  for (const size of sizes) if ((answered & size) !== size) missing += 1;
  return missing === 0 ? ALL_SIZES : missing < sizes.length ? SOME_SIZES : NO_SIZE;
}

function isMeant(shelf: Shelf, { head }: PreparedQuery, answers: ShelfAnswers, position: number): boolean {
  return head < 0 || answers.products.hasHead[position] === 1 || isOfCategory(shelf, head, answers, position);
}

function isOfCategory(shelf: Shelf, head: number, { categories }: ShelfAnswers, position: number): boolean {
  return (((categories.answered[shelf.categoryOf[position] as number] as number) >> head) & 1) === 1;
}

/** A word that is in the name or the size counts as it is there; the category is for the others. */
function wordGuessAt(shelf: Shelf, { products, categories }: ShelfAnswers, position: number): number {
  const category = shelf.categoryOf[position] as number;
  const others = ~(products.answered[position] as number);
  const misspelt = (products.misspelt[position] as number) | ((categories.misspelt[category] as number) & others);
  if (misspelt !== 0) return GUESSED_SPELLING;
  const unfinished = (products.unfinished[position] as number) | ((categories.unfinished[category] as number) & others);
  return unfinished !== 0 ? GUESSED_END : NO_GUESS;
}

function qualityAt(shelf: Shelf, query: PreparedQuery, answers: ShelfAnswers, position: number): number {
  const { sizes, head } = query;
  const { products } = answers;
  const answered = answeredAt(shelf, answers, position);
  const isWhole = products.answered[position] === answered;
  const beside = Math.max(
    0,
    ((shelf.facts[position] as number) >> NAME_LENGTH_SHIFT) - (products.told[position] as number),
  );
  const isApart = products.isApart[position] === 1;
  const isEqual = isWhole && beside === 0 && !isApart;
  const isHead = head < 0 || products.hasHead[position] === 1;
  const isCategory = head >= 0 && isOfCategory(shelf, head, answers, position);
  const against =
    (isHead && isCategory ? 0 : isHead || isCategory ? MEANT_BY_ONE : MEANT_BY_NONE) +
    (isWhole ? 0 : WORD_ELSEWHERE) +
    (isApart ? WORDS_APART : 0) +
    (WORDS_BESIDE[Math.min(beside, WORDS_BESIDE.length - 1)] as number);
  const guess = wordGuessAt(shelf, answers, position) * SIZE_GUESSES + sizeGuessOf(sizes, answered);
  return guess * QUALITIES + (QUALITY_OF[isEqual ? 0 : Math.min(against, QUALITY_OF.length - 1)] as number);
}

function positionsWith({ gtins, gtinPositions }: Shelf, wanted: ReadonlySet<number>): Set<number> {
  const positions = new Set<number>();
  for (const gtin of wanted) {
    for (let at = firstFrom(gtins, gtin); gtins[at] === gtin; at += 1) positions.add(gtinPositions[at] as number);
  }
  return positions;
}
