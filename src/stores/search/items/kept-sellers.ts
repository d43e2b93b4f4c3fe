/** What a text asks of the name of a product: all of its words, normalised. */
export type AskedWords = {
  words: readonly string[];
  /** Whether the last word may be unfinished. */
  isUnfinished: boolean;
  /** Whether words may be misspelt. */
  forgivesTypos: boolean;
};

/**
 * The stores that may sell such a product, in the sequence of the ids: those whose products are in memory and have the
 * words, and those whose products are not in memory.
 */
export type KeepSellers = (storeIds: readonly string[], asked: AskedWords) => string[];
