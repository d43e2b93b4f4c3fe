import { lowerBound } from 'doorstep/collections';
import { hasClaims, NO_CLAIMS } from '../../supply/catalog/food.ts';
import { type MarkedMatches, type MatchMarks, markMatches } from './mark-matches.ts';
import type { PreparedQuery } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import {
  categoryAt,
  NAME_LENGTH_MASK,
  NAME_LENGTH_SHIFT,
  NO_COLUMN,
  type RequestedMode,
  ROW_CENTS,
  ROW_FACTS,
  ROW_PRODUCT_NO,
  rowStart,
  STOCK_COUNT_BIT,
  soldMode,
  WEIGHED,
  WEIGHT_LENGTH,
  weightsStart,
} from './product-layout.ts';
import { INGREDIENT, ITSELF, MENTION, VARIANT } from './word-roles.ts';

/** A product that matches a query. */
export type ProductMatch = {
  productNo: number;
  priceCents: number;
  /** Cents that its cheapest required choices add. */
  extraCents: number;
  /** Tax class code; 0: the store's default. */
  taxCode: number;
  /** Packed size of a package, or the amount a price by weight is for (`packSize`). */
  size: number;
  /** Where the index has how it is sold by weight (`weightIn`); 0: by the piece. */
  weightAt: number;
  /** Whether its stock is counted. */
  isCounted: boolean;
  /** How well it matches; smaller is better. There are few steps, so that distance and price decide within one. */
  quality: number;
  /** The role of the query's head in the product: the product itself, a kind of it, or an ingredient. */
  role: number;
};

/**
 * Grades of guessed words: every required word matches exactly in the name, or with the category or the store's cuisine;
 * one is incomplete; one is misspelled.
 */
export const NO_GUESS = 0;
const BY_SHELF = 1;
export const GUESSED_END = 2;
export const GUESSED_SPELLING = 3;

/** Grades of guessed sizes, which subdivide each word grade: all sizes match, some do, none does. */
const ALL_SIZES = 0;
const SOME_SIZES = 1;
const NO_SIZE = 2;
export const SIZE_GUESSES = 3;

/** Penalty if the query's words are not adjacent in the name, or one is only in the category. */
const WORDS_APART = 1;
/** A name with this many more content words than the query is another product, unless its category has the head. */
const MANY_MORE_WORDS = 4;

/** Number of qualities within one guess, one per role (`roleOf`). */
export const QUALITIES = 4;
/** Guesses of products that match by category, or by their store's cuisine: worse than names, better than guessed words. */
const BY_CATEGORY = SIZE_GUESSES * BY_SHELF;
export const BY_CUISINE = BY_CATEGORY + 1;
/** Guesses by categories with a guessed word, worse than guesses by names. */
export const BY_GUESSED_CATEGORY = SIZE_GUESSES * (GUESSED_SPELLING + 1);
/** One more than the worst quality. */
export const QUALITY_END = QUALITIES * (BY_GUESSED_CATEGORY + 2);

/** Returns the guess in a quality, words before sizes; 0 for none. */
export const guessOf = (quality: number): number => Math.floor(quality / QUALITIES);

/** Returns the word grade in a guess: from `NO_GUESS` to `GUESSED_SPELLING`, or a worse one. */
export const wordGuessOf = (guess: number): number => Math.floor(guess / SIZE_GUESSES);

/**
 * Visits the products that match and are sold in the mode (null for either), by number, with that mode's prices (null:
 * delivery if delivered). Every word must match name, size or category, and one of them the name; sizes may be missing.
 * Guesses lower the quality. Allocates nothing, because `visit` always gets the same object; `visit` must not use the
 * marks for another index. Returns the steps: words looked up and postings read.
 */
