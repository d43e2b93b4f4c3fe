import { memoizedBriefly, type RankedDocument, TopK } from 'doorstep/collections';
import { MAX_SLOTS } from './columns.ts';
import type { Cursor } from './cursor.ts';
import { RankSearch } from './far-page.ts';
import { ANYWHERE, type Band, Filter } from './filter.ts';
import { KnownStores, type TextGroup } from './known-stores.ts';
import { NameQuery, NEAR_CHORD } from './name-query.ts';
import { NodeHeap } from './node-heap.ts';
import { type HoursEvaluator, OpeningHours } from './opening-hours.ts';
import type { Weights } from './partial-query.ts';
import { listHas } from './posting-lists.ts';
import type { EngineQuery } from './query.ts';
import { readFillers, readQuery } from './query-words.ts';
import { Segment } from './segment.ts';
import { Sort, type TravelMinutes } from './sort.ts';
import { CHANNEL } from './store-row.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { isNamedBy, isNameOfStores, TextQuery, type TextTier } from './text-query.ts';
import { IndexView } from './view.ts';
import { Vocabulary } from './vocabulary.ts';
import { Walk } from './walk.ts';
import type { Publication } from './writer.ts';

/** Business rules of searches, which the engine does not know. `liveNeeds` are trait bits that live orders require. */
export type SearchRules = { hours: HoursEvaluator; travelMinutes: TravelMinutes; liveNeeds?: number };

/** A store in a response, in a segment of the searched version. */
export type Hit = { segment: Segment; slot: number; key: number; chordSquared: number };

/** `next` is the start of the following page: after the last hit, or this page's start if it is empty. */
export type Page = { hits: readonly Hit[]; next: Cursor | null };

/** One walk of a plan: the stores of `group`, or all stores if it is null, that pass the filter. */
type Tier = { filter: Filter; sort: Sort; group: TextGroup | null; isLoose: boolean };

/** Tiers in the order that they fill a page. Between near and far ones come near stores that match some words. */
type Tiers = { near: readonly Tier[]; far: readonly Tier[] };

/** A query prepared for one view. */
export type Plan = {
  filter: Filter;
  sort: Sort;
  /** The first of the near tiers, which often fills the page. */
  first: Tier;
  tiers: () => Tiers;
  text: TextQuery | null;
  /** The filter within a band of distance. */
  filterIn: (band: Band) => Filter;
};

/** A tier with its number in a cursor, and the weights of the words if it matches only some of them. */
type NumberedTier = { tier: Tier; number: number; weights: Weights | null };

const NEAR: Band = { ...ANYWHERE, upTo: NEAR_CHORD };
const FAR: Band = { ...ANYWHERE, beyond: NEAR_CHORD };
/**
 * Maximum terms of a vocabulary beyond twice its size at the last build. Beyond that it is rebuilt, because most of
 * its terms are in no segment anymore.
 */
const MAX_NEW_TERMS = 32_768;
/** Terms added per step of a new version, which takes up to a millisecond. */
const TERMS_PER_STEP = 1024;

/** Searches the current view of a thread. Synchronous, so that a page never mixes two versions. */
export class Searcher {
  readonly hours: OpeningHours;
  private readonly travelMinutes: TravelMinutes;
  private readonly liveNeeds: number;
  private readonly heap = new NodeHeap();
  private vocabulary = new Vocabulary();
  private maxTerms = MAX_NEW_TERMS;
  private readonly top = new TopK((one, other) => this.current.idAt(one) < this.current.idAt(other));
  private current = new IndexView(0, []);
  /** Versions that a stepwise search is reading. */
  private readonly pinned: number[] = [];

  constructor({ hours, travelMinutes, liveNeeds = CHANNEL }: SearchRules) {
    this.hours = new OpeningHours(hours);
    this.travelMinutes = travelMinutes;
    this.liveNeeds = liveNeeds;
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
    return this.fill(this.plan(query, nowS), after, limit);
  }

  /**
   * Finds the store at a rank, from 0, as the start of a page that was not reached page by page. Runs in steps, during
   * which the view stays; null beyond the last store.
   */
  *seek(query: EngineQuery, rank: number, nowS: number): Generator<void, Cursor | null> {
    const view = this.current;
    this.pinned.push(view.version);
    try {
      let left = rank;
      for (const numbered of this.tiersAfter(this.plan(query, nowS), null, null)) {
        const { found, passed } = yield* new RankSearch(view, { ...numbered.tier, after: null }).find(left);
        if (found !== undefined) return cursorAfter(hitOf(view, found), numbered);
        left -= passed;
      }
      return null;
    } finally {
      this.pinned.splice(this.pinned.indexOf(view.version), 1);
    }
  }

  /** Returns the oldest version that is still read. */
  get oldestVersion(): number {
    return Math.min(this.current.version, ...this.pinned);
  }

