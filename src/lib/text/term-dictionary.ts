import { LRUCache } from 'lru-cache';
import { grownUint32 } from '../columns/grow.ts';
import { createInterner } from '../columns/interner.ts';
import { createTypoMatcher, forgivenTypos, letterMask, MAX_TYPO_WORD_LENGTH } from './typo-distance.ts';

/** The words of an index and their numbers: looked up exactly, by prefix, and with a typo. */

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

type TermOptions = {
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
  const nearOf = new LRUCache<string, readonly number[]>({ max: WORDS_REMEMBERED });
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

/** Terms in rows of one length, each with the mask of its letters: what a search for typos can rule out unread. */
type TermsByLength = {
  /** A term longer than `MAX_TYPO_WORD_LENGTH` is left out: no typo of such a term is forgiven. */
  add(termId: number, term: string): void;
  remove(termId: number, term: string): void;
  /**
   * Visits the terms whose lengths and letters allow that so many typos make the word of them: all such terms, and a few
   * others.
   */
  visitNear(word: string, maxTypos: number, visit: (termId: number) => void): void;
};

/** The terms of one length, unsorted. */
type Row = { termIds: Uint32Array; masks: Uint32Array; count: number };

const FIRST_LENGTH = 16;

function createTermsByLength(): TermsByLength {
  const rows = Array.from({ length: MAX_TYPO_WORD_LENGTH + 1 }, emptyRow);
  /** Position of each number in its row. */
  let positions = new Uint32Array(1024);

  return {
    add(termId, term) {
      const row = rows[term.length];
      if (!row) return;
      if (termId >= positions.length) positions = grownUint32(positions, termId + 1);
      positions[termId] = append(row, termId, letterMask(term));
    },
    remove(termId, term) {
      const row = rows[term.length];
      if (!row) return;
      // The last term of the row takes the free position: a row may hold a hundred thousand terms.
      const position = positions[termId] as number;
      row.count -= 1;
      const last = row.termIds[row.count] as number;
      row.termIds[position] = last;
      row.masks[position] = row.masks[row.count] as number;
      positions[last] = position;
    },
    visitNear(word, maxTypos, visit) {
      const mask = letterMask(word);
      const longest = Math.min(MAX_TYPO_WORD_LENGTH, word.length + maxTypos);
      for (let length = Math.max(1, word.length - maxTypos); length <= longest; length += 1) {
        // A missing letter changes one bit of a mask, any other typo two: a different length takes its share of typos.
        const maxBits = 2 * maxTypos - Math.abs(length - word.length);
        visitRow(rows[length] as Row, mask, maxBits, visit);
      }
    },
  };
}

function emptyRow(): Row {
  return { termIds: new Uint32Array(FIRST_LENGTH), masks: new Uint32Array(FIRST_LENGTH), count: 0 };
}

/** Returns the position. */
function append(row: Row, termId: number, mask: number): number {
  if (row.count === row.termIds.length) {
    row.termIds = grownUint32(row.termIds, row.count + 1);
    row.masks = grownUint32(row.masks, row.count + 1);
  }
  row.termIds[row.count] = termId;
  row.masks[row.count] = mask;
  row.count += 1;
  return row.count - 1;
}

/** Visits the terms whose masks differ from a mask in at most `maxBits` bits, at about a nanosecond a term. */
function visitRow(
  { termIds, masks, count }: Row,
  mask: number,
  maxBits: number,
  visit: (termId: number) => void,
): void {
  for (let at = 0; at < count; at += 1) {
    let bits = (masks[at] as number) ^ mask;
    for (let left = maxBits; left > 0; left -= 1) bits &= bits - 1;
    if (bits === 0) visit(termIds[at] as number);
  }
}
