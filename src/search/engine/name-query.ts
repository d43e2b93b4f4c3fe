import { forgivenTypos } from '../../lib/text/typo-distance.ts';
import { listHas, unionOf } from './posting-lists.ts';
import type { Segment } from './segment.ts';
import { NAME, NO_TERM, NO_TERMS, type TermKey, type TermRange, termKey } from './term-dictionary.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How a name matches words, best first; the class of a name is that of its worst word. */
export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;
export const NO_MATCH = 3;
export type NameClass = typeof EXACT | typeof PREFIX | typeof TYPO;

const NO_SLOTS: Uint32Array = Uint32Array.of();
const NO_RANGE: TermRange = { from: 0, end: 0 };
/** So few slots are compared by their names. */
const FEW_CANDIDATES = 16;
/** A word that so many stores have is looked up in a bitmap: a name is read ten times slower. */
const MANY_SLOTS = 256;

/** By position of a word: how many typos it is forgiven, other than its length allows. */
export type TyposOfWords = Readonly<Record<number, number>>;

/** Words that a name must have, each as a word of its own, in any sequence. */
export class NameQuery {
  readonly words: readonly string[];
  readonly lastIsPrefix: boolean;
  readonly keys: readonly TermKey[];
  private readonly typos: TyposOfWords;
  private readonly vocabulary: Vocabulary;
  private readonly bySegment = new Map<Segment, SegmentNames>();
  /** By class. */
  private readonly matches: boolean[] = [];

  constructor(words: readonly string[], lastIsPrefix: boolean, vocabulary: Vocabulary, typos: TyposOfWords = {}) {
    this.words = words;
    this.lastIsPrefix = lastIsPrefix;
    this.typos = typos;
    this.vocabulary = vocabulary;
    this.keys = words.map((word) => termKey(NAME, word));
  }

  in(segment: Segment): SegmentNames {
    const known = this.bySegment.get(segment) ?? new SegmentNames(this, segment);
    this.bySegment.set(segment, known);
    return known;
  }

  /** Where this is false no segment has to be asked: some word is like no word of any name. */
  mayMatch(nameClass: NameClass): boolean {
    this.matches[nameClass] ??= this.isEachKnown(nameClass);
    return this.matches[nameClass];
  }

  private isEachKnown(nameClass: NameClass): boolean {
    const isFound = (nth: number) => nameClass === TYPO && this.misspellingsOf(nth).length > 0;
    const last = this.words.length - 1;
    const hasPrefix = (nth: number) => nameClass !== EXACT && this.lastIsPrefix && nth === last;
    return this.words.every((word, nth) => this.vocabulary.hasWord(word) || hasPrefix(nth) || isFound(nth));
  }

  /** The misspelt forms of a word that names of some segment have. */
  misspellingsOf(nth: number): readonly TermKey[] {
    return this.vocabulary.misspellings(this.words[nth] as string, this.typosOf(nth));
  }

  typosOf(nth: number): number {
    return this.typos[nth] ?? forgivenTypos((this.words[nth] as string).length);
  }
}

/** The terms of a segment that match one word. The misspelt ones are looked for when they are first needed. */
class WordTerms {
  /** What the terms depend on. */
  readonly key: string;
  readonly exact: number;
  readonly range: TermRange;
  private readonly find: () => Uint32Array;
  private found: Uint32Array | undefined;

  constructor(query: NameQuery, nth: number, segment: Segment) {
    const key = query.keys[nth] as TermKey;
    this.key = `${query.typosOf(nth)}${query.lastIsPrefix && nth === query.keys.length - 1 ? '+' : '-'}${query.words[nth]}`;
    this.exact = segment.terms.find(key);
    this.range = query.lastIsPrefix && nth === query.keys.length - 1 ? segment.terms.startingWith(key) : NO_RANGE;
    this.find = () => termsIn(segment, query.misspellingsOf(nth));
  }

  get misspelt(): Uint32Array {
    this.found ??= this.find();
    return this.found;
  }

  isInRange(term: number): boolean {
    return term >= this.range.from && term < this.range.end;
  }
}

/** A query in the numbers of one segment. */
export class SegmentNames {
  private readonly segment: Segment;
  private readonly words: readonly WordTerms[];

  constructor(query: NameQuery, segment: Segment) {
    this.segment = segment;
    this.words = query.words.map((_, nth) => new WordTerms(query, nth, segment));
  }

  /** Slots whose names may be of the class: all of them, and others. */
  candidates(nameClass: NameClass): Uint32Array {
    const rarest = this.rarestWord(nameClass);
    if (rarest === null) return NO_SLOTS;
    if (nameClass !== TYPO) return this.narrowed(rarest, nameClass);
    // A name of this class has a misspelt word: most often few names have one, where many have the words as typed.
    const misspelt = this.words.flatMap((word) => this.segment.postings.listsOf(NO_RANGE, word.misspelt));
    if (lengthOf(misspelt) < this.countOf(rarest, TYPO)) return this.withCommonWords(unionOf(misspelt), TYPO, null);
    return this.narrowed(rarest, TYPO);
  }

