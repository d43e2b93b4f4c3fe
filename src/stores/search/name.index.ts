import { LRUCache } from 'lru-cache';
import { grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists, type IntLists } from '../../lib/columns/int-lists.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { createTermDictionary, MATCH_CLASSES, type TermMatches } from '../../lib/text/term-dictionary.ts';
import { looseRewritesOf, type QueryRewrite, rewritesOf } from './query-rewrites.ts';

/**
 * Numbers of the names that match a query, by class (exact, prefix, typo); the class of a name is that of its worst
 * word. The fourth class has the names that match a rewrite of the query.
 */
export type NameMatch = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/**
 * Names by their terms. Stores of one chain share one name number, so that a search matches each distinct name once;
 * `stores` lists the ordinals of the stores of a name, `nameOf` has the name of each ordinal, 0 for none.
 */
export type NameIndex = {
  readonly stores: IntLists;
  nameOf: Uint32Array;
  /** Sets the name of a store, in place of its last name. */
  set(ordinal: number, name: string): void;
  clear(ordinal: number): void;
  /** Called when stores that some searches leave out have come, gone or changed. */
  forgetMatches(): void;
  /**
   * Names with a term for each word of the query; with `lastIsPrefix` the last word may be unfinished. After them come
   * the names that rewrites of the query match (`rewritesOf`); where there is no shown name of either kind, the names
   * that loose rewrites match (`looseRewritesOf`).
   */
  match(words: readonly string[], lastIsPrefix: boolean): NameMatch;
  /** Number of the name with the same words in the same sequence; undefined where no store has it. */
  idOf(name: string): number | undefined;
  /** One more than the highest name number in use. */
  readonly ceiling: number;
  /** How often a store has got another name, or lost its name. */
  readonly changes: number;
};

/** Matches that are cached: a page is usually followed by the next one, and popular queries recur. */
const MAX_CACHED_MATCHES = 256;
/** Bound on the names of all cached matches together, 4 bytes each. */
const MAX_CACHED_NAMES = 4_000_000;

