import type { Filter } from './filter.ts';
import type { NameQuery } from './name-query.ts';
import { areEverydayNames } from './query-words.ts';
import type { Segment } from './segment.ts';
import { type Field, NAME, NO_TERM, PLACE, type Term } from './term-dictionary.ts';
import { EXACT } from './text/word-index.ts';
import type { IndexView } from './view.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Stores that match a text equally well. A page is filled by one walk per group. */
export type TextGroup = {
  /** Returns the slots that match, ascending. May omit slots beyond the filter's distance. */
  in(segment: Segment, filter: Filter): Uint32Array;
};

const MAX_WHOLE_NAMES = 8192;

/** Which stores of a view exist for the caller. */
export class KnownStores {
  readonly vocabulary: Vocabulary;
  private readonly view: IndexView;
  private readonly filter: Filter;

  constructor(view: IndexView, filter: Filter, vocabulary: Vocabulary) {
    this.view = view;
    this.filter = filter;
    this.vocabulary = vocabulary;
  }

  /** Splits of words into the stores' terms (`rewritesOf`), once found. */
  get splits(): Map<string, string[][]> {
    return this.filter.account === undefined ? this.view.splits : new Map();
  }

  readonly hasWord = (word: string): boolean => this.has(NAME, word);

  readonly hasPlace = (place: string): boolean => this.has(PLACE, place);

  hasMatch(group: TextGroup): boolean {
    return this.view.segments.some((segment) => this.hasShown(segment, group.in(segment, this.filter)));
  }

  /** Returns whether each word tells one store from others: it names neither a kind nor a place. */
  areTelling(words: NameQuery['words']): readonly boolean[] {
    const isEveryday = areEverydayNames(words.map(({ text }) => text));
    return words.map(({ facts }, nth) => !isEveryday[nth] && !facts.some((term) => this.hasTerm(term)));
  }

  /** Whether some store has exactly these words as its name. */
  hasWhole(names: NameQuery): boolean {
    if (!names.mayMatch(EXACT)) return false;
    const { wholeNames, segments } = this.view;
    const text = this.filter.account === undefined ? names.words.map((word) => word.text).join(' ') : null;
    const known = text === null ? undefined : wholeNames.get(text);
    if (known !== undefined) return known;
    const found = segments.some((segment) =>
      names.in(segment, EXACT).some((slot) => names.isWhole(segment, slot) && this.isShown(segment, slot)),
    );
    if (wholeNames.size >= MAX_WHOLE_NAMES) wholeNames.clear();
    if (text !== null) wholeNames.set(text, found);
    return found;
  }

  hasTerm(term: Term): boolean {
    return this.view.segments.some((segment) => {
      const number = segment.terms.find(term);
      return number !== NO_TERM && this.hasShown(segment, segment.postings.of(number));
    });
  }

  /** Returns the sum of the terms' store numbers; a store with several of them is counted several times. */
  countOf(terms: readonly Term[]): number {
    return terms.reduce((sum, term) => sum + this.countOfTerm(term), 0);
  }

  private countOfTerm(term: Term): number {
    const { counts, segments } = this.view;
    const isPublic = this.filter.account === undefined;
    const known = isPublic ? counts.get(term) : undefined;
    if (known !== undefined) return known;
    let count = 0;
    for (const segment of segments) {
      const number = segment.terms.find(term);
      if (number === NO_TERM) continue;
      for (const slot of segment.postings.of(number)) if (this.isShown(segment, slot)) count += 1;
    }
    if (isPublic) counts.set(term, count);
    return count;
  }

  private has(field: Field, text: string): boolean {
    const term = this.vocabulary.find(field, text);
    return term !== undefined && this.hasTerm(term);
  }

  private hasShown(segment: Segment, slots: Uint32Array): boolean {
    return slots.some((slot) => this.isShown(segment, slot));
  }

  private isShown(segment: Segment, slot: number): boolean {
    return segment.isAlive(slot, this.view.version) && this.filter.isShown(segment, slot);
  }
}
