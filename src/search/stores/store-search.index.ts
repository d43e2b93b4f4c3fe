import { createHash } from 'node:crypto';
import { lruOptions } from 'doorstep/collections';
import type { Cursor, Publication, Segment } from 'doorstep/search-engine';
import { AGREED, CHANNEL, finish, type Hit, SELLER, Searcher } from 'doorstep/search-engine';
import { type Coordinate, roundedMilesOfChord } from 'doorstep/search-engine/geography';
import { splitWords } from 'doorstep/search-engine/text';
import { LRUCache } from 'lru-cache';
import { openingAt } from '../../supply/stores/open-state.ts';
import { travelMinutes } from '../../supply/stores/time-estimate.ts';
import { zoneClock } from '../../supply/stores/zone-clock.ts';
import { ANY_STORE, engineQueryOf, type NearStore, pageSizeOf, type StoreQuery } from './store-query.ts';
import { createHoursEvaluator, type OpenAtOf } from './store-row.ts';
import { type OpenNow, type PageStore, writePage, writeProjectedPage } from './write-page.ts';

/** A page of results. It is written in one turn of the event loop, so all its stores are of one version. */
export type StorePage = {
  stores: readonly PageStore[];
  /** The next page's number, even after the last store. */
  nextPage: number;
};

/** How to write a page: `query` decides `accepts_orders`, `projections` selects fields, `allocate` returns a buffer. */
type PageForm = {
  query?: StoreQuery;
  projections?: readonly string[] | undefined;
  allocate?: (bytes: number) => Buffer;
  offersAt?: OpenNow['offersAt'];
};

type PageStart = { start: Cursor | null | 'past the end'; madeAtS: number };

/** Maximum cached page ends, and their lifetime in seconds. The next page of a query continues there. */
const MAX_CURSORS = 10_000;
const CURSOR_LIFE_S = 600;
const MAX_KEY = 1000;
/** Maximum rank for finding a page in well under a millisecond. */
const NEAR_RANK = 2000;

/** Store search in this thread: the engine's current version, the rules of opening hours, and cached page cursors. */
export class StoreSearch {
  private readonly searcher: Searcher;
  private readonly starts = new LRUCache<string, PageStart>(lruOptions(MAX_CURSORS));

  constructor(openAtOf: OpenAtOf = publishedHours, { requireAgreement = false } = {}) {
    const liveNeeds = CHANNEL | (requireAgreement ? AGREED : 0);
    this.searcher = new Searcher({ hours: createHoursEvaluator(openAtOf), travelMinutes, liveNeeds });
  }

  /** Makes the version visible to searches after the last step; returns the oldest version that is still read. */
  *show(publication: Publication): Generator<void, number> {
    yield* this.searcher.show(publication);
    return this.searcher.oldestVersion;
  }

  search(query: StoreQuery, nowEpochS: number): StorePage {
    const nextPage = query.page + 1;
    const start = this.startOf(query, nowEpochS);
    if (start === 'past the end') return { stores: [], nextPage };
    const { hits, next } = this.searcher.search(engineQueryOf(query), start, pageSizeOf(query.text), nowEpochS);
    if (next !== null) this.note({ ...query, page: nextPage }, next, nowEpochS);
    return { stores: hits.map(pageStoreOf), nextPage };
  }

  /** Whether `search` finds the page without stepping. */
  isPageNear(query: StoreQuery, nowEpochS: number): boolean {
    const rank = query.page * pageSizeOf(query.text);
    return rank < NEAR_RANK || rank >= this.searcher.view.slots || this.known(query, nowEpochS) !== undefined;
  }

  /** Finds a far page's start, in steps. */
  *findPage(query: StoreQuery, nowEpochS: number): Generator<void, void> {
    if (query.page === 0) return;
    this.note(query, (yield* this.seek(query, nowEpochS)) ?? 'past the end', nowEpochS);
  }

  /** Returns the nearest stores that pass all conditions except the text; `key` is the sort key. */
  nearest(query: StoreQuery, limit: number, nowEpochS: number): NearStore[] {
    return this.searcher.nearest(engineQueryOf(query), limit, nowEpochS).map(nearStoreOf);
  }

  /** Returns the nearest stores with exactly this name, compared by words. */
  nearestNamed(name: string, near: Coordinate, sandbox: string | null, limit: number): string[] {
    const { latitude, longitude } = near;
    const query = engineQueryOf({ ...ANY_STORE, latitude, longitude, sandbox });
    return this.searcher.nearestNamed(splitWords(name), query, limit).map(({ segment, slot }) => segment.ids.at(slot));
  }

