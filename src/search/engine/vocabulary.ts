import { createTypoMatcher, letterMask, MAX_TYPO_WORD_LENGTH, type TypoMatcher } from '../../lib/text/typo-distance.ts';
import { ACCOUNT, CITY, CUISINE, type Field, NAME, Term, type TermDictionary } from './term-dictionary.ts';

/** Misspelt words whose answers are remembered; then all are forgotten. */
const MAX_REMEMBERED = 8192;
const NO_WORDS: readonly Term[] = [];

/** Words of one length, each beside the mask of its letters. */
type Words = { terms: Term[]; masks: Int32Array };

/**
 * The terms of all segments that a searcher has shown. A term that no segment has is looked up in none: most parts of a
 * word, which rewrites ask for, are a term nowhere. The words of names are compared with misspelt ones once for all
 * segments. What has gone stays known, which costs a look-up, until the searcher begins a new vocabulary.
 */
export class Vocabulary {
  private readonly terms: Readonly<Record<Field, Map<string, Term>>> = {
    [NAME]: new Map(),
    [CUISINE]: new Map(),
    [CITY]: new Map(),
    [ACCOUNT]: new Map(),
  };
  private readonly byLength: Words[] = Array.from({ length: MAX_TYPO_WORD_LENGTH + 1 }, () => {
    return { terms: [], masks: new Int32Array(8) };
  });
  private readonly typos: TypoMatcher = createTypoMatcher();
  private readonly misspelt = new Map<string, readonly Term[]>();
  /** Terms known. */
  size = 0;

  add(terms: TermDictionary): void {
    for (let nth = 0; nth < terms.size; nth += 1) {
      const field = terms.fieldAt(nth);
      const text = terms.textAt(nth);
      if (this.terms[field].has(text)) continue;
      const term = new Term(field, text);
      this.terms[field].set(text, term);
      this.size += 1;
      if (field === NAME) this.addWord(term);
    }
  }

  /** Undefined where no segment has the term. */
  find(field: Field, text: string): Term | undefined {
    return this.terms[field].get(text);
  }

  /** The other words of names that become the word by so many typos. */
  misspellings(word: string, maxTypos: number): readonly Term[] {
    if (maxTypos === 0 || word.length > MAX_TYPO_WORD_LENGTH) return NO_WORDS;
    const asked = `${maxTypos}${word}`;
    const known = this.misspelt.get(asked);
    if (known !== undefined) return known;
    if (this.misspelt.size >= MAX_REMEMBERED) this.misspelt.clear();
    const found = this.findMisspellings(word, maxTypos);
    this.misspelt.set(asked, found);
    return found;
  }

  private findMisspellings(word: string, maxTypos: number): readonly Term[] {
    const found: Term[] = [];
    const mask = letterMask(word);
    const longest = Math.min(MAX_TYPO_WORD_LENGTH, word.length + maxTypos);
    for (let length = Math.max(1, word.length - maxTypos); length <= longest; length += 1) {
      const { terms, masks } = this.byLength[length] as Words;
      // A missing letter changes one bit of a mask, any other typo two: a different length takes its share of typos.
      const maxBits = 2 * maxTypos - Math.abs(length - word.length);
      for (let at = 0; at < terms.length; at += 1) {
        let bits = (masks[at] as number) ^ mask;
        for (let left = maxBits; left > 0; left -= 1) bits &= bits - 1;
        if (bits !== 0) continue;
        const term = terms[at] as Term;
        if (term.text !== word && this.typos.isWithinTypos(word, term.text, maxTypos)) found.push(term);
      }
    }
    return found.length === 0 ? NO_WORDS : found;
  }

  private addWord(term: Term): void {
    this.misspelt.clear();
    const words = this.byLength[term.text.length];
    if (words === undefined) return;
    const { terms, masks } = words;
    if (terms.length === masks.length) {
      words.masks = new Int32Array(2 * masks.length);
      words.masks.set(masks);
    }
    words.masks[terms.length] = letterMask(term.text);
    terms.push(term);
  }
}
