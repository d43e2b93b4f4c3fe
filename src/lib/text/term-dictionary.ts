import { LRUCache } from 'lru-cache';
import { grownUint32 } from '../grown-arrays.ts';
import { createTypoMatcher, forgivenTypos, letterMask, MAX_TYPO_WORD_LENGTH } from './typo-distance.ts';

/** How a term matches a searched word, best class first. */
export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;

/** Numbers of the terms that match a searched word, by class; a number is in its best class only. */
export type TermMatches = readonly [exact: number[], prefix: number[], typo: number[]];

/** The first number: 0 can mean no term. */
export const FIRST_TERM = 1;
/** Terms lie in buckets by their first letters: a prefix of so many letters reads one bucket. */
const BUCKET_LETTERS = 2;
/** Searched words whose misspelt terms are remembered, until a term comes: a few megabytes. */
const WORDS_REMEMBERED = 2000;
/** Numbers of terms that are remembered by the letters that the terms begin with, until a term comes. */
const STARTING_REMEMBERED = 200_000;

/** The words of an index, numbered as they come: looked up exactly, by prefix, and with a typo. */
export class TermDictionary {
  private readonly typoInFirstLetter: boolean;
  private readonly ids = new Map<string, number>();
  private readonly terms: string[] = Array.from({ length: FIRST_TERM }, () => '');
  private readonly buckets = new Map<string, number[]>();
  private readonly byLength = Array.from({ length: MAX_TYPO_WORD_LENGTH + 1 }, () => new TermsOfLength());
  private readonly isWithinTypos = createTypoMatcher().isWithinTypos;
  private readonly nearOf = new LRUCache<string, readonly number[]>({ max: WORDS_REMEMBERED });
  private readonly startingOf = new LRUCache<string, readonly number[]>({
    maxSize: STARTING_REMEMBERED,
    sizeCalculation: (termIds) => termIds.length + 1,
  });

  /** Without `typoInFirstLetter` a typo that changes the first letter of a term is refused: `best` never matches `west`. */
  constructor({ typoInFirstLetter = true } = {}) {
    this.typoInFirstLetter = typoInFirstLetter;
  }

  get size(): number {
    return this.ids.size;
  }

  /** The number of the term, which is new where the dictionary lacks it. */
  add(term: string): number {
    const known = this.ids.get(term);
    if (known !== undefined) return known;
    const id = this.terms.push(term) - 1;
    this.ids.set(term, id);
    this.byLength[term.length]?.add(id, letterMask(term));
    const key = term.slice(0, BUCKET_LETTERS);
    const bucket = this.buckets.get(key);
    if (bucket) bucket.push(id);
    else this.buckets.set(key, [id]);
    if (this.nearOf.size > 0) this.nearOf.clear();
    if (this.startingOf.size > 0) this.startingOf.clear();
    return id;
  }

  idOf(term: string): number | undefined {
    return this.ids.get(term);
  }

  /** `isPrefix` lets the word be unfinished. `maxTypos` are forgiven; without it, as many as the word's length allows. */
  match(word: string, isPrefix: boolean, maxTypos: number = forgivenTypos(word.length)): TermMatches {
    const exactId = this.ids.get(word);
    const exact = exactId === undefined ? [] : [exactId];
    const prefix = isPrefix ? this.startingWith(word).filter((id) => id !== exactId) : [];
    const typo = this.withinTypos(word, maxTypos).filter(
      (id) => id !== exactId && !(isPrefix && this.termAt(id).startsWith(word)),
    );
    return [exact, prefix, typo];
  }

  private termAt(id: number): string {
    return this.terms[id] as string;
  }

  private startingWith(prefix: string): readonly number[] {
    const known = this.startingOf.get(prefix);
    if (known) return known;
    const found: number[] = [];
    const isShort = prefix.length < BUCKET_LETTERS;
    const keys = isShort
      ? this.buckets.keys().filter((key) => key.startsWith(prefix))
      : [prefix.slice(0, BUCKET_LETTERS)];
    for (const key of keys) {
      for (const id of this.buckets.get(key) ?? []) if (this.termAt(id).startsWith(prefix)) found.push(id);
    }
    this.startingOf.set(prefix, found);
    return found;
  }

  private withinTypos(word: string, maxTypos: number): readonly number[] {
    if (maxTypos === 0 || word.length > MAX_TYPO_WORD_LENGTH) return [];
    const key = `${maxTypos}${word}`;
    const known = this.nearOf.get(key);
    if (known) return known;
    const found: number[] = [];
    const mask = letterMask(word);
    const longest = Math.min(MAX_TYPO_WORD_LENGTH, word.length + maxTypos);
    for (let length = Math.max(1, word.length - maxTypos); length <= longest; length += 1) {
      // A missing letter changes one bit of a mask, any other typo two: a different length takes its share of typos.
      const maxBits = 2 * maxTypos - Math.abs(length - word.length);
      this.byLength[length]?.visitNear(mask, maxBits, (id) => {
        const term = this.termAt(id);
        if (!this.typoInFirstLetter && term.charCodeAt(0) !== word.charCodeAt(0)) return;
        if (this.isWithinTypos(word, term, maxTypos)) found.push(id);
      });
    }
    found.sort((a, b) => a - b);
    this.nearOf.set(key, found);
    return found;
  }
}

/** The terms of one length, each with the mask of its letters: what a search for typos can rule out unread. */
class TermsOfLength {
  private termIds = new Uint32Array(16);
  private masks = new Uint32Array(16);
  private count = 0;

  add(termId: number, mask: number): void {
    if (this.count === this.termIds.length) {
      this.termIds = grownUint32(this.termIds, this.count + 1);
      this.masks = grownUint32(this.masks, this.count + 1);
    }
    this.termIds[this.count] = termId;
    this.masks[this.count] = mask;
    this.count += 1;
  }

  /** Visits the terms whose masks differ from a mask in at most `maxBits` bits, at about a nanosecond a term. */
  visitNear(mask: number, maxBits: number, visit: (termId: number) => void): void {
    const { termIds, masks, count } = this;
    for (let at = 0; at < count; at += 1) {
      let bits = (masks[at] as number) ^ mask;
      for (let left = maxBits; left > 0; left -= 1) bits &= bits - 1;
      if (bits === 0) visit(termIds[at] as number);
    }
  }
}