  /** Returns the store if it passes all conditions except the text. */
  nearestOf(storeId: string, query: StoreQuery, nowEpochS: number): NearStore | undefined {
    const hit = this.searcher.find(storeId, engineQueryOf(query), nowEpochS);
    return hit && nearStoreOf(hit);
  }

  /** Returns the stores that were found earlier, in their current state, without stores that have left search. */
  pageOf(found: readonly Pick<NearStore, 'storeId' | 'miles'>[], nextPage: number): StorePage {
    const stores = found.flatMap(({ storeId, miles }): PageStore[] => {
      const at = this.searcher.view.find(storeId);
      return at === undefined ? [] : [{ ...at, miles }];
    });
    return { stores, nextPage };
  }

  writePage(
    { stores, nextPage }: StorePage,
    nowEpochS: number,
    { query, projections, allocate = Buffer.allocUnsafe, offersAt }: PageForm = {},
  ): Buffer {
    const open = {
      hours: this.searcher.hours,
      nowS: nowEpochS,
      acceptsOrders: query && this.acceptance(query, projections, nowEpochS),
      offersAt,
    };
    if (projections === undefined) return writePage(stores, nextPage, open, allocate);
    return writeProjectedPage(stores, nextPage, open, projections);
  }

  /** Returns a test of whether a store takes an order now; undefined if the response does not show it. */
  private acceptance(query: StoreQuery, projections: readonly string[] | undefined, nowEpochS: number) {
    // The search has already excluded stores that take no order.
    if (query.accepting) return () => true;
    if (!projections?.includes('accepts_orders')) return undefined;
    return this.searcher.acceptance(engineQueryOf(query), nowEpochS);
  }

  isOpenAt({ segment, slot }: Pick<PageStore, 'segment' | 'slot'>, nowEpochS: number): boolean {
    return this.searcher.hours.isOpen(segment, slot, nowEpochS);
  }

  /** Whether the store is open; undefined if it has left search. */
  isOpen(storeId: string, nowEpochS: number): boolean | undefined {
    const at = this.searcher.view.find(storeId);
    return at && this.isOpenAt(at, nowEpochS);
  }

  /** Counts stores by reading every slot, which takes a few milliseconds with a million stores. */
  count(): { stores: number; sellers: number } {
    let [stores, sellers] = [0, 0];
    this.searcher.view.visit((segment, slot) => {
      stores += 1;
      if (isSeller(segment, slot)) sellers += 1;
    });
    return { stores, sellers };
  }

  get documentBytes(): number {
    const { segments } = this.searcher.view;
    return segments.reduce((sum, { columns }) => sum + columns.headBytes.length + columns.tailBytes.length, 0);
  }

  private startOf(query: StoreQuery, nowS: number): PageStart['start'] {
    if (query.page === 0) return null;
    const known = this.known(query, nowS);
    if (known !== undefined) return known.start;
    if (query.page * pageSizeOf(query.text) >= this.searcher.view.slots) return 'past the end';
    return finish(this.seek(query, nowS)) ?? 'past the end';
  }

  private seek(query: StoreQuery, nowS: number): Generator<void, Cursor | null> {
    return this.searcher.seek(engineQueryOf(query), query.page * pageSizeOf(query.text) - 1, nowS);
  }

  private known(query: StoreQuery, nowS: number): PageStart | undefined {
    const known = this.starts.get(queryKey(query));
    return known !== undefined && Math.abs(nowS - known.madeAtS) <= CURSOR_LIFE_S ? known : undefined;
  }

  private note(query: StoreQuery, start: PageStart['start'], madeAtS: number): void {
    this.starts.set(queryKey(query), { start, madeAtS });
  }
}

const publishedHours: OpenAtOf = (schedule, timeZone) => {
  const clock = zoneClock(timeZone);
  return (epochS) => openingAt(schedule, clock, epochS);
};

/** Returns the cache key of a query. Long texts are hashed, because ten thousand full keys would fill the memory. */
function queryKey(query: StoreQuery): string {
  const key = JSON.stringify(query);
  return key.length <= MAX_KEY ? key : createHash('sha256').update(key).digest('base64');
}

const isSeller = ({ columns }: Segment, slot: number): boolean => ((columns.traits[slot] as number) & SELLER) !== 0;

function pageStoreOf({ segment, slot, chordSquared }: Hit): PageStore {
  return { segment, slot, miles: roundedMilesOfChord(chordSquared) };
}

function nearStoreOf({ segment, slot, chordSquared, key }: Hit): NearStore {
  return { storeId: segment.ids.at(slot), miles: roundedMilesOfChord(chordSquared), key };
}
