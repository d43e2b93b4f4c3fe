import { allowedTypos } from '../../platform/lib/text/typo-distance.ts';
import { NO_SLOTS, without } from './posting-lists.ts';
import type { Segment } from './segment.ts';
import { NAME, NO_TERM, type Term, type TermRange } from './term-dictionary.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How a name matches words, best first; the class of a name is that of its worst word. */
export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;
export const CLASSES = [EXACT, PREFIX, TYPO] as const;
export type NameClass = (typeof CLASSES)[number];

const NO_RANGE: TermRange = { from: 0, end: 0 };

/** Maximum typos by word position, where they differ from the default for the word's length. */
export type TyposOfWords = Readonly<Record<number, number>>;

/** A query word: its term, undefined if no name has it, and the terms of which it may be a misspelling. */
class QueryWord {
  readonly text: string;
  readonly isPrefix: boolean;
  readonly term: Term | undefined;
  private readonly typos: number;
  private readonly vocabulary: Vocabulary;
  private ownMisspelled: readonly Term[] | undefined;

  constructor(text: string, isPrefix: boolean, typos: number, vocabulary: Vocabulary) {
    this.text = text;
    this.isPrefix = isPrefix;
    this.term = vocabulary.find(NAME, text);
    this.typos = typos;
    this.vocabulary = vocabulary;
  }

  get misspelled(): readonly Term[] {
    this.ownMisspelled ??= this.vocabulary.misspellings(this.text, this.typos);
    return this.ownMisspelled;
  }

  /** Whether a word of some name may match it in this class or a better one. */
  mayMatch(nameClass: NameClass): boolean {
    if (this.term !== undefined) return true;
    return nameClass !== EXACT && (this.isPrefix || (nameClass === TYPO && this.misspelled.length > 0));
  }
}

/** Words that a name must have, each as a separate word, in any order. */
export class NameQuery {
  private readonly words: readonly QueryWord[];
  private readonly bySegment = new Map<Segment, SegmentNames>();
  /** Whether the query can match, by class. */
  private readonly matches: boolean[] = [];

  constructor(words: readonly string[], lastIsPrefix: boolean, vocabulary: Vocabulary, typos: TyposOfWords = {}) {
    this.words = words.map((word, nth) => {
      const isPrefix = lastIsPrefix && nth === words.length - 1;
      return new QueryWord(word, isPrefix, typos[nth] ?? allowedTypos(word.length), vocabulary);
    });
  }

  /** Slots whose names match in this class. */
  in(segment: Segment, nameClass: NameClass): Uint32Array {
    return this.mayMatch(nameClass) ? this.namesIn(segment).of(nameClass) : NO_SLOTS;
  }

  /** Slots whose names match in any class. */
  allIn(segment: Segment): Uint32Array {
    return segment.postings.union(CLASSES.map((nameClass) => this.in(segment, nameClass)));
  }

  /** Slots whose names consist of exactly these words in this order. */
  wholeIn(segment: Segment): Uint32Array {
    return this.in(segment, EXACT).filter((slot) => this.namesIn(segment).isWhole(slot));
  }

  /** Whether any name can match in this class; if not, no segment is searched. */
  mayMatch(nameClass: NameClass): boolean {
    this.matches[nameClass] ??=
      this.words.every((word) => word.mayMatch(nameClass)) && this.words.some((word) => mayBeWorst(word, nameClass));
    return this.matches[nameClass];
  }

  get mayMatchAny(): boolean {
    return CLASSES.some((nameClass) => this.mayMatch(nameClass));
  }

  private namesIn(segment: Segment): SegmentNames {
    const known = this.bySegment.get(segment) ?? new SegmentNames(this.words, segment);
    this.bySegment.set(segment, known);
    return known;
  }
}

/** Whether the word can be a name's worst match, which decides the name's class. */
function mayBeWorst(word: QueryWord, nameClass: NameClass): boolean {
  if (nameClass === EXACT) return true;
  return nameClass === PREFIX ? word.isPrefix : word.misspelled.length > 0;
}

/** Alternative terms of a segment, a range and single terms: a name must have at least one. */
class TermChoice {
  /** Number of slots of all terms; a slot with several of the terms is counted several times. */
  readonly count: number;
  private readonly segment: Segment;
  private readonly range: TermRange;
  private readonly others: readonly number[];

  constructor(segment: Segment, range: TermRange, others: readonly number[]) {
    this.segment = segment;
    this.range = range;
    this.others = others;
    let count = segment.postings.countOfRange(range);
    for (const term of others) count += segment.postings.count(term);
    this.count = count;
  }

  slots(): Uint32Array {
    return this.segment.postings.union(this.lists());
  }

