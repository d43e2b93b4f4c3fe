import { type RankedDocument, TopK } from '../../platform/lib/top-k.ts';
import { MAX_SLOTS } from './columns.ts';
import type { Cursor, CursorPosition } from './cursor.ts';
import { findRank } from './far-page.ts';
import { Filter } from './filter.ts';
import { NameQuery } from './name-query.ts';
import { NodeHeap } from './node-heap.ts';
import { type HoursRules, OpeningHours } from './opening-hours.ts';
import { listHas } from './posting-lists.ts';
import type { EngineQuery } from './query.ts';
import { Segment } from './segment.ts';
import { Sort, type TravelMinutes } from './sort.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { type Interpretation, interpretLocation, KnownStores, type TextGroup, TextQuery } from './text-query.ts';
import { IndexView } from './view.ts';
import { Vocabulary } from './vocabulary.ts';
import { Walk } from './walk.ts';
import type { Publication } from './writer.ts';

/** Business rules that a search applies but the engine does not know. */
export type SearchRules = { hours: HoursRules; travelMinutes: TravelMinutes };

/** A store in an answer, in a segment of the searched version. */
export type Hit = { segment: Segment; slot: number; key: number; chordSquared: number };

/** `next` is the start of the following page: after the last hit, or this page's start if it is empty. */
export type Page = { hits: readonly Hit[]; next: Cursor | null };

/** A query prepared for one view: its text groups, in the order in which they fill a page. */
export type Plan = {
  filter: Filter;
  sort: Sort;
  groups: readonly (TextGroup | null)[];
  located: Interpretation | null;
  text: TextQuery | null;
};

const ALL_STORES: readonly null[] = [null];
/**
 * Terms by which a vocabulary may exceed twice its size at the last build. Beyond that it is rebuilt, because most of
 * its terms are in no segment anymore.
 */
const MAX_NEW_TERMS = 32_768;
/** Terms added per step of a new version, which takes at most a millisecond. */
const TERMS_PER_STEP = 1024;

/** Searches the current view of a thread. Synchronous, so that a page never mixes two versions. */
export class Searcher {
  readonly hours: OpeningHours;
  private readonly travelMinutes: TravelMinutes;
  private readonly heap = new NodeHeap();
  private vocabulary = new Vocabulary();
  private maxTerms = MAX_NEW_TERMS;
  private readonly top = new TopK((one, other) => this.idAt(one) < this.idAt(other));
  private current = new IndexView(0, []);
  /** Versions that a stepwise search is reading. */
  private readonly pinned: number[] = [];

  constructor({ hours, travelMinutes }: SearchRules) {
    this.hours = new OpeningHours(hours);
    this.travelMinutes = travelMinutes;
  }

  get view(): IndexView {
    return this.current;
  }

  /** Makes a version visible: after the last step, searches use the published version; before, the previous one. */
  *show({ version, segments, added }: Publication): Generator<void, void> {
    const known = new Map(this.current.segments.map((segment) => [segment.id, segment]));
    // The first version of a new searcher or a new writer lists all of its segments.
    const isWhole = added.length === segments.length;
    const isOutgrown = !isWhole && this.vocabulary.size > this.maxTerms;
    const kept = isOutgrown ? segments.flatMap((id) => known.get(id)?.data ?? []) : [];
    const isRebuilt = isWhole || isOutgrown;
    const vocabulary = isRebuilt ? new Vocabulary() : this.vocabulary;
    for (const data of [...kept, ...added]) {
      const segment = new Segment(data);
      known.set(data.id, segment);
      // The terms of a rewritten segment are already in the vocabulary.
      if (isRebuilt || !data.isRewritten) yield* addTerms(vocabulary, segment.terms);
    }
    if (isRebuilt) this.maxTerms = 2 * vocabulary.size + MAX_NEW_TERMS;
    this.vocabulary = vocabulary;
    this.current = new IndexView(
      version,
      segments.map((id) => known.get(id) as Segment),
    );
  }

  /** Returns the page after the cursor; null returns the first page. */
  search(query: EngineQuery, after: Cursor | null, limit: number, nowS: number): Page {
    const interpretation = after?.located ?? null;
    const page = this.fill(this.plan(query, interpretation, nowS), after, limit);
    if (page.hits.length > 0 || query.words.length === 0 || interpretation !== null) return page;
    const located = this.locate(query, nowS);
    return located === null ? page : this.fill(this.plan(query, located, nowS), after, limit);
  }

  /**
   * Finds the store at a rank, from 0, as the start of a page that was not reached page by page. Runs in steps, during
   * which the view stays; null beyond the last store.
   */
  *seek(query: EngineQuery, rank: number, nowS: number): Generator<void, Cursor | null> {
    const view = this.current;
    this.pinned.push(view.version);
    try {
      const located = query.words.length === 0 ? null : this.locate(query, nowS);
      const plan = this.plan(query, located, nowS);
      let left = rank;
      for (const [group, text] of plan.groups.entries()) {
        const wanted = { filter: plan.filter, sort: plan.sort, group: text, after: null };
        const { found, passed } = yield* findRank(view, wanted, left);
        if (found !== undefined) return this.cursorAfter(hitOf(view, found), group, located);
        left -= passed;
      }
      return null;
    } finally {
      this.pinned.splice(this.pinned.indexOf(view.version), 1);
    }
  }

