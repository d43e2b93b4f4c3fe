import { memoizedBriefly } from 'doorstep/collections';
import type { Filter } from './filter.ts';
import type { KnownStores, TextGroup } from './known-stores.ts';
import { CLASSES, type NameClass, NameQuery } from './name-query.ts';
import { PartialQuery } from './partial-query.ts';
import { NO_SLOTS, without } from './posting-lists.ts';
import { factsOfWords, type ReadQuery } from './query-words.ts';
import type { Segment } from './segment.ts';
import { NameSort, type Sort } from './sort.ts';
import { initialsOf, looseRewritesOf, type QueryRewrite, respellingsOf, rewritesOf } from './text/query-rewrites.ts';
import { EXACT, PREFIX, TYPO } from './text/word-index.ts';
import { slotsWithin } from './tree.ts';
import type { Vocabulary } from './vocabulary.ts';

/*
 * A text query against all segments: its words to terms, terms to tiers of matches (exact, prefix, typo), best tier
 * first.
 */

const NUMBER = /^[0-9]+$/;
type SlotsIn = (segment: Segment) => Uint32Array;

/** A group, its sort, and whether it is loose: then it counts only if it has a store near the coordinate. */
export type TextTier = { group: TextGroup; sort: Sort; isLoose: boolean };

/**
 * Whether the query with its judgments ("good times") names a store that it misses without them: without them, some
 * word is neither a kind nor a place.
 */
export function isNamedBy(
  words: readonly string[],
  others: readonly string[],
  autocomplete: boolean,
  known: KnownStores,
): boolean {
  const { vocabulary } = known;
  if (factsOfWords(others, vocabulary).every((facts) => facts.length > 0)) return false;
  const spellings = [words, ...respellingsOf(words, known.hasWord, autocomplete).map((one) => one.words)];
  return spellings.some((own) => {
    const names = new NameQuery(own, autocomplete, vocabulary);
    return known.hasMatch({ in: (segment) => classesIn(segment, names, [EXACT, PREFIX]) });
  });
}

/** Whether some store has exactly these words as its name, or all of them, the last one maybe unfinished, in it. */
export function isNameOfStores(words: readonly string[], autocomplete: boolean, known: KnownStores): boolean {
  const names = new NameQuery(words, autocomplete, known.vocabulary);
  if (!autocomplete) return known.hasWhole(names);
  return known.hasMatch({ in: (segment) => classesIn(segment, names, [EXACT, PREFIX]) });
}

/**
 * The words of a query, in groups from the best match to the worst: exact words, with and without the spaces between
 * them; an unfinished last word; rewrites of the query (`rewritesOf`); typos; rewrites with typos; stores whose names
 * have none of the words; looser rewrites (`looseRewritesOf`) if no store matches otherwise, and stores that match some
 * of the words (`PartialQuery`).
 */
export class TextQuery {
  readonly partial: PartialQuery;
  private readonly words: readonly string[];
  private readonly autocomplete: boolean;
  private readonly names: NameQuery;
  /** The query as typed; null without fillers. */
  private readonly typed: NameQuery | null;
  /** Equivalent queries, which match like the words as typed. */
  private readonly respellings: readonly QueryRewrite[];
  private readonly respelled: readonly NameQuery[];
  private readonly known: KnownStores;
  private ownStrict: readonly Rewritten[] | undefined;
  private loose: readonly Rewritten[] | undefined;
  private hasTypedMatch = false;
  /** Slots by how they match, best first; a slot may be in several. */
  private readonly matches = {
    exact: memoizedBriefly((segment: Segment) => {
      return segment.postings.union([this.names, ...this.respelled].map((names) => names.in(segment, EXACT)));
    }),
    prefix: (segment: Segment) => this.names.in(segment, PREFIX),
    reworded: memoizedBriefly((segment: Segment) => unionOf(segment, this.strict, [EXACT, PREFIX])),
    typo: (segment: Segment) => this.names.in(segment, TYPO),
    rewordedTypo: memoizedBriefly((segment: Segment) => unionOf(segment, this.strict, [TYPO])),
    facts: memoizedBriefly((segment: Segment) => this.names.factsIn(segment)),
  } satisfies Record<string, SlotsIn>;

