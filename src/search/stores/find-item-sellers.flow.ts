import { allowedTypos, splitWords } from 'doorstep/search-engine/text';
import { isSliceOver, nextSlice, runInSlices } from '../../platform/load/event-loop-scheduler.ts';
import { type NearStore, PAGE_SIZE_BROWSING, PAGE_SIZE_WITH_TEXT, type StoreQuery } from './store-query.ts';
import type { StorePage, StoreSearch } from './store-search.index.ts';

/** An item search. All words of the text must be in a product's name. */
export type ItemNameQuery = Pick<StoreQuery, 'text' | 'pickup'> & {
  /** Whether the last word may be incomplete. */
  isUnfinished: boolean;
  /** Whether words may be misspelled. */
  forgivesTypos: boolean;
};

/** Grades of a match between a product's name and a text, best first. */
export type ItemGrade = 'exact' | 'unfinished' | 'misspelled';

/**
 * Numbers of examined stores and their products, and the best grade of each. Stops after `maxProducts` products,
 * or one store later.
 */
export type GradedSellers = { examined: number; products: number; grades: ReadonlyMap<string, ItemGrade> };

/** Grades a batch of stores by their products; a store without a match has no grade. */
export type GradeSellers = (
  storeIds: readonly string[],
  query: ItemNameQuery,
  maxProducts: number,
) => Promise<GradedSellers>;

export type ItemSearches = {
  /** Runs an owner's search. Refuses with `rate_limited`, but only before the search begins. */
  run<Found>(owner: string, search: (gradeSellers: GradeSellers) => Promise<Found>): Promise<Found>;
};

/** The grade of pages that do not distinguish grades. */
const ANY = 'any';
type Grade = ItemGrade | typeof ANY;

/** Start of a page: the grade of its first candidate, and the number of candidates of that grade before it. */
type Position = { grade: Grade; passed: number };

/** Page numbers reserved per grade, more than there can be stores. */
const PAGES_OF_GRADE = 100_000_000;

function gradePosition(page: number, grades: readonly Grade[]): Position {
  const at = Math.min(grades.length - 1, Math.floor(page / PAGES_OF_GRADE));
  return { grade: grades[at] as Grade, passed: page - at * PAGES_OF_GRADE };
}

function pageNumber({ grade, passed }: Position, grades: readonly Grade[]): number {
  return grades.indexOf(grade) * PAGES_OF_GRADE + passed;
}

/** Returns the grades that a query searches one after the other. Sorts other than relevance ignore match quality. */
function gradesOf({ text, autocomplete, sort }: StoreQuery): readonly Grade[] {
  if (sort !== 'relevance') return [ANY];
  const grades: Grade[] = autocomplete ? ['exact', 'unfinished'] : ['exact'];
  return splitWords(text).some((word) => allowedTypos(word.length) > 0) ? [...grades, 'misspelled'] : grades;
}

/** Maximum products that a request examines before typos, and again for typos; a page may be short. */
const MAX_PRODUCTS = 2_000_000;
/** Maximum stores examined until the first match. */
const MAX_CANDIDATES = 20_000;
/** Maximum stores examined to fill a page that has a match. */
const MAX_CANDIDATES_AFTER_MATCH = 500;
/** Maximum stores, from the first, whose products are compared with misspelled words. */
const MAX_MISSPELLED_CANDIDATES = 2000;

type Deps = { search: StoreSearch; gradeSellers: GradeSellers };
type Candidate = Pick<NearStore, 'storeId' | 'miles'>;

/**
 * Finds stores with a product whose name has all words of the text. Relevance ranks exact words, then unfinished last
 * words, then typos; other sorts mix them. `page` counts examined candidates, so pages join exactly but may be short.
 */
export async function findItemSellers(needs: Deps, query: StoreQuery, nowEpochS: number): Promise<StorePage> {
  const { search, gradeSellers } = needs;
  const found: Candidate[] = [];
  const grades = gradesOf(query);
  let at: Position | undefined = gradePosition(query.page, grades);
  let reached = at;
  let maxProducts = MAX_PRODUCTS;
  for (let examined = 0; at !== undefined && maxProducts > 0 && found.length < PAGE_SIZE_WITH_TEXT; ) {
    if (found.length > 0 && examined >= MAX_CANDIDATES_AFTER_MATCH) break;
    const grade: Grade = at.grade;
    if (grade === 'misspelled' && at.passed >= MAX_MISSPELLED_CANDIDATES) break;
    if (isSliceOver()) await nextSlice();
    const { candidates, isLast } = await findCandidates(search, query, at.passed, nowEpochS);
    const storeIds = candidates.map(({ storeId }) => storeId);
    const graded = await gradeSellers(storeIds, gradeQuery(at, query), maxProducts);
    const isFound = ({ storeId }: Candidate) => isOfGrade(graded.grades.get(storeId), grade);
    const passed = takeFrom(candidates.slice(0, graded.examined), isFound, found);
    examined += passed;
    maxProducts -= graded.products;
    reached = { grade, passed: at.passed + passed };
    const isWhole = passed === candidates.length && isLast;
    const isBeyond = maxProducts <= 0 || examined >= MAX_CANDIDATES;
    const isSpent: boolean = grade !== 'misspelled' && found.length === 0 && isBeyond;
    if (isSpent) maxProducts = MAX_PRODUCTS;
    at = isWhole || isSpent ? nextPosition(grades, grade, isSpent) : reached;
  }
  return search.pageOf(found, pageNumber(at ?? reached, grades));
}

/** Returns the start of the next grade, or of the last one if the limits are reached. Undefined after the last one. */
function nextPosition(grades: readonly Grade[], grade: Grade, isSpent: boolean): Position | undefined {
  const next = isSpent ? grades.find((one) => one === 'misspelled') : grades[grades.indexOf(grade) + 1];
  return next === undefined ? undefined : { grade: next, passed: 0 };
}

function isOfGrade(found: ItemGrade | undefined, wanted: Grade): boolean {
  return wanted === ANY ? found !== undefined : found === wanted;
}

/** Adds the accepted candidates until the page is full; returns how many were examined. */
function takeFrom(candidates: readonly Candidate[], isFound: (one: Candidate) => boolean, page: Candidate[]): number {
  let passed = 0;
  for (const candidate of candidates) {
    if (page.length === PAGE_SIZE_WITH_TEXT) break;
    passed += 1;
    if (isFound(candidate)) page.push(candidate);
  }
  return passed;
}

async function findCandidates(search: StoreSearch, requested: StoreQuery, from: number, nowEpochS: number) {
  const page = Math.floor(from / PAGE_SIZE_BROWSING);
  const query = { ...requested, text: '', sellersOnly: true, page };
  if (!search.isPageNear(query, nowEpochS)) await runInSlices(search.findPage(query, nowEpochS));
  const { stores } = search.search(query, nowEpochS);
  const candidates = stores.map(({ segment, slot, miles }): Candidate => ({ storeId: segment.ids.at(slot), miles }));
  return { candidates: candidates.slice(from % PAGE_SIZE_BROWSING), isLast: stores.length < PAGE_SIZE_BROWSING };
}

function gradeQuery({ grade, passed }: Position, { text, pickup, autocomplete }: StoreQuery): ItemNameQuery {
  return {
    text,
    pickup,
    isUnfinished: autocomplete && grade !== 'exact',
    forgivesTypos: grade === 'misspelled' || (grade === ANY && passed < MAX_MISSPELLED_CANDIDATES),
  };
}
