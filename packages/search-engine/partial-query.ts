import { memoizedBriefly } from 'doorstep/collections';
import type { Filter } from './filter.ts';
import type { KnownStores, TextGroup } from './known-stores.ts';
import { NameQuery, numbersIn, type QueryWord, TermChoice } from './name-query.ts';
import { without } from './posting-lists.ts';
import { areEverydayNames, phrasesFrom } from './query-words.ts';
import type { Segment } from './segment.ts';
import { NAME, type Term } from './term-dictionary.ts';

/**
 * Weight of each query word: rarer words weigh more. Negative for a word that names a kind or place; 0 for a word that
 * no store has, or that does not count.
 */
export type Weights = readonly number[];

/** Stores that match the same weight of words; `isNamed` if one of these words names neither kind nor place. */
export type PartialGroup = TextGroup & { isNamed: boolean };

type PartsIn = (filter: Filter) => (segment: Segment) => readonly Uint32Array[];

/** Maximum words of a query that count, which have 31 combinations. */
const MAX_PARTIAL_WORDS = 5;
/** Maximum words of a whole name that a query contains. */
const MAX_NAME_WORDS = 6;
const WEIGHTS_PER_HALVING = 8;
/** log2 of the number of stores that gives a word the minimum weight: more than on a continent. */
const HALVINGS = 22;

/** Stores that match some of a query's words, best first. */
export class PartialQuery {
  private readonly words: readonly QueryWord[];
  private readonly known: KnownStores;
  private readonly matchesIn: (segment: Segment) => Uint32Array;
  private ownTerms: readonly (readonly Term[])[] | undefined;
  private ownWeights: Weights | undefined;
  private ownContained: readonly NameQuery[] | undefined;
  /** Returns the slots of stores whose whole name the query contains. */
  private readonly containedIn = memoizedBriefly((segment: Segment) => {
    this.ownContained ??= this.findContained();
    return segment.postings.union(this.ownContained.map((names) => names.wholeIn(segment)));
  });

  /** `matchesIn` returns the slots of a segment that match the whole query. */
  constructor(words: readonly QueryWord[], known: KnownStores, matchesIn: (segment: Segment) => Uint32Array) {
    this.words = words;
    this.known = known;
    this.matchesIn = matchesIn;
  }

  /** Weighs the words; null if no store can match a part of the query. */
  weights(): Weights | null {
    this.ownWeights ??= this.words.length < 2 ? [] : this.weigh();
    return this.ownWeights.some((weight) => weight !== 0) ? this.ownWeights : null;
  }

  /** Groups stores by match. Every page of a search uses the first page's weights, hence its groups. */
  groups(weights: Weights): readonly PartialGroup[] {
    const counted = [...this.words.keys()]
      .filter((nth) => (weights[nth] ?? 0) !== 0)
      .sort((one, other) => byRarity(weights[one] as number, weights[other] as number));
    const named = counted.filter((word) => (weights[word] as number) > 0).length;
    const owned = counted.map((_, owner) =>
      memoizedBriefly((filter: Filter) =>
        memoizedBriefly((segment: Segment) => this.partsIn(segment, filter, counted, owner)),
      ),
    );
    const rarities = [...new Set(counted.map((word) => weights[word] as number))].toReversed();
    // A place value for each rarity, so that the rarest word that a store has decides.
    const placeValueOf = (word: number) => (MAX_PARTIAL_WORDS + 1) ** rarities.indexOf(weights[word] as number);
    const parts = Array.from({ length: 2 ** counted.length - 1 }, (_, nth) => {
      const words = nth + 1;
      const had = counted.filter((_, bit) => (words >>> bit) & 1);
      return { words, weight: had.reduce((sum, word) => sum + placeValueOf(word), 0) };
    });
    const isNamed = (words: number) => (words & (2 ** named - 1)) !== 0;
    const groups = Map.groupBy(parts, ({ words, weight }) => weight * 2 + Number(isNamed(words)));
    // The rarest of the words, which comes first, has the fewest stores.
    const partsIn = (words: number, segment: Segment, filter: Filter) =>
      (owned[31 - Math.clz32(words & -words)] as PartsIn)(filter)(segment);
    const whole = (segment: Segment) => without(this.containedIn(segment), this.matchesIn(segment));
    const contained: PartialGroup = { isNamed: true, in: whole };
    const partial = [...groups]
      .sort(([one], [other]) => (other % 2) - (one % 2) || other - one)
      .map(([key, same]) => {
        const slotsIn = (segment: Segment, filter: Filter) =>
          segment.postings.union(same.map(({ words }) => partsIn(words, segment, filter)[words] as Uint32Array));
        return { isNamed: key % 2 === 1, in: slotsIn };
      });
    return [contained, ...partial];
  }

