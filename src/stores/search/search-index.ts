import { createShardedMap } from '../../lib/columns/sharded-map.ts';
import type { Rank } from '../../lib/columns/top-list.ts';
import { chordOfMiles, milesOfChord, unitVectorAt } from '../../lib/geo/sphere.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import type { WeeklyHours } from '../hours.ts';
import type { Store } from '../store.ts';
import type { Group } from './candidates.ts';
import { createNameIndex, type NameMatch } from './name-index.ts';
import { createOpenTimes, type OpenAt } from './open-times.ts';
import { createPlaceTree } from './place-tree.ts';
import { type Cursor, createRanking, type RankRequest } from './rank-stores.ts';
import { createRecentCache } from './recent-cache.ts';
import { createStoreColumns } from './store-columns.ts';
import { createStoreDocuments } from './store-documents.ts';
import { filterOf } from './store-filter.ts';
import { orderOf, type StoreOrder } from './store-order.ts';
import {
  ANY_STORE,
  type Coordinate,
  type NearStore,
  PAGE_SIZE_BROWSING,
  PAGE_SIZE_WITH_TEXT,
  type StorePage,
  type StoreQuery,
} from './store-query.ts';
import { chordTo } from './walk-places.ts';
import { withoutWhere } from './where-words.ts';
import { writePage, writeProjectedPage } from './write-page.ts';

/** What the index leaves to others: the rules of opening hours. */
export type SearchIndexOptions = {
  /** Prepares the answer to "open at this epoch second?" for hours in a zone; asked only when the last one ran out. */
  openAtOf(hours: WeeklyHours | null, timeZone: string): OpenAt;
};

/**
 * Every listed store, in memory, for store search. Single-threaded and synchronous: a page is written from the
 * index as it is, so write it before the next change.
 */
export type SearchIndex = {
  /** Adds the store or replaces it; one that is no longer listed is taken out. */
  upsert(store: Store): void;
  /** False when there was no such store. */
  remove(storeId: string): boolean;
  search(query: StoreQuery, nowEpochS: number): StorePage;
  /** The nearest stores that meet the query's conditions, nearest first; its text and page are not looked at. */
  nearest(query: StoreQuery, most: number, nowEpochS: number): NearStore[];
  /**
   * Ids of the stores whose name is the same but for case, accents and punctuation, nearest first; empty for a name
   * without a letter or digit.
   */
  nearestNamed(name: string, near: Coordinate, most: number): string[];
  /** The store if it meets the query's conditions but for text and distance. */
  nearestOf(storeId: string, query: StoreQuery, nowEpochS: number): NearStore | undefined;
  /** The body of the answer as JSON; with `projections`, only those fields and the ones that always come. */
  writePage(
    page: StorePage,
    nowEpochS: number,
    projections?: readonly string[],
    allocate?: (bytes: number) => Buffer,
  ): Buffer;
  storeIdAt(ordinal: number): string;
  isOpenAt(ordinal: number, nowEpochS: number): boolean;
  readonly storeCount: number;
  /** Bytes of documents outside of the JavaScript heap. */
  readonly documentBytes: number;
};

/** Walks remembered: where each page of a query ends, so that the next one starts there. */
const MOST_CURSORS = 10_000;

/** A page asked for later than this after the one before it is counted from the first store again. */
const CURSOR_LIFE_S = 600;

/** A radius reaches this much farther than asked, so that rounding never loses a store that lies on it. */
const RADIUS_SLACK_MILES = 1e-9;

function isEmpty(match: NameMatch): boolean {
  return match.every((names) => names.length === 0);
}

function joined(match: NameMatch): Uint32Array {
  const all = new Uint32Array(match.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const names of match) {
    all.set(names, at);
    at += names.length;
  }
  return all;
}

type RememberedCursor = { cursor: Cursor; madeAtS: number };