export function visitMatches(
  marks: MatchMarks,
  index: ProductIndex,
  query: PreparedQuery,
  mode: RequestedMode,
  visit: (match: Readonly<ProductMatch>) => void,
): number {
  const { gtins, words } = query;
  if (hasNoCandidates(index, query)) return 1;
  const coded = gtins === null ? null : findPositions(index, gtins);
  const match: ProductMatch = { ...MATCHED_BY_GTIN };
  if (words.length === 0) {
    const positions = coded ? [...coded].sort((a, b) => a - b) : Array(index.productCount).keys();
    for (const position of positions) if (fill(match, index, position, mode, query.claims)) visit(match);
    return 1 + (coded?.size ?? index.productCount);
  }
  const marked = markMatches(marks, index, query);
  for (let at = 0; at < marked.count; at += 1) {
    const position = marked.positions[at] as number;
    if ((coded !== null && !coded.has(position)) || !isMatch(index, query, marked, position)) continue;
    if (!fill(match, index, position, mode, query.claims)) continue;
    match.role = roleAt(index, query, marked, position);
    if (match.role > query.maxRole) continue;
    match.quality = qualityAt(index, query, marked, position, match.role);
    visit(match);
  }
  return marked.steps;
}

/**
 * Visits the products that match by their category and not by their name (`visitMatches`), in qualities worse than any
 * name's. The steps count eight products read as one.
 */
export function visitCategoryMatches(
  marks: MatchMarks,
  index: ProductIndex,
  query: PreparedQuery,
  mode: RequestedMode,
  visit: (match: Readonly<ProductMatch>) => void,
): number {
  const { gtins, required, sizes } = query;
  if (query.words.length === 0 || hasNoCandidates(index, query)) return 1;
  const coded = gtins === null ? null : findPositions(index, gtins);
  const match: ProductMatch = { ...MATCHED_BY_GTIN, role: MENTION };
  const marked = markMatches(marks, index, query);
  if (marked.categories.touchedCount === 0) return marked.steps;
  for (let position = 0; position < index.productCount; position += 1) {
    const matched = matchedAt(index, marked, position);
    const isNeeded = (required & ~(marked.products.matched[position] as number)) !== 0;
    if ((matched & required) !== required || !isNeeded || isMatch(index, query, marked, position)) continue;
    if ((coded !== null && !coded.has(position)) || !fill(match, index, position, mode, query.claims)) continue;
    if (query.maxRole < MENTION && !isShelfOf(index, marked, position)) continue;
    const guess = wordGuessAt(index, marked, position);
    const kind = guess === NO_GUESS ? BY_CATEGORY : BY_GUESSED_CATEGORY + guess - GUESSED_END;
    match.quality = kind * QUALITIES + sizeGuessOf(sizes, matched);
    visit(match);
  }
  return marked.steps + (index.productCount >>> 3);
}

const MATCHED_BY_GTIN: Readonly<ProductMatch> = {
  productNo: 0,
  priceCents: 0,
  extraCents: 0,
  taxCode: 0,
  size: 0,
  weightAt: 0,
  isCounted: false,
  quality: 0,
  role: ITSELF,
};

/** Whether no product of the index can match, because none has the required claims or codes. */
function hasNoCandidates(index: ProductIndex, { gtins, claims }: PreparedQuery): boolean {
  return (claims !== NO_CLAIMS && index.claimsAt === NO_COLUMN) || (gtins !== null && index.gtins.length === 0);
}

/** Sets the product's number, price and stock flag; returns false if it lacks a claim or is not sold in the mode. */
function fill(match: ProductMatch, index: ProductIndex, position: number, requested: RequestedMode, claims: number) {
  const { data, claimsAt, pickupAt, extraAt, taxAt, sizeAt } = index;
  const row = rowStart(index, position);
  if (claims !== NO_CLAIMS && !hasClaims(data[row + claimsAt] as number, claims)) return false;
  const facts = data[row + ROW_FACTS] as number;
  const mode = soldMode(facts, requested);
  if (mode === undefined) return false;
  match.productNo = data[row + ROW_PRODUCT_NO] as number;
  match.priceCents = data[row + (mode === 'pickup' && pickupAt !== NO_COLUMN ? pickupAt : ROW_CENTS)] as number;
  match.extraCents = extraAt === NO_COLUMN ? 0 : (data[row + extraAt] as number);
  match.taxCode = taxAt === NO_COLUMN ? 0 : (data[row + taxAt] as number);
  const size = sizeAt === NO_COLUMN ? 0 : (data[row + sizeAt] as number);
  match.weightAt = size < WEIGHED ? 0 : weightsStart(index) + (size - WEIGHED) * WEIGHT_LENGTH;
  match.size = size < WEIGHED ? size : (data[match.weightAt] as number);
  match.isCounted = (facts & STOCK_COUNT_BIT) !== 0;
  return true;
}

