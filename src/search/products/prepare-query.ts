import { looseRewritesOf, type QueryRewrite, respellingsOf, rewritesOf } from 'doorstep/search-engine/text';
import { NO_CLAIMS } from '../../supply/catalog/food.ts';
import { headNounIn, isFood, isPart } from './food-words.ts';
import type { ProductIndex } from './product.index.ts';
import type { ProductTerms } from './product-terms.index.ts';
import { headPosition, isMeasure, isStopWord, MIN_UNFINISHED, productWordsOf } from './product-words.ts';
import type { TermMatches } from './term-matches.ts';
import { parseTypedSizes, type TypedSize } from './typed-sizes.ts';
import { MENTION, namesFlavor, VARIANT } from './word-roles.ts';

/** A query word with its matching terms. */
export type QueryWord = TermMatches & { isMeasure: boolean };

/**
 * A query prepared for loaded product indexes: words, codes (GTIN-14 as numbers), or both, which must both match.
 * `words` is empty for only codes.
 */
export type PreparedQuery = {
  words: readonly QueryWord[];
  /** Position of the head, the word that names the product; -1 if the query has only measures. */
  head: number;
  /** The weakest role of the head in a product that matches. */
  maxRole: number;
  /** Whether a word besides the head is a flavor: then matching products may have several flavors. */
  hasFlavor: boolean;
  /** Required words as bits, and the words of each size. Products without a size rank lower. */
  required: number;
  sizes: readonly number[];
  /** Words that must directly follow the word before them, as bits: parts of a split word. */
  bound: number;
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
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Minimum length of a word with a typo in its first letter, and maximum texts with another. */
const MIN_LENGTH_FOR_FIRST_LETTER = 4;
const MAX_FIRST_LETTERS = 4;
/** More than log2 of any number of postings. */
const MAX_WEIGHT = 32;

/** Returns a text's words without stop words, or these if there are no others. Empty without letters and digits. */
export const queryWordsOf = (text: string): string[] => withoutStopWords(typedWordsOf(text));

const typedWordsOf = (text: string): string[] => productWordsOf(text).slice(0, MAX_QUERY_WORDS);

function withoutStopWords(words: string[]): string[] {
  const withoutStops = words.filter((word) => !isStopWord(word));
  return withoutStops.length > 0 ? withoutStops : words;
}

/** The ways to read a text, each with queries, likeliest first. */
export type QueryReadings = {
  /** With a stop word joined to its neighbor ("la croix": "lacroix"). */
  joined(): Generator<PreparedQuery, void>;
  typed: PreparedQuery;
  /** Without typos, where the text as typed matches only with typos. */
  spelled(): Generator<PreparedQuery, void>;
  /** Where the text as typed has no match. */
  rewrites(): Generator<PreparedQuery, void>;
  /**
   * Without words that a product may lack (`relaxed`), first those without common ones. The head noun and foods stay;
   * the head must be the product. Sizes stay, because products may lack them anyway.
   */
  parts(): Generator<{ query: PreparedQuery; relaxed: readonly string[] }, void>;
};

/**
 * Returns the equivalent spellings where a joined word has a stop word ("la croix": "lacroix"). Stop words leave
 * after words are joined.
 */
export function joinedStopWords(text: string, isTerm: (word: string) => boolean): string[][] {
  const typed = typedWordsOf(text);
  const stops = typed.filter(isStopWord).length;
  if (stops === 0) return [];
  return respellingsOf(typed, isTerm, false)
    .map(({ words }) => words)
    .filter((words) => words.length < typed.length && words.some((word) => !typed.includes(word)))
    .filter((words) => words.filter(isStopWord).length < stops)
    .map((words) => withoutStopWords([...words]));
}

/**
 * Reads a text, after a request's product indexes are loaded. An incomplete last word, misspellings and missing sizes
 * are allowed and rank lower (`guessOf` their quality). Rewrites are a space added or removed, a number spelled out, an
 * abbreviation, a typo in a short word. They depend only on the request's indexes, so every node tries the same ones.
 */
export function readQuery(
  text: string,
  terms: ProductTerms,
  indexes: readonly ProductIndex[],
  gtins: ReadonlySet<number> | null = null,
  claims: number = NO_CLAIMS,
): QueryReadings {
  const words = queryWordsOf(text);
  const sizes = parseTypedSizes(text);
  let counts: Uint32Array | undefined;
  const counted = (): CountedTerms => {
    counts ??= countsOf(indexes);
    return { terms, counts };
  };
  const remembered = cacheMatches(terms);
  const prepare = (rewrite: Pick<QueryRewrite, 'words' | 'typos'>): PreparedQuery => {
    return { ...prepareWords(rewrite, sizes, remembered), gtins, claims };
  };
  const exactly = (own: readonly string[], bound = 0) => {
    return { ...prepare({ words: own, typos: own.map(() => 0) }), bound };
  };
  const has = (word: string) => {
    const forms = terms.formsOf(word);
    return forms.length > 0 && countOf(counted(), forms) > 0;
  };
  return {
    *joined() {
      for (const own of joinedStopWords(text, has)) yield exactly(own);
    },
    typed: prepare({ words, typos: {} }),
    *spelled() {
      for (const rewrite of rewritesOf(typedWordsOf(text), has, false)) {
        const bound = boundParts(rewrite);
        if (bound !== null) yield exactly(withoutStopWords([...rewrite.words]), bound);
      }
    },
    *rewrites() {
      const rewrites = [
        ...rewritesOf(words, has, false),
        ...looseRewritesOf(words, has),
        ...withFirstLetters(words, has),
      ];
      for (const rewrite of rewrites) yield prepare(rewrite);
    },
    *parts() {
      const { required } = requiredOf(words, sizes);
      const noun = headNounIn(text, words);
      const isKept = (word: string) => isFood(word) && !isPart(text, word);
      const isFixed = (at: number) => at === noun || isKept(words[at] as string);
      for (const bits of partsOf(words, required, isFixed, counted())) {
        const kept = [...words.keys()].filter((at) => (((bits | ~required) >>> at) & 1) === 1);
        const typos = Object.fromEntries(kept.flatMap((at, nth) => (isFixed(at) ? [] : [[nth, 0]])));
        const given = { head: kept.indexOf(noun), isWhole: kept.at(-1) !== words.length - 1 };
        const own = kept.map((at) => words[at] as string);
        const query = {
          ...prepareWords({ words: own, typos }, sizes, remembered, given),
          maxRole: VARIANT,
          gtins,
          claims,
        };
        yield { query, relaxed: words.filter((_, at) => !kept.includes(at)) };
      }
    },
  };
}

/**
 * Lists the texts with one typo in the first letter of a word ("ater" or "gater" for water), if there are others. A
 * food has none: "pear" is no spear.
 */
function withFirstLetters(words: readonly string[], has: (word: string) => boolean) {
  if (words.length < 2) return [];
  const rewrites = words.flatMap((word, at) => {
    if (word.length < MIN_LENGTH_FOR_FIRST_LETTER || isFood(word) || has(word)) return [];
    const tail = word.slice(1);
    return LETTERS.flatMap((letter) => [letter + word, letter + tail])
      .filter(has)
      .map((own) => words.with(at, own));
  });
  return rewrites.slice(0, MAX_FIRST_LETTERS).map((own) => ({ words: own, typos: {} }));
}

/** Returns the parts of a split word after its first, as bits of the words without stop words; null if it has only these. */
function boundParts({ words, phrase }: QueryRewrite): number | null {
  if (phrase === null) return 0;
  const parts = phrase.filter((part) => !isStopWord(part)).length;
  if (parts === 0) return null;
  const at = words.findIndex((_, start) => phrase.every((part, nth) => words[start + nth] === part));
  const before = words.slice(0, at).filter((word) => !isStopWord(word)).length;
  return (2 ** (parts - 1) - 1) << (before + 1);
}

/**
 * Returns the combinations of the fixed words with the rarest other required ones as bits, heaviest first, except all
 * words together.
 */
function partsOf(
  words: readonly string[],
  required: number,
  isFixed: (at: number) => boolean,
  counted: CountedTerms,
): number[] {
  const fixed = words.reduce((bits, _, at) => (isFixed(at) ? bits | (1 << at) : bits), 0) & required;
  const weighed = words
    .map((word, at) => ({ bit: (1 << at) & required & ~fixed, weight: weightOf(word, counted) }))
    .filter(({ bit, weight }) => bit !== 0 && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_PART_WORDS);
  const parts = Array.from({ length: 2 ** weighed.length }, (_, nth) => {
    const had = weighed.filter((_, at) => (nth >>> at) & 1);
    return {
      bits: had.reduce((bits, { bit }) => bits | bit, fixed),
      weight: had.reduce((sum, { weight }) => sum + weight, 0),
    };
  });
  return parts
    .sort((one, other) => other.weight - one.weight)
    .map(({ bits }) => bits)
    .filter((bits) => bits !== required && bits !== 0);
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

/** Weighs a word: the fewer postings, the more. 0 for measures, and for words without postings. */
function weightOf(word: string, counted: CountedTerms): number {
  const count = isMeasure(word) ? 0 : countOf(counted, counted.terms.formsOf(word));
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
  given: { head?: number; isWhole?: boolean } = {},
): Omit<PreparedQuery, 'gtins' | 'claims'> {
  const words = all.slice(0, MAX_QUERY_WORDS);
  const { required, sizes } = requiredOf(words, typedSizes);
  const isRequired = (at: number): boolean => ((required >> at) & 1) === 1;
  const mayBeUnfinished = (word: string, at: number): boolean =>
    !given.isWhole && at === words.length - 1 && word.length >= MIN_UNFINISHED && !isMeasure(word);
  const matched = words.map((word, at) => ({
    // Words of a size must match as typed.
    ...(isRequired(at) ? terms.match(word, mayBeUnfinished(word, at), typos[at]) : terms.match(word, false, 0)),
    isMeasure: isMeasure(word),
  }));
  const head = given.head ?? headPosition(words.map((word, at) => (isRequired(at) ? word : NO_WORD)));
  return {
    words: matched,
    head,
    maxRole: MENTION,
    hasFlavor: words.some((word, at) => at !== head && namesFlavor(word)),
    required,
    sizes,
    bound: 0,
  };
}

/** Returns the required words: all but size words, or these too if no other word names the product. */
function requiredOf(words: readonly string[], typedSizes: readonly TypedSize[]) {
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
