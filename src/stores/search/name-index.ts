import { grownUint8, grownUint32 } from '../../lib/columns/grow.ts';
import { createIntLists, type IntLists } from '../../lib/columns/int-lists.ts';
import { createInterner } from '../../lib/columns/interner.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { createVocabulary, MATCH_CLASSES, type WordCandidates } from '../../lib/text/vocabulary.ts';
import { boldReadings, otherReadings, type Reading } from './other-readings.ts';
import { createRecentCache } from './recent-cache.ts';

/**
 * Numbers of the names that answer a query, by class (exact, prefix, typo); a name's class is its worst word's. The
 * fourth class are names that answer another reading of it.
 */
export type NameMatch = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/**
 * Names by their words. Stores of one chain share one name number, so that matching looks at each distinct name
 * once; `stores` lists the ordinals of the stores that bear a name, `nameOf` the name of each ordinal.
 */
export type NameIndex = {
  readonly stores: IntLists;
  nameOf: Uint32Array;
  /** Gives the store its name, in place of the one it had. */
  set(ordinal: number, name: string): void;
  clear(ordinal: number): void;
  /**
   * Names of which every query word matches some word; `lastIsPrefix` lets the last one be unfinished. After them come
   * the names that other readings of the query match (`otherReadings`), and where there are none of either, those that
   * forgive more: a wrong space with a typo, or one typo in one word of two or three letters among longer ones.
   */
  match(words: readonly string[], lastIsPrefix: boolean): NameMatch;
  /** Number of the name with the same words in the same order; undefined where no store bears it. */
  idOf(name: string): number | undefined;
  /** One more than the highest name number in use. */
  readonly ceiling: number;
  readonly vocabularySize: number;
  /** How often a store has got another name, or lost its own. */
  readonly changes: number;
};

/** Matches remembered: a page is usually followed by the next one, and popular queries recur. */
const MATCH_CACHE_ENTRIES = 256;
/** Bound on the names that all remembered matches hold together (4 bytes each). */
const MATCH_CACHE_NAMES = 4_000_000;

export function createNameIndex(): NameIndex {
  const names = createInterner();
  const vocabulary = createVocabulary();
  const postings = createIntLists();
  const stores = createIntLists();
  const matches = createRecentCache<NameMatch>(MATCH_CACHE_ENTRIES, MATCH_CACHE_NAMES);
  /** Scratch of `match`: how many query words each name has answered so far, and the worst class among them. */
  let answered = new Uint8Array(1024);
  let worst = new Uint8Array(1024);
  /** Words of the query at hand, as the vocabulary answered them. */
  const asked = new Map<string, WordCandidates>();
  let changes = 0;
  const knows = (word: string): boolean => vocabulary.idOf(word) !== undefined;

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
    match(words, lastIsPrefix) {
      const key = `${lastIsPrefix ? '+' : '-'}${words.join(' ')}`;
      const known = matches.get(key);
      if (known !== undefined) return known;
      const found = matchAll(words, lastIsPrefix);
      matches.set(
        key,
        found,
        found.reduce((sum, { length }) => sum + length, 0),
      );
      return found;
    },
    idOf: (name) => names.idOf(wordsOf(name).join(' ')),
    get ceiling() {
      return names.ceiling;
    },
    get vocabularySize() {
      return vocabulary.size;
    },
    get changes() {
      return changes;
    },
  };

  function addName(id: number, words: readonly string[]): void {
    matches.clear();
    if (id >= answered.length) {
      answered = grownUint8(answered, id + 1);
      worst = grownUint8(worst, id + 1);
    }
    for (const word of new Set(words)) postings.add(vocabulary.acquire(word), id);
  }

  function dropName(id: number, words: readonly string[]): void {
    matches.clear();
    for (const word of new Set(words)) {
      const wordId = vocabulary.idOf(word);
      if (wordId === undefined) continue;
      postings.remove(wordId, id);
      vocabulary.release(wordId);
    }
  }

  function matchAll(words: readonly string[], lastIsPrefix: boolean): NameMatch {
    asked.clear();
    const strict = matchNames(words, lastIsPrefix);
    const others = matchReadings(otherReadings(words, knows, lastIsPrefix), lastIsPrefix);
    if (strict.every((names) => names.length === 0) && others.size === 0) {
      for (const id of matchReadings(boldReadings(words, knows), lastIsPrefix)) others.add(id);
    }
    asked.clear();
    for (const names of strict) for (const id of names) others.delete(id);
    const [exact, prefix, typo] = strict.map((names) => Uint32Array.from(names)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    return [exact, prefix, typo, Uint32Array.from(others)];
  }

  function matchReadings(readings: readonly Reading[], lastIsPrefix: boolean): Set<number> {
    const found = new Set<number>();
    for (const { words, together, typos } of readings) {
      const part = together === null ? '' : ` ${together.join(' ')}${lastIsPrefix ? '' : ' '}`;
      for (const id of matchNames(words, lastIsPrefix, typos).flat()) {
        if (part === '' || ` ${names.keyOf(id)} `.includes(part)) found.add(id);
      }
    }
    return found;
  }

  function matchNames(
    words: readonly string[],
    lastIsPrefix: boolean,
    typos: Reading['typos'] = {},
  ): [number[], number[], number[]] {
    const touched = answerAll(words, lastIsPrefix, typos);
    const byClass: [number[], number[], number[]] = [[], [], []];
    for (const id of touched) {
      if (answered[id] === words.length) byClass[worst[id] as 0 | 1 | 2].push(id);
      answered[id] = 0;
      worst[id] = 0;
    }
    return byClass;
  }

  /**
   * Lets each query word mark the names that answered all before it; returns those of the first. It stops once no
   * name is left, so that a text of many words costs about what its first two or three do.
   */
  function answerAll(words: readonly string[], lastIsPrefix: boolean, typos: Reading['typos']): number[] {
    const touched: number[] = [];
    for (const [nth, word] of words.entries()) {
      const candidates = candidatesOf(word, lastIsPrefix && nth === words.length - 1, typos[nth]);
      let left = 0;
      for (const matchClass of MATCH_CLASSES) {
        for (const wordId of candidates[matchClass]) left += answerWord(wordId, nth, matchClass, touched);
      }
      if (left === 0) break;
    }
    return touched;
  }

  /** The readings of one query have most words in common. */
  function candidatesOf(word: string, isPrefix: boolean, typos: number | undefined): WordCandidates {
    const key = `${isPrefix ? '+' : '-'}${typos ?? ''} ${word}`;
    const known = asked.get(key);
    if (known !== undefined) return known;
    const candidates = vocabulary.candidates(word, isPrefix, typos);
    asked.set(key, candidates);
    return candidates;
  }

  /** Returns how many names answered. */
  function answerWord(wordId: number, nth: number, matchClass: number, touched: number[]): number {
    const { data } = postings;
    const start = postings.starts[wordId] as number;
    const end = start + (postings.counts[wordId] as number);
    let count = 0;
    for (let i = start; i < end; i += 1) {
      const id = data[i] as number;
      if (answered[id] !== nth) continue;
      count += 1;
      answered[id] = nth + 1;
      if (matchClass > (worst[id] as number)) worst[id] = matchClass;
      if (nth === 0) touched.push(id);
    }
    return count;
  }

  return index;
}
