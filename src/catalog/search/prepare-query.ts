import type { Answers, Lexicon } from './lexicon.ts';
import { headOf, isMeasure, isStopWord, productWordsOf } from './product-words.ts';

/** One word of a query: what answers it. */
export type QueryWord = Answers & { isMeasure: boolean };

/**
 * What is looked for among products, for the shelves that were there when it was prepared: words, codes (GTIN-14 as
 * numbers), or both, and then both must hold. `words` is empty where only codes are looked for.
 */
export type PreparedQuery = {
  words: readonly QueryWord[];
  /** Number of the word that says what is meant; -1 for a query of measures alone. */
  head: number;
  gtins: ReadonlySet<number> | null;
};

/** Words past this many are ignored: a bit each tells which have been answered. */
const MOST_QUERY_WORDS = 24;

/** The words of a text that count; stop words do where there are no others. Empty without letter or digit. */
export function queryWordsOf(text: string): string[] {
  const words = productWordsOf(text).slice(0, MOST_QUERY_WORDS);
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : words;
}

/**
 * Prepares a query once for all the shelves of a request, which must have been loaded before. The last word may be
 * unfinished, and words may be misspelt: such products have a worse quality, which `guessOf` tells.
 */
export function prepareQuery(text: string, lexicon: Lexicon, gtins: ReadonlySet<number> | null = null): PreparedQuery {
  const words = queryWordsOf(text);
  return {
    words: words.map((word, at) => ({
      ...lexicon.answersTo(word, at === words.length - 1),
      isMeasure: isMeasure(word),
    })),
    head: headOf(words),
    gtins,
  };
}
