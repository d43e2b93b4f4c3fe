import { guessOf, type ShelfMatch, SIZE_GUESSES } from '../catalog/search/match-products.ts';
import { type PreparedQuery, prepareQuery } from '../catalog/search/prepare-query.ts';
import type { Lexicon } from '../catalog/search/product-terms.index.ts';
import type { LineChoice } from './choose-products.ts';
import type { CartLine } from './parse-cart-query.ts';

/** More than any quality of a match: how far a product is from what the line says comes before it. */
const QUALITIES = 1000;

/**
 * What the database says of a product now; null where it cannot be had. A price of null was not asked for: that of the
 * shelf counts.
 */
export type LiveProduct = { unitCents: number | null; qtyAvailable: number | null } | null;

/** Prepares a line once for all shelves of a request, which must have been loaded before. */
export function prepareLine({ query, gtin }: CartLine, lexicon: Lexicon): PreparedQuery {
  return gtin === null ? prepareQuery(query, lexicon) : prepareQuery('', lexicon, new Set([gtin]));
}

/** How well a product answers a line, smaller is better, below 2^16: how far it is from what the line says, then how good. */
export function lineQualityOf(match: Readonly<ShelfMatch>): number {
  return distanceOf(match) * QUALITIES + match.quality;
}

/**
 * 0 is what the line says; then it is that in another size; then it has it for an ingredient or a kind, again by size;
 * above, words of the line are guessed.
 */
function distanceOf({ quality, isMeant }: Readonly<ShelfMatch>): number {
  const guess = guessOf(quality);
  return guess < SIZE_GUESSES && isMeant ? guess : SIZE_GUESSES + guess;
}

/**
 * How far from what it says each line may be answered: no farther than it must be anywhere near. Where some store has
 * milk, chocolate with milk is no milk; where none has, it may do.
 */
export function allowedDistances(offers: Iterable<{ choices: readonly LineChoice[] }>): number[] {
  const least: number[] = [];
  for (const { choices } of offers) {
    choices.forEach(([chosen], line) => {
      const distance = chosen ? Math.floor(chosen.quality / QUALITIES) : Infinity;
      least[line] = Math.min(least[line] ?? Infinity, distance);
    });
  }
  return least;
}

/** The choices that are no farther from what their lines say. */
export function withinDistance(choices: readonly LineChoice[], allowed: readonly number[]): LineChoice[] {
  return choices.map((choice, line) =>
    choice.filter(({ quality }) => Math.floor(quality / QUALITIES) <= (allowed[line] as number)),
  );
}
