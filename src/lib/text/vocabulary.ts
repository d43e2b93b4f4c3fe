import { grownUint8, grownUint32 } from '../columns/grow.ts';
import { createInterner } from '../columns/interner.ts';
import { countBits, forgivenTypos, isWithinTypos, letterMask, MAX_TYPO_WORD_LENGTH } from './typo-distance.ts';

/** How a word of a name answers a word of the query, best first; the number is the rank. */
export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;
export const MATCH_CLASSES = [EXACT, PREFIX, TYPO] as const;

/** Word numbers that answer one word of a query, by class; each number occurs once, in its best class. */
export type WordCandidates = readonly [exact: number[], prefix: number[], typo: number[]];

/** The distinct words of all names, each with one number while some name holds it. */
export type Vocabulary = {
  acquire(word: string): number;
  release(wordId: number): void;
  idOf(word: string): number | undefined;
  /** `typos` are forgiven; as many as the word's length allows where it is left out. */
  candidates(word: string, isPrefix: boolean, typos?: number): WordCandidates;
  readonly size: number;
};

/** Letters by which words are sorted into buckets, so that a prefix looks at few of them. */
const BUCKET_LETTERS = 2;

export function createVocabulary(): Vocabulary {
  const words = createInterner();
  const buckets = new Map<string, number[]>();
  let masks = new Uint32Array(1024);
  /** 0 for a number nobody holds, and for words too long to be forgiven a typo. */
  let lengths = new Uint8Array(1024);
  /** Where a number stands in its bucket. */
  let places = new Uint32Array(1024);
  let size = 0;

  function acquire(word: string): number {
    const { id, isNew } = words.acquire(word);
    if (!isNew) return id;
    if (id >= masks.length) {
      masks = grownUint32(masks, id + 1);
      lengths = grownUint8(lengths, id + 1);
      places = grownUint32(places, id + 1);
    }
    masks[id] = letterMask(word);
    lengths[id] = word.length <= MAX_TYPO_WORD_LENGTH ? word.length : 0;
    const key = word.slice(0, BUCKET_LETTERS);
    const bucket = buckets.get(key) ?? [];
    buckets.set(key, bucket);
    places[id] = bucket.push(id) - 1;
    size += 1;
    return id;
  }

  function release(wordId: number): void {
    const key = words.keyOf(wordId).slice(0, BUCKET_LETTERS);
    if (!words.release(wordId)) return;
    lengths[wordId] = 0;
    size -= 1;
    takeOut(key, places[wordId] as number);
  }

  /** The last of the bucket takes the free place: thousands of numbers, as goods carry them, may begin alike. */
  function takeOut(key: string, place: number): void {
    const bucket = buckets.get(key) ?? [];
    const last = bucket.pop() as number;
    if (bucket.length === 0) buckets.delete(key);
    if (place === bucket.length) return;
    bucket[place] = last;
    places[last] = place;
  }

  function wordsStartingWith(prefix: string): number[] {
    const inBucket = (bucket: readonly number[]) => bucket.filter((id) => words.keyOf(id).startsWith(prefix));
    if (prefix.length >= BUCKET_LETTERS) return inBucket(buckets.get(prefix.slice(0, BUCKET_LETTERS)) ?? []);
    const found: number[] = [];
    for (const [key, bucket] of buckets) {
      if (key.startsWith(prefix)) for (const id of inBucket(bucket)) found.push(id);
    }
    return found;
  }

  /** Length and letters rule out nearly every word at a nanosecond each; the rest is compared letter by letter. */
  function wordsWithinTypos(word: string, most: number): number[] {
    if (most === 0 || word.length > MAX_TYPO_WORD_LENGTH) return [];
    const mask = letterMask(word);
    const shortest = word.length - most;
    const longest = word.length + most;
    const found: number[] = [];
    for (let id = 0; id < words.ceiling; id += 1) {
      const length = lengths[id] as number;
      if (length < shortest || length > longest) continue;
      if (countBits((masks[id] as number) ^ mask) > 2 * most) continue;
      if (isWithinTypos(word, words.keyOf(id), most)) found.push(id);
    }
    return found;
  }

  function candidates(word: string, isPrefix: boolean, typos: number = forgivenTypos(word.length)): WordCandidates {
    const exactId = words.idOf(word);
    const exact = exactId === undefined ? [] : [exactId];
    const prefix = isPrefix ? wordsStartingWith(word).filter((id) => id !== exactId) : [];
    const typo = wordsWithinTypos(word, typos).filter(
      (id) => id !== exactId && !(isPrefix && words.keyOf(id).startsWith(word)),
    );
    return [exact, prefix, typo];
  }

  return {
    acquire,
    release,
    idOf: (word) => words.idOf(word),
    candidates,
    get size() {
      return size;
    },
  };
}
