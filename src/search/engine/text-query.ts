import { looseRewritesOf, type QueryRewrite, rewritesOf } from '../../lib/text/query-rewrites.ts';
import { withoutWhere } from '../../lib/text/where-words.ts';
import type { Filter } from './filter.ts';
import { EXACT, type NameClass, NameQuery, NO_MATCH, PREFIX, TYPO } from './name-query.ts';
import { unionOf } from './posting-lists.ts';
import type { Segment } from './segment.ts';
import { CITY, NAME, NO_TERM, type TermKey, termKey } from './term-dictionary.ts';
import type { View } from './view.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The stores that a text leaves in one segment. */
export type SegmentText = {
  /** All slots that match, and perhaps others; ascending. */
  slots: Uint32Array;
  /** Whether a slot of the list matches; null where all of them do. */
  accepts: ((slot: number) => boolean) | null;
};

/** Stores whose names match alike: walks of several groups, one after the other, fill a page. */
export type TextGroup = { in(segment: Segment): SegmentText };

/** A way to read a text: the words of a name, and the city that the stores must be in (null: any). */
export type Reading = { words: readonly string[]; city: string | null };

const NO_SLOTS: Uint32Array = Uint32Array.of();
const NO_MATCHES: SegmentText = { slots: NO_SLOTS, accepts: null };
const ALL_CLASSES: readonly NameClass[] = [EXACT, PREFIX, TYPO];

/** Which stores of a view exist for the caller of a search. */
export class KnownStores {
  readonly vocabulary: Vocabulary;
  private readonly view: View;
  private readonly filter: Filter;
  /** Of this query alone: splitting a word asks for the same parts again and again. */
  private readonly words = new Map<string, boolean>();

  constructor(view: View, filter: Filter, vocabulary: Vocabulary) {
    this.view = view;
    this.filter = filter;
    this.vocabulary = vocabulary;
  }

  /** Whether the name of some store has the word. */
  readonly hasWord = (word: string): boolean => {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    const isKnown = this.hasTerm(termKey(NAME, word));
    this.words.set(word, isKnown);
    return isKnown;
  };

  readonly hasCity = (city: string): boolean => this.hasTerm(termKey(CITY, city));

  hasMatch(group: TextGroup): boolean {
    return this.view.segments.some((segment) => {
      const { slots, accepts } = group.in(segment);
      return this.hasShown(segment, slots, accepts);
    });
  }

  private hasTerm(key: TermKey): boolean {
    if (!this.vocabulary.mayHave(key)) return false;
    return this.view.segments.some((segment) => {
      const term = segment.terms.find(key);
      return term !== NO_TERM && this.hasShown(segment, segment.postings.of(term), null);
    });
  }

  private hasShown(segment: Segment, slots: Uint32Array, accepts: SegmentText['accepts']): boolean {
    if (slots.length === 0) return false;
    const filter = this.filter.in(segment, null);
    return slots.some(
      (slot) => segment.isAlive(slot, this.view.version) && filter.isShown(slot) && (accepts === null || accepts(slot)),
    );
  }
}

/**
 * The words of a name, in groups from the best match to the worst: exact words, an unfinished last word, typos, and the
 * query in other words (`rewritesOf`; `looseRewritesOf` where no store matches otherwise).
 */
export class TextQuery {
  readonly reading: Reading;
  private readonly names: NameQuery;
  private readonly known: KnownStores;
  private rewritten: readonly Rewritten[] | undefined;
  private hasTypedMatch = false;

  constructor(reading: Reading, autocomplete: boolean, known: KnownStores) {
    this.reading = reading;
    this.names = new NameQuery(reading.words, autocomplete, known.vocabulary);
    this.known = known;
  }

  /** By relevance better matches come before nearer ones; any other sort ignores the quality of a match. */
  groups(isByRelevance: boolean): readonly TextGroup[] {
    return isByRelevance ? this.byClass() : [{ in: (segment) => this.allIn(segment) }];
  }

  /** Whether some store matches, whatever the other conditions. */
  hasMatch(): boolean {
    return this.byClass().some((group) => this.known.hasMatch(group));
  }