  /**
   * Returns the nearest stores that pass every condition except the words, for any sort; `key` is the sort key.
   */
  nearest(query: EngineQuery, limit: number, nowS: number): readonly Hit[] {
    const plan = this.plan({ ...query, words: [], sort: 'distance' }, nowS);
    const sort = new Sort(query, this.travelMinutes, nowS);
    return this.fill(plan, null, limit).hits.map((hit) => {
      return { ...hit, key: sort.keyOf(hit.segment, hit.slot, hit.chordSquared) };
    });
  }

  /** Returns the nearest stores whose names are exactly these words. */
  nearestNamed(words: readonly string[], query: EngineQuery, limit: number): readonly Hit[] {
    if (words.length === 0) return [];
    const names = new NameQuery(words, false, this.vocabulary);
    const plan = this.plan({ ...query, words: [], sort: 'distance' }, 0);
    const group: TextGroup = { in: (segment) => names.wholeIn(segment) };
    return this.fill({ ...plan, first: { ...plan.first, group } }, null, limit).hits;
  }

  /** Returns the store if it passes every condition except words, radius and viewport. */
  find(storeId: string, query: EngineQuery, nowS: number): Hit | undefined {
    const found = this.current.find(storeId);
    if (found === undefined) return undefined;
    const { filter, sort } = this.plan({ ...query, words: [] }, nowS);
    const { segment, slot } = found;
    const chordSquared = segment.chordTo(slot, filter.from);
    const own = filter.in(segment, null);
    if (!own.acceptsTraits(slot) || (own.hasMore && !own.accepts(slot, chordSquared))) return undefined;
    if (own.slots !== null && !listHas(own.slots, slot)) return undefined;
    return { segment, slot, chordSquared, key: sort.keyOf(segment, slot, chordSquared) };
  }

  /** Returns a test of whether a store takes an order now, as the query's `accepting` condition decides. */
  acceptance(query: EngineQuery, nowS: number): (segment: Segment, slot: number) => boolean {
    const filter = new Filter(query, nowS, this.hours, this.vocabulary, this.liveNeeds);
    return (segment, slot) => filter.acceptsOrders(segment, slot, segment.chordTo(slot, filter.from));
  }

  plan(query: EngineQuery, nowS: number): Plan {
    const sort = new Sort(query, this.travelMinutes, nowS);
    const filterIn = memoizedBriefly((band: Band) => {
      return new Filter(query, nowS, this.hours, this.vocabulary, this.liveNeeds, band);
    });
    const filter = filterIn(ANYWHERE);
    if (query.words.length === 0) {
      const first = { filter, sort, group: null, isLoose: false };
      return { filter, sort, first, tiers: () => ({ near: [first], far: [] }), text: null, filterIn };
    }
    const known = new KnownStores(this.current, filter, this.vocabulary);
    const fillers = readFillers(query.words);
    if (fillers !== null && !isNameOfStores(query.words, query.autocomplete, known)) {
      const sort = fillers.isBest && query.sort === 'relevance' ? 'rating' : query.sort;
      return this.plan({ ...query, words: [], open: query.open || fillers.open, sort }, nowS);
    }
    const read = readQuery(query.words, {
      isPlace: known.hasPlace,
      isNamed: (words, others) => isNamedBy(words, others, query.autocomplete, known),
    });
    const text = new TextQuery(read, query.words, query.autocomplete, known);
    const [opening = null, ...closed] = read.isOpenNow && !query.open ? [true, false] : [];
    const [best, ...others] = text.tiers(sort) as [TextTier, ...TextTier[]];
    const inBand = (tiers: readonly TextTier[], band: Band, isOpen: boolean | null): Tier[] => {
      const own = filterIn(isOpen === null ? band : { ...band, isOpen });
      return tiers.map((tier) => ({ ...tier, filter: own }));
    };
    const every = (band: Band, openings: readonly (boolean | null)[] = [opening, ...closed]): Tier[] =>
      openings.flatMap((isOpen) => inBand([best, ...others], band, isOpen));
    const isByMatch = query.sort === 'relevance';
    const [first] = inBand([best], isByMatch ? NEAR : ANYWHERE, opening) as [Tier];
    const tiers = (): Tiers => {
      if (!isByMatch) return { near: every(ANYWHERE), far: [] };
      if (filter.farthest <= NEAR_CHORD) return { near: every(NEAR), far: [] };
      if (text.saysOnlyFacts || !text.isWholeName()) return { near: every(NEAR), far: every(FAR) };
      const rest = [...inBand([best], FAR, opening), ...inBand(others, ANYWHERE, opening), ...every(ANYWHERE, closed)];
      return { near: [first, ...rest], far: [] };
    };
    return { filter, sort, first, tiers, text, filterIn };
  }

