import { looseRewritesOf, type QueryRewrite, rewritesOf } from '../../stores/search/query-rewrites.ts';
import type { Lexicon } from './product-terms.index.ts';
import { headOf, isMeasure, isStopWord, productWordsOf } from './product-words.ts';
import type { Answers } from './term-matches.ts';
import type { WordsOnShelves } from './terms-in-indexes.ts';
import { type TypedSize, typedSizesIn } from './typed-sizes.ts';

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
  /** Words that a product must have, a bit each, and those of each size: a product without one is a worse answer. */
  required: number;
  sizes: readonly number[];
  gtins: ReadonlySet<number> | null;
};

/** Says nothing of what is meant. */
const NO_WORD = '0';
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
 * unfinished, words may be misspelt, and sizes may be missing: such products have a worse quality, which `guessOf`
 * tells.
 */
export function prepareQuery(text: string, lexicon: Lexicon, gtins: ReadonlySet<number> | null = null): PreparedQuery {
  return prepareWords({ words: queryWordsOf(text), typos: {} }, typedSizesIn(text), lexicon.answersTo, gtins);
}

/** Readings of a text that shelves are matched with at most. */
const MOST_READINGS = 4;

/**
 * Other ways to read a text that no product answers, likeliest first: with a space less or more, a number in letters, a
 * usual abbreviation, or a typo in a word of two or three letters. Only such whose words all have answers on the shelves
 * of the request.
 */
export function prepareReadings(
  text: string,
  onShelves: WordsOnShelves,
  gtins: ReadonlySet<number> | null = null,
): PreparedQuery[] {
  const words = queryWordsOf(text);
  const sizes = typedSizesIn(text);
  const answersTo = rememberAnswers(onShelves.answersTo);
  const prepared: PreparedQuery[] = [];
  for (const rewrite of [...rewritesOf(words, onShelves.knows, false), ...looseRewritesOf(words, onShelves.knows)]) {
    if (prepared.length === MOST_READINGS) break;
    const query = prepareWords(rewrite, sizes, answersTo, gtins);
    const isAnswered = ({ wordIds }: QueryWord, at: number): boolean =>
      ((query.required >> at) & 1) === 0 || onShelves.hasOneOf(wordIds);
    if (query.words.every(isAnswered)) prepared.push(query);
  }
  return prepared;
}

/** The readings of one text have most words in common. */
function rememberAnswers(answersTo: Lexicon['answersTo']): Lexicon['answersTo'] {
  const known = new Map<string, Answers>();
  return (word, mayBeUnfinished, typos) => {
    const key = `${mayBeUnfinished ? '+' : '-'}${typos ?? ''} ${word}`;
    const answers = known.get(key) ?? answersTo(word, mayBeUnfinished, typos);
    known.set(key, answers);
    return answers;
  };
}

function prepareWords(
  { words: all, typos }: Pick<QueryRewrite, 'words' | 'typos'>,
  typedSizes: readonly TypedSize[],
  answersTo: Lexicon['answersTo'],
  gtins: ReadonlySet<number> | null,
): PreparedQuery {
  const words = all.slice(0, MOST_QUERY_WORDS);
  const { required, sizes } = requiredOf(words, typedSizes);
  const isRequired = (at: number): boolean => ((required >> at) & 1) === 1;
  return {
    words: words.map((word, at) => ({
      // A size is what it is: nothing of it is guessed.
      ...(isRequired(at) ? answersTo(word, at === words.length - 1, typos[at]) : answersTo(word, false, 0)),
      isMeasure: isMeasure(word),
    })),
    head: headOf(words.map((word, at) => (isRequired(at) ? word : NO_WORD))),
    required,
    sizes,
    gtins,
  };
}

/** Which words a product must have: all but those of sizes, and those too where nothing else says what is meant. */
function requiredOf(
  words: readonly string[],
  typedSizes: readonly TypedSize[],
): Pick<PreparedQuery, 'required' | 'sizes'> {
  const all = 2 ** words.length - 1;
  const sizes: number[] = [];
  let from = 0;
  for (const size of typedSizes) {
    const at = words.findIndex((_, start) => start >= from && size.every((word, nth) => words[start + nth] === word));
    if (at < 0) continue;
    from = at + size.length;
    sizes.push((2 ** size.length - 1) << at);
  }
  const required = sizes.reduce((left, size) => left & ~size, all);
  const saysWhat = words.some((word, at) => ((required >> at) & 1) === 1 && !isMeasure(word));
  return saysWhat ? { required, sizes } : { required: all, sizes: [] };
}
