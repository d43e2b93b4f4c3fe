import type { Filter } from './filter.ts';
import { chordOfMiles } from './geography/sphere.ts';
import { NO_SLOTS } from './posting-lists.ts';
import { factsOfWords } from './query-words.ts';
import type { Segment } from './segment.ts';
import { NAME, NO_TERM, type Term, type TermRange } from './term-dictionary.ts';
import { isSingleSign } from './text/normalize-text.ts';
import { allowedTypos } from './text/typo-distance.ts';
import { EXACT, PREFIX, TYPO } from './text/word-index.ts';
import { slotsWithin } from './tree.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * How a store matches words, best first; its class is its worst word's. A word that names the store's kind or
 * place counts as exact if another word is in the name.
 */
export const CLASSES = [EXACT, PREFIX, TYPO] as const;
export type NameClass = (typeof CLASSES)[number];

const NO_RANGE: TermRange = { from: 0, end: 0 };

/**
 * A store of exactly this name comes first within 25 miles, or 5 if it says no more than kinds and places ("Pizza"); next
 * are stores with all words in the name within 25.
 */
export const WHOLE_NAME_CHORD = chordOfMiles(5);
export const NEAR_CHORD = chordOfMiles(25);

/** Maximum typos by word position, where they differ from the default for the word's length. */
export type TyposOfWords = Readonly<Record<number, number>>;

/** A query word. `term` is undefined if no name has the word; `facts` are the kinds and places that it names. */
export class QueryWord {
  readonly text: string;
  readonly isPrefix: boolean;
  readonly term: Term | undefined;
  readonly facts: readonly Term[];
  private readonly typos: number;
  private readonly vocabulary: Vocabulary;
  private ownMisspelled: readonly Term[] | undefined;

  constructor(text: string, isPrefix: boolean, typos: number, facts: readonly Term[], vocabulary: Vocabulary) {
    this.text = text;
    this.isPrefix = isPrefix;
    this.term = vocabulary.find(NAME, text);
    this.facts = facts;
    this.typos = typos;
    this.vocabulary = vocabulary;
  }

  get misspelled(): readonly Term[] {
    this.ownMisspelled ??= this.vocabulary.misspellings(this.text, this.typos);
    return this.ownMisspelled;
  }

  /** Returns the singulars, plurals and possessives of the word that names contain. */
  get forms(): readonly Term[] {
    return this.vocabulary.forms(this.text);
  }

  /** Whether a word of some name may match it in this class or a better one. */
  mayMatch(nameClass: NameClass): boolean {
    if (this.term !== undefined) return true;
    return nameClass !== EXACT && (this.isPrefix || (nameClass === TYPO && this.misspelled.length > 0));
  }
}

/** Words that a store must match, each as a separate word of its name, in any order, or as its kind or place. */
export class NameQuery {
  readonly words: readonly QueryWord[];
  private readonly bySegment = new Map<Segment, SegmentNames>();
  private last: SegmentNames | undefined;
  /** Whether the query can match, by class. */
  private readonly matches: boolean[] = [];

  constructor(words: readonly string[], lastIsPrefix: boolean, vocabulary: Vocabulary, typos: TyposOfWords = {}) {
    const facts = factsOfWords(words, vocabulary);
    this.words = words.map((word, nth) => {
      const isPrefix = (lastIsPrefix && nth === words.length - 1) || isSingleSign(word);
      return new QueryWord(word, isPrefix, typos[nth] ?? allowedTypos(word.length), facts[nth] ?? [], vocabulary);
    });
  }

  /** Returns the slots whose names match in this class, and some that match in a better one. */
  in(segment: Segment, nameClass: NameClass): Uint32Array {
    return this.mayMatch(nameClass) ? this.namesIn(segment).of(nameClass) : NO_SLOTS;
  }

  /** Returns the slots whose kinds and places match every word, with any name. */
  factsIn(segment: Segment): Uint32Array {
    return this.words.every(({ facts }) => facts.length > 0) ? this.namesIn(segment).facts() : NO_SLOTS;
  }

  /** Returns the slots whose names consist of exactly these words in this order. */
  wholeIn(segment: Segment): Uint32Array {
    return this.in(segment, EXACT).filter((slot) => this.isWhole(segment, slot));
  }

  isWhole(segment: Segment, slot: number): boolean {
    return this.namesIn(segment).isWhole(slot);
  }

  /** Keeps the slots whose names have these neighboring words of the query side by side. */
  keepPhrase(segment: Segment, slots: Uint32Array, phrase: readonly string[]): Uint32Array {
    const { words } = this;
    const at = words.findLastIndex((_, nth) => phrase.every((part, more) => words[nth + more]?.text === part));
    return this.namesIn(segment).keepPhrase(slots, at, phrase.length);
  }

  /** Whether the name has every word in this class or a better one. */
  isNamed(segment: Segment, slot: number, nameClass: NameClass): boolean {
    return this.namesIn(segment).isNamed(slot, nameClass);
  }

  get hasPrefix(): boolean {
    return this.words.some(({ isPrefix }) => isPrefix);
  }