  constructor(
    { words, judged, endsAsTyped }: ReadQuery,
    typed: readonly string[],
    autocomplete: boolean,
    known: KnownStores,
  ) {
    this.words = words;
    this.autocomplete = autocomplete && endsAsTyped;
    this.names = new NameQuery(words, this.autocomplete, known.vocabulary);
    this.typed = words.length === typed.length ? null : new NameQuery(typed, false, known.vocabulary);
    this.respellings = respellingsOf(words, known.hasWord, false);
    const ofJudged = judged.length > words.length ? respellingsOf(judged, known.hasWord, false) : [];
    this.respelled = [...this.respellings, ...ofJudged].map(
      (one) => new NameQuery(one.words, this.autocomplete, known.vocabulary),
    );
    this.known = known;
    this.partial = new PartialQuery(
      this.names.words,
      known,
      memoizedBriefly((segment: Segment) => this.allIn(segment)),
    );
  }

  /** Whether every word names a kind or place, so that a match of the name is no better than a nearer store. */
  get saysOnlyFacts(): boolean {
    return this.names.words.every(({ facts }) => facts.some((term) => this.known.hasTerm(term)));
  }

  /** Lists a sort's tiers. Relevance puts better matches before nearer ones; other sorts ignore a match's quality. */
  tiers(sort: Sort): readonly TextTier[] {
    const loose = { group: { in: (segment: Segment) => this.looseIn(segment) }, sort, isLoose: true };
    const strict = { in: memoizedBriefly((segment: Segment) => this.strictIn(segment)) };
    if (sort.query.sort !== 'relevance') return [{ group: strict, sort, isLoose: false }, loose];
    const { names, typed, matches, words } = this;
    const byName = (nameClass: NameClass) => (names.hasFacts ? new NameSort(sort, [names], null, nameClass) : sort);
    const own = [names, ...this.respelled];
    const isTelling = this.known.areTelling(names.words).includes(true) && own.some((one) => this.known.hasWhole(one));
    const sorts = [new NameSort(sort, own, typed, EXACT, isTelling), byName(PREFIX), sort, byName(TYPO)];
    // "711" is 7-Eleven before a store of that number.
    const isSplitName = words.length === 1 && NUMBER.test(words[0] as string) && this.strict.some(this.isSplitWhole);
    const { exact, prefix, reworded, ...others } = matches;
    const ranked = Object.values(isSplitName ? { reworded, prefix, exact, ...others } : matches);
    const tiers = ranked.map((slotsIn, nth): TextTier => {
      const better = ranked.slice(0, nth);
      const slots = (segment: Segment, filter: Filter) => withoutEach(slotsIn(segment), better, segment, filter);
      return { group: { in: slots }, sort: sorts[nth] ?? sort, isLoose: false };
    });
    return [...(names.hasPrefix ? tiers : tiers.toSpliced(1, 1)), loose];
  }

  private readonly isSplitWhole = ({ names, phrase }: Rewritten) => phrase !== null && this.known.hasWhole(names);

  /** Whether the query is a store's whole name in any spelling, with or without its kind and place. */
  isWholeName(): boolean {
    const { names, known, words, typed, respelled } = this;
    const isWhole = (one: NameQuery) => known.hasWhole(one);
    // The cheapest first: most names are typed as they are.
    if (isWhole(names) || (typed !== null && isWhole(typed)) || respelled.some(isWhole)) return true;
    const isNamed = names.words.map(({ facts }) => facts.length === 0);
    const [from, end] = [isNamed.indexOf(true), isNamed.lastIndexOf(true) + 1];
    const trimmed = end === 0 ? [] : [words.slice(from, end), words.slice(from), words.slice(0, end)];
    const shorter = trimmed.filter((own) => own.length < words.length);
    if (shorter.some((own) => isWhole(new NameQuery(own, false, known.vocabulary)))) return true;
    return this.strict.some((rewrite) => isWhole(rewrite.names));
  }

