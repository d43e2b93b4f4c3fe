import { looseRewritesOf, type QueryRewrite, rewritesOf } from '../../lib/text/query-rewrites.ts';
import { NO_CLAIMS } from '../food.ts';
import type { SlotBits } from './indexes-by-term.index.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { headOf, isMeasure, isStopWord, productWordsOf } from './product-words.ts';
import { slotsWithAll } from './slots-with-all.ts';
import type { TermMatches } from './term-matches.ts';
import type { TermsInIndexes } from './terms-in-indexes.ts';
import { type TypedSize, typedSizesIn } from './typed-sizes.ts';
import { namesFlavor } from './word-roles.ts';

/** One word of a query with the terms that match it. */
export type QueryWord = TermMatches & { isMeasure: boolean };

/**
 * A query for the product indexes that were loaded when it was prepared: words, codes (GTIN-14 as numbers), or both,
 * and then a product must match both. `words` is empty in a query for codes alone.
 */
export type PreparedQuery = {
  words: readonly QueryWord[];
  /** Position of the head: the word that names the product; -1 for a query of measures alone. */
  head: number;
  /** Whether another word is a flavor: then a product may have that flavor, or more of them. */
  hasFlavor: boolean;
  /** Words that a product must match, a bit each, and the words of each size: a product without it matches worse. */
  required: number;
  sizes: readonly number[];
  /** Slots of the product indexes that have a term for every required word: no other has a match. Null without words. */
  slots: SlotBits | null;
  gtins: ReadonlySet<number> | null;
  /** What the food of a product must state, by the bits of `foodClaims`. */
  claims: number;
};

/** The terms that a query is matched with: those of a request's product indexes, or of all in memory. */
export type SearchedTerms = Pick<ProductTerms, 'match' | 'indexes'>;

/** Stands for a word that is no head. */
const NO_WORD = '0';
/** Further words are ignored: the words of a query are bits of one number. */
export const MAX_QUERY_WORDS = 24;

/** The words of a text without stop words; only stop words where there are no others. Empty without letter or digit. */
export function queryWordsOf(text: string): string[] {
  const words = productWordsOf(text).slice(0, MAX_QUERY_WORDS);
  const withoutStops = words.filter((word) => !isStopWord(word));
  return withoutStops.length > 0 ? withoutStops : words;
}

/**
 * Prepares a query once for all product indexes of a request, which must be loaded before. The last word may be
 * unfinished, words may be misspelt and sizes may be missing: such products match worse, by `guessOf` of their quality.
 */
export function prepareQuery(
  text: string,
  terms: SearchedTerms,
  gtins: ReadonlySet<number> | null = null,
  claims: number = NO_CLAIMS,
): PreparedQuery {
  return { ...prepareWords({ words: queryWordsOf(text), typos: {} }, typedSizesIn(text), terms), gtins, claims };
}

/** Rewrites of one text that are matched with product indexes. */
const MAX_REWRITES = 4;

/**
 * Rewrites of a text that no product matches, likeliest first: with a space less or more, a number in letters, a usual
 * abbreviation, or a typo in a word of two or three letters. One of the request's product indexes has a term for every
 * required word of a rewrite.
 */
export function prepareRewrites(
  text: string,
  inIndexes: TermsInIndexes,
  gtins: ReadonlySet<number> | null = null,
  claims: number = NO_CLAIMS,
): PreparedQuery[] {
  const words = queryWordsOf(text);
  const sizes = typedSizesIn(text);
  const terms = { match: rememberMatches(inIndexes.match), indexes: inIndexes.indexes };
  const prepared: PreparedQuery[] = [];
  for (const rewrite of [...rewritesOf(words, inIndexes.has, false), ...looseRewritesOf(words, inIndexes.has)]) {
    if (prepared.length === MAX_REWRITES) break;
    const query = { ...prepareWords(rewrite, sizes, terms), gtins, claims };
    if (query.slots && inIndexes.hasAnyOf(query.slots)) prepared.push(query);
  }
  return prepared;
}

/** Rewrites of one text share most of their words. */
function rememberMatches(match: ProductTerms['match']): ProductTerms['match'] {
  const known = new Map<string, TermMatches>();
  return (word, mayBeUnfinished, maxTypos) => {
    const key = `${mayBeUnfinished ? '+' : '-'}${maxTypos ?? ''} ${word}`;
    const matches = known.get(key) ?? match(word, mayBeUnfinished, maxTypos);
    known.set(key, matches);
    return matches;
  };
}

function prepareWords(
  { words: all, typos }: Pick<QueryRewrite, 'words' | 'typos'>,
  typedSizes: readonly TypedSize[],
  { match, indexes }: SearchedTerms,
): Omit<PreparedQuery, 'gtins' | 'claims'> {
  const words = all.slice(0, MAX_QUERY_WORDS);
  const { required, sizes } = requiredOf(words, typedSizes);
  const isRequired = (at: number): boolean => ((required >> at) & 1) === 1;
  const matched = words.map((word, at) => ({
    // The words of a size must match as they are typed.
    ...(isRequired(at) ? match(word, at === words.length - 1, typos[at]) : match(word, false, 0)),
    isMeasure: isMeasure(word),
  }));
  const head = headOf(words.map((word, at) => (isRequired(at) ? word : NO_WORD)));
  return {
    words: matched,
    head,
    hasFlavor: words.some((word, at) => at !== head && namesFlavor(word)),
    required,
    sizes,
    slots: slotsWithAll(
      indexes,
      matched.filter((_, at) => isRequired(at)),
    ),
  };
}

/** A product must match all words but the words of sizes; also these where no other word names the product. */
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
  const hasContent = words.some((word, at) => ((required >> at) & 1) === 1 && !isMeasure(word));
  return hasContent ? { required, sizes } : { required: all, sizes: [] };
}
