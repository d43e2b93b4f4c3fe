import { looseRewritesOf, type QueryRewrite, rewritesOf } from '../../platform/lib/text/query-rewrites.ts';
import { NO_CLAIMS } from '../../supply/catalog/food.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { headPosition, isMeasure, isStopWord, MIN_UNFINISHED, productWordsOf } from './product-words.ts';
import type { TermMatches } from './term-matches.ts';
import { parseTypedSizes, type TypedSize } from './typed-sizes.ts';
import { namesFlavor } from './word-roles.ts';

/** A query word with its matching terms. */
export type QueryWord = TermMatches & { isMeasure: boolean };

/**
 * A query prepared for loaded product indexes: words, codes (GTIN-14 as numbers), or both, which must both match.
 * `words` is empty for codes alone.
 */
export type PreparedQuery = {
  words: readonly QueryWord[];
  /** Position of the head, the word that names the product; -1 if the query has only measures. */
  head: number;
  /** Whether a word besides the head is a flavor: then matching products may have several flavors. */
  hasFlavor: boolean;
  /** Required words as bits, and the words of each size. Products without a size rank lower. */
  required: number;
  sizes: readonly number[];
  gtins: ReadonlySet<number> | null;
  /** Required food claims as bits of `foodClaims`. */
  claims: number;
};

/** Matches a query's words with terms. */
type TermMatcher = Pick<ProductTerms, 'match'>;

/** Placeholder for a word that is not the head. */
const NO_WORD = '0';
/** Maximum words of a query, because words are bits of one number; further ones are ignored. */
export const MAX_QUERY_WORDS = 24;
/** Maximum words that are combined into parts of a query, in 31 combinations. */
const MAX_PART_WORDS = 5;
/** More than log2 of any number of postings. */
const MAX_WEIGHT = 32;

/** Returns a text's words without stop words, or these if there are no others. Empty without letters and digits. */
export function queryWordsOf(text: string): string[] {
  const words = productWordsOf(text).slice(0, MAX_QUERY_WORDS);
  const withoutStops = words.filter((word) => !isStopWord(word));
  return withoutStops.length > 0 ? withoutStops : words;
}

/**
 * Prepares a query for a request's product indexes, after all of them are loaded. An incomplete last word, misspellings
 * and missing sizes are allowed and rank lower (`guessOf` their quality).
 */
export function prepareQuery(
  text: string,
  terms: TermMatcher,
  gtins: ReadonlySet<number> | null = null,
  claims: number = NO_CLAIMS,
): PreparedQuery {
  return { ...prepareWords({ words: queryWordsOf(text), typos: {} }, parseTypedSizes(text), terms), gtins, claims };
}

/** Queries to try where a text has no match. */
export type OtherQueries = { rewrites(): Generator<PreparedQuery, void>; parts(): Generator<PreparedQuery, void> };

/**
 * Returns the queries to try where no product matches a text. Rewrites, likeliest first: a space added or removed, a
 * number spelled out, an abbreviation, a typo in a short word. Then parts, the rarest words first; sizes stay, because
 * products may lack them anyway. They depend only on the request's indexes, so every node tries the same ones.
 */
export function prepareOthers(
  text: string,
  terms: ProductTerms,
  indexes: readonly ProductIndex[],
  gtins: ReadonlySet<number> | null = null,
  claims: number = NO_CLAIMS,
): OtherQueries {
  const words = queryWordsOf(text);
  const sizes = parseTypedSizes(text);
  const counted = { terms, counts: countsOf(indexes) };
  const remembered = cacheMatches(terms);
  const prepare = (rewrite: Pick<QueryRewrite, 'words' | 'typos'>): PreparedQuery => {
    return { ...prepareWords(rewrite, sizes, remembered), gtins, claims };
  };
  return {
    *rewrites() {
      const has = (word: string) => countOf(counted, terms.formsOf(word)) > 0;
      for (const rewrite of [...rewritesOf(words, has, false), ...looseRewritesOf(words, has)]) yield prepare(rewrite);
    },
    *parts() {
      const { required } = requiredOf(words, sizes);
      for (const bits of partsOf(words, required, counted)) {
        const kept = words.filter((_, at) => (((bits | ~required) >>> at) & 1) === 1);
        yield prepare({ words: kept, typos: {} });
      }
    },
  };
}