  /** Notes that a store matched the words as typed, so that the loosest rewrites are skipped. */
  noteMatch(): void {
    this.hasTypedMatch = true;
  }

  /** Drops the loosest rewrites, because their stores are far and other stores match some of the words. */
  dropLoose(): void {
    this.loose = [];
  }

  private allIn(segment: Segment): Uint32Array {
    return segment.postings.union([this.strictIn(segment), this.looseIn(segment)]);
  }

  private strictIn(segment: Segment): Uint32Array {
    return segment.postings.union(Object.values(this.matches).map((slotsIn) => slotsIn(segment)));
  }

  private get strict(): readonly Rewritten[] {
    const { words, known, autocomplete } = this;
    const isPhrase = (parts: readonly string[], isUnfinished: boolean) => {
      const phrase = new Rewritten({ words: parts, phrase: parts, typos: {} }, isUnfinished, known.vocabulary);
      return known.hasMatch({ in: (segment) => phrase.in(segment, [EXACT, PREFIX]) });
    };
    const respellings = autocomplete ? undefined : this.respellings;
    this.ownStrict ??= this.rewritten([
      ...initialsOf(words)
        .filter((one) => known.hasWhole(new NameQuery([one], false, known.vocabulary)))
        .map((one) => ({ words: [one], phrase: null, typos: {} })),
      ...rewritesOf(words, known.hasWord, autocomplete, { known: known.splits, isPhrase }, respellings),
    ]);
    return this.ownStrict;
  }

  private looseIn(segment: Segment): Uint32Array {
    this.loose ??= this.isTyped() ? [] : this.rewritten(looseRewritesOf(this.words, this.known.hasWord));
    return unionOf(segment, this.loose, CLASSES);
  }

  /** Whether some store matches the words as typed or a strict rewrite, so that the loosest rewrites are skipped. */
  isTyped(): boolean {
    this.hasTypedMatch ||= Object.values(this.matches).some((slotsIn) => this.known.hasMatch({ in: slotsIn }));
    return this.hasTypedMatch;
  }

  private rewritten(rewrites: readonly QueryRewrite[]): readonly Rewritten[] {
    const { vocabulary } = this.known;
    return rewrites.map((one) => new Rewritten(one, this.autocomplete, vocabulary)).filter((one) => one.mayMatch);
  }
}

class Rewritten {
  readonly names: NameQuery;
  /** The parts of a word that the rewrite split; a name must have them side by side. Null if no word was split. */
  readonly phrase: readonly string[] | null;

  constructor({ words, phrase, typos }: QueryRewrite, lastIsPrefix: boolean, vocabulary: Vocabulary) {
    this.names = new NameQuery(words, lastIsPrefix, vocabulary, typos);
    this.phrase = phrase;
  }

  get mayMatch(): boolean {
    return this.names.mayMatchAny;
  }

  in(segment: Segment, classes: readonly NameClass[]): Uint32Array {
    const { names, phrase } = this;
    const slots = classesIn(segment, names, classes);
    return phrase === null ? slots : names.keepPhrase(segment, slots, phrase);
  }
}

const unionOf = (segment: Segment, groups: readonly Rewritten[], classes: readonly NameClass[]): Uint32Array =>
  groups.length === 0 ? NO_SLOTS : segment.postings.union(groups.map((group) => group.in(segment, classes)));

const classesIn = (segment: Segment, names: NameQuery, classes: readonly NameClass[]): Uint32Array =>
  segment.postings.union(classes.map((nameClass) => names.in(segment, nameClass)));

/** Returns the slots that may be within the filter's distance and are in none of the others. */
function withoutEach(slots: Uint32Array, others: readonly SlotsIn[], segment: Segment, filter: Filter): Uint32Array {
  const lists = slots.length === 0 ? [] : others.map((other) => other(segment)).filter(({ length }) => length > 0);
  if (lists.length === 0) return slots;
  return lists.reduce(without, slotsWithin(segment.tree, segment.columns.boxes, slots, filter));
}
