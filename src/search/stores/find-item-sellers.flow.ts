import type { Sql } from '../../db/connect.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { isSliceOver, nextSlice, runInSlices } from '../../load/event-loop-scheduler.ts';
import { findProductWords, findSellersAmong } from './item-sellers.db.ts';
import { forgivingWords, misspeltAmong, misspeltPatterns, wordPatterns } from './item-words.ts';
import { type NearStore, PAGE_SIZE_BROWSING, PAGE_SIZE_WITH_TEXT, type StoreQuery } from './store-query.ts';
import type { StorePage, StoreSearch } from './store-search.index.ts';

/** What a text asks of the name of a product: all of its words, normalised. */
export type AskedWords = {
  words: readonly string[];
  /** Whether the last word may be unfinished. */
  isUnfinished: boolean;
  /** Whether words may be misspelt. */
  forgivesTypos: boolean;
};

/**
 * The stores that may sell such a product, in the sequence of the ids: those whose products are in memory and have the
 * words, and those whose products are not in memory.
 */
export type KeepSellers = (storeIds: readonly string[], asked: AskedWords) => string[];

/** How the names of what a store sells match a text, best first. */
const EXACT = 'exact';
const UNFINISHED = 'unfinished';
const MISSPELT = 'misspelt';
/** Any of them. */
const ANY = 'any';
type Grade = typeof EXACT | typeof UNFINISHED | typeof MISSPELT | typeof ANY;

/** Where a page begins: how many candidates of its grade lie before it. */
type Position = { grade: Grade; passed: number };

/** More than there are stores: page numbers of one grade. */
const PAGES_OF_GRADE = 100_000_000;

function positionOf(page: number, grades: readonly Grade[]): Position {
  const at = Math.min(grades.length - 1, Math.floor(page / PAGES_OF_GRADE));
  return { grade: grades[at] as Grade, passed: page - at * PAGES_OF_GRADE };
}

function pageOf({ grade, passed }: Position, grades: readonly Grade[]): number {
  return grades.indexOf(grade) * PAGES_OF_GRADE + passed;
}

/** The grades that a query looks for, one after the other. Any sort but relevance ignores the quality of a match. */
function gradesOf(
  words: readonly string[],
  { autocomplete, sort }: Pick<StoreQuery, 'autocomplete' | 'sort'>,
): readonly Grade[] {
  if (sort !== 'relevance') return [ANY];
  const grades: Grade[] = autocomplete ? [EXACT, UNFINISHED] : [EXACT];
  return forgivingWords(words).length > 0 ? [...grades, MISSPELT] : grades;
}

/** Bounds on the stores whose products one request reads: until the first match, and to fill the page. */
const MAX_CANDIDATES = 20_000;
const MAX_CANDIDATES_AFTER_MATCH = 500;
/** Stores, the first by the sort, whose products are compared with misspelt words. */
const MAX_MISSPELT_CANDIDATES = 2000;
const READ_TIMEOUT_MS = 5000;

type Needs = { db: Sql; search: StoreSearch; keepSellers: KeepSellers };
type Candidate = Pick<NearStore, 'storeId' | 'miles'>;

/**
 * Stores that sell a product with all words of the text in its name. By relevance the stores with the exact words come
 * first, then with an unfinished last word, then with typos; any other sort is of all of them together. Candidates come
 * from the index of stores with a catalogue, a hundred at a time. What is in memory of their products rules most of them
 * out, and only the products of the others are read: no query runs over the products of all stores. `page` counts the
 * candidates passed, so the next page starts exactly where this page stopped. A page before the last one may be short.
 */
export async function findItemSellers(needs: Needs, query: StoreQuery, nowEpochS: number): Promise<StorePage> {
  const found: Candidate[] = [];
  const words = wordsOf(query.text);
  const grades = gradesOf(words, query);
  let at: Position | undefined = positionOf(query.page, grades);
  let reached = at;
  for (let looked = 0; at !== undefined && found.length < PAGE_SIZE_WITH_TEXT; ) {
    if (found.length > 0 && looked >= MAX_CANDIDATES_AFTER_MATCH) break;
    if (at.grade === MISSPELT && at.passed >= MAX_MISSPELT_CANDIDATES) break;
    if (isSliceOver()) await nextSlice();
    const batch = await candidatesOf(needs.search, query, at.passed, nowEpochS);
    const asked = askedAt(at, words, query);
    const { candidates, kept } = checkedTogether(batch.candidates, needs.keepSellers, asked);
    const selling = await sellingAmong(needs.db, query, { ...asked, grade: at.grade }, kept);
    const { taken, passed } = takeFrom(candidates, selling, PAGE_SIZE_WITH_TEXT - found.length);
    found.push(...taken);
    looked += passed;
    reached = { grade: at.grade, passed: at.passed + passed };
    const isWhole = passed === batch.candidates.length && batch.isLast;
    const isSpent: boolean = at.grade !== MISSPELT && found.length === 0 && looked >= MAX_CANDIDATES;
    at = isWhole || isSpent ? positionAfter(grades, at.grade, isSpent) : reached;
  }
  return needs.search.pageOf(found, pageOf(at ?? reached, grades));
}

