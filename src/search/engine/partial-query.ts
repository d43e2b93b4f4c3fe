import type { KnownStores, TextGroup } from './known-stores.ts';
import { intersect, numbersIn, type QueryWord, TermChoice } from './name-query.ts';
import { NO_SLOTS, without } from './posting-lists.ts';
import { areEverydayNames, phrasesFrom } from './query-words.ts';
import type { Segment } from './segment.ts';
import { NAME, type Term } from './term-dictionary.ts';

/**
 * What each word of a query weighs: the rarer among names, the more. Negative for a word that says what or where a
 * store is; 0 for a word that no store has, or that is left out.
 */
export type Weights = readonly number[];

/** Stores that match the same weight of words; `isNamed` if one of the words is more than what and where they are. */
export type PartialGroup = TextGroup & { isNamed: boolean };

/** Maximum words of a query that count; 31 combinations. */
const MAX_PARTIAL_WORDS = 5;
const WEIGHTS_PER_HALVING = 8;
/** A word of 2^22 stores, more than a continent has, weighs least. */
const HALVINGS = 22;

/** Stores that match some of a query's words, best first. */
export class PartialQuery {
  private readonly words: readonly QueryWord[];
  private readonly known: KnownStores;
  private readonly matchesIn: TextGroup['in'];
  private readonly bySegment = new Map<Segment, SegmentPart>();
  private ownTerms: readonly (readonly Term[])[] | undefined;
  private ownWeights: Weights | undefined;

  /** `matchesIn` are the slots that match the whole query. */
  constructor(words: readonly QueryWord[], known: KnownStores, matchesIn: TextGroup['in']) {
    this.words = words;
    this.known = known;
    this.matchesIn = matchesIn;
  }

  /** Null if no store can match a part of the query. */
  weights(): Weights | null {
    this.ownWeights ??= this.words.length < 2 ? [] : this.weigh();
    return this.ownWeights.some((weight) => weight !== 0) ? this.ownWeights : null;
  }

  /** A page continues with the weights of the page before, so that its groups are the same. */
  groups(weights: Weights): readonly PartialGroup[] {
    const counted = this.words.flatMap((_, nth) => ((weights[nth] ?? 0) === 0 ? [] : [nth]));
    const parts = Array.from({ length: 2 ** counted.length - 1 }, (_, nth) => {
      const words = counted.filter((_, bit) => (((nth + 1) >>> bit) & 1) === 1);
      const weight = words.reduce((sum, word) => sum + Math.abs(weights[word] as number), 0);
      return { words, weight, isNamed: words.some((word) => (weights[word] as number) > 0) };
    });
    const groups = Map.groupBy(parts, ({ weight, isNamed }) => weight * 2 + (isNamed ? 1 : 0));
    return [...groups.values()]
      .map((same) => {
        const { isNamed, weight } = same[0] as (typeof parts)[number];
        return { isNamed, weight, in: (segment: Segment) => this.partsIn(segment, same, counted) };
      })
      .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.weight - a.weight);
  }

  private partsIn(segment: Segment, parts: readonly { words: number[] }[], counted: readonly number[]): Uint32Array {
    const known = this.bySegment.get(segment) ?? new SegmentPart(segment, this.words, this.terms);
    this.bySegment.set(segment, known);
    const slots = segment.postings.union(parts.map(({ words }) => known.having(words, counted)));
    return slots.length === 0 ? NO_SLOTS : without(slots, this.matchesIn(segment));
  }

  /** Counts only stores that exist for the caller, so weights depend on no other account, tombstone or compaction. */
  private weigh(): Weights {
    const isKind = areEverydayNames(this.words.map(({ text }) => text));
    const weighed = this.words.map(({ facts }, nth) => {
      const named = this.known.countOf(this.terms[nth] ?? []);
      const count = named > 0 ? named : this.known.countOf(facts);
      if (count === 0) return 0;
      const rarity = 1 + Math.max(0, Math.round(WEIGHTS_PER_HALVING * (HALVINGS - Math.log2(count))));
      return facts.length > 0 || isKind[nth] ? -rarity : rarity;
    });
    const order = [...weighed.keys()].sort((a, b) => {
      const [one, other] = [weighed[a] as number, weighed[b] as number];
      return Number(other > 0) - Number(one > 0) || Math.abs(other) - Math.abs(one);
    });
    return weighed.map((weight, nth) => (order.indexOf(nth) < MAX_PARTIAL_WORDS ? weight : 0));
  }

  /**
   * By word, the terms of names that match it: itself, its other number and the word joined with its neighbors; or, if
   * no name has these, its misspellings.
   */
  private get terms(): readonly (readonly Term[])[] {
    this.ownTerms ??= this.words.map((word, nth) => {
      const own = [...(word.term === undefined ? [] : [word.term]), ...word.forms, ...this.joinedAt(nth)];
      const terms = own.filter((term) => this.known.hasTerm(term));
      return terms.length > 0 || word.facts.length > 0 ? terms : word.misspelled;
    });
    return this.ownTerms;
  }

  private joinedAt(nth: number): Term[] {
    const texts = this.words.map(({ text }) => text);
    const joined = texts.flatMap((_, at) =>
      phrasesFrom(texts, at).filter((_, more) => more > 0 && at <= nth && nth <= at + more),
    );
    return joined.flatMap((phrase) => this.known.vocabulary.find(NAME, phrase.replaceAll(' ', '')) ?? []);
  }
}

/** The words of a query in one segment. */
class SegmentPart {
  private readonly choices: readonly TermChoice[];

  constructor(segment: Segment, words: readonly QueryWord[], terms: readonly (readonly Term[])[]) {
    this.choices = words.map(({ text, isPrefix, facts }, nth) => {
      const range = isPrefix ? segment.terms.startingWith(NAME, text) : { from: 0, end: 0 };
      const names = numbersIn(segment, terms[nth] ?? []).filter((term) => term < range.from || term >= range.end);
      return new TermChoice(segment, range, names, numbersIn(segment, facts));
    });
  }

  /** Slots that have all of these words and none of the others. */
  having(words: readonly number[], counted: readonly number[]): Uint32Array {
    let slots = intersect(words.map((word) => this.choices[word] as TermChoice));
    for (const other of counted) {
      if (slots.length === 0 || words.includes(other)) continue;
      slots = without(slots, (this.choices[other] as TermChoice).narrow(slots));
    }
    return slots;
  }
}