  /** The oldest version that is still read. */
  get oldestVersion(): number {
    return Math.min(this.current.version, ...this.pinned);
  }

  /**
   * Returns the nearest stores that pass every condition except the words, whatever the sort; `key` is the sort key.
   */
  nearest(query: EngineQuery, limit: number, nowS: number): readonly Hit[] {
    const plan = this.plan({ ...query, words: [], sort: 'distance' }, null, nowS);
    const sort = new Sort(query, this.travelMinutes);
    return this.fill(plan, null, limit).hits.map((hit) => {
      return { ...hit, key: sort.keyOf(hit.segment, hit.slot, hit.chordSquared) };
    });
  }

  /** The nearest stores whose names are exactly these words. */
  nearestNamed(words: readonly string[], query: EngineQuery, limit: number): readonly Hit[] {
    if (words.length === 0) return [];
    const names = new NameQuery(words, false, this.vocabulary);
    const plan = this.plan({ ...query, words: [], sort: 'distance' }, null, 0);
    const group: TextGroup = { in: (segment) => names.wholeIn(segment) };
    return this.fill({ ...plan, groups: [group] }, null, limit).hits;
  }

  /** Returns the store if it passes every condition except words, radius and viewport. */
  find(storeId: string, query: EngineQuery, nowS: number): Hit | undefined {
    const found = this.current.find(storeId);
    if (found === undefined) return undefined;
    const { filter, sort } = this.plan({ ...query, words: [] }, null, nowS);
    const { segment, slot } = found;
    const chordSquared = segment.chordTo(slot, filter.from);
    const own = filter.in(segment, null);
    if (!own.acceptsTraits(slot) || (own.hasMore && !own.accepts(slot, chordSquared))) return undefined;
    if (own.slots !== null && !listHas(own.slots, slot)) return undefined;
    return { segment, slot, chordSquared, key: sort.keyOf(segment, slot, chordSquared) };
  }

  /** Plans a search. `interpretation` omits the location words; null searches for the text as typed. */
  plan(query: EngineQuery, interpretation: Interpretation | null, nowS: number): Plan {
    const filter = new Filter(query, interpretation?.city ?? null, nowS, this.hours, this.vocabulary);
    const sort = new Sort(query, this.travelMinutes);
    const words = interpretation?.words ?? query.words;
    if (words.length === 0) return { filter, sort, groups: ALL_STORES, located: interpretation, text: null };
    const known = new KnownStores(this.current, filter, this.vocabulary);
    const text = new TextQuery({ words, city: null }, interpretation === null && query.autocomplete, known);
    return { filter, sort, groups: text.groups(query.sort === 'relevance'), located: interpretation, text };
  }

  /** Another interpretation of a text, if no store matches it as typed, whatever the other conditions. */
  private locate(query: EngineQuery, nowS: number): Interpretation | null {
    const known = new KnownStores(
      this.current,
      new Filter(query, null, nowS, this.hours, this.vocabulary),
      this.vocabulary,
    );
    const typed = new TextQuery({ words: query.words, city: null }, query.autocomplete, known);
    return typed.hasMatch() ? null : (interpretLocation(query.words, known) ?? null);
  }

  /** Walks once per group until the page is full. */
  private fill({ filter, sort, groups, located, text }: Plan, after: Cursor | null, limit: number): Page {
    const hits: Hit[] = [];
    let lastGroup = after?.group ?? 0;
    for (let group = lastGroup; group < groups.length && hits.length < limit; group += 1) {
      const start: CursorPosition | null = after?.group === group ? after : null;
      this.top.reset(limit - hits.length);
      const wanted = { filter, sort, group: groups[group] ?? null, after: start };
      new Walk(this.current, wanted, this.top, this.heap).run();
      const ranked = this.top.drain();
      if (ranked.length > 0) {
        lastGroup = group;
        text?.noteMatch();
      }
      for (const one of ranked) hits.push(hitOf(this.current, one));
    }
    const last = hits.at(-1);
    return { hits, next: last === undefined ? after : this.cursorAfter(last, lastGroup, located) };
  }

  private cursorAfter(
    { segment, slot, key, chordSquared }: Hit,
    group: number,
    located: Interpretation | null,
  ): Cursor {
    return { group, key, chordSquared, storeId: segment.ids.at(slot), located };
  }

  private idAt(ref: number): string {
    return (this.current.segments[Math.floor(ref / MAX_SLOTS)] as Segment).ids.at(ref % MAX_SLOTS);
  }
}

function* addTerms(vocabulary: Vocabulary, terms: TermDictionary): Generator<void, void> {
  for (let from = 0; from < terms.size; from += TERMS_PER_STEP) {
    vocabulary.add(terms, from, Math.min(from + TERMS_PER_STEP, terms.size));
    yield;
  }
}

function hitOf({ segments }: IndexView, { key, chordSquared, ref }: RankedDocument): Hit {
  return { segment: segments[Math.floor(ref / MAX_SLOTS)] as Segment, slot: ref % MAX_SLOTS, key, chordSquared };
}