  private byClass(): readonly TextGroup[] {
    const classes = this.names.lastIsPrefix ? ALL_CLASSES : ([EXACT, TYPO] as const);
    return [
      ...classes.map((nameClass) => ({ in: (segment: Segment) => this.classIn(segment, nameClass) })),
      { in: (segment) => ({ slots: this.rewrittenIn(segment), accepts: null }) },
    ];
  }

  private isTyped(): boolean {
    const isClass = (nameClass: NameClass) =>
      this.known.hasMatch({ in: (segment) => this.classIn(segment, nameClass) });
    this.hasTypedMatch ||= ALL_CLASSES.some(isClass);
    return this.hasTypedMatch;
  }

  private classIn(segment: Segment, nameClass: NameClass): SegmentText {
    if (!this.names.mayMatch(nameClass)) return NO_MATCHES;
    const names = this.names.in(segment);
    const slots = names.candidates(nameClass);
    if (nameClass !== EXACT) return { slots, accepts: (slot) => names.classOf(slot) === nameClass };
    return { slots, accepts: this.names.words.length === 1 ? null : (slot) => names.hasAll(slot) };
  }

  private allIn(segment: Segment): SegmentText {
    const names = this.names.in(segment);
    const typed = names.matching().filter((slot) => names.classOf(slot) !== NO_MATCH);
    return { slots: unionOf([typed, this.rewrittenIn(segment)]), accepts: null };
  }

  /** The slots that match in other words, and not as typed. */
  private rewrittenIn(segment: Segment): Uint32Array {
    this.rewritten ??= this.rewrites();
    if (this.rewritten.length === 0) return NO_SLOTS;
    const names = this.names.in(segment);
    const lists = this.rewritten.map((rewrite) => rewrite.in(segment));
    return unionOf(lists).filter((slot) => names.classOf(slot) === NO_MATCH);
  }

  /** A store has matched as typed: the loosest rewrites are not needed. */
  noteMatch(): void {
    this.hasTypedMatch = true;
  }

  private rewrites(): readonly Rewritten[] {
    const { words, lastIsPrefix } = this.names;
    const { vocabulary } = this.known;
    const mayMatch = (one: Rewritten) => one.mayMatch;
    const rewritten = (one: QueryRewrite) => new Rewritten(one, lastIsPrefix, vocabulary);
    const strict = rewritesOf(words, this.known.hasWord, lastIsPrefix).map(rewritten).filter(mayMatch);
    if (this.isTyped() || strict.some((one) => this.known.hasMatch(one.group))) return strict;
    return [...strict, ...looseRewritesOf(words, this.known.hasWord).map(rewritten).filter(mayMatch)];
  }
}

/** A query in other words. */
class Rewritten {
  readonly group: TextGroup = { in: (segment) => ({ slots: this.in(segment), accepts: null }) };
  private readonly names: NameQuery;
  /** Text that a name must have where the rewrite took a word apart: its parts side by side. */
  private readonly phrase: string | null;

  constructor({ words, phrase, typos }: QueryRewrite, lastIsPrefix: boolean, vocabulary: Vocabulary) {
    this.names = new NameQuery(words, lastIsPrefix, vocabulary, typos);
    this.phrase = phrase === null ? null : ` ${phrase.join(' ')}${lastIsPrefix ? '' : ' '}`;
  }

  get mayMatch(): boolean {
    return this.names.mayMatch(TYPO);
  }

  in(segment: Segment): Uint32Array {
    const names = this.names.in(segment);
    return names
      .matching()
      .filter((slot) => names.classOf(slot) !== NO_MATCH && (this.phrase === null || this.hasPhrase(segment, slot)));
  }

  private hasPhrase(segment: Segment, slot: number): boolean {
    const { nameStarts, nameTerms } = segment.columns;
    const terms = nameTerms.subarray(nameStarts[slot], nameStarts[slot + 1]);
    const name = Array.from(terms, (term) => segment.terms.textAt(term)).join(' ');
    return ` ${name} `.includes(this.phrase as string);
  }
}

/** Where no store matches a text, its words for a location are taken out: "near me", or a city after the name. */
export function locatedReading(words: readonly string[], known: KnownStores): Reading | undefined {
  return withoutWhere(words, known.hasCity).find((reading) => new TextQuery(reading, false, known).hasMatch());
}