  /** Whether some word names a kind or place. */
  get hasFacts(): boolean {
    return this.words.some(({ facts }) => facts.length > 0);
  }

  /** Whether any name can match in this class; if not, no segment is searched. */
  mayMatch(nameClass: NameClass): boolean {
    this.matches[nameClass] ??=
      this.words.every((word) => word.facts.length > 0 || word.mayMatch(nameClass)) &&
      this.words.some((word) => mayBeWorst(word, nameClass));
    return this.matches[nameClass];
  }

  get mayMatchAny(): boolean {
    return CLASSES.some((nameClass) => this.mayMatch(nameClass));
  }

  private namesIn(segment: Segment): SegmentNames {
    if (this.last?.segment === segment) return this.last;
    const known = this.bySegment.get(segment) ?? new SegmentNames(this.words, segment);
    this.bySegment.set(segment, known);
    this.last = known;
    return known;
  }
}

/** Whether the word can be a name's worst match, which decides the name's class. */
function mayBeWorst(word: QueryWord, nameClass: NameClass): boolean {
  if (nameClass === EXACT) return word.term !== undefined;
  return nameClass === PREFIX ? word.isPrefix : word.misspelled.length > 0;
}

/** Alternatives in a segment: a range of name terms, and terms of names, kinds and places. A store must match one. */
export class TermChoice {
  /** Number of slots of all alternatives; a slot in several of them is counted several times. */
  readonly count: number;
  private readonly segment: Segment;
  private readonly range: TermRange;
  private readonly others: readonly number[];
  private readonly facts: readonly number[];

  constructor(segment: Segment, range: TermRange, others: readonly number[], facts: readonly number[]) {
    this.segment = segment;
    this.range = range;
    this.others = others;
    this.facts = facts;
    let count = segment.postings.countOfRange(range);
    for (const term of others) count += segment.postings.count(term);
    for (const term of facts) count += segment.postings.count(term);
    this.count = count;
  }

  slots(): Uint32Array {
    return this.segment.postings.union(this.lists());
  }

  /** Returns the slots that may be within the filter's distance. */
  slotsWithin(filter: Filter): Uint32Array {
    const { tree, columns, postings } = this.segment;
    return postings.union(this.lists().map((list) => slotsWithin(tree, columns.boxes, list, filter)));
  }

  /** Keeps the slots that are in one of the alternatives. */
  narrow(slots: Uint32Array): Uint32Array {
    const { postings } = this.segment;
    const { from, end } = this.range;
    // A prefix may have many terms, so scanning the names is cheaper than intersecting the lists.
    if (end - from > 1) {
      return postings.union([postings.keep(slots, this.facts), this.keepNamed(slots)]);
    }
    return postings.keep(slots, [...(end > from ? [from] : []), ...this.others, ...this.facts]);
  }

  /** Whether the name has one of the terms. */
  isInName(slot: number): boolean {
    const { nameStarts, nameTerms } = this.segment.columns;
    const { from, end } = this.range;
    const nameEnd = nameStarts[slot + 1] as number;
    for (let at = nameStarts[slot] as number; at < nameEnd; at += 1) {
      const term = nameTerms[at] as number;
      if ((term >= from && term < end) || this.others.includes(term)) return true;
    }
    return false;
  }

  /** Whether the term is one of the range. */
  has(term: number): boolean {
    return term >= this.range.from && term < this.range.end;
  }

  /** Keeps the slots whose names have one of the terms; much faster than `filter`. */
  private keepNamed(slots: Uint32Array): Uint32Array {
    const kept = new Uint32Array(slots.length);
    let count = 0;
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] as number;
      kept[count] = slot;
      if (this.isInName(slot)) count += 1;
    }
    return kept.subarray(0, count);
  }

  private lists(): Uint32Array[] {
    const { postings } = this.segment;
    const lists = [...this.others, ...this.facts].map((term) => postings.of(term));
    if (this.range.end > this.range.from) lists.push(postings.ofRange(this.range));
    return lists;
  }
}

/** A query word in the term numbers of one segment. */
class SegmentWord {
  readonly isPrefix: boolean;
  readonly exact: number;
  private readonly word: QueryWord;
  private readonly segment: Segment;
  private ownMisspelled: readonly number[] | undefined;
  private ownFacts: readonly number[] | undefined;
  private readonly ownNamed: TermChoice[] = [];
  private readonly choices: TermChoice[] = [];

  constructor(word: QueryWord, segment: Segment) {
    this.isPrefix = word.isPrefix;
    this.word = word;
    this.segment = segment;
    this.exact = word.term === undefined ? NO_TERM : segment.terms.find(word.term);
  }

  /** Returns the terms of names that match in the class or in a better one. */
  named(nameClass: NameClass): TermChoice {
    if (this.facts.length === 0) return this.upTo(nameClass);
    this.ownNamed[nameClass] ??= this.find(nameClass);
    return this.ownNamed[nameClass];
  }

  /** Returns the terms of names in the class or in a better one, and the facts. */
  upTo(nameClass: NameClass): TermChoice {
    this.choices[nameClass] ??= this.find(nameClass, this.facts);
    return this.choices[nameClass];
  }

