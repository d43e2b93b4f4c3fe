import { grown, lruOptions } from 'doorstep/collections';
import { LRUCache } from 'lru-cache';
import { createTypoMatcher, letterMask, MAX_TYPO_WORD_LENGTH } from './typo-distance.ts';

/** Maximum cached searches, a few megabytes; a new word clears the cache. */
const MAX_CACHED_WORDS = 8192;

/** Words, numbered from 0 in order of arrival, with typo look-up. The first letter must match: `best` is not `west`. */
export class TypoIndex {
  private readonly words: string[] = [];
  /** By first letter and length (`groupOf`). */
  private readonly groups = new Map<number, WordGroup>();
  private readonly matcher = createTypoMatcher();
  private readonly remembered = new LRUCache<string, readonly number[]>(lruOptions(MAX_CACHED_WORDS));

  add(word: string): number {
    const number = this.words.push(word) - 1;
    if (word.length > 0 && word.length <= MAX_TYPO_WORD_LENGTH) {
      const key = groupOf(word, word.length);
      const group = this.groups.get(key) ?? new WordGroup();
      this.groups.set(key, group);
      group.add(number, letterMask(word));
    }
    if (this.remembered.size > 0) this.remembered.clear();
    return number;
  }

  wordAt(number: number): string {
    return this.words[number] as string;
  }

  /** Returns the numbers of other words within this many typos, ascending. */
  near(word: string, maxTypos: number): readonly number[] {
    if (maxTypos === 0 || word.length > MAX_TYPO_WORD_LENGTH) return [];
    const key = `${maxTypos}${word}`;
    const known = this.remembered.get(key);
    if (known) return known;
    const found = this.findNear(word, maxTypos);
    this.remembered.set(key, found);
    return found;
  }

  private findNear(word: string, maxTypos: number): readonly number[] {
    const found: number[] = [];
    const mask = letterMask(word);
    const longest = Math.min(MAX_TYPO_WORD_LENGTH, word.length + maxTypos);
    for (let length = Math.max(1, word.length - maxTypos); length <= longest; length += 1) {
      // A missing letter changes one bit of a mask, any other typo two, so each letter of length difference costs one
      // bit less.
      const maxBits = 2 * maxTypos - Math.abs(length - word.length);
      this.groups.get(groupOf(word, length))?.visitNear(mask, maxBits, (number) => {
        const other = this.wordAt(number);
        if (other !== word && this.matcher.isWithinTypos(word, other, maxTypos)) found.push(number);
      });
    }
    return found.sort((a, b) => a - b);
  }
}

/** Returns the key of the words of this length that begin as the word does. */
const groupOf = (word: string, length: number): number => word.charCodeAt(0) * (MAX_TYPO_WORD_LENGTH + 1) + length;

/** Words and their letter masks, which rule out most words before their text is read. */
class WordGroup {
  private numbers = new Uint32Array(16);
  private masks = new Uint32Array(16);
  private count = 0;

  add(number: number, mask: number): void {
    if (this.count === this.numbers.length) {
      this.numbers = grown(this.numbers, this.count + 1);
      this.masks = grown(this.masks, this.count + 1);
    }
    this.numbers[this.count] = number;
    this.masks[this.count] = mask;
    this.count += 1;
  }

  /** Visits words whose masks differ in up to `maxBits` bits; about a nanosecond per word. */
  visitNear(mask: number, maxBits: number, visit: (number: number) => void): void {
    const { numbers, masks, count } = this;
    for (let at = 0; at < count; at += 1) {
      let bits = (masks[at] as number) ^ mask;
      for (let left = maxBits; left > 0; left -= 1) bits &= bits - 1;
      if (bits === 0) visit(numbers[at] as number);
    }
  }
}
