import { forgivingWords } from '../item-words.ts';
import type { StoreQuery } from '../store-query.ts';

/** How the names of what a store sells match a text, best first. */
export const EXACT = 'exact';
export const UNFINISHED = 'unfinished';
export const MISSPELT = 'misspelt';
/** Any of them. */
export const ANY = 'any';
export type Grade = typeof EXACT | typeof UNFINISHED | typeof MISSPELT | typeof ANY;

/** Where a page begins: how many candidates of its grade lie before it. */
export type Position = { grade: Grade; passed: number };

/** More than there are stores: page numbers of one grade. */
const PAGES_OF_GRADE = 100_000_000;

export function positionOf(page: number, grades: readonly Grade[]): Position {
  const at = Math.min(grades.length - 1, Math.floor(page / PAGES_OF_GRADE));
  return { grade: grades[at] as Grade, passed: page - at * PAGES_OF_GRADE };
}

export function pageOf({ grade, passed }: Position, grades: readonly Grade[]): number {
  return grades.indexOf(grade) * PAGES_OF_GRADE + passed;
}

/** The grades that a query looks for, one after the other. Any sort but relevance ignores the quality of a match. */
export function gradesOf(
  words: readonly string[],
  { autocomplete, sort }: Pick<StoreQuery, 'autocomplete' | 'sort'>,
): readonly Grade[] {
  if (sort !== 'relevance') return [ANY];
  const grades: Grade[] = autocomplete ? [EXACT, UNFINISHED] : [EXACT];
  return forgivingWords(words).length > 0 ? [...grades, MISSPELT] : grades;
}