/** Returns the combinations of the rarest required words as bits, heaviest first, except all words together. */
function partsOf(words: readonly string[], required: number, counted: CountedTerms): number[] {
  const weighed = words
    .map((word, at) => ({ bit: 1 << at, weight: ((required >>> at) & 1) === 1 ? weightOf(word, counted) : 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_PART_WORDS);
  const parts = Array.from({ length: 2 ** weighed.length - 1 }, (_, nth) => {
    const had = weighed.filter((_, at) => ((nth + 1) >>> at) & 1);
    return {
      bits: had.reduce((bits, { bit }) => bits | bit, 0),
      weight: had.reduce((sum, { weight }) => sum + weight, 0),
    };
  });
  return parts
    .sort((one, other) => other.weight - one.weight)
    .map(({ bits }) => bits)
    .filter((bits) => bits !== required);
}

/** The terms of a request, and by term number how many postings the request's product indexes have. */
type CountedTerms = { terms: ProductTerms; counts: Uint32Array };

/** Counts the postings of each term in the product indexes. */
function countsOf(indexes: readonly ProductIndex[]): Uint32Array {
  const lastTerms = indexes.map(({ data, termCount }) => (termCount === 0 ? 0 : (data[termCount - 1] as number)));
  const counts = new Uint32Array(1 + Math.max(0, ...lastTerms));
  for (const { data, termCount } of indexes) {
    for (let at = 0; at < termCount; at += 1) {
      const term = data[at] as number;
      const count = (data[termCount + at + 1] as number) - (data[termCount + at] as number);
      counts[term] = (counts[term] as number) + count;
    }
  }
  return counts;
}

function countOf({ counts }: CountedTerms, termIds: Iterable<number>): number {
  let sum = 0;
  for (const termId of termIds) sum += counts[termId] ?? 0;
  return sum;
}

/**
 * Weighs a word: the fewer postings, the more. Without postings, those of its misspellings count. 0 for measures, and
 * for words without either.
 */
function weightOf(word: string, counted: CountedTerms): number {
  if (isMeasure(word)) return 0;
  const own = countOf(counted, counted.terms.formsOf(word));
  const count = own > 0 ? own : countOf(counted, counted.terms.match(word, false).termIds);
  return count === 0 ? 0 : MAX_WEIGHT - Math.log2(count);
}

/** Caches matches by word, because rewrites of one text share most of their words. */
function cacheMatches(terms: TermMatcher): TermMatcher {
  const known = new Map<string, TermMatches>();
  return {
    match(word, mayBeUnfinished, maxTypos) {
      const key = `${mayBeUnfinished ? '+' : '-'}${maxTypos ?? ''} ${word}`;
      const matches = known.get(key) ?? terms.match(word, mayBeUnfinished, maxTypos);
      known.set(key, matches);
      return matches;
    },
  };
}

function prepareWords(
  { words: all, typos }: Pick<QueryRewrite, 'words' | 'typos'>,
  typedSizes: readonly TypedSize[],
  terms: TermMatcher,
): Omit<PreparedQuery, 'gtins' | 'claims'> {
  const words = all.slice(0, MAX_QUERY_WORDS);
  const { required, sizes } = requiredOf(words, typedSizes);
  const isRequired = (at: number): boolean => ((required >> at) & 1) === 1;
  const mayBeUnfinished = (word: string, at: number): boolean =>
    at === words.length - 1 && word.length >= MIN_UNFINISHED && !isMeasure(word);
  const matched = words.map((word, at) => ({
    // Words of a size must match as typed.
    ...(isRequired(at) ? terms.match(word, mayBeUnfinished(word, at), typos[at]) : terms.match(word, false, 0)),
    isMeasure: isMeasure(word),
  }));
  const head = headPosition(words.map((word, at) => (isRequired(at) ? word : NO_WORD)));
  return {
    words: matched,
    head,
    hasFlavor: words.some((word, at) => at !== head && namesFlavor(word)),
    required,
    sizes,
  };
}

/** Returns the required words: all but size words, or these too if no other word names the product. */
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
