import { PREFIX, TYPO, WordIndex } from 'doorstep/search-engine/text';
import { isFood } from './food-words.ts';
import { isMeasure, stemOf, wordKindOf } from './product-words.ts';
import { TermLog } from './term-log.index.ts';
import { EXACT, MISSPELLED, PLURAL, type TermMatches, UNFINISHED } from './term-matches.ts';
import { type NameWord, nameWordOf } from './word-roles.ts';

/** A term of product names and sizes. */
export type Term = {
  /** `CONTENT`, `MEASURE` or `STOP`. */
  kind: number;
  nameWord: NameWord;
  isFood: boolean;
};

/** Maximum terms of all indexes, including stems, 250 MB; three million products of 20,000 menus contain 69,000. */
const MAX_TERMS = 1_000_000;
/** Terms that one index may add once half of them are taken, as a share of all: a few indexes cannot take the rest. */
const LATE_SHARE = 1 / 500;

/** Terms that are followed between two checks of the time slice. */
const SLICE_TERMS = 500;

/**
 * The terms of product indexes. Each has a number that is never reused, the same in every thread that follows the log.
 * Only one thread adds.
 */
export class ProductTerms {
  readonly log: TermLog;
  private readonly maxTerms: number;
  private followed = 0;
  /** Terms and their stems. A stem need not be a term (`cooky` of `cookies`). */
  private readonly dictionary = new WordIndex();
  /** Terms by number; undefined for a stem that is not a term. */
  private readonly terms: (Term | undefined)[] = [];
  private readonly termsOfStem = new Map<number, number[]>();
  private added = 0;

  constructor(log = new TermLog(), maxTerms = MAX_TERMS) {
    this.log = log;
    this.maxTerms = maxTerms;
  }

  /** Takes in the terms that another thread or an earlier process has added to the log; yields in between. */
  *follow(): Generator<void, void> {
    while (this.followed < this.log.end) {
      const { end } = this.log;
      const terms = this.log.terms(this.followed, end);
      for (const [nth, term] of terms.entries()) {
        this.take(term);
        if (nth % SLICE_TERMS === SLICE_TERMS - 1) yield;
      }
      this.followed = end;
    }
  }

  /** Returns the number of terms and stems. */
  get size(): number {
    return this.dictionary.size;
  }

  /** Number of terms without stems. Matches computed with fewer are stale, even if the new term was a stem before. */
  get termCount(): number {
    return this.added;
  }

  /** Whether an index that has added so many terms of its own may have this one, as a known or a new term. */
  mayHave(term: string, addedByIndex: number): boolean {
    const { size, maxTerms } = this;
    if (size < maxTerms / 2 || this.isKnown(term)) return true;
    return size < maxTerms && addedByIndex < Math.max(1, maxTerms * LATE_SHARE);
  }

  private isKnown(term: string): boolean {
    const id = this.dictionary.idOf(term);
    return id !== undefined && this.terms[id] !== undefined;
  }

  /** Returns the number of the term, a new one on its first use. */
  add(term: string): number {
    const known = this.dictionary.idOf(term);
    if (known !== undefined && this.terms[known] !== undefined) return known;
    this.log.add(term);
    this.followed = this.log.end;
    return this.take(term);
  }

  private take(term: string): number {
    const id = this.dictionary.add(term);
    if (this.terms[id] !== undefined) return id;
    const nameWord = nameWordOf(term);
    this.terms[id] = { kind: wordKindOf(term), nameWord, isFood: isFood(term) };
    this.added += 1;
    const stem = this.dictionary.add(nameWord.stem);
    const forms = this.termsOfStem.get(stem);
    if (forms) forms.push(id);
    else this.termsOfStem.set(stem, [id]);
    return id;
  }

  at(termId: number): Term {
    return this.terms[termId] as Term;
  }

  /** Numbers of the terms that equal the word in singular or plural. */
  formsOf(word: string): readonly number[] {
    return this.formsOfStem(this.dictionary.idOf(stemOf(word)));
  }

  /**
   * Returns the terms that match a word, each with its best grade. Allows `maxTypos`, or as many as the word's length
   * permits. All names of a unit are one word. Numbers are never typos of each other. A food is spelled right, so it is
   * never another food (pasta, paste), nor, if it's short, a word with another letter (wine, wipe).
   */
  match(word: string, mayBeUnfinished: boolean, maxTypos?: number): TermMatches {
    const grades = new Map<number, number>();
    const isWordFood = isFood(word);
    const stem = stemOf(word);
    const isOther = ({ isFood, nameWord }: Term) => isWordFood && (isFood || replacesLetter(stem, nameWord.stem));
    const offer = (termIds: Iterable<number>, grade: number): void => {
      for (const id of termIds) {
        const term = this.terms[id];
        if (term === undefined || grade >= (grades.get(id) ?? Infinity)) continue;
        if (grade !== MISSPELLED || !isOther(term)) grades.set(id, grade);
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
    for (const other of this.dictionary.match(stem, false, typos)[TYPO]) offer(this.formsOfStem(other), MISSPELLED);
    const termIds = Uint32Array.from(grades.keys()).sort();
    return { termIds, grades: Uint8Array.from(termIds, (id) => grades.get(id) as number) };
  }

  private formsOfStem(stem: number | undefined): readonly number[] {
    return (stem !== undefined && this.termsOfStem.get(stem)) || [];
  }
}

/** Whether a word has another letter, not another order: a short one is another word then, a long one misspelled. */
const replacesLetter = (one: string, other: string) =>
  one.length <= 5 && one.length === other.length && [...one].toSorted().join('') !== [...other].toSorted().join('');
