import { guessOf, type ProductMatch, SIZE_GUESSES, wordGuessOf } from '../products/match-products.ts';
import { INGREDIENT } from '../products/word-roles.ts';
import type { Candidate, RankedMatches } from './choose-products.ts';

/** Factor of the distance from the line: greater than any quality, so that the distance decides first. */
const QUALITIES = 1000;

/** Rates a product for a line: less than 2^16, smaller is better. Its semantic distance from the line counts most. */
export function lineQualityOf(match: Readonly<ProductMatch>): number {
  return matchDistance(match) * QUALITIES + match.quality;
}

/** Returns the word guess (`wordGuessOf`) of a product that was rated for a line. */
export const lineWordGuessOf = (lineQuality: number): number => wordGuessOf(guessOf(lineQuality % QUALITIES));

/**
 * Returns the semantic distance of a match. The role of the line's head decides: the product itself, a kind of it
 * (chocolate milk for milk), something made of it; within a role, the size. Guessed words are last.
 */
function matchDistance({ quality, role }: Readonly<ProductMatch>): number {
  const guess = guessOf(quality);
  return guess < SIZE_GUESSES ? Math.min(role, INGREDIENT) * SIZE_GUESSES + guess : INGREDIENT * SIZE_GUESSES + guess;
}

/**
 * Returns the distance allowed for each line: the smallest at any store nearby. If one store has milk, chocolate with
 * milk does not match; if none has milk, it does. Undefined for a line that no store has.
 */
export function allowedDistances(
  chosenByStore: Iterable<readonly (Candidate | undefined)[]>,
  lineCount: number,
): number[] {
  const least = new Array<number>(lineCount).fill(Infinity);
  for (const chosen of chosenByStore) {
    for (const [line, candidate] of chosen.entries()) {
      least[line] = Math.min(least[line] as number, candidate?.quality ?? Infinity);
    }
  }
  return least.map((quality) => Math.floor(quality / QUALITIES));
}

/** Whether a product of this quality is within the distance allowed for the line. */
export function isWithinDistance(quality: number, line: number, allowed: readonly number[]): boolean {
  return Math.floor(quality / QUALITIES) <= (allowed[line] as number);
}

/** Returns the choices within the distance allowed for their lines. */
export function filterByDistance(choices: readonly RankedMatches[], allowed: readonly number[]): RankedMatches[] {
  return choices.map((choice, line) => choice.filter(({ quality }) => isWithinDistance(quality, line, allowed)));
}
