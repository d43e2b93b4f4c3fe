import type { NearStore, Sort } from '../../search/stores/store-query.ts';
import { bestQualityOf, GUESSED_END, GUESSED_SPELLING, guessOf, NO_GUESS, SIZE_GUESSES } from './match-products.ts';
import type { PreparedQuery } from './prepare-query.ts';
import { hundredthsOf, relevanceOf } from './rank-products.ts';
import { UNFINISHED } from './term-matches.ts';

/** Tells how far a search has to match sellers, who come nearest first. */
export type EnoughMatches = {
  /** Notes a match of a seller. */
  note(sellerNo: number, quality: number): void;
  /**
   * Whether neither this seller nor a farther one can have one of the first `ranks` matches. `minGuess` is the least guess
   * of words that their matches can have.
   */
  isEnough(sellerNo: number, ranks: number, minGuess: number): boolean;
};

/** More than any relevance. */
const RELEVANCES = 128;
const NEVER_ENOUGH: EnoughMatches = { note: () => {}, isEnough: () => false };

/**
 * By relevance a match of a farther seller is at best as relevant as the best quality at that distance: it comes after
 * the nearer matches that are at least as relevant. By distance it comes after all nearer matches that count. Other
 * sorts may take their first match from the last seller.
 */
export function createEnoughMatches(sellers: readonly NearStore[], sort: Sort): EnoughMatches {
  if (sort !== 'relevance' && sort !== 'distance') return NEVER_ENOUGH;
  const isByDistance = sort === 'distance';
  const hundredths = sellers.map(hundredthsOf);
  /** Matches by their relevance, or by their guess. */
  const counts = new Uint32Array(RELEVANCES);
  return {
    note(sellerNo, quality) {
      const key = isByDistance ? guessOf(quality) : relevanceOf(quality, hundredths[sellerNo] as number);
      counts[key] = (counts[key] as number) + 1;
    },
    isEnough(sellerNo, ranks, minGuess) {
      const own = hundredths[sellerNo] as number;
      // Price sorts equal matches of sellers that are equally far.
      if (sellerNo === 0 || own === hundredths[sellerNo - 1]) return false;
      const least = minGuess * SIZE_GUESSES;
      if (isByDistance) return (counts[least] as number) >= ranks;
      let before = 0;
      const end = relevanceOf(bestQualityOf(least), own);
      for (let key = relevanceOf(bestQualityOf(least), 0); key <= end; key += 1) before += counts[key] as number;
      return before >= ranks;
    },
  };
}

/**
 * The least guess of words that a match of the query can have: a required word may be near to terms of the indexes and
 * equal to none.
 */
export function minGuessOf({ words, required }: Pick<PreparedQuery, 'words' | 'required'>): number {
  let guess = NO_GUESS;
  for (const [at, { grades }] of words.entries()) {
    if (((required >> at) & 1) === 0 || grades.length === 0) continue;
    const best = grades.reduce((least, grade) => Math.min(least, grade));
    if (best >= UNFINISHED) guess = Math.max(guess, best === UNFINISHED ? GUESSED_END : GUESSED_SPELLING);
  }
  return guess;
}