/** `shownAmong` tells of the stores of each name whether everyone's searches show the name. */
export function createNameIndex(
  shownAmong: (stores: IntLists) => (nameId: number) => boolean = () => () => true,
): NameIndex {
  const names = createInterner();
  const terms = createTermDictionary();
  const postings = createIntLists();
  const stores = createIntLists();
  const matches = new LRUCache<string, NameMatch>({
    max: MAX_CACHED_MATCHES,
    maxSize: MAX_CACHED_NAMES,
    sizeCalculation: (match) => 1 + countOf(match),
  });
  /** Scratch of `match`, by name: how many query words have matched so far, and the worst class of those matches. */
  let matched = new Uint8Array(1024);
  let worst = new Uint8Array(1024);
  /** Scratch of `match`: the terms of each word of the query, since most rewrites share most words. */
  const termsOfWord = new Map<string, TermMatches>();
  let changes = 0;
  const isTerm = (word: string): boolean => terms.idOf(word) !== undefined;

  const index: NameIndex = {
    stores,
    nameOf: new Uint32Array(1024),
    set(ordinal, name) {
      const words = wordsOf(name);
      if (ordinal >= index.nameOf.length) index.nameOf = grownUint32(index.nameOf, ordinal + 1);
      const { id, isNew } = names.acquire(words.join(' '));
      if (isNew) addName(id, words);
      if (index.nameOf[ordinal] === id) {
        names.release(id);
        return;
      }
      index.clear(ordinal);
      changes += 1;
      index.nameOf[ordinal] = id;
      stores.add(id, ordinal);
    },
    clear(ordinal) {
      const id = index.nameOf[ordinal] as number;
      if (id === 0) return;
      changes += 1;
      const words = names.keyOf(id).split(' ');
      stores.remove(id, ordinal);
      if (names.release(id)) dropName(id, words);
      index.nameOf[ordinal] = 0;
    },
    forgetMatches: () => matches.clear(),
    match(words, lastIsPrefix) {
      const key = `${lastIsPrefix ? '+' : '-'}${words.join(' ')}`;
      const known = matches.get(key);
      if (known !== undefined) return known;
      const found = matchAll(words, lastIsPrefix);
      matches.set(key, found);
      return found;
    },
    idOf: (name) => names.idOf(wordsOf(name).join(' ')),
    get ceiling() {
      return names.ceiling;
    },
    get changes() {
      return changes;
    },
  };

  function addName(id: number, words: readonly string[]): void {
    if (matches.size > 0) matches.clear();
    if (id >= matched.length) {
      matched = grownUint8(matched, id + 1);
      worst = grownUint8(worst, id + 1);
    }
    for (const word of new Set(words)) postings.add(terms.acquire(word), id);
  }

  function dropName(id: number, words: readonly string[]): void {
    if (matches.size > 0) matches.clear();
    for (const word of new Set(words)) {
      const termId = terms.idOf(word);
      if (termId === undefined) continue;
      postings.remove(termId, id);
      terms.release(termId);
    }
  }

  function matchAll(words: readonly string[], lastIsPrefix: boolean): NameMatch {
    termsOfWord.clear();
    const strict = matchNames(words, lastIsPrefix);
    const others = matchRewrites(rewritesOf(words, isTerm, lastIsPrefix), lastIsPrefix);
    const isShown = shownAmong(stores);
    if (!strict.some((names) => names.some(isShown)) && ![...others].some(isShown)) {
      for (const id of matchRewrites(looseRewritesOf(words, isTerm), lastIsPrefix)) others.add(id);
    }
    termsOfWord.clear();
    for (const names of strict) for (const id of names) others.delete(id);
    const [exact, prefix, typo] = strict.map((names) => Uint32Array.from(names)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    return [exact, prefix, typo, Uint32Array.from(others)];
  }

  function matchRewrites(rewrites: readonly QueryRewrite[], lastIsPrefix: boolean): Set<number> {
    const found = new Set<number>();
    for (const { words, phrase, typos } of rewrites) {
      const part = phrase === null ? '' : ` ${phrase.join(' ')}${lastIsPrefix ? '' : ' '}`;
      for (const id of matchNames(words, lastIsPrefix, typos).flat()) {
        if (part === '' || ` ${names.keyOf(id)} `.includes(part)) found.add(id);
      }
    }
    return found;
  }

  function matchNames(
    words: readonly string[],
    lastIsPrefix: boolean,
    typos: QueryRewrite['typos'] = {},
  ): [number[], number[], number[]] {
    const touched = matchWords(words, lastIsPrefix, typos);
    const byClass: [number[], number[], number[]] = [[], [], []];
    for (const id of touched) {
      if (matched[id] === words.length) byClass[worst[id] as 0 | 1 | 2].push(id);
      matched[id] = 0;
      worst[id] = 0;
    }
    return byClass;
  }

  /**
   * Counts for each name how many query words it matches, in their sequence; returns the names of the first word. It
   * stops when no name is left: a text of many words costs about as much as its first two or three.
   */
  function matchWords(words: readonly string[], lastIsPrefix: boolean, typos: QueryRewrite['typos']): number[] {
    const touched: number[] = [];
    for (const [nth, word] of words.entries()) {
      const found = termsFor(word, lastIsPrefix && nth === words.length - 1, typos[nth]);
      let left = 0;
      for (const matchClass of MATCH_CLASSES) {
        for (const termId of found[matchClass]) left += matchTerm(termId, nth, matchClass, touched);
      }
      if (left === 0) break;
    }
    return touched;
  }

  function termsFor(word: string, isPrefix: boolean, typos: number | undefined): TermMatches {
    const key = `${isPrefix ? '+' : '-'}${typos ?? ''} ${word}`;
    const known = termsOfWord.get(key);
    if (known !== undefined) return known;
    const found = terms.match(word, isPrefix, typos);
    termsOfWord.set(key, found);
    return found;
  }

  /** Returns how many names match. */
  function matchTerm(termId: number, nth: number, matchClass: number, touched: number[]): number {
    const { data } = postings;
    const start = postings.starts[termId] as number;
    const end = start + (postings.counts[termId] as number);
    let count = 0;
    for (let i = start; i < end; i += 1) {
      const id = data[i] as number;
      if (matched[id] !== nth) continue;
      count += 1;
      matched[id] = nth + 1;
      if (matchClass > (worst[id] as number)) worst[id] = matchClass;
      if (nth === 0) touched.push(id);
    }
    return count;
  }

  return index;
}

function countOf(match: NameMatch): number {
  return match.reduce((sum, names) => sum + names.length, 0);
}
