import { forgivingWords } from '../item-words.ts';

/** How the names of what a store sells match a text, best first. */
export const EXACT = 0;
export const UNFINISHED = 1;
export const MISSPELT = 2;
export type Grade = typeof EXACT | typeof UNFINISHED | typeof MISSPELT;

/** Where a page begins: how many candidates of its grade lie before it. */
export type Position = { grade: Grade; passed: number };

/** More than there are stores: page numbers of one grade. */
const PAGES_OF_GRADE = 100_000_000;

export function positionOf(page: number): Position {
  const grade = Math.min(MISSPELT, Math.floor(page / PAGES_OF_GRADE)) as Grade;
  return { grade, passed: page - grade * PAGES_OF_GRADE };
}

export function pageOf({ grade, passed }: Position): number {
  return grade * PAGES_OF_GRADE + passed;
}

/** The grades that stores may have for a text, best first. */
export function gradesOf(words: readonly string[], autocomplete: boolean): Grade[] {
  const grades: Grade[] = autocomplete ? [EXACT, UNFINISHED] : [EXACT];
  return forgivingWords(words).length > 0 ? [...grades, MISSPELT] : grades;
}
