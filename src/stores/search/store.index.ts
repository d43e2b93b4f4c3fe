import type { Sandbox } from '../../accounts/account.ts';
import { createIdTable } from '../../lib/columns/id-table.ts';
import { roundedMilesOfChord } from '../../lib/geo/sphere.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import type { Schedule } from '../schedule.ts';
import type { Store } from '../store.ts';
import { createDeliveryReach } from './delivery-reach.index.ts';
import { createNamedGroups } from './groups/named-groups.index.ts';
import { createRecentChanges } from './groups/recent-changes.index.ts';
import { ALL_STORES } from './groups/store-group.ts';
import type { IndexedStore } from './indexed-store.ts';
import { type BlockLoader, createBlockLoader } from './load-blocks.index.ts';
import { createNameIndex } from './name.index.ts';
import { createOpenTimes, type OpenAt } from './open-times.index.ts';
import { createPageStarts } from './page-starts.index.ts';
import { createRankRequests } from './rank-requests.index.ts';
import { createSandboxPlaces, shownNames } from './sandbox-places.index.ts';
import { createSpatialIndex } from './spatial.index.ts';
import { createStoreColumns } from './store-columns.index.ts';
import { createStoreDocuments } from './store-documents.index.ts';
import { ANY_STORE, type Coordinate, type NearStore, type StorePage, type StoreQuery } from './store-query.ts';
import { createStoreRanking } from './store-ranking.index.ts';
import { type StoreSort, sortOf } from './store-sort.ts';
import { chordTo } from './walk-tree.ts';
import { writePage, writeProjectedPage } from './write-page.ts';

/** The rules of opening hours, which the index does not know. */
export type StoreIndexOptions = {
  /** Prepares a schedule: the state at an epoch second of hours in a zone, and until when it holds. */
  openAtOf(schedule: Schedule, timeZone: string): OpenAt;
};

/**
 * Listed stores, in memory, for store search. The index is synchronous; the ordinals of a page are valid until its next
 * change, so a page is written before that. A new index is loading: its tree is built of all stores at once, by
 * `finishLoad` or by the first search.
 */
export type StoreIndex = {
  /** Adds the store or replaces it; removes a store that is no longer listed. */
  upsert(store: Store): void;
  /** Begins to take in the blocks of a snapshot of about so many stores; another snapshot needs another loader. */
  startBlocks(stores: number): BlockLoader;
  /** False where the index has no such store. */
  remove(storeId: string): boolean;
  /** Ends the load of a new index, in steps: the first search would take as long. */
  finishLoad(): Generator<void, void>;
  search(query: StoreQuery, nowEpochS: number): StorePage;
  /** False for a page so far from any page that was searched before that `search` would take long: `findPage` comes first. */
  isPageNear(query: StoreQuery, nowEpochS: number): boolean;
  /** Finds in short steps where the page begins; stores may change between two steps. `search` then answers at once. */
  findPage(query: StoreQuery, nowEpochS: number): Generator<void, void>;
  /** The nearest stores that meet the query's conditions, nearest first; its text and page have no effect. */
  nearest(query: StoreQuery, limit: number, nowEpochS: number): NearStore[];
  /**
   * Ids of the stores whose name is the same but for case, accents and punctuation, nearest first; empty for a name
   * without a letter or digit.
   */
  nearestNamed(name: string, near: Coordinate, sandbox: Sandbox, limit: number): string[];
  /** The store, where it meets the query's conditions but for text and distance. */
  nearestOf(storeId: string, query: StoreQuery, nowEpochS: number): NearStore | undefined;
  /** The body of the answer as JSON; with `projections`, those fields and `ALWAYS_PROJECTED` only. */
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
  /** Bytes of delivery areas outside of the JavaScript heap. */
  readonly areaBytes: number;
};

/** An index that is loaded has room for a 32nd more stores. */
const ROOM_FOR_CHANGES = 5;

