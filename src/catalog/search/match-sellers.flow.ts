import { isSliceOver, nextSlice } from '../../load/event-loop-scheduler.ts';
import type { NearStore, Sort } from '../../search/stores/store-query.ts';
import { createEnoughMatches, type EnoughMatches, minGuessOf } from './enough-matches.ts';
import { createMatchMarks, type MatchMarks } from './match-marks.ts';
import { visitMatches } from './match-products.ts';
import { type PreparedQuery, prepareQuery, prepareRewrites } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import type { RequestedMode } from './product-layout.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { createProductPool, type ProductPool } from './rank-products.ts';
import { termsInIndexes } from './terms-in-indexes.ts';

/** What is matched: a text, codes, and what the food of a product must state. */
export type MatchedQuery = { text: string; gtins: ReadonlySet<number> | null; claims: number; sort: Sort };

/** The sellers of a search, nearest first, and the product indexes of the first sellers, or of all. */
export type MatchInputs = {
  query: MatchedQuery;
  mode: RequestedMode;
  sellers: readonly NearStore[];
  indexes: readonly ProductIndex[];
  terms: ProductTerms;
};

/** Matches sellers no farther than the ranks that are asked for need. */
export type SellerMatches = {
  /** A pool whose first `ranks` matches are those of all sellers. */
  poolOf(ranks: number): Promise<ProductPool>;
};

/**
 * Steps of matching a text with product indexes: some 60 ms, fifty times the work of a usual search near 500 stores. The
 * rewrites of the text have half as many, all together.
 */
const MAX_STEPS = 500_000;
const MAX_REWRITE_STEPS = 250_000;

/** What a query has matched so far: the sellers before `next`. */
type Matched = {
  query: PreparedQuery;
  minGuess: number;
  pool: ProductPool;
  enough: EnoughMatches;
  next: number;
  stepsLeft: number;
};

/**
 * Matches the nearest sellers first, and a farther one where the ranks may have one of its matches. Tries rewrites of the
 * text, until one has a match, where nothing matches it as typed. Where that is too much work, product indexes are left
 * out, the farthest first.
 */
export function createSellerMatches(inputs: MatchInputs): SellerMatches {
  const { text, gtins, claims } = inputs.query;
  const marks = createMatchMarks();
  const inIndexes = termsInIndexes(inputs.terms, inputs.indexes);
  const typed = newMatched(inputs, prepareQuery(text, inIndexes, gtins, claims), MAX_STEPS);
  let rewritten: Matched | undefined;

  /** The first rewrite with a match; the text as typed where no rewrite has any. */
  async function matchRewrites(): Promise<Matched> {
    let stepsLeft = MAX_REWRITE_STEPS;
    for (const rewrite of prepareRewrites(text, inIndexes, gtins, claims)) {
      const matched = newMatched(inputs, rewrite, stepsLeft);
      await matchUntil(inputs, marks, matched, Infinity);
      if (matched.pool.size > 0) return matched;
      stepsLeft = matched.stepsLeft;
    }
    return typed;
  }

  return {
    async poolOf(ranks) {
      await matchUntil(inputs, marks, typed, ranks);
      if (typed.pool.size > 0) return typed.pool;
      rewritten ??= await matchRewrites();
      return rewritten.pool;
    },
  };
}

function newMatched({ sellers, query: { sort } }: MatchInputs, query: PreparedQuery, stepsLeft: number): Matched {
  const enough = createEnoughMatches(sellers, sort);
  return { query, minGuess: minGuessOf(query), pool: createProductPool(), enough, next: 0, stepsLeft };
}

/** Matches one seller after the other, until none of the others has one of the ranks. */
async function matchUntil(
  { indexes, mode }: MatchInputs,
  marks: MatchMarks,
  matched: Matched,
  ranks: number,
): Promise<void> {
  const { query, pool, enough, minGuess } = matched;
  for (; matched.next < indexes.length && matched.stepsLeft > 0; matched.next += 1) {
    const sellerNo = matched.next;
    if (enough.isEnough(sellerNo, ranks, minGuess)) return;
    matched.stepsLeft -= visitMatches(marks, indexes[sellerNo] as ProductIndex, query, mode, (match) => {
      pool.add(sellerNo, match);
      enough.note(sellerNo, match.quality);
    });
    if (isSliceOver()) await nextSlice();
  }
}
