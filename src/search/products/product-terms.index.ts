import { PREFIX, TYPO, WordIndex } from '../../platform/lib/text/word-index.ts';
import { isMeasure, stemOf, wordKindOf } from './product-words.ts';
import { EXACT, MISSPELLED, PLURAL, type TermMatches, UNFINISHED } from './term-matches.ts';
import { type NameWord, nameWordOf } from './word-roles.ts';

/** A term of product names and sizes. */
type Term = {
  /** `CONTENT`, `MEASURE` or `STOP`. */
  kind: number;
  nameWord: NameWord;
};

/** The terms of product indexes. Each has a number that is never reused. */
export class ProductTerms {
  /** Terms and their stems. A stem need not be a term (`cooky` of `cookies`). */
  private readonly dictionary = new WordIndex();
  /** Terms by number; undefined for a stem that is not a term. */
  private readonly terms: (Term | undefined)[] = [];
  private readonly termsOfStem = new Map<number, number[]>();
  private added = 0;

  /** Returns the number of terms and stems. */
  get size(): number {
    return this.dictionary.size;
  }

  /** Number of terms without stems. Matches computed with fewer are stale, even if the new term was a stem before. */
  get termCount(): number {
    return this.added;
  }

  /** Returns the number of the term, a new one on its first use. */
  add(term: string): number {
    const id = this.dictionary.add(term);
    if (this.terms[id] !== undefined) return id;
    const nameWord = nameWordOf(term);
    this.terms[id] = { kind: wordKindOf(term), nameWord };
    this.added += 1;
    const stem = this.dictionary.add(nameWord.stem);
    const forms = this.termsOfStem.get(stem);
    if (forms) forms.push(id);
    else this.termsOfStem.set(stem, [id]);
    return id;
  }

  kindOf(termId: number): number {
    return (this.terms[termId] as Term).kind;
  }

  nameWordOf(termId: number): NameWord {
    return (this.terms[termId] as Term).nameWord;
  }

  /** Numbers of the terms that equal the word in singular or plural. */
  formsOf(word: string): readonly number[] {
    return this.formsOfStem(this.dictionary.idOf(stemOf(word)));
  }

  /**
   * Returns the terms that match a word, each with its best grade. Allows `maxTypos`, or as many as the word's length
   * permits. All names of a unit are one word, and numbers are never typos of each other.
   */
  match(word: string, mayBeUnfinished: boolean, maxTypos?: number): TermMatches {
    const grades = new Map<number, number>();
    const offer = (termIds: Iterable<number>, grade: number): void => {
      for (const id of termIds) {
        if (this.terms[id] !== undefined && grade < (grades.get(id) ?? Infinity)) grades.set(id, grade);
      }
    };
    const isAmount = isMeasure(word);
    const typos = isAmount ? 0 : maxTypos;
    const exact = this.dictionary.idOf(word);
    if (exact !== undefined) offer([exact], EXACT);
    offer(this.formsOf(word), isAmount ? EXACT : PLURAL);
    const near = this.dictionary.match(word, mayBeUnfinished, typos);
    offer(near[PREFIX], UNFINISHED);
    offer(near[TYPO], MISSPELLED);
    for (const stem of this.dictionary.match(stemOf(word), false, typos)[TYPO])
      offer(this.formsOfStem(stem), MISSPELLED);
    const termIds = Uint32Array.from(grades.keys()).sort();
    return { termIds, grades: Uint8Array.from(termIds, (id) => grades.get(id) as number) };
  }

  private formsOfStem(stem: number | undefined): readonly number[] {
    return (stem !== undefined && this.termsOfStem.get(stem)) || [];
  }
}
