/** Grades of a term's match with a query word, best first. */
export const EXACT = 0;
export const PLURAL = 1;
export const UNFINISHED = 2;
export const MISSPELLED = 3;

/** Numbers of the terms that match a query word, ascending, with the grade of each. */
export type TermMatches = { termIds: Uint32Array; grades: Uint8Array };
