/** How a term of a product matches a word of a query, best first. */
export const EXACT = 0;
export const PLURAL = 1;
export const UNFINISHED = 2;
export const MISSPELLED = 3;

/** Numbers of the terms that match one word of a query, ascending, and the grade of each match. */
export type TermMatches = { termIds: Uint32Array; grades: Uint8Array };