  /** Slots whose names may be of any class. */
  matching(): Uint32Array {
    const rarest = this.rarestWord(TYPO);
    return rarest === null ? NO_SLOTS : this.narrowed(rarest, TYPO);
  }

  /** The word with the fewest slots; null where some word has none. */
  private rarestWord(nameClass: NameClass): WordTerms | null {
    let [fewest, rarest] = [Infinity, null as WordTerms | null];
    for (const word of this.words) {
      const count = this.countOf(word, nameClass);
      if (count === 0) return null;
      if (count < fewest) [fewest, rarest] = [count, word];
    }
    return rarest;
  }

  /** The slots of the rarest word that have each of the other words which many names have; the others are compared later. */
  private narrowed(rarest: WordTerms, nameClass: NameClass): Uint32Array {
    const { postings } = this.segment;
    const slots = nameClass === EXACT ? postings.of(rarest.exact) : unionOf(this.listsOf(rarest, nameClass));
    return this.withCommonWords(slots, nameClass, rarest);
  }

  private withCommonWords(slots: Uint32Array, nameClass: NameClass, except: WordTerms | null): Uint32Array {
    if (slots.length < FEW_CANDIDATES) return slots;
    let left = slots;
    for (const word of this.words) {
      if (word === except || this.countOf(word, nameClass) < MANY_SLOTS) continue;
      const bits = this.segment.postings.bitmap(`${nameClass}${word.key}`, () => this.listsOf(word, nameClass));
      left = left.filter((slot) => (((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 1);
    }
    return left;
  }

  private countOf(word: WordTerms, nameClass: NameClass): number {
    const { postings } = this.segment;
    const hasRange = nameClass !== EXACT && word.range.end > word.range.from;
    let count = hasRange ? postings.countOfRange(word.range) : word.exact === NO_TERM ? 0 : postings.count(word.exact);
    if (nameClass === TYPO) for (const term of word.misspelt) count += postings.count(term);
    return count;
  }

  private listsOf(word: WordTerms, nameClass: NameClass): Uint32Array[] {
    const { postings } = this.segment;
    const misspelt = nameClass === TYPO ? word.misspelt : NO_TERMS;
    // The exact term is the first of the range.
    const hasRange = nameClass !== EXACT && word.range.end > word.range.from;
    const range = hasRange ? word.range : { from: word.exact, end: word.exact + (word.exact === NO_TERM ? 0 : 1) };
    return postings.listsOf(range, misspelt);
  }

  /** Whether the name has all of the words exactly. */
  hasAll(slot: number): boolean {
    for (const { exact } of this.words) if (!this.hasTerm(slot, exact)) return false;
    return true;
  }

  /** Whether the words are the name, each as often and in this sequence. */
  isWhole(slot: number): boolean {
    const { nameStarts, nameTerms } = this.segment.columns;
    const start = nameStarts[slot] as number;
    if ((nameStarts[slot + 1] as number) - start !== this.words.length) return false;
    return this.words.every(({ exact }, nth) => nameTerms[start + nth] === exact);
  }

  /** `NO_MATCH` where some word matches no word of the name. */
  classOf(slot: number): NameClass | typeof NO_MATCH {
    let worst: NameClass = EXACT;
    for (const word of this.words) {
      const own = this.classOfWord(slot, word);
      if (own === NO_MATCH) return NO_MATCH;
      if (own > worst) worst = own;
    }
    return worst;
  }

  private hasTerm(slot: number, term: number): boolean {
    const { nameStarts, nameTerms } = this.segment.columns;
    const end = nameStarts[slot + 1] as number;
    for (let at = nameStarts[slot] as number; at < end; at += 1) if (nameTerms[at] === term) return true;
    return false;
  }

  private classOfWord(slot: number, word: WordTerms): NameClass | typeof NO_MATCH {
    const { nameStarts, nameTerms } = this.segment.columns;
    const end = nameStarts[slot + 1] as number;
    let best: NameClass | typeof NO_MATCH = NO_MATCH;
    for (let at = nameStarts[slot] as number; at < end; at += 1) {
      const term = nameTerms[at] as number;
      if (term === word.exact) return EXACT;
      if (word.isInRange(term)) best = PREFIX;
      else if (best === NO_MATCH && listHas(word.misspelt, term)) best = TYPO;
    }
    return best;
  }
}

/** The numbers of the terms that the segment has, ascending. */
function termsIn({ terms }: Segment, keys: readonly TermKey[]): Uint32Array {
  if (keys.length === 0) return NO_TERMS;
  const known = keys.map((key) => terms.find(key)).filter((term) => term !== NO_TERM);
  return Uint32Array.from(known).sort();
}

function lengthOf(lists: readonly Uint32Array[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}
