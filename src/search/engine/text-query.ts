import { memoizedBriefly } from '../../platform/lib/memo.ts';
import { looseRewritesOf, type QueryRewrite, rewritesOf } from '../../platform/lib/text/query-rewrites.ts';
import { EXACT, PREFIX } from '../../platform/lib/text/word-index.ts';
import type { KnownStores, TextGroup } from './known-stores.ts';
import { CLASSES, type NameClass, NameQuery } from './name-query.ts';
import { PartialQuery } from './partial-query.ts';
import { NO_SLOTS, without } from './posting-lists.ts';
import type { ReadQuery } from './query-words.ts';
import type { Segment } from './segment.ts';
import { NameSort, type Sort } from './sort.ts';
import type { Vocabulary } from './vocabulary.ts';

type SlotsIn = (segment: Segment) => Uint32Array;

/** A group, its sort, and whether it is loose: then it counts only if it has a store near the coordinate. */
export type TextTier = { group: TextGroup; sort: Sort; isLoose: boolean };

/**
 * The words of a query, in groups from the best match to the worst: exact words, an unfinished last word, typos,
 * rewrites of the query (`rewritesOf`), stores whose names have none of the words, looser rewrites (`looseRewritesOf`)
 * if no store matches otherwise, and stores that match some of the words (`PartialQuery`).
 */
export class TextQuery {
  readonly partial: PartialQuery;
  private readonly words: readonly string[];
  private readonly autocomplete: boolean;
  private readonly names: NameQuery;
  private readonly typed: NameQuery;
  private readonly known: KnownStores;
  private strict: readonly Rewritten[] | undefined;
  private loose: readonly Rewritten[] | undefined;
  private hasTypedMatch = false;
  /** Slots that match a rewrite and not the words as typed. */
  private readonly rewrittenIn = memoizedBriefly((segment: Segment) => this.findRewritten(segment));

  constructor({ words, endsAsTyped }: ReadQuery, typed: readonly string[], autocomplete: boolean, known: KnownStores) {
    this.words = words;
    this.autocomplete = autocomplete && endsAsTyped;
    this.names = new NameQuery(words, this.autocomplete, known.vocabulary);
    this.typed = words.length === typed.length ? this.names : new NameQuery(typed, false, known.vocabulary);
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
    const tierOf = (slotsIn: SlotsIn, by = sort) => {
      return { group: { in: memoizedBriefly(slotsIn) }, sort: by, isLoose: false };
    };
    if (sort.query.sort !== 'relevance') return [tierOf((segment) => this.strictIn(segment)), loose];
    const classes = CLASSES.filter((nameClass) => this.autocomplete || nameClass !== PREFIX);
    return [
      ...classes.map((nameClass) =>
        tierOf((segment) => this.names.in(segment, nameClass), this.nameSort(sort, nameClass)),
      ),
      tierOf(this.rewrittenIn),
      tierOf((segment) => this.factsIn(segment)),
      loose,
    ];
  }

  /** Notes that a store matched the words as typed, so that the loosest rewrites are skipped. */
  noteMatch(): void {
    this.hasTypedMatch = true;
  }

  /** Drops the loosest rewrites, because their stores are far and other stores match some of the words. */
  dropLoose(): void {
    this.loose = [];
  }

  private nameSort(sort: Sort, nameClass: NameClass): Sort {
    const isPlain = nameClass !== EXACT && !this.names.hasFacts;
    return isPlain ? sort : new NameSort(sort, this.names, this.typed, nameClass);
  }

  private allIn(segment: Segment): Uint32Array {
    return segment.postings.union([this.strictIn(segment), this.looseIn(segment)]);
  }

  private strictIn(segment: Segment): Uint32Array {
    const slots = [this.names.allIn(segment), this.rewrittenIn(segment), this.names.factsIn(segment)];
    return segment.postings.union(slots);
  }

  private findRewritten(segment: Segment): Uint32Array {
    this.strict ??= this.rewritten(rewritesOf(this.words, this.known.hasWord, this.autocomplete, this.known.splits));
    const slots = unionOf(segment, this.strict);
    return slots.length === 0 ? slots : without(slots, this.names.allIn(segment));
  }

  private factsIn(segment: Segment): Uint32Array {
    const slots = this.names.factsIn(segment);
    return slots.length === 0 ? slots : without(without(slots, this.names.allIn(segment)), this.rewrittenIn(segment));
  }

  private looseIn(segment: Segment): Uint32Array {
    this.loose ??= this.isTyped() ? [] : this.rewritten(looseRewritesOf(this.words, this.known.hasWord));
    return unionOf(segment, this.loose);
  }

  /** Whether some store matches the words as typed or a strict rewrite, so that the loosest rewrites are skipped. */
  isTyped(): boolean {
    this.hasTypedMatch ||= [
      ...CLASSES.map((nameClass) => ({ in: (segment: Segment) => this.names.in(segment, nameClass) })),
      { in: this.rewrittenIn },
      { in: (segment: Segment) => this.names.factsIn(segment) },
    ].some((group) => this.known.hasMatch(group));
    return this.hasTypedMatch;
  }

  private rewritten(rewrites: readonly QueryRewrite[]): readonly Rewritten[] {
    const { vocabulary } = this.known;
    return rewrites.map((one) => new Rewritten(one, this.autocomplete, vocabulary)).filter((one) => one.mayMatch);
  }
}

/** A rewrite of the query. */
class Rewritten {
  private readonly names: NameQuery;
  /** The parts of a word that the rewrite split; a name must have them side by side. Null if no word was split. */
  private readonly phrase: string | null;

  constructor({ words, phrase, typos }: QueryRewrite, lastIsPrefix: boolean, vocabulary: Vocabulary) {
    this.names = new NameQuery(words, lastIsPrefix, vocabulary, typos);
    this.phrase = phrase === null ? null : ` ${phrase.join(' ')}${lastIsPrefix ? '' : ' '}`;
  }

  get mayMatch(): boolean {
    return this.names.mayMatchAny;
  }

  in(segment: Segment): Uint32Array {
    const { phrase } = this;
    const slots = this.names.allIn(segment);
    return phrase === null ? slots : slots.filter((slot) => hasPhrase(segment, slot, phrase));
  }
}

function unionOf(segment: Segment, groups: readonly Rewritten[]): Uint32Array {
  return groups.length === 0 ? NO_SLOTS : segment.postings.union(groups.map((group) => group.in(segment)));
}

function hasPhrase(segment: Segment, slot: number, phrase: string): boolean {
  const { nameStarts, nameTerms } = segment.columns;
  const terms = nameTerms.subarray(nameStarts[slot], nameStarts[slot + 1]);
  const name = Array.from(terms, (term) => segment.terms.textAt(term)).join(' ');
  return ` ${name} `.includes(phrase);
}