  /** Walks once per tier until the page is full. */
  private fill(plan: Plan, after: Cursor | null, limit: number): Page {
    const hits: Hit[] = [];
    let last: NumberedTier | undefined;
    for (const numbered of this.tiersAfter(plan, after, hits)) {
      const { tier, number, weights } = numbered;
      const isSame = after !== null && number === after.group && (weights === null) === (after.weights === null);
      this.top.reset(limit - hits.length);
      new Walk(this.current, { ...tier, after: isSame ? after : null }, this.top, this.heap).run();
      const ranked = this.top.drain();
      for (const one of ranked) hits.push(hitOf(this.current, one));
      if (ranked.length > 0) {
        if (weights === null && !tier.isLoose) plan.text?.noteMatch();
        last = numbered;
      }
      if (hits.length >= limit) break;
    }
    return { hits, next: last === undefined ? after : cursorAfter(hits.at(-1) as Hit, last) };
  }

  /**
   * Yields the tiers from the cursor on. If no store near the coordinate matches all words, near stores that match some
   * of them follow, then far ones. `hits` are the page's hits so far; null if they are unknown.
   */
  private *tiersAfter(plan: Plan, after: Cursor | null, hits: readonly Hit[] | null): Generator<NumberedTier, void> {
    const from = after?.group ?? 0;
    const isPartial = after !== null && after.weights !== null;
    if (from === 0 && !isPartial) yield { tier: plan.first, number: 0, weights: null };
    const { near, far } = plan.tiers();
    const isWithoutPartial = !isPartial && from >= near.length;
    if (!isPartial && !isWithoutPartial) yield* this.wholeTiers(plan, near.slice(1), 1, after);
    const weights = isPartial ? after.weights : isWithoutPartial ? null : this.partialWeights(plan, near, after, hits);
    if (weights === null || plan.text === null) return yield* this.wholeTiers(plan, far, near.length, after);
    plan.text.dropLoose();
    const groups = plan.text.partial.groups(weights);
    const partial = (isNamed: boolean, band: Band) => {
      const filter = plan.filterIn(band);
      const own = groups.filter((group) => group.isNamed === isNamed);
      return own.map((group): Tier => ({ filter, sort: plan.sort, group, isLoose: false }));
    };
    const named = [...partial(true, NEAR), ...far, ...partial(true, FAR)];
    const tiers = [...named, ...partial(false, NEAR), ...partial(false, FAR)];
    for (const [number, tier] of tiers.entries()) if (!isPartial || number >= from) yield { tier, number, weights };
  }

  /** Yields tiers of stores that match all words, numbered from `first`, from the cursor on. */
  private *wholeTiers(
    plan: Plan,
    tiers: readonly Tier[],
    first: number,
    after: Cursor | null,
  ): Generator<NumberedTier, void> {
    for (const [nth, tier] of tiers.entries()) {
      const number = first + nth;
      if (number < (after?.group ?? 0)) continue;
      if (tier.isLoose && number !== after?.group && !this.isWanted(tier, plan)) plan.text?.dropLoose();
      else yield { tier, number, weights: null };
    }
  }

  /** Returns null if a store near the coordinate matches all words, or if no store matches some of them. */
  private partialWeights(
    plan: Plan,
    tiers: readonly Tier[],
    after: Cursor | null,
    hits: readonly Hit[] | null,
  ): Weights | null {
    if (plan.text === null || hits?.some(isNearHit)) return null;
    const weights = plan.text.partial.weights();
    const isRead = hits !== null && after === null;
    return weights !== null && (isRead || !tiers.some((tier) => this.isNear(tier, plan))) ? weights : null;
  }

  /** Whether a tier is used: loose ones only if some matches are near, or if no store matches some of the words. */
  private isWanted(tier: Tier, plan: Plan): boolean {
    if (plan.text?.isTyped()) return false;
    return this.isNear(tier, plan) || plan.text?.partial.weights() === null;
  }

  private isNear({ sort, group }: Tier, plan: Plan): boolean {
    this.top.reset(1);
    new Walk(this.current, { filter: plan.filterIn(NEAR), sort, group, after: null }, this.top, this.heap).run();
    return this.top.drain().length > 0;
  }
}

function* addTerms(vocabulary: Vocabulary, terms: TermDictionary): Generator<void, void> {
  for (let from = 0; from < terms.size; from += TERMS_PER_STEP) {
    vocabulary.add(terms, from, Math.min(from + TERMS_PER_STEP, terms.size));
    yield;
  }
}

const isNearHit = ({ chordSquared }: Hit): boolean => chordSquared <= NEAR_CHORD;

const cursorAfter = ({ segment, slot, key, chordSquared }: Hit, { number, weights }: NumberedTier): Cursor => ({
  group: number,
  key,
  chordSquared,
  storeId: segment.ids.at(slot),
  weights,
});

const hitOf = ({ segments }: IndexView, { key, chordSquared, ref }: RankedDocument): Hit => ({
  segment: segments[Math.floor(ref / MAX_SLOTS)] as Segment,
  slot: ref % MAX_SLOTS,
  key,
  chordSquared,
});
