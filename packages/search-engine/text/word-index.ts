import { LRUCache } from 'lru-cache';
import { allowedTypos } from './typo-distance.ts';
import { TypoIndex } from './typo-index.ts';

/** How a term matches a searched word, and a store's name the words of a query: best class first. */
export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;

/** Numbers of matching terms by class; a number appears only in its best class. */
export type TermMatches = readonly [exact: number[], prefix: number[], typo: number[]];

/** Letters per bucket. Terms are grouped by their first letters, so a prefix of this length reads one bucket. */
const BUCKET_LETTERS = 2;
/** Maximum cached term numbers; a new term clears the cache. */
const MAX_CACHED_TERM_NUMBERS = 200_000;

/** An index's words, numbered from 0 in order of arrival, with exact, prefix and typo look-up. */
export class WordIndex {
  private readonly ids = new Map<string, number>();
  private readonly terms = new TypoIndex();
  private readonly buckets = new Map<string, number[]>();
  private readonly startingOf = new LRUCache<string, readonly number[]>({
    maxSize: MAX_CACHED_TERM_NUMBERS,
    sizeCalculation: (termIds) => termIds.length + 1,
  });

  get size(): number {
    return this.ids.size;
  }

  /** Returns the number of the term, which is added if missing. */
  add(term: string): number {
    const known = this.ids.get(term);
    if (known !== undefined) return known;
    const id = this.terms.add(term);
    this.ids.set(term, id);
    const key = term.slice(0, BUCKET_LETTERS);
    const bucket = this.buckets.get(key);
    if (bucket) bucket.push(id);
    else this.buckets.set(key, [id]);
    if (this.startingOf.size > 0) this.startingOf.clear();
    return id;
  }

  idOf(term: string): number | undefined {
    return this.ids.get(term);
  }

  /** Finds the terms that match. `isPrefix` allows an incomplete word; `maxTypos` defaults to the word's length. */
  match(word: string, isPrefix: boolean, maxTypos: number = allowedTypos(word.length)): TermMatches {
    const exactId = this.ids.get(word);
    const exact = exactId === undefined ? [] : [exactId];
    const prefix = isPrefix ? this.startingWith(word).filter((id) => id !== exactId) : [];
    const typo = this.terms.near(word, maxTypos).filter((id) => !(isPrefix && this.terms.wordAt(id).startsWith(word)));
    return [exact, prefix, typo];
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
      for (const id of this.buckets.get(key) ?? []) if (this.terms.wordAt(id).startsWith(prefix)) found.push(id);
    }
    this.startingOf.set(prefix, found);
    return found;
  }
}
