import type { Slice } from '../../lib/slice.ts';
import type { NearStore, Sort } from '../../stores/search/store-query.ts';
import { createEnoughMatches, type EnoughMatches, minGuessOf } from './enough-matches.ts';
import { createMatchMarks, type MatchMarks } from './match-marks.ts';
import { NO_GUESS, visitMatches } from './match-products.ts';
import { type PreparedQuery, prepareQuery, prepareRewrites } from './prepare-query.ts';
import type { ProductIndex } from './product.index.ts';
import type { RequestedMode } from './product-layout.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { createProductPool, type ProductPool } from './rank-products.ts';
import { type TermsInIndexes, termsInIndexes } from './terms-in-indexes.ts';

/** What is matched: a text, codes, and what the food of a product must state. */
export type MatchedQuery = { text: string; gtins: ReadonlySet<number> | null; claims: number; sort: Sort };

/** The sellers of a search, and their product indexes, nearest first. */
export type MatchInputs = {
  query: MatchedQuery;
  mode: RequestedMode;
  sellers: readonly NearStore[];
  /** The indexes of so many nearest sellers, or of all; fewer where the bound on products leaves sellers out. */
  indexesOf(sellers: number): Promise<readonly ProductIndex[]>;
  terms: ProductTerms;
  slice: Slice;
  /** Nearest sellers that are matched before the indexes of the others are looked up. */
  firstSellers?: number;
};

/** Matches sellers no farther than the ranks that are asked for need. */
export type SellerMatches = {
  /** A pool whose first `ranks` matches are those of all sellers. */
  poolOf(ranks: number): Promise<ProductPool>;
};

/** A page of usual words comes from fewer stores where stores are dense. */
const FIRST_SELLERS = 100;
/**
 * Steps of matching a text with product indexes: some 60 ms, fifty times the work of a usual search near 500 stores. The
 * rewrites of the text have half as many, all together.
 */
const MAX_STEPS = 500_000;
const MAX_REWRITE_STEPS = 250_000;

/** A query prepared for the indexes of some of the sellers, or of all (`isWhole`) as far as their products are within the bound. */
type Prepared = {
  query: PreparedQuery;
  indexes: readonly ProductIndex[];
  inIndexes: TermsInIndexes;
  isWhole: boolean;
};
/** What has been matched so far: the sellers before `next`. */
type Matched = { pool: ProductPool; enough: EnoughMatches; next: number; stepsLeft: number };

/**
 * Matches the nearest sellers first, and the others where the ranks may have one of their matches. Tries rewrites of the
 * text, until one has a match, where nothing matches it as typed. Where that is too much work, product indexes are left
 * out, the farthest first.
 */
export function createSellerMatches(inputs: MatchInputs): SellerMatches {
  const { query, sellers, firstSellers = FIRST_SELLERS } = inputs;
  const marks = createMatchMarks();
  const typed = newMatched(inputs, MAX_STEPS);
  let prepared: Prepared | undefined;
  let rewritten: ProductPool | undefined;

  /** Returns whether no match of another seller is among the ranks. */
  async function matchTyped(ranks: number): Promise<boolean> {
    prepared ??= await prepareFor(inputs, firstSellers);
    if (await matchUntil(inputs, marks, typed, { ...prepared, ranks })) return true;
    if (prepared.isWhole || (typed.stepsLeft <= 0 && typed.pool.size > 0)) return false;
    prepared = await prepareFor(inputs, sellers.length);
    return matchUntil(inputs, marks, typed, { ...prepared, ranks });
  }

  async function matchRewrites({ inIndexes, indexes }: Prepared): Promise<ProductPool> {
    const { text, gtins, claims } = query;
    let stepsLeft = MAX_REWRITE_STEPS;
    for (const rewrite of prepareRewrites(text, inIndexes, gtins, claims)) {
      const matched = newMatched(inputs, stepsLeft);
      await matchUntil(inputs, marks, matched, { query: rewrite, indexes, isWhole: true, ranks: Infinity });
      if (matched.pool.size > 0) return matched.pool;
      stepsLeft = matched.stepsLeft;
    }
    return typed.pool;
  }

  return {
    async poolOf(ranks) {
      const isEnough = await matchTyped(ranks);
      if (isEnough || typed.pool.size > 0 || prepared === undefined) return typed.pool;
      rewritten ??= await matchRewrites(prepared);
      return rewritten;
    },
  };
}

function newMatched({ sellers, query }: MatchInputs, stepsLeft: number): Matched {
  return { pool: createProductPool(), enough: createEnoughMatches(sellers, query.sort), next: 0, stepsLeft };
}

async function prepareFor({ query, sellers, terms, slice, indexesOf }: MatchInputs, count: number): Promise<Prepared> {
  const indexes = await indexesOf(count);
  await slice.next();
  const inIndexes = termsInIndexes(terms, indexes);
  const { text, gtins, claims } = query;
  const isWhole = count >= sellers.length || indexes.length < count;
  return { query: prepareQuery(text, inIndexes, gtins, claims), indexes, inIndexes, isWhole };
}

/** Matches one seller after the other; returns whether none of the others has one of the ranks. */
async function matchUntil(
  { mode, slice }: MatchInputs,
  marks: MatchMarks,
  matched: Matched,
  { query, indexes, isWhole, ranks }: Omit<Prepared, 'inIndexes'> & { ranks: number },
): Promise<boolean> {
  const { pool, enough } = matched;
  // Other sellers may have terms that are nearer to the text.
  const minGuess = isWhole ? minGuessOf(query) : NO_GUESS;
  for (; matched.next < indexes.length && matched.stepsLeft > 0; matched.next += 1) {
    const sellerNo = matched.next;
    if (enough.isEnough(sellerNo, ranks, minGuess)) return true;
    matched.stepsLeft -= visitMatches(marks, indexes[sellerNo] as ProductIndex, query, mode, (match) => {
      pool.add(sellerNo, match);
      enough.note(sellerNo, match.quality);
    });
    if (slice.isOver()) await slice.next();
  }
  return !isWhole && enough.isEnough(matched.next, ranks, minGuess);
}