/** The start of the next grade; of the last one where the bound on candidates is spent. Undefined after the last. */
function positionAfter(grades: readonly Grade[], grade: Grade, isSpent: boolean): Position | undefined {
  const next = isSpent ? grades.find((one) => one === MISSPELT) : grades[grades.indexOf(grade) + 1];
  return next === undefined ? undefined : { grade: next, passed: 0 };
}

/** The first candidates that sell the product, at most `room`, and how many candidates that passes. */
function takeFrom(candidates: readonly Candidate[], selling: ReadonlySet<string>, room: number) {
  const taken: Candidate[] = [];
  let passed = 0;
  for (const candidate of candidates) {
    if (taken.length === room) break;
    passed += 1;
    if (selling.has(candidate.storeId)) taken.push(candidate);
  }
  return { taken, passed };
}

/** The candidates from number `from` to the end of its page. */
async function candidatesOf(search: StoreSearch, asked: StoreQuery, from: number, nowEpochS: number) {
  const page = Math.floor(from / PAGE_SIZE_BROWSING);
  const query = { ...asked, text: '', sellersOnly: true, page };
  if (!search.isPageNear(query, nowEpochS)) await runInSlices(search.findPage(query, nowEpochS));
  const { stores } = search.search(query, nowEpochS);
  const candidates = stores.map(({ segment, slot, miles }): Candidate => ({ storeId: segment.ids.at(slot), miles }));
  return { candidates: candidates.slice(from % PAGE_SIZE_BROWSING), isLast: stores.length < PAGE_SIZE_BROWSING };
}

/** What the grade of a position asks. */
function askedAt({ grade, passed }: Position, words: readonly string[], { autocomplete }: StoreQuery): AskedWords {
  return {
    words,
    isUnfinished: grade === UNFINISHED || (grade !== EXACT && autocomplete),
    forgivesTypos: grade === MISSPELT || (grade === ANY && passed < MAX_MISSPELT_CANDIDATES),
  };
}

/**
 * The first candidates, whose products are read together, and the ids of the stores among them that may sell the products. Most stores
 * that are left by their products in memory do sell it: then a page of them is read at a time.
 */
function checkedTogether(candidates: readonly Candidate[], keepSellers: KeepSellers, asked: AskedWords) {
  const storeIds = candidates.map(({ storeId }) => storeId);
  const kept = keepSellers(storeIds, asked);
  if (kept.length === storeIds.length || kept.length <= PAGE_SIZE_WITH_TEXT) return { candidates, kept };
  const first = kept.slice(0, PAGE_SIZE_WITH_TEXT);
  return { candidates: candidates.slice(0, storeIds.indexOf(first.at(-1) as string) + 1), kept: first };
}

/** The stores whose products match the text with the grade that is asked, and with no better one. */
async function sellingAmong(
  db: Sql,
  { autocomplete, pickup }: StoreQuery,
  { words, grade, forgivesTypos }: AskedWords & { grade: Grade },
  storeIds: readonly string[],
): Promise<Set<string>> {
  if (storeIds.length === 0) return new Set();
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  const matching = (patterns: readonly (readonly string[])[]) =>
    findSellersAmong(db, storeIds, { patterns, pickup }, signal);
  const typed = (lastIsPrefix: boolean) => wordPatterns(words, lastIsPrefix).map((pattern) => [pattern]);
  if (grade === EXACT) return matching(typed(false));
  if (grade === UNFINISHED) return (await matching(typed(true))).difference(await matching(typed(false)));
  if (!forgivesTypos) return matching(typed(autocomplete));

  const spellings = await misspeltIn(db, storeIds, { words, pickup }, signal);
  const forgiving = typed(autocomplete).map((ofWord, at) => [...ofWord, ...(spellings[at] ?? [])]);
  if (grade === ANY) return matching(forgiving);
  if (spellings.every((ofWord) => ofWord.length === 0)) return new Set();
  return (await matching(forgiving)).difference(await matching(typed(autocomplete)));
}

/** For each word the patterns of its misspelt forms in names of what the stores sell. */
async function misspeltIn(
  db: Sql,
  storeIds: readonly string[],
  { words, pickup }: { words: readonly string[]; pickup: boolean | null },
  signal: AbortSignal,
): Promise<string[][]> {
  const patterns = forgivingWords(words).flatMap(misspeltPatterns);
  if (patterns.length === 0) return words.map(() => []);
  const known = await findProductWords(db, storeIds, { patterns, pickup }, signal);
  return words.map((word) => misspeltAmong(word, known).map((other) => `% ${other} %`));
}