  /** Keeps the slots whose names have one of the terms. */
  narrow(slots: Uint32Array): Uint32Array {
    const { postings } = this.segment;
    // A prefix may have many terms, so scanning the names is cheaper than intersecting the lists.
    if (this.range.end - this.range.from > 1) return slots.filter((slot) => this.isInName(slot));
    return postings.union(this.lists().map((list) => postings.intersect(slots, list)));
  }

  private lists(): Uint32Array[] {
    const { postings } = this.segment;
    return [postings.ofRange(this.range), ...this.others.map((term) => postings.of(term))];
  }

  private isInName(slot: number): boolean {
    const { nameStarts, nameTerms } = this.segment.columns;
    const { from, end } = this.range;
    const nameEnd = nameStarts[slot + 1] as number;
    for (let at = nameStarts[slot] as number; at < nameEnd; at += 1) {
      const term = nameTerms[at] as number;
      if ((term >= from && term < end) || this.others.includes(term)) return true;
    }
    return false;
  }
}

/** A query word in the term numbers of one segment. */
class SegmentWord {
  readonly isPrefix: boolean;
  readonly exact: number;
  private readonly word: QueryWord;
  private readonly segment: Segment;
  private ownMisspelled: readonly number[] | undefined;

  constructor(word: QueryWord, segment: Segment) {
    this.isPrefix = word.isPrefix;
    this.word = word;
    this.segment = segment;
    this.exact = word.term === undefined ? NO_TERM : segment.terms.find(word.term);
  }

  /** The terms that match in the class or in a better one. */
  upTo(nameClass: NameClass): TermChoice {
    const range = nameClass !== EXACT && this.isPrefix ? this.beginning() : this.itself();
    return new TermChoice(this.segment, range, nameClass === TYPO ? this.misspelled : []);
  }

  get misspelled(): readonly number[] {
    this.ownMisspelled ??= this.word.misspelled
      .map((term) => this.segment.terms.find(term))
      .filter((number) => number !== NO_TERM);
    return this.ownMisspelled;
  }

  /** The terms that can match the word, which is `distance` words after the first misspelled word of the query. */
  inMisspelled(distance: number): TermChoice {
    if (distance === 0) return new TermChoice(this.segment, NO_RANGE, this.misspelled);
    return this.upTo(distance < 0 ? EXACT : TYPO);
  }

  private itself(): TermRange {
    return this.exact === NO_TERM ? NO_RANGE : { from: this.exact, end: this.exact + 1 };
  }

  /** Terms that begin with an unfinished word, including the word itself. */
  private beginning(): TermRange {
    return this.segment.terms.startingWith(NAME, this.word.text);
  }
}

/** A query in the term numbers of one segment. */
class SegmentNames {
  private readonly segment: Segment;
  private readonly words: readonly SegmentWord[];
  private readonly slots: (Uint32Array | undefined)[] = [];

  constructor(words: readonly QueryWord[], segment: Segment) {
    this.segment = segment;
    this.words = words.map((word) => new SegmentWord(word, segment));
  }

  /** Slots whose names match in this class. */
  of(nameClass: NameClass): Uint32Array {
    this.slots[nameClass] ??= this.find(nameClass);
    return this.slots[nameClass];
  }

  /** Whether the name consists of exactly these words in this order. */
  isWhole(slot: number): boolean {
    const { nameStarts, nameTerms } = this.segment.columns;
    const start = nameStarts[slot] as number;
    if ((nameStarts[slot + 1] as number) - start !== this.words.length) return false;
    return this.words.every(({ exact }, nth) => nameTerms[start + nth] === exact);
  }

  private find(nameClass: NameClass): Uint32Array {
    if (nameClass === EXACT) return intersect(this.words.map((word) => word.upTo(EXACT)));
    if (nameClass === TYPO) return without(without(this.misspelled(), this.of(EXACT)), this.of(PREFIX));
    if (!this.words.some(({ isPrefix }) => isPrefix)) return NO_SLOTS;
    return without(intersect(this.words.map((word) => word.upTo(PREFIX))), this.of(EXACT));
  }

  /**
   * Slots with a misspelled word: one intersection per position of the first misspelling. Words before it must match
   * exactly; words after it may match in any class.
   */
  private misspelled(): Uint32Array {
    const { words } = this;
    const found = words
      .filter(({ misspelled }) => misspelled.length > 0)
      .map((first) => intersect(words.map((word, nth) => word.inMisspelled(nth - words.indexOf(first)))));
    return this.segment.postings.union(found);
  }
}

/** Slots that match every choice. Starts with the rarest choice, so the others test the fewest slots. */
function intersect(choices: TermChoice[]): Uint32Array {
  const [rarest, ...others] = choices.sort((one, other) => one.count - other.count);
  if (rarest === undefined || rarest.count === 0) return NO_SLOTS;
  let slots = rarest.slots();
  for (const choice of others) if (slots.length > 0) slots = choice.narrow(slots);
  return slots;
}
