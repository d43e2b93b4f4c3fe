import { looseRewritesOf, type QueryRewrite, rewritesOf } from '../../platform/lib/text/query-rewrites.ts';
import type { Filter } from './filter.ts';
import { CLASSES, NameQuery, PREFIX } from './name-query.ts';
import { NO_SLOTS, without } from './posting-lists.ts';
import type { Segment } from './segment.ts';
import { CITY, NAME, NO_TERM, type Term } from './term-dictionary.ts';
import type { IndexView } from './view.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Stores whose names match equally well. A page is filled by one walk per group. */
export type TextGroup = {
  /** The slots that match, ascending. */
  in(segment: Segment): Uint32Array;
};

/** An interpretation of a text: the words of a name, and the city to which stores are restricted (null for any). */
export type Interpretation = { words: readonly string[]; city: string | null };

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

  /** Whether some store's name has the word. */
  readonly hasWord = (word: string): boolean => this.hasTerm(this.vocabulary.find(NAME, word));

  readonly hasCity = (city: string): boolean => this.hasTerm(this.vocabulary.find(CITY, city));

  hasMatch(group: TextGroup): boolean {
    return this.view.segments.some((segment) => this.hasShown(segment, group.in(segment)));
  }

  private hasTerm(term: Term | undefined): boolean {
    if (term === undefined) return false;
    return this.view.segments.some((segment) => {
      const number = segment.terms.find(term);
      return number !== NO_TERM && this.hasShown(segment, segment.postings.of(number));
    });
  }

  private hasShown(segment: Segment, slots: Uint32Array): boolean {
    return slots.some((slot) => segment.isAlive(slot, this.view.version) && this.filter.isShown(segment, slot));
  }
}

/**
 * The words of a name, in groups from the best match to the worst: exact words, an unfinished last word, typos, and
 * rewrites of the query (`rewritesOf`, or `looseRewritesOf` if no store matches otherwise).
 */
export class TextQuery {
  readonly interpretation: Interpretation;
  private readonly autocomplete: boolean;
  private readonly names: NameQuery;
  private readonly known: KnownStores;
  private rewritten: readonly Rewritten[] | undefined;
  private hasTypedMatch = false;

  constructor(interpretation: Interpretation, autocomplete: boolean, known: KnownStores) {
    this.interpretation = interpretation;
    this.autocomplete = autocomplete;
    this.names = new NameQuery(interpretation.words, autocomplete, known.vocabulary);
    this.known = known;
  }

  /** Relevance puts better matches before nearer ones. Every other sort ignores the quality of a match. */
  groups(isByRelevance: boolean): readonly TextGroup[] {
    return isByRelevance ? this.byClass() : [{ in: (segment) => this.allIn(segment) }];
  }

  /** Whether some store matches, whatever the other conditions. */
  hasMatch(): boolean {
    return this.byClass().some((group) => this.known.hasMatch(group));
  }

  private byClass(): readonly TextGroup[] {
    const classes = CLASSES.filter((nameClass) => this.autocomplete || nameClass !== PREFIX);
    return [
      ...classes.map((nameClass) => ({ in: (segment: Segment) => this.names.in(segment, nameClass) })),
      { in: (segment) => this.rewrittenIn(segment) },
    ];
  }

  private isTyped(): boolean {
    this.hasTypedMatch ||= this.known.hasMatch({ in: (segment) => this.names.allIn(segment) });
    return this.hasTypedMatch;
  }

  private allIn(segment: Segment): Uint32Array {
    return segment.postings.union([this.names.allIn(segment), this.rewrittenIn(segment)]);
  }

  /** Slots that match a rewrite and not the words as typed. */
  private rewrittenIn(segment: Segment): Uint32Array {
    this.rewritten ??= this.rewrites();
    if (this.rewritten.length === 0) return NO_SLOTS;
    const slots = segment.postings.union(this.rewritten.map((rewrite) => rewrite.in(segment)));
    return slots.length === 0 ? slots : without(slots, this.names.allIn(segment));
  }

  /** Notes that a store matched the words as typed, so that the loosest rewrites are skipped. */
  noteMatch(): void {
    this.hasTypedMatch = true;
  }

  private rewrites(): readonly Rewritten[] {
    const { autocomplete } = this;
    const { words } = this.interpretation;
    const { vocabulary, hasWord } = this.known;
    const mayMatch = (one: Rewritten) => one.mayMatch;
    const rewritten = (one: QueryRewrite) => new Rewritten(one, autocomplete, vocabulary);
    const strict = rewritesOf(words, hasWord, autocomplete).map(rewritten).filter(mayMatch);
    if (this.isTyped() || strict.some((one) => this.known.hasMatch(one))) return strict;
    return [...strict, ...looseRewritesOf(words, hasWord).map(rewritten).filter(mayMatch)];
  }
}

/** A rewrite of the query. */
class Rewritten implements TextGroup {
  private readonly names: NameQuery;
  /** If the rewrite split a word, its parts, which a name must have side by side. */
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

function hasPhrase(segment: Segment, slot: number, phrase: string): boolean {
  const { nameStarts, nameTerms } = segment.columns;
  const terms = nameTerms.subarray(nameStarts[slot], nameStarts[slot + 1]);
  const name = Array.from(terms, (term) => segment.terms.textAt(term)).join(' ');
  return ` ${name} `.includes(phrase);
}

/**
 * Interprets a text without its location words ("near me", or a city after the name), for a text that no store matches
 * as typed.
 */
export function interpretLocation(words: readonly string[], known: KnownStores): Interpretation | undefined {
  return splitLocation(words, known.hasCity).find((interpretation) =>
    new TextQuery(interpretation, false, known).hasMatch(),
  );
}

/** A query without its location words, and the city they name; null stands for "near the coordinate". */
type LocatedName = { words: readonly string[]; city: string | null };

/** Phrases for "near the coordinate of the search". */
const LOCATION_PHRASES: readonly string[] = [
  'near me',
  'nearby',
  'near by',
  'near here',
  'nearest',
  'around me',
  'around here',
  'close to me',
  'close by',
  'closest',
  'open now',
];
const MAX_CITY_WORDS = 4;
const STATE_LETTERS = 2;

/**
 * Interpretations of a query with a location: "near me" before or after the name, or a city after it, with or without
 * its state. `isCity`: whether a city with stores has this name.
 */
function splitLocation(words: readonly string[], isCity: (city: string) => boolean): LocatedName[] {
  const found: LocatedName[] = [];
  for (const phrase of LOCATION_PHRASES) {
    const length = phrase.split(' ').length;
    if (length >= words.length) continue;
    if (words.slice(-length).join(' ') === phrase) found.push({ words: words.slice(0, -length), city: null });
    if (words.slice(0, length).join(' ') === phrase) found.push({ words: words.slice(length), city: null });
  }
  const hasState = (words.at(-1) ?? '').length === STATE_LETTERS;
  for (const end of hasState ? [words.length, words.length - 1] : [words.length]) {
    for (let length = 1; length <= MAX_CITY_WORDS && length < end; length += 1) {
      const city = words.slice(end - length, end).join(' ');
      if (isCity(city)) found.push({ words: withoutIn(words.slice(0, end - length)), city });
    }
  }
  return found;
}

/** Removes the "in" of "pizza in boston". */
function withoutIn(words: readonly string[]): readonly string[] {
  return words.length > 1 && words.at(-1) === 'in' ? words.slice(0, -1) : words;
}