export function createStoreIndex({ openAtOf }: StoreIndexOptions): StoreIndex {
  const columns = createStoreColumns();
  const changes = createRecentChanges();
  const spatial = createSpatialIndex(columns, changes);
  const deliveryReach = createDeliveryReach(spatial);
  const sandboxPlaces = createSandboxPlaces();
  const names = createNameIndex(changes, (stores) => shownNames(stores, sandboxPlaces, null));
  const openTimes = createOpenTimes(openAtOf);
  const documents = createStoreDocuments();
  const ids = createIdTable(drop);
  const freeOrdinals: number[] = [];
  const storeCount = (): number => ids.size;
  const ranking = createStoreRanking({ spatial, names, changes, ids, storeCount });
  const pageStarts = createPageStarts(ranking, changes, storeCount);
  const groupOfName = createNamedGroups();
  let isLoading = true;
  const parts = { columns, spatial, deliveryReach, sandboxPlaces, names, openTimes, endLoad };
  const { accepting, requestOf, askedPage } = createRankRequests(parts);
  spatial.beginLoad();

  function upsert(store: Store): void {
    if (!store.listed) {
      remove(store.storeId);
      return;
    }
    const ordinal = put(store);
    documents.set(ordinal, store);
    setOpening(ordinal, store);
  }

  /** The documents have the hours of the store already. */
  function setOpening(ordinal: number, store: IndexedStore): void {
    const { timeZone, hoursExceptions, pausedUntil, onlineOrdering } = store;
    const hours = documents.hoursAt(ordinal);
    openTimes.set(ordinal, { hours, timeZone, hoursExceptions, pausedUntil, onlineOrdering });
  }

  function startBlocks(stores: number): BlockLoader {
    isLoading = true;
    const loaded = { columns, spatial, deliveryReach, names, openTimes, documents };
    const room = ids.ceiling + stores + (stores >> ROOM_FOR_CHANGES);
    for (const part of [ids, ...Object.values(loaded)]) part.reserve(room);
    return createBlockLoader({ ...loaded, appendStores: ids.append, adoptIds: ids.adoptTable, setSandboxes });
  }

  /** The parts of the load that the first searches and changes would end at once. */
  function* finishLoad(): Generator<void, void> {
    yield* ids.finish();
    yield* names.finish();
    yield* spatial.finishLoad();
    isLoading = false;
  }

  function endLoad(): void {
    if (isLoading) for (const _step of finishLoad());
  }

  function setSandboxes(ordinal: number, accounts: readonly string[] | null): void {
    if (sandboxPlaces.set(ordinal, accounts)) names.forgetMatches();
  }

  /** Sets all but the document and the opening of a store; returns the ordinal of the store. */
  function put(store: IndexedStore): number {
    const known = ids.numberOf(store.storeId);
    const ordinal = known ?? ids.getOrAdd(store.storeId, freeOrdinals.pop() ?? ids.ceiling);
    const isMoved = spatial.latitudes[ordinal] !== store.latitude || spatial.longitudes[ordinal] !== store.longitude;
    const range = deliveryReach.set(ordinal, store);
    const hasNewTraits = columns.set(ordinal, store);
    if (known !== undefined && isMoved) spatial.remove(ordinal);
    if (known === undefined || isMoved) spatial.insert(ordinal, store.latitude, store.longitude, range);
    else spatial.change(ordinal, range, hasNewTraits);
    setSandboxes(ordinal, store.sandboxAccounts);
    names.set(ordinal, store.name);
    return ordinal;
  }

  function remove(storeId: string): boolean {
    const ordinal = ids.numberOf(storeId);
    if (ordinal === undefined) return false;
    ids.delete(storeId);
    drop(ordinal);
    return true;
  }

  /** Frees the ordinal of a store that has left. */
  function drop(ordinal: number): void {
    freeOrdinals.push(ordinal);
    spatial.remove(ordinal);
    deliveryReach.clear(ordinal);
    names.clear(ordinal);
    columns.clear(ordinal);
    sandboxPlaces.clear(ordinal);
    openTimes.clear(ordinal);
    documents.clear(ordinal);
  }

  function search(query: StoreQuery, nowEpochS: number): StorePage {
    const asked = askedPage(query, nowEpochS);
    const { request, key, size } = asked;
    const nextPage = query.page + 1;
    const start = pageStarts.startOf(asked, nowEpochS);
    if (start === 'past the end') return { ordinals: [], miles: [], nextPage };
    const ranked = pageStarts.rankedFrom(key, start) ?? ranking.rankAfter(request, start, size);
    const { stores, lastGroup } = ranked;
    const last = stores.at(-1);
    const end = last === undefined ? start : ranking.cursorAfter(last, lastGroup);
    if (end !== null) pageStarts.set({ ...key, page: nextPage }, end, nowEpochS);
    return {
      ordinals: stores.map(({ id }) => id),
      miles: stores.map(({ tieKey }) => roundedMilesOfChord(tieKey)),
      nextPage,
    };
  }

  function nearest(query: StoreQuery, limit: number, nowEpochS: number): NearStore[] {
    const request = requestOf({ ...query, sort: 'distance' }, ALL_STORES, accepting(query, null, nowEpochS));
    const { keyOf } = sortOf(query, columns, deliveryReach);
    const { stores } = ranking.rankAfter(request, null, limit);
    return stores.map(({ id, tieKey }) => nearStoreAt(id, tieKey, keyOf));
  }

  function nearestNamed(name: string, { latitude, longitude }: Coordinate, sandbox: Sandbox, limit: number): string[] {
    const nameId = wordsOf(name).length === 0 ? undefined : names.idOf(name);
    if (nameId === undefined) return [];
    const query = { ...ANY_STORE, sandbox, latitude, longitude };
    const request = requestOf(query, groupOfName(nameId), accepting(query, null, 0));
    return ranking.rankAfter(request, null, limit).stores.map(({ id }) => ids.at(id));
  }

  function nearestOf(storeId: string, query: StoreQuery, nowEpochS: number): NearStore | undefined {
    const ordinal = ids.numberOf(storeId);
    const { from, sort, accept, delivers } = requestOf(query, ALL_STORES, accepting(query, null, nowEpochS));
    if (ordinal === undefined || !accept(ordinal) || delivers?.(ordinal) === false) return undefined;
    return nearStoreAt(ordinal, chordTo(spatial, ordinal, from), sort.keyOf);
  }

  function nearStoreAt(ordinal: number, chordSquared: number, keyOf: StoreSort['keyOf']): NearStore {
    const storeId = ids.keptAt(ordinal);
    return { storeId, ordinal, miles: roundedMilesOfChord(chordSquared), key: keyOf(ordinal, chordSquared) };
  }

  return {
    upsert,
    startBlocks,
    remove,
    finishLoad,
    search,
    isPageNear: (query, nowEpochS) => query.page === 0 || pageStarts.isNear(askedPage(query, nowEpochS), nowEpochS),
    findPage: (query, nowEpochS) => pageStarts.find(askedPage(query, nowEpochS), nowEpochS),
    nearest,
    nearestNamed,
    nearestOf,
    writePage(page, nowEpochS, projections, allocate = Buffer.allocUnsafe) {
      const openingOf = (ordinal: number): Buffer => openTimes.membersOf(ordinal, nowEpochS);
      if (projections === undefined) return writePage(documents, page, openingOf, allocate);
      return writeProjectedPage(documents, page, openingOf, projections);
    },
    storeIdAt: (ordinal) => ids.at(ordinal),
    isOpenAt: (ordinal, nowEpochS) => openTimes.isOpen(ordinal, nowEpochS),
    get storeCount() {
      return storeCount();
    },
    get documentBytes() {
      return documents.reservedBytes;
    },
    get areaBytes() {
      return deliveryReach.reservedBytes;
    },
  };
}
