import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { NO_CLAIMS } from '../../supply/catalog/food.ts';
import type { IndexedSeller } from '../products/find-products.flow.ts';
import { MatchMarks } from '../products/mark-matches.ts';
import { GUESSED_SPELLING, visitMatches } from '../products/match-products.ts';
import { type PreparedQuery, type QueryReadings, readQuery } from '../products/prepare-query.ts';
import { weightIn } from '../products/product-layout.ts';
import type { NearStore } from '../stores/store-query.ts';
import { type Candidate, insertBest, isBetter } from './choose-products.ts';
import { orderOf } from './line-amount.ts';
import { lineQualityOf, lineWordGuessOf } from './match-cart.ts';
import type { CartLine } from './parse-cart-query.ts';
import type { CartTerms } from './sort-carts.ts';

/** Initial length of a list: nearly always one of its candidates is the best with enough stock. */
const INITIAL_LIST_LENGTH = 16;
/** Growth factor of a list whose candidates all ran short. */
const LIST_GROWTH_FACTOR = 8;
/**
 * Maximum matching steps for the lines of one cart, about 100 ms. A typical cart of 20 lines takes a tenth of them near
 * 500 stores with 400 products. Rewrites of unmatched lines and longer lists share `moreSteps`.
 */
const MAX_STEPS = { steps: 1_000_000, moreSteps: 500_000 };

/** A store near the customer that takes orders, with its fees and taxes. */
export type CartSeller = NearStore & { terms: CartTerms };

/** A store that takes orders, with its product index. */
export type StockedSeller = IndexedSeller<CartSeller>;

/** A cart line with its prepared query, and its lists by seller, nearest first. */
type ListedLine = CartLine & { readings: QueryReadings; prepared: PreparedQuery; lists: LineList[] };

/**
 * The best candidates of one line at one seller, best first by the product index. If `isComplete`, there are no others;
 * otherwise others are no better than the last one.
 */
export type LineList = {
  readonly line: ListedLine;
  readonly seller: StockedSeller;
  candidates: readonly Candidate[];
  isComplete: boolean;
};

/** A seller with its candidates per line, and the products whose stock was read. */
export type ListedSeller = StockedSeller & { lists: LineList[]; stockRead: ReadonlySet<number> };

/** Inputs of matching: the sellers with product indexes, nearest first. */
export type ListingInputs = {
  sellers: readonly StockedSeller[];
  /** Required food claims, as bits of `foodClaims`. */
  claims?: number;
  max?: typeof MAX_STEPS;
};

/** The sellers with candidates, nearest first, the scratch memory of matching, and the remaining steps. */
export type ListedCandidates = { sellers: ListedSeller[]; marks: MatchMarks; stepsLeft: number };

/**
 * Matches each line with each product index once, and tries other readings of a line without matches, or with typos only. Beyond the budget, the
 * farthest stores are left out.
 */
export async function listCandidates(
  cartLines: readonly CartLine[],
  { sellers, claims = NO_CLAIMS, max = MAX_STEPS }: ListingInputs,
): Promise<ListedCandidates> {
  const listed: ListedCandidates = { sellers: [], marks: new MatchMarks(), stepsLeft: max.steps };
  const terms = sellers[0]?.productIndex.terms;
  // Matching yields at each seller, so without sellers the rewrites would block the event loop for nothing.
  if (!terms) return listed;
  const indexes = sellers.map(({ productIndex }) => productIndex);
  const lines = cartLines.map((line): ListedLine => {
    const { query, gtin } = line;
    const codes = gtin === null ? null : new Set([gtin]);
    const readings = readQuery(gtin === null ? query : '', terms, indexes, codes, claims);
    return { ...line, readings, prepared: readings.joined().next().value ?? readings.typed, lists: [] };
  });
  for (const seller of sellers) {
    if (listed.stepsLeft <= 0) break;
    await listSeller(listed, lines, seller);
  }
  listed.stepsLeft = max.moreSteps;
  for (const line of lines) if (line.gtin === null) await tryRewrites(listed, line, otherReadings(line));
  return listed;
}

/** Lists the readings of a line that has no match, or only matches with typos. */
function* otherReadings({ readings, prepared, lists }: ListedLine): Generator<PreparedQuery, void> {
  const found = lists.flatMap(({ candidates }) => candidates);
  if (found.some(({ quality }) => lineWordGuessOf(quality) < GUESSED_SPELLING)) return;
  if (found.length > 0) yield* readings.spelled();
  if (found.length > 0 || prepared !== readings.typed) yield readings.typed;
  if (found.length === 0) yield* readings.rewrites();
}

const NOTHING_READ: ReadonlySet<number> = new Set();

async function listSeller(listed: ListedCandidates, lines: readonly ListedLine[], seller: StockedSeller) {
  const lists: LineList[] = [];
  listed.sellers.push({ ...seller, lists, stockRead: NOTHING_READ });
  for (const line of lines) {
    const list: LineList = { line, seller, candidates: [], isComplete: false };
    lists.push(list);
    line.lists.push(list);
    fill(listed, list, INITIAL_LIST_LENGTH);
    if (isSliceOver()) await nextSlice();
  }
}

/** Uses the first rewrite with a match. */
async function tryRewrites(listed: ListedCandidates, line: ListedLine, rewrites: Iterable<PreparedQuery>) {
  for (const rewrite of rewrites) {
    line.prepared = rewrite;
    let isMatched = false;
    for (const [at, list] of line.lists.entries()) {
      if (listed.stepsLeft <= 0) {
        if (isMatched) listed.sellers.length = at;
        return;
      }
      fill(listed, list, INITIAL_LIST_LENGTH);
      isMatched ||= list.candidates.length > 0;
      if (isSliceOver()) await nextSlice();
    }
    if (isMatched) return;
  }
}

/** Extends a list; returns false if no steps are left. */
export function listMore(listed: ListedCandidates, list: LineList): boolean {
  if (listed.stepsLeft <= 0) return false;
  fill(listed, list, LIST_GROWTH_FACTOR * list.candidates.length);
  return true;
}

function fill(listed: ListedCandidates, list: LineList, limit: number): void {
  const { productIndex, terms } = list.seller;
  const best: Candidate[] = [];
  let seen = 0;
  const steps = visitMatches(listed.marks, productIndex, list.line.prepared, terms.mode, (match) => {
    const weight = match.weightAt === 0 ? null : weightIn(productIndex, match.weightAt);
    const ordered = orderOf(list.line.amount, { ...match, weight });
    if (ordered === null) return;
    seen += 1;
    const candidate = {
      ...ordered,
      productNo: match.productNo,
      quality: lineQualityOf(match),
      taxCode: match.taxCode,
      isCounted: match.isCounted,
    };
    const last = best.length === limit ? best[limit - 1] : undefined;
    if (!last || isBetter(candidate, last)) insertBest(best, limit, candidate);
  });
  listed.stepsLeft -= steps;
  list.candidates = best;
  list.isComplete = seen <= limit;
}
