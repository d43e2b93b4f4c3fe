import { forgivenTypos } from '../../platform/lib/text/typo-distance.ts';
import { listHas, NO_SLOTS, without } from './posting-lists.ts';
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

/** Maximum typos by word position, for words whose length would allow another number. */
export type TyposOfWords = Readonly<Record<number, number>>;

/** A word of a query: its term, undefined where no name has it, and the terms that it may be a typo for. */
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

  /** Whether a word of some name may match it in the class or in a better one. */
  mayMatch(nameClass: NameClass): boolean {
    if (this.term !== undefined) return true;
    return nameClass !== EXACT && (this.isPrefix || (nameClass === TYPO && this.misspelled.length > 0));
  }
}

/** Words that a name must have, each as a word of its own, in any sequence. */
export class NameQuery {
  private readonly words: readonly QueryWord[];
  private readonly bySegment = new Map<Segment, SegmentNames>();
  /** By class. */
  private readonly matches: boolean[] = [];

  constructor(words: readonly string[], lastIsPrefix: boolean, vocabulary: Vocabulary, typos: TyposOfWords = {}) {
    this.words = words.map((word, nth) => {
      const isPrefix = lastIsPrefix && nth === words.length - 1;
      return new QueryWord(word, isPrefix, typos[nth] ?? forgivenTypos(word.length), vocabulary);
    });
  }

  /** The slots whose names are of the class. */
  in(segment: Segment, nameClass: NameClass): Uint32Array {
    return this.mayMatch(nameClass) ? this.namesIn(segment).of(nameClass) : NO_SLOTS;
  }

  /** The slots whose names are of any class. */
  allIn(segment: Segment): Uint32Array {
    const lists = CLASSES.map((nameClass) => this.in(segment, nameClass)).filter(({ length }) => length > 0);
    return lists.length === 1 ? (lists[0] as Uint32Array) : segment.postings.union(lists);
  }

  /** The slots whose names are these words, each as often and in this sequence. */
  wholeIn(segment: Segment): Uint32Array {
    return this.in(segment, EXACT).filter((slot) => this.namesIn(segment).isWhole(slot));
  }

  /** False if no name can match in the class: no segment is searched. */
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

/** A word in the numbers of one segment. */
class SegmentWord {
  readonly isPrefix: boolean;
  readonly exact: number;
  private readonly word: QueryWord;
  private readonly segment: Segment;
  private ownRange: TermRange | undefined;
  private ownMisspelled: Uint32Array | undefined;

  constructor(word: QueryWord, segment: Segment) {
    this.isPrefix = word.isPrefix;
    this.word = word;
    this.segment = segment;
    this.exact = word.term === undefined ? NO_TERM : segment.terms.find(word.term);
  }

  /** The terms that begin with an unfinished word, the word itself included. */
  private get range(): TermRange {
    this.ownRange ??= this.isPrefix ? this.segment.terms.startingWith(NAME, this.word.text) : NO_RANGE;
    return this.ownRange;
  }

  /** Ascending. */
  private get misspelled(): Uint32Array {
    this.ownMisspelled ??= this.findMisspelled();
    return this.ownMisspelled;
  }

  private findMisspelled(): Uint32Array {
    const { terms } = this.segment;
    const found: number[] = [];
    for (const term of this.word.misspelled) {
      const number = terms.find(term);
      if (number !== NO_TERM) found.push(number);
    }
    return Uint32Array.from(found).sort();
  }

  /** Slots with a word of the class or of a better one, some counted several times. */
  count(nameClass: NameClass): number {
    const { postings } = this.segment;
    let count = this.exact === NO_TERM ? 0 : postings.count(this.exact);
    if (nameClass !== EXACT && this.isPrefix) count = postings.countOfRange(this.range);
    return nameClass === TYPO ? count + this.misspelledCount() : count;
  }

  misspelledCount(): number {
    let count = 0;
    for (const term of this.misspelled) count += this.segment.postings.count(term);
    return count;
  }

  misspelledLists(): Uint32Array[] {
    return Array.from(this.misspelled, (term) => this.segment.postings.of(term));
  }

