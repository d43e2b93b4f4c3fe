/** How a product's term matches a query word, best first. */
export const EXACT = 0;
export const PLURAL = 1;
export const UNFINISHED = 2;
export const MISSPELLED = 3;

/** Numbers of the terms that match a query word, ascending, and each match's grade. */
export type TermMatches = { termIds: Uint32Array; grades: Uint8Array };
