import { NO_CLAIMS } from '../catalog/food.ts';
import { guessOf, type ProductMatch, SIZE_GUESSES } from '../catalog/search/match-products.ts';
import { type PreparedQuery, prepareQuery, type SearchedTerms } from '../catalog/search/prepare-query.ts';
import type { LineChoice } from './choose-products.ts';
import type { CartLine } from './parse-cart-query.ts';

/** More than any quality of a match: the distance of a product from its line decides before the quality. */
const QUALITIES = 1000;

/**
 * A product as the database has it; null where it cannot be ordered. A price of null was not read: the price of the
 * product index counts.
 */
export type LiveProduct = { unitCents: number | null; qtyAvailable: number | null } | null;

/** Prepares a line once for all product indexes of a request, which must be loaded before. */
export function prepareLine({ query, gtin }: CartLine, terms: SearchedTerms, claims = NO_CLAIMS): PreparedQuery {
  return prepareQuery(gtin === null ? query : '', terms, gtin === null ? null : new Set([gtin]), claims);
}

/** How well a product matches a line, below 2^16; smaller is better. Its distance from the line decides first. */
export function lineQualityOf(match: Readonly<ProductMatch>): number {
  return distanceOf(match) * QUALITIES + match.quality;
}

/**
 * 0 for the line's own product; then by size for the same product in another size; then, again by size, for a product
 * with the line's head as an ingredient or a kind; after these all guesses of words.
 */
function distanceOf({ quality, isHeadMatch }: Readonly<ProductMatch>): number {
  const guess = guessOf(quality);
  return guess < SIZE_GUESSES && isHeadMatch ? guess : SIZE_GUESSES + guess;
}

/**
 * The distance allowed for each line: the least distance at any store nearby. Where one store has milk, chocolate with
 * milk is no match; where no store has milk, it is.
 */
export function allowedDistances(choicesByStore: Iterable<readonly LineChoice[]>): number[] {
  const allowed: number[] = [];
  for (const choices of choicesByStore) {
    choices.forEach(([chosen], line) => {
      const distance = chosen ? Math.floor(chosen.quality / QUALITIES) : Infinity;
      allowed[line] = Math.min(allowed[line] ?? Infinity, distance);
    });
  }
  return allowed;
}

/** The choices whose distance from their lines is allowed. */
export function withinDistance(choices: readonly LineChoice[], allowed: readonly number[]): LineChoice[] {
  return choices.map((choice, line) =>
    choice.filter(({ quality }) => Math.floor(quality / QUALITIES) <= (allowed[line] as number)),
  );
}
