import { LRUCache } from 'lru-cache';
import { grownUint8 } from '../../lib/columns/grow.ts';
import { type IntLists, listOf } from '../../lib/columns/int-lists.ts';
import { type Run, runOf } from '../../lib/columns/sequence-interner.ts';
import { createUint32List, numbersOf } from '../../lib/columns/uint32-list.ts';
import { looseRewritesOf, type QueryRewrite, rewritesOf } from '../../lib/text/query-rewrites.ts';
import { EXACT, PREFIX, type TermDictionary, type TermMatches, TYPO } from '../../lib/text/term-dictionary.ts';
import { type NamesByClass, takeByClass } from './groups/names-by-class.ts';
import { createNameClassCache, type FoundNames } from './name-class-cache.index.ts';
import { NAME_CLASSES, type NameClass, type NameMatch } from './name-classes.ts';

export type NameMatcher = {
  match(words: readonly string[], lastIsPrefix: boolean): NameMatch;
  /** Called when a name with these terms has come or gone. */
  changeName(nameId: number, termIds: Run): void;
  /** Called when many names have come, all of them below that number. */
  addNames(ceiling: number): void;
  /** Called when stores that some searches leave out have come, gone or changed. */
  forget(): void;
};

type Inputs = {
  /** The terms of each name. */
  names: Readonly<Pick<IntLists, 'data' | 'starts' | 'counts'>>;
  terms: TermDictionary;
  /** The names of each term. */
  postings: IntLists;
  /** Whether everyone's searches show the name. */
  isShown(): (nameId: number) => boolean;
};

/** Words whose terms are cached. */
const MAX_CACHED_WORDS = 8192;
/** Behind the classes, the names of all classes together. */
const ALL_CLASSES = NAME_CLASSES.length;
/** Reading the words of a name costs about as much as counting so many names of a term. */
const READING_COST = 32;

type CachedTerms = { found: TermMatches; version: number };