function isMatch(index: ProductIndex, { words, required }: PreparedQuery, marked: MarkedMatches, position: number) {
  const matched = matchedAt(index, marked, position);
  if ((matched & required) !== required) return false;
  // If a size is missing, a matching number is not enough: a content word must match too.
  const { nameWords, contentWords } = marked.products;
  return ((matched === 2 ** words.length - 1 ? nameWords : contentWords)[position] as number) > 0;
}

/** Returns the matched words as bits. The category is in the product's row, which is read only if it matters. */
function matchedAt(index: ProductIndex, { products, categories }: MarkedMatches, position: number): number {
  const matched = products.matched[position] as number;
  if (categories.touchedCount === 0) return matched;
  return matched | (categories.matched[categoryAt(index, position)] as number);
}

function sizeGuessOf(sizes: readonly number[], matched: number): number {
  let missing = 0;
  for (const size of sizes) if ((matched & size) !== size) missing += 1;
  return missing === 0 ? ALL_SIZES : missing < sizes.length ? SOME_SIZES : NO_SIZE;
}

/** Returns the number of content words of a product's name that are not in the query. */
function moreWordsAt(index: ProductIndex, { contentWords }: MarkedMatches['products'], position: number): number {
  const facts = index.data[rowStart(index, position) + ROW_FACTS] as number;
  return ((facts >>> NAME_LENGTH_SHIFT) & NAME_LENGTH_MASK) - (contentWords[position] as number);
}

/** Returns the better role of the query's head, in the name or in the category. A whole name is the product itself. */
function roleAt(
  index: ProductIndex,
  { head, hasFlavor }: PreparedQuery,
  { products, categories }: MarkedMatches,
  position: number,
): number {
  if (head < 0) return ITSELF;
  const inName = (products.headRole[position] as number) - 1;
  if (inName === INGREDIENT && moreWordsAt(index, products, position) <= 0) return ITSELF;
  if (inName >= 0) return inName === VARIANT && hasFlavor ? ITSELF : inName;
  const inCategory = (categories.headRole[categoryAt(index, position)] as number) - 1;
  return inCategory >= 0 ? inCategory : MENTION;
}

/** Whether the category names the product by the query's head: "Pasta" does, "Roots and onions" does not. */
const isShelfOf = (index: ProductIndex, { categories }: MarkedMatches, position: number): boolean =>
  (categories.headRole[categoryAt(index, position)] as number) - 1 === ITSELF;

/** Grades the guessed words of a match. A category's match counts only if neither name nor size has the word. */
function wordGuessAt(index: ProductIndex, { products, categories }: MarkedMatches, position: number): number {
  const category = categoryAt(index, position);
  const others = ~(products.matched[position] as number);
  const misspelled = (products.misspelled[position] as number) | ((categories.misspelled[category] as number) & others);
  if (misspelled !== 0) return GUESSED_SPELLING;
  const unfinished = (products.unfinished[position] as number) | ((categories.unfinished[category] as number) & others);
  return unfinished !== 0 ? GUESSED_END : NO_GUESS;
}

function qualityAt(
  index: ProductIndex,
  { sizes, head }: PreparedQuery,
  marked: MarkedMatches,
  position: number,
  role: number,
): number {
  const { products, categories } = marked;
  const matched = matchedAt(index, marked, position);
  const isWhole = products.matched[position] === matched;
  const isApart = products.isApart[position] === 1 || !isWhole;
  const more = moreWordsAt(index, products, position);
  const isCategory = head >= 0 && categories.headRole[categoryAt(index, position)] !== 0;
  const isOther = isApart || (more >= MANY_MORE_WORDS && !isCategory);
  const guess = wordGuessAt(index, marked, position) * SIZE_GUESSES + sizeGuessOf(sizes, matched);
  return guess * QUALITIES + (more <= 0 && !isApart ? 0 : Math.min(role + (isOther ? WORDS_APART : 0), QUALITIES - 1));
}

function findPositions({ gtins, gtinPositions }: ProductIndex, wanted: ReadonlySet<number>): Set<number> {
  const positions = new Set<number>();
  for (const gtin of wanted) {
    for (let at = lowerBound(gtins, gtin); gtins[at] === gtin; at += 1) positions.add(gtinPositions[at] as number);
  }
  return positions;
}