  /** Returns the whole names in the query, from the left, the longest first. One word must tell a store from others. */
  private findContained(): NameQuery[] {
    const { words, known } = this;
    const isTelling = known.areTelling(words);
    const found: NameQuery[] = [];
    for (let at = 0; at < words.length; at += 1) {
      for (let end = Math.min(words.length, at + MAX_NAME_WORDS); end > at; end -= 1) {
        if (!isTelling.slice(at, end).includes(true)) continue;
        const texts = words.slice(at, end).map(({ text }) => text);
        const names = new NameQuery(texts, false, known.vocabulary);
        if (!known.hasWhole(names)) continue;
        found.push(names);
        at = end - 1;
        break;
      }
    }
    return found;
  }

  /**
   * Groups the slots within the filter's distance that match the word at `owner` of `counted` and none before it by
   * their matched words: the element at index n has the slots that match the words in the bits of n. Excludes slots
   * that match the whole query.
   */
  private partsIn(segment: Segment, filter: Filter, counted: readonly number[], owner: number): readonly Uint32Array[] {
    const choices = counted.map((word) => this.choiceIn(segment, word));
    const near = (choices[owner] as TermChoice).slotsWithin(filter);
    const slots = without(without(near, this.matchesIn(segment)), this.containedIn(segment));
    const words = new Uint8Array(slots.length);
    for (const [bit, choice] of choices.entries()) {
      const had = choice.narrow(slots);
      for (let at = 0, nth = 0; nth < had.length; at += 1) {
        if (slots[at] !== had[nth]) continue;
        words[at] = (words[at] as number) | (1 << bit);
        nth += 1;
      }
    }
    const counts = new Uint32Array(2 ** counted.length);
    for (let at = 0; at < words.length; at += 1) add(counts, words[at] as number, 1);
    const found = Array.from(counts, (count) => new Uint32Array(count));
    for (let at = words.length - 1; at >= 0; at -= 1) {
      const had = words[at] as number;
      add(counts, had, -1);
      (found[had] as Uint32Array)[counts[had] as number] = slots[at] as number;
    }
    return found;
  }

  private choiceIn(segment: Segment, word: number): TermChoice {
    const { text, isPrefix, facts } = this.words[word] as QueryWord;
    const range = isPrefix ? segment.terms.startingWith(NAME, text) : { from: 0, end: 0 };
    const names = numbersIn(segment, this.terms[word] ?? []).filter((term) => term < range.from || term >= range.end);
    return new TermChoice(segment, range, names, numbersIn(segment, facts));
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
    const order = [...weighed.keys()].sort((a, b) => byRarity(weighed[a] as number, weighed[b] as number));
    return weighed.map((weight, nth) => (order.indexOf(nth) < MAX_PARTIAL_WORDS ? weight : 0));
  }

  /**
   * Returns the terms of names that match each word: the word itself, its singular or plural, and the word joined with
   * its neighbors; or, if no name has these, its misspellings.
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

/** Compares weights: names first, then rarer words. */
const byRarity = (one: number, other: number): number =>
  Number(other > 0) - Number(one > 0) || Math.abs(other) - Math.abs(one);

function add(counts: Uint32Array, at: number, change: number): void {
  counts[at] = (counts[at] as number) + change;
}