export function createNameMatcher({ names, terms, postings, isShown }: Inputs): NameMatcher {
  const cache = createNameClassCache();
  const termsOfWord = new LRUCache<string, CachedTerms>({ max: MAX_CACHED_WORDS });
  /** Scratch, by name: how many query words have matched so far, and the worst class of those matches. */
  let matched = new Uint8Array(1024);
  let worst = new Uint8Array(1024);
  /** Scratch: the names of the first query word. */
  const touched = createUint32List();
  const isTerm = (word: string): boolean => terms.idOf(word) !== undefined;

  function changeName(nameId: number, termIds: Run): void {
    cache.change(termIds);
    makeRoom(nameId + 1);
  }

  function makeRoom(ceiling: number): void {
    if (ceiling <= matched.length) return;
    matched = grownUint8(matched, ceiling);
    worst = grownUint8(worst, ceiling);
  }

  function match(words: readonly string[], lastIsPrefix: boolean): NameMatch {
    const query = `${lastIsPrefix ? '+' : '-'}${words.join(' ')}`;
    const { remembered } = cache.classesOf(query);
    const of = (nameClass: NameClass): Uint32Array =>
      remembered(nameClass, () => findClass(nameClass, words, lastIsPrefix, of));
    return {
      of,
      all: () => remembered(ALL_CLASSES, () => ({ names: joined(NAME_CLASSES.map(of)), termIds: null })),
    };
  }

  function findClass(
    nameClass: NameClass,
    words: readonly string[],
    lastIsPrefix: boolean,
    of: NameMatch['of'],
  ): FoundNames {
    if (nameClass === EXACT) return matchExactly([...new Set(words)]);
    if (nameClass === PREFIX) return others(lastIsPrefix ? matchNames(words, true, undefined, PREFIX)[PREFIX] : []);
    if (nameClass === TYPO) return others(matchNames(words, lastIsPrefix)[TYPO]);
    return others(matchAllRewrites(words, lastIsPrefix, [of(EXACT), of(PREFIX), of(TYPO)]));
  }

  function matchExactly(words: readonly string[]): FoundNames {
    const termIds: number[] = [];
    for (const word of words) {
      const termId = terms.idOf(word);
      if (termId === undefined) return others([]);
      termIds.push(termId);
    }
    const sorted = termIds.toSorted((a, b) => countOf(a) - countOf(b));
    const rarest = namesOf(sorted[0] as number);
    if (sorted.length === 1) return { names: rarest.slice(), termIds };
    const counted = sorted.reduce((sum, termId) => sum + countOf(termId), 0);
    const isReadQuicker = rarest.length * READING_COST < counted;
    return { names: isReadQuicker ? readNames(rarest, termIds) : countNames(sorted), termIds };
  }

  function readNames(among: Uint32Array, termIds: readonly number[]): Uint32Array {
    return among.filter((id) => {
      const own = listOf(names, id);
      return termIds.every((termId) => own.includes(termId));
    });
  }

  function textOf(nameId: number): string {
    return Array.from(listOf(names, nameId), (termId) => terms.termOf(termId)).join(' ');
  }

  /** The names that all of the terms have. */
  function countNames(termIds: readonly number[]): Uint32Array {
    touched.length = 0;
    for (const [nth, termId] of termIds.entries()) matchTerm(termId, nth, EXACT);
    const names = numbersOf(touched);
    const found = names.filter((id) => matched[id] === termIds.length);
    for (let nth = 0; nth < names.length; nth += 1) matched[names[nth] as number] = 0;
    return found;
  }

  function countOf(termId: number): number {
    return postings.counts[termId] as number;
  }

  function namesOf(termId: number): Uint32Array {
    const start = postings.starts[termId] as number;
    return postings.data.subarray(start, start + countOf(termId));
  }

  /** The names that rewrites match; where no shown name matches as typed or rewritten, loose rewrites too. */
  function matchAllRewrites(
    words: readonly string[],
    lastIsPrefix: boolean,
    strict: readonly Uint32Array[],
  ): Iterable<number> {
    const found = matchRewrites(rewritesOf(words, isTerm, lastIsPrefix), lastIsPrefix);
    const shown = isShown();
    if (!strict.some((ids) => ids.some(shown)) && ![...found].some(shown)) {
      for (const id of matchRewrites(looseRewritesOf(words, isTerm), lastIsPrefix)) found.add(id);
    }
    for (const ids of strict) for (const id of ids) found.delete(id);
    return found;
  }

  function matchRewrites(rewrites: readonly QueryRewrite[], lastIsPrefix: boolean): Set<number> {
    const found = new Set<number>();
    for (const { words, phrase, typos } of rewrites) {
      const part = phrase === null ? '' : ` ${phrase.join(' ')}${lastIsPrefix ? '' : ' '}`;
      for (const id of joined(matchNames(words, lastIsPrefix, typos))) {
        if (part === '' || ` ${textOf(id)} `.includes(part)) found.add(id);
      }
    }
    return found;
  }

  /** Names by class, up to the class `last`. */
  function matchNames(
    words: readonly string[],
    lastIsPrefix: boolean,
    typos: QueryRewrite['typos'] = {},
    last: number = TYPO,
  ): NamesByClass {
    matchWords(words, lastIsPrefix, typos, last);
    return takeByClass(numbersOf(touched), { matched, worst }, words.length);
  }

  /**
   * Counts for each name how many query words the name matches, in their sequence; notes the names of the first word. It
   * stops when no name is left: a text of many words costs about as much as its first two or three.
   */
  function matchWords(
    words: readonly string[],
    lastIsPrefix: boolean,
    typos: QueryRewrite['typos'],
    last: number,
  ): void {
    touched.length = 0;
    for (const [nth, word] of words.entries()) {
      const isPrefix = lastIsPrefix && nth === words.length - 1;
      const found = termsFor(word, isPrefix, last === TYPO ? typos[nth] : 0);
      let left = 0;
      for (const [matchClass, termIds] of found.entries()) {
        for (const termId of termIds) left += matchTerm(termId, nth, matchClass);
      }
      if (left === 0) break;
    }
  }

  function termsFor(word: string, isPrefix: boolean, typos: number | undefined): TermMatches {
    const key = `${isPrefix ? '+' : '-'}${typos ?? ''} ${word}`;
    const known = termsOfWord.get(key);
    if (known !== undefined && known.version === terms.changes) return known.found;
    const found = terms.match(word, isPrefix, typos);
    termsOfWord.set(key, { found, version: terms.changes });
    return found;
  }

  /** Returns how many names match. */
  function matchTerm(termId: number, nth: number, matchClass: number): number {
    const { data } = postings;
    const start = postings.starts[termId] as number;
    const end = start + countOf(termId);
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

  return {
    match,
    changeName,
    addNames(ceiling) {
      cache.clear();
      makeRoom(ceiling);
    },
    forget: () => cache.change(runOf([])),
  };
}

function others(ids: Iterable<number>): FoundNames {
  return { names: ids instanceof Uint32Array ? ids : Uint32Array.from(ids), termIds: null };
}

function joined(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
