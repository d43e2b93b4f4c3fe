import { createTypoMatcher, letterMask, MAX_TYPO_WORD_LENGTH, type TypoMatcher } from '../../lib/text/typo-distance.ts';
import { NAME, type TermDictionary, type TermKey, termKey } from './term-dictionary.ts';

/** Half a megabyte: one term in thirty that no segment has is looked up all the same. */
const BITS = 2 ** 22;
/** Misspelt words whose answers are remembered; then all are forgotten. */
const MAX_REMEMBERED = 8192;
const NO_KEYS: readonly TermKey[] = [];

/** Words of one length, each beside the mask of its letters. */
type Words = { texts: string[]; masks: Int32Array };

/**
 * The terms of all segments that a searcher has shown. A Bloom filter says which terms are known: most parts of a word,
 * which rewrites ask for, are a term nowhere. The words of names are compared with misspelt ones once for all segments.
 * What has gone stays known, which costs a look-up.
 */
export class Vocabulary {
  private readonly bits = new Uint32Array(BITS / 32);
  private readonly words = new Set<string>();
  private readonly byLength: Words[] = Array.from({ length: MAX_TYPO_WORD_LENGTH + 1 }, () => {
    return { texts: [], masks: new Int32Array(8) };
  });
  private readonly typos: TypoMatcher = createTypoMatcher();
  private readonly misspelt = new Map<string, readonly TermKey[]>();

  add(terms: TermDictionary): void {
    const known = this.words.size;
    for (let term = 0; term < terms.size; term += 1) {
      this.note(terms.hashAt(term));
      if (terms.fieldAt(term) === NAME) this.addWord(terms.textAt(term));
    }
    if (this.words.size > known) this.misspelt.clear();
  }

  /** False where no segment has the term. */
  mayHave(key: TermKey): boolean {
    const bit = key.hash % BITS;
    return (((this.bits[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1;
  }

  /** Whether the name of some store has the word, or had it. */
  hasWord(word: string): boolean {
    return this.words.has(word);
  }

  /** The other words of names that become the word by so many typos. */
  misspellings(word: string, maxTypos: number): readonly TermKey[] {
    if (maxTypos === 0 || word.length > MAX_TYPO_WORD_LENGTH) return NO_KEYS;
    const asked = `${maxTypos}${word}`;
    const known = this.misspelt.get(asked);
    if (known !== undefined) return known;
    if (this.misspelt.size >= MAX_REMEMBERED) this.misspelt.clear();
    const found = this.findMisspellings(word, maxTypos);
    this.misspelt.set(asked, found);
    return found;
  }

  private findMisspellings(word: string, maxTypos: number): readonly TermKey[] {
    const found: TermKey[] = [];
    const mask = letterMask(word);
    const longest = Math.min(MAX_TYPO_WORD_LENGTH, word.length + maxTypos);
    for (let length = Math.max(1, word.length - maxTypos); length <= longest; length += 1) {
      const { texts, masks } = this.byLength[length] as Words;
      // A missing letter changes one bit of a mask, any other typo two: a different length takes its share of typos.
      const maxBits = 2 * maxTypos - Math.abs(length - word.length);
      for (let at = 0; at < texts.length; at += 1) {
        let bits = (masks[at] as number) ^ mask;
        for (let left = maxBits; left > 0; left -= 1) bits &= bits - 1;
        if (bits !== 0) continue;
        const text = texts[at] as string;
        if (text !== word && this.typos.isWithinTypos(word, text, maxTypos)) found.push(termKey(NAME, text));
      }
    }
    return found.length === 0 ? NO_KEYS : found;
  }

  private note(hash: number): void {
    const bit = hash % BITS;
    this.bits[bit >>> 5] = (this.bits[bit >>> 5] as number) | (1 << (bit & 31));
  }

  private addWord(word: string): void {
    if (this.words.has(word)) return;
    this.words.add(word);
    const words = this.byLength[word.length];
    if (words === undefined) return;
    if (words.texts.length === words.masks.length) {
      const masks = new Int32Array(2 * words.masks.length);
      masks.set(words.masks);
      words.masks = masks;
    }
    words.masks[words.texts.length] = letterMask(word);
    words.texts.push(word);
  }
}