  get onlyFacts(): TermChoice {
    return new TermChoice(this.segment, NO_RANGE, [], this.facts);
  }

  get misspelled(): readonly number[] {
    this.ownMisspelled ??= numbersIn(this.segment, this.word.misspelled);
    return this.ownMisspelled;
  }

  /** Returns the terms that can match the word, which is `distance` words after the query's first misspelled word. */
  inMisspelled(distance: number): TermChoice {
    if (distance === 0) return new TermChoice(this.segment, NO_RANGE, this.misspelled, []);
    return this.upTo(distance < 0 ? EXACT : TYPO);
  }

  private get facts(): readonly number[] {
    this.ownFacts ??= numbersIn(this.segment, this.word.facts);
    return this.ownFacts;
  }

  private find(nameClass: NameClass, facts: readonly number[] = []): TermChoice {
    const { exact, segment, word } = this;
    let range = exact === NO_TERM ? NO_RANGE : { from: exact, end: exact + 1 };
    if (nameClass !== EXACT && this.isPrefix) range = segment.terms.startingWith(NAME, word.text);
    return new TermChoice(segment, range, nameClass === TYPO ? this.misspelled : [], facts);
  }
}

/** Returns the numbers of the terms that the segment has. */
export const numbersIn = (segment: Segment, terms: readonly Term[]): number[] =>
  terms.map((term) => segment.terms.find(term)).filter((number) => number !== NO_TERM);

/** A query in the term numbers of one segment. */
class SegmentNames {
  readonly segment: Segment;
  private readonly words: readonly SegmentWord[];
  /** Whether a store may match without any word in its name. */
  private readonly isOnlyFacts: boolean;
  private readonly slots: (Uint32Array | undefined)[] = [];
  private readonly choices: (readonly TermChoice[])[] = [];

  constructor(words: readonly QueryWord[], segment: Segment) {
    this.segment = segment;
    this.words = words.map((word) => new SegmentWord(word, segment));
    this.isOnlyFacts = words.every(({ facts }) => facts.length > 0);
  }

  /** Returns the slots whose names match in this class; some may match in a better one, too. */
  of(nameClass: NameClass): Uint32Array {
    this.slots[nameClass] ??= nameClass === TYPO ? this.misspelled() : this.upTo(nameClass);
    return this.slots[nameClass];
  }

  facts(): Uint32Array {
    return intersect(this.words.map((word) => word.onlyFacts));
  }

  /** Whether the name consists of exactly these words in this order. */
  isWhole(slot: number): boolean {
    const { nameStarts, nameTerms } = this.segment.columns;
    const start = nameStarts[slot] as number;
    if ((nameStarts[slot + 1] as number) - start !== this.words.length) return false;
    return this.words.every(({ exact }, nth) => nameTerms[start + nth] === exact);
  }

  /** Keeps the slots whose names have `count` words, from the one at `at` on, side by side. */
  keepPhrase(slots: Uint32Array, at: number, count: number): Uint32Array {
    const { nameStarts, nameTerms } = this.segment.columns;
    const phrase = this.words.slice(at, at + count).map((word) => word.named(PREFIX));
    return slots.filter((slot) => {
      const last = (nameStarts[slot + 1] as number) - count;
      for (let start = nameStarts[slot] as number; start <= last; start += 1) {
        if (phrase.every((choice, nth) => choice.has(nameTerms[start + nth] as number))) return true;
      }
      return false;
    });
  }

  isNamed(slot: number, nameClass: NameClass): boolean {
    this.choices[nameClass] ??= this.words.map((word) => word.named(nameClass));
    return this.choices[nameClass].every((choice) => choice.isInName(slot));
  }

  /** Returns the slots that match in this class or a better one, with some word in the name. */
  private upTo(nameClass: NameClass): Uint32Array {
    const { words } = this;
    if (!this.isOnlyFacts) return intersect(words.map((word) => word.upTo(nameClass)));
    const found = words.map((named) =>
      intersect(words.map((word) => (word === named ? word.named(nameClass) : word.upTo(nameClass)))),
    );
    return this.segment.postings.union(found);
  }

  /**
   * Returns the slots with a misspelled word: one intersection per position of the first misspelling. Words before it
   * must match exactly; words after it may match in any class.
   */
  private misspelled(): Uint32Array {
    const { words } = this;
    const found = words
      .filter(({ misspelled }) => misspelled.length > 0)
      .map((first) => intersect(words.map((word, nth) => word.inMisspelled(nth - words.indexOf(first)))));
    return this.segment.postings.union(found);
  }
}

/** Returns the slots that match every choice. Starts with the rarest choice, so the others test the fewest slots. */
function intersect(choices: TermChoice[]): Uint32Array {
  const [rarest, ...others] = choices.sort((one, other) => one.count - other.count);
  if (rarest === undefined || rarest.count === 0) return NO_SLOTS;
  let slots = rarest.slots();
  for (const choice of others) if (slots.length > 0) slots = choice.narrow(slots);
  return slots;
}
