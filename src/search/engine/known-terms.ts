import type { TermDictionary, TermKey } from './term-dictionary.ts';

/** Half a megabyte: one word in thirty that no segment has is looked up all the same. */
const BITS = 2 ** 22;

/**
 * A Bloom filter over the terms of all segments that a searcher has shown: most parts of a word, which rewrites ask for, are
 * a term nowhere, and one bit says so. Terms that have gone keep their bit, which costs a look-up.
 */
export class KnownTerms {
  private readonly bits = new Uint32Array(BITS / 32);

  add(terms: TermDictionary): void {
    terms.visitHashes((hash) => {
      const bit = hash % BITS;
      this.bits[bit >>> 5] = (this.bits[bit >>> 5] as number) | (1 << (bit & 31));
    });
  }

  /** False where no segment has the term. */
  mayHave(key: TermKey): boolean {
    const bit = key.hash % BITS;
    return (((this.bits[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1;
  }
}