export function createSearchIndex({ openAtOf }: SearchIndexOptions): SearchIndex {
  const tree = createPlaceTree();
  const names = createNameIndex();
  const columns = createStoreColumns();
  const openTimes = createOpenTimes(openAtOf);
  const documents = createStoreDocuments();
  const ordinalOf = createShardedMap();
  const freeOrdinals: number[] = [];
  const storeCount = (): number => ordinalOf.size;
  const ranking = createRanking({ tree, names, storeIds: columns.storeIds, storeCount });
  const cursors = createRecentCache<RememberedCursor>(MOST_CURSORS, MOST_CURSORS);

  function upsert(store: Store): void {
    if (!store.listed) {
      remove(store.storeId);
      return;
    }
    const known = ordinalOf.get(store.storeId);
    const ordinal = known ?? freeOrdinals.pop() ?? ordinalOf.size;
    if (known === undefined) ordinalOf.set(store.storeId, ordinal);
    const isMoved = tree.latitudes[ordinal] !== store.latitude || tree.longitudes[ordinal] !== store.longitude;
    if (known !== undefined && isMoved) tree.remove(ordinal);
    if (known === undefined || isMoved) tree.insert(ordinal, store.latitude, store.longitude);
    names.set(ordinal, store.name);
    columns.set(ordinal, store);
    openTimes.set(ordinal, store.hours.operational, store.timeZone);
    documents.set(ordinal, store);
  }

  function remove(storeId: string): boolean {
    const ordinal = ordinalOf.get(storeId);
    if (ordinal === undefined) return false;
    ordinalOf.delete(storeId);
    freeOrdinals.push(ordinal);
    tree.remove(ordinal);
    names.clear(ordinal);
    columns.clear(ordinal);
    openTimes.clear(ordinal);
    documents.clear(ordinal);
    return true;
  }

  type TextMatch = { names: NameMatch | null; city: number | null };

  /** Where no name answers the text, words in it that say where the store should be are taken for that. */
  function matchText(words: readonly string[], autocomplete: boolean): TextMatch {
    if (words.length === 0) return { names: null, city: null };
    const match = names.match(words, autocomplete);
    if (!isEmpty(match)) return { names: match, city: null };
    for (const located of withoutWhere(words, (city) => columns.cityOf(city) !== undefined)) {
      const found = names.match(located.words, false);
      const city = located.city === null ? null : (columns.cityOf(located.city) ?? null);
      if (!isEmpty(found)) return { names: found, city };
    }
    return { names: match, city: null };
  }

  /** By relevance, better matches of the text come before nearer ones; every other order knows no such groups. */
  function groupsOf(match: NameMatch | null, isByRelevance: boolean): Group[] {
    if (match === null) return [null];
    return isByRelevance ? [...match] : [joined(match)];
  }

  function accepting(query: StoreQuery, city: number | null, nowEpochS: number): (ordinal: number) => boolean {
    const accept = filterOf(query, { columns, tree, openTimes }, nowEpochS);
    return city === null ? accept : (ordinal) => columns.cities[ordinal] === city && accept(ordinal);
  }

  function requestOf(query: StoreQuery, groups: Group[], accept: RankRequest['accept']): RankRequest {
    const { latitude, longitude, maximumMiles, viewport } = query;
    const farthest = maximumMiles === null ? Infinity : chordOfMiles(maximumMiles + RADIUS_SLACK_MILES);
    return {
      groups,
      from: unitVectorAt(latitude, longitude),
      farthest,
      viewport,
      order: orderOf(query, columns),
      accept,
    };
  }

  function search(query: StoreQuery, nowEpochS: number): StorePage {
    const words = wordsOf(query.text);
    const size = words.length === 0 ? PAGE_SIZE_BROWSING : PAGE_SIZE_WITH_TEXT;
    const nextPage = query.page + 1;
    const { names: match, city } = matchText(words, query.autocomplete);
    const groups = groupsOf(match, query.sort === 'relevance');
    const request = requestOf(query, groups, accepting(query, city, nowEpochS));
    const key = JSON.stringify({ ...query, text: words, page: 0 });
    const start = startOf(request, key, query.page, size, nowEpochS);
    if (start === 'past the end') return { ordinals: [], miles: [], nextPage };
    const { ranks, lastGroup } = ranking.rankAfter(request, start, size);
    const end = ranks.length === 0 ? start : cursorAfter(ranks.at(-1) as Rank, lastGroup);
    if (end !== null) cursors.set(`${nextPage}${key}`, { cursor: end, madeAtS: nowEpochS }, 1);
    return {
      ordinals: ranks.map((rank) => rank.ordinal),
      miles: ranks.map((rank) => Math.round(milesOfChord(rank.chordSquared) * 100) / 100),
      nextPage,
    };
  }

  function nearest(query: StoreQuery, most: number, nowEpochS: number): NearStore[] {
    const request = requestOf({ ...query, sort: 'distance' }, [null], accepting(query, null, nowEpochS));
    const { keyOf } = orderOf(query, columns);
    const near = ranking.rankAfter(request, null, most).ranks;
    return near.map(({ ordinal, chordSquared }) => nearStoreAt(ordinal, chordSquared, keyOf));
  }

  function nearestNamed(name: string, { latitude, longitude }: Coordinate, most: number): string[] {
    const nameId = wordsOf(name).length === 0 ? undefined : names.idOf(name);
    if (nameId === undefined) return [];
    const query = { ...ANY_STORE, latitude, longitude };
    const request = requestOf(query, [Uint32Array.of(nameId)], () => true);
    return ranking.rankAfter(request, null, most).ranks.map(({ ordinal }) => columns.storeIds[ordinal] as string);
  }

  function nearestOf(storeId: string, query: StoreQuery, nowEpochS: number): NearStore | undefined {
    const ordinal = ordinalOf.get(storeId);
    const { from, order, accept } = requestOf(query, [null], accepting(query, null, nowEpochS));
    if (ordinal === undefined || !accept(ordinal)) return undefined;
    return nearStoreAt(ordinal, chordTo(tree, ordinal, from), order.keyOf);
  }

  function nearStoreAt(ordinal: number, chordSquared: number, keyOf: StoreOrder['keyOf']): NearStore {
    const miles = Math.round(milesOfChord(chordSquared) * 100) / 100;
    return { storeId: columns.storeIds[ordinal] as string, ordinal, miles, key: keyOf(ordinal, chordSquared) };
  }

  /**
   * A page starts where the one before it ended, even if stores have come or gone since: a walk never shows one
   * twice, nor skips one that was there throughout. Without that page in memory it is counted from the start.
   */
  function startOf(
    request: RankRequest,
    key: string,
    page: number,
    size: number,
    nowEpochS: number,
  ): Cursor | null | 'past the end' {
    if (page === 0) return null;
    const known = cursors.get(`${page}${key}`);
    if (known !== undefined && Math.abs(nowEpochS - known.madeAtS) <= CURSOR_LIFE_S) return known.cursor;
    if (page * size >= storeCount()) return 'past the end';
    return ranking.cursorAt(request, page * size - 1) ?? 'past the end';
  }

  function cursorAfter({ key, chordSquared, ordinal }: Rank, group: number): Cursor {
    return { group, key, chordSquared, storeId: columns.storeIds[ordinal] as string };
  }

  return {
    upsert,
    remove,
    search,
    nearest,
    nearestNamed,
    nearestOf,
    writePage(page, nowEpochS, projections, allocate = Buffer.allocUnsafe) {
      const isOpen = (ordinal: number): boolean => openTimes.isOpen(ordinal, nowEpochS);
      if (projections === undefined) return writePage(documents, page, isOpen, allocate);
      return writeProjectedPage(documents, page, isOpen, projections);
    },
    storeIdAt: (ordinal) => columns.storeIds[ordinal] as string,
    isOpenAt: (ordinal, nowEpochS) => openTimes.isOpen(ordinal, nowEpochS),
    get storeCount() {
      return storeCount();
    },
    get documentBytes() {
      return documents.reservedBytes;
    },
  };
}
