import { LRUCache } from 'lru-cache';
import { grownUint32 } from '../columns/grow.ts';
import { createInterner } from '../columns/interner.ts';
import { lastUsed } from '../last-used.ts';
import { createTermsByLength } from './terms-by-length.ts';
import { createTypoMatcher, forgivenTypos, MAX_TYPO_WORD_LENGTH } from './typo-distance.ts';

/** How a term matches a searched word, best class first. */
export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;

/** Numbers of the terms that match a searched word, by class; a number is in its best class only. */
export type TermMatches = readonly [exact: number[], prefix: number[], typo: number[]];

/** Distinct terms, each with one number while it has a holder. */
export type TermDictionary = {
  acquire(term: string): number;
  /** Adds a holder to a term that has one. */
  hold(termId: number): void;
  release(termId: number): void;
  idOf(term: string): number | undefined;
  termOf(termId: number): string;
  /** `isPrefix` lets the word be unfinished. `maxTypos` are forgiven; without it, as many as the word's length allows. */
  match(word: string, isPrefix: boolean, maxTypos?: number): TermMatches;
  readonly size: number;
  /** How often a term has come or gone. */
  readonly changes: number;
};

export type TermOptions = {
  /** False refuses a typo that changes the first letter of a term: `best` then never matches `west`. True by default. */
  typoInFirstLetter?: boolean;
  /** Terms lie in buckets by so many first letters, 2 by default: a prefix of so many letters reads one bucket. */
  bucketLetters?: number;
};

/** Searched words whose misspelt terms are remembered, until a term comes or goes: a few megabytes. */
const WORDS_REMEMBERED = 2000;
/** Numbers of terms that are remembered by the letters that the terms begin with, until a term comes or goes. */
const STARTING_REMEMBERED = 200_000;

export function createTermDictionary({
  typoInFirstLetter = true,
  bucketLetters = 2,
}: TermOptions = {}): TermDictionary {
  const terms = createInterner();
  const { isWithinTypos } = createTypoMatcher();
  const buckets = new Map<string, number[]>();
  const byLength = createTermsByLength();
  const nearOf = new LRUCache<string, readonly number[]>(lastUsed(WORDS_REMEMBERED));
  const startingOf = new LRUCache<string, readonly number[]>({
    maxSize: STARTING_REMEMBERED,
    sizeCalculation: (termIds) => termIds.length + 1,
  });
  /** Position of each number in its bucket. */
  let positions = new Uint32Array(1024);
  let size = 0;
  let changes = 0;

  function acquire(term: string): number {
    const { id, isNew } = terms.acquire(term);
    if (!isNew) return id;
    if (id >= positions.length) positions = grownUint32(positions, id + 1);
    byLength.add(id, term);
    const key = term.slice(0, bucketLetters);
    const bucket = buckets.get(key) ?? [];
    buckets.set(key, bucket);
    positions[id] = bucket.push(id) - 1;
    size += 1;
    noteChange();
    return id;
  }

  function release(termId: number): void {
    const term = terms.keyOf(termId);
    if (!terms.release(termId)) return;
    byLength.remove(termId, term);
    size -= 1;
    noteChange();
    takeOut(term.slice(0, bucketLetters), positions[termId] as number);
  }

  function noteChange(): void {
    changes += 1;
    if (nearOf.size > 0) nearOf.clear();
    if (startingOf.size > 0) startingOf.clear();
  }

  /** The last number of the bucket takes the free position: a bucket may hold thousands of terms that begin alike. */
  function takeOut(key: string, position: number): void {
    const bucket = buckets.get(key) ?? [];
    const last = bucket.pop() as number;
    if (bucket.length === 0) buckets.delete(key);
    if (position === bucket.length) return;
    bucket[position] = last;
    positions[last] = position;
  }

  function termsStartingWith(prefix: string): readonly number[] {
    const known = startingOf.get(prefix);
    if (known) return known;
    const found = findStartingWith(prefix);
    startingOf.set(prefix, found);
    return found;
  }

  function findStartingWith(prefix: string): number[] {
    const inBucket = (bucket: readonly number[]) => bucket.filter((id) => terms.keyOf(id).startsWith(prefix));
    if (prefix.length >= bucketLetters) return inBucket(buckets.get(prefix.slice(0, bucketLetters)) ?? []);
    const found: number[] = [];
    for (const [key, bucket] of buckets) {
      if (key.startsWith(prefix)) for (const id of inBucket(bucket)) found.push(id);
    }
    return found;
  }

  function termsWithinTypos(word: string, maxTypos: number): readonly number[] {
    if (maxTypos === 0 || word.length > MAX_TYPO_WORD_LENGTH) return [];
    const key = `${maxTypos}${word}`;
    const known = nearOf.get(key);
    if (known) return known;
    const found: number[] = [];
    byLength.visitNear(word, maxTypos, (id) => {
      const term = terms.keyOf(id);
      if (!typoInFirstLetter && term.charCodeAt(0) !== word.charCodeAt(0)) return;
      if (isWithinTypos(word, term, maxTypos)) found.push(id);
    });
    found.sort((a, b) => a - b);
    nearOf.set(key, found);
    return found;
  }

  function match(word: string, isPrefix: boolean, maxTypos: number = forgivenTypos(word.length)): TermMatches {
    const exactId = terms.idOf(word);
    const exact = exactId === undefined ? [] : [exactId];
    const prefix = isPrefix ? termsStartingWith(word).filter((id) => id !== exactId) : [];
    const typo = termsWithinTypos(word, maxTypos).filter(
      (id) => id !== exactId && !(isPrefix && terms.keyOf(id).startsWith(word)),
    );
    return [exact, prefix, typo];
  }

  return {
    acquire,
    hold: (termId) => terms.hold(termId),
    release,
    idOf: (term) => terms.idOf(term),
    termOf: (termId) => terms.keyOf(termId),
    match,
    get size() {
      return size;
    },
    get changes() {
      return changes;
    },
  };
}
