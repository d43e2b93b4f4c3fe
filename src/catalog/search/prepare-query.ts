import { boldReadings, otherReadings, type Reading } from '../../stores/search/other-readings.ts';
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
  return prepareWords(queryWordsOf(text), lexicon, gtins);
}

/** Readings of a text that shelves are matched with at most. */
const MOST_READINGS = 4;

/**
 * Other ways to read a text that no product answers, likeliest first: with a space less or more, a number in letters, a
 * usual abbreviation, or a typo in a word of two or three letters. Only such whose words all have answers.
 */
export function prepareReadings(
  text: string,
  lexicon: Lexicon,
  gtins: ReadonlySet<number> | null = null,
): PreparedQuery[] {
  const words = queryWordsOf(text);
  const answersTo = rememberAnswers(lexicon);
  const prepared: PreparedQuery[] = [];
  for (const reading of [...otherReadings(words, lexicon.knows, false), ...boldReadings(words, lexicon.knows)]) {
    if (prepared.length === MOST_READINGS) break;
    const hasAnswers = (word: string, at: number): boolean =>
      answersTo(word, at === reading.words.length - 1, reading.typos[at]).wordIds.length > 0;
    if (!reading.words.every(hasAnswers)) continue;
    prepared.push(prepareWords(reading.words, { answersTo }, gtins, reading.typos));
  }
  return prepared;
}

/** The readings of one text have most words in common. */
function rememberAnswers(lexicon: Lexicon): Lexicon['answersTo'] {
  const known = new Map<string, Answers>();
  return (word, mayBeUnfinished, typos) => {
    const key = `${mayBeUnfinished ? '+' : '-'}${typos ?? ''} ${word}`;
    const answers = known.get(key) ?? lexicon.answersTo(word, mayBeUnfinished, typos);
    known.set(key, answers);
    return answers;
  };
}

function prepareWords(
  words: readonly string[],
  lexicon: Pick<Lexicon, 'answersTo'>,
  gtins: ReadonlySet<number> | null,
  typos: Reading['typos'] = {},
): PreparedQuery {
  return {
    words: words.slice(0, MOST_QUERY_WORDS).map((word, at) => ({
      ...lexicon.answersTo(word, at === words.length - 1, typos[at]),
      isMeasure: isMeasure(word),
    })),
    head: headOf(words.slice(0, MOST_QUERY_WORDS)),
    gtins,
  };
}
