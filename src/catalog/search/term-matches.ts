/** How a word of a product answers a word of a query, best first. */
export const EXACT = 0;
export const PLURAL = 1;
export const UNFINISHED = 2;
export const MISSPELT = 3;

/** Words that answer one word of a query: their numbers, ascending, and how well each of them does. */
export type Answers = { wordIds: Uint32Array; grades: Uint8Array };
