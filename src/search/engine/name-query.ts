import { forgivenTypos } from '../../lib/text/typo-distance.ts';
import type { Segment } from './segment.ts';
import { NAME, NO_TERM, NO_TERMS, type TermRange, termKey } from './term-dictionary.ts';

/** How a name matches words, best first; the class of a name is that of its worst word. */
export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;
export const NO_MATCH = 3;
export type NameClass = typeof EXACT | typeof PREFIX | typeof TYPO;

const NO_SLOTS: Uint16Array = Uint16Array.of();
const NO_RANGE: TermRange = { from: 0, end: 0 };

/** By position of a word: how many typos it is forgiven, other than its length allows. */
export type TyposOfWords = Readonly<Record<number, number>>;

/** Words that a name must have, each as a word of its own, in any sequence. */
export class NameQuery {
  readonly words: readonly string[];
  readonly lastIsPrefix: boolean;
  readonly keys: readonly Uint8Array[];
  private readonly typos: TyposOfWords;
  private readonly bySegment = new Map<Segment, SegmentNames>();

  constructor(words: readonly string[], lastIsPrefix: boolean, typos: TyposOfWords = {}) {
    this.words = words;
    this.lastIsPrefix = lastIsPrefix;
    this.typos = typos;
    this.keys = words.map((word) => termKey(NAME, word));
  }

  in(segment: Segment): SegmentNames {
    const known = this.bySegment.get(segment) ?? new SegmentNames(this, segment);
    this.bySegment.set(segment, known);
    return known;
  }

  typosOf(nth: number): number {
    return this.typos[nth] ?? forgivenTypos((this.words[nth] as string).length);
  }
}

/** The terms of a segment that match one word. The misspelt ones are looked for when they are first needed. */
class WordTerms {
  readonly exact: number;
  readonly range: TermRange;
  private readonly find: () => Uint32Array;
  private found: Uint32Array | undefined;

  constructor(query: NameQuery, nth: number, segment: Segment) {
    const key = query.keys[nth] as Uint8Array;
    this.exact = segment.terms.find(key);
    this.range = query.lastIsPrefix && nth === query.keys.length - 1 ? segment.terms.startingWith(key) : NO_RANGE;
    this.find = () => segment.terms.misspellings(query.words[nth] as string, query.typosOf(nth));
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

  /** Slots whose names may be of the class or a better one: all of them, and others. */
  candidates(nameClass: NameClass): Uint16Array {
    const { postings } = this.segment;
    let [fewest, rarest] = [Infinity, -1];
    for (const [nth, word] of this.words.entries()) {
      let count = word.exact === NO_TERM ? 0 : postings.count(word.exact);
      if (nameClass !== EXACT && word.range.end > word.range.from) count = postings.countOfRange(word.range);
      if (nameClass === TYPO) for (const term of word.misspelt) count += postings.count(term);
      if (count === 0) return NO_SLOTS;
      if (count < fewest) [fewest, rarest] = [count, nth];
    }
    const { exact, range, misspelt } = this.termsOf(this.words[rarest] as WordTerms, nameClass);
    if (range.end === range.from && misspelt.length === 0) return postings.of(exact);
    return postings.union(range, exact === NO_TERM ? misspelt : [exact, ...misspelt]);
  }

  private termsOf(word: WordTerms, nameClass: NameClass) {
    const range = nameClass === EXACT ? NO_RANGE : word.range;
    // The exact term is the first of the range.
    const exact = range.end > range.from ? NO_TERM : word.exact;
    return { exact, range, misspelt: nameClass === TYPO ? word.misspelt : NO_TERMS };
  }

  /** Whether the name has all of the words exactly. */
  hasAll(slot: number): boolean {
    return this.words.every(({ exact }) => this.hasTerm(slot, exact));
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
      else if (best === NO_MATCH && word.misspelt.includes(term)) best = TYPO;
    }
    return best;
  }
}