  /** The slots with a word of the class or of a better one. */
  slots(nameClass: NameClass): Uint32Array {
    const lists = this.lists(nameClass);
    return lists.length === 1 && !this.isPrefix ? (lists[0] as Uint32Array) : this.segment.postings.union(lists);
  }

  /** Those of the slots with a word of the class or of a better one. */
  narrow(slots: Uint32Array, nameClass: NameClass): Uint32Array {
    if (nameClass === EXACT || !this.isPrefix) return this.segment.postings.inSome(slots, this.lists(nameClass));
    const { range } = this;
    const misspelled = nameClass === TYPO ? this.misspelled : NO_SLOTS;
    const { nameStarts, nameTerms } = this.segment.columns;
    // So many words begin alike that the names are read.
    return slots.filter((slot) => {
      const end = nameStarts[slot + 1] as number;
      for (let at = nameStarts[slot] as number; at < end; at += 1) {
        const term = nameTerms[at] as number;
        if ((term >= range.from && term < range.end) || listHas(misspelled, term)) return true;
      }
      return false;
    });
  }

  private lists(nameClass: NameClass): Uint32Array[] {
    const { postings } = this.segment;
    const lists = nameClass === TYPO ? this.misspelledLists() : [];
    if (nameClass !== EXACT && this.isPrefix) lists.push(postings.ofRange(this.range));
    else if (this.exact !== NO_TERM) lists.push(postings.of(this.exact));
    return lists;
  }
}

/** A query in the numbers of one segment. */
class SegmentNames {
  private readonly segment: Segment;
  private readonly words: readonly SegmentWord[];
  private readonly slots: (Uint32Array | undefined)[] = [];

  constructor(words: readonly QueryWord[], segment: Segment) {
    this.segment = segment;
    this.words = words.map((word) => new SegmentWord(word, segment));
  }

  /** The slots whose names are of the class. */
  of(nameClass: NameClass): Uint32Array {
    this.slots[nameClass] ??= this.find(nameClass);
    return this.slots[nameClass];
  }

  /** Whether the words are the name, each as often and in this sequence. */
  isWhole(slot: number): boolean {
    const { nameStarts, nameTerms } = this.segment.columns;
    const start = nameStarts[slot] as number;
    if ((nameStarts[slot + 1] as number) - start !== this.words.length) return false;
    return this.words.every(({ exact }, nth) => nameTerms[start + nth] === exact);
  }

  private find(nameClass: NameClass): Uint32Array {
    if (nameClass === PREFIX && !this.words.some(({ isPrefix }) => isPrefix)) return NO_SLOTS;
    const counted = this.words.map((word) => ({ word, count: word.count(nameClass) }));
    const [rarest, ...others] = counted.sort((one, other) => one.count - other.count);
    if (rarest === undefined || rarest.count === 0) return NO_SLOTS;
    if (nameClass !== TYPO) {
      const slots = narrowed(rarest.word.slots(nameClass), nameClass, others);
      return nameClass === EXACT ? slots : without(slots, this.of(EXACT));
    }
    // Such a name has a misspelled word: most often fewer names have one than have the rarest word.
    const count = this.words.reduce((sum, word) => sum + word.misspelledCount(), 0);
    if (count === 0) return NO_SLOTS;
    const slots =
      count < rarest.count
        ? narrowed(this.misspelled(), TYPO, counted)
        : narrowed(rarest.word.slots(TYPO), TYPO, others);
    return without(without(slots, this.of(EXACT)), this.of(PREFIX));
  }

  /** Slots with a misspelled word. */
  private misspelled(): Uint32Array {
    return this.segment.postings.union(this.words.flatMap((word) => word.misspelledLists()));
  }
}

/** Those of the slots that have each word: the rarest word leaves the fewest slots for the others. */
function narrowed(slots: Uint32Array, nameClass: NameClass, words: readonly { word: SegmentWord }[]): Uint32Array {
  let left = slots;
  for (const { word } of words) if (left.length > 0) left = word.narrow(left, nameClass);
  return left;
}
