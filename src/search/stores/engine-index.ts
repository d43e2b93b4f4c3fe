import { LRUCache } from 'lru-cache';
import { roundedMilesOfChord } from '../../lib/geo/sphere.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { type NearStore, pageSizeOf, type StorePage, type StoreQuery } from '../../stores/search/store-query.ts';
import type { Store } from '../../stores/store.ts';
import { travelMinutes } from '../../stores/time-estimate.ts';
import { SLOTS } from '../engine/columns.ts';
import { COMPACTION_LIMITS, type CompactionLimits } from '../engine/compaction.ts';
import type { Cursor } from '../engine/cursor.ts';
import { finish } from '../engine/seal.ts';
import { type Hit, Searcher } from '../engine/searcher.ts';
import { SegmentMemory } from '../engine/segment-memory.ts';
import { type Publication, Writer } from '../engine/writer.ts';
import { engineQueryOf } from './engine-query.ts';
import { hoursRules, type OpenAtOf, rowOf } from './store-row.ts';
import { writePage, writeProjectedPage } from './write-page.ts';

export type EngineIndexOptions = { openAtOf: OpenAtOf; limits?: CompactionLimits };
type PageStart = { start: Cursor | null | 'past the end'; madeAtS: number };

const SPARE_BYTES = 2 ** 26;
/** Cached ends of pages, and how long they hold: the next page of a query starts where its last page ended. */
const MAX_CURSORS = 10_000;
const CURSOR_LIFE_S = 600;
/** A page that begins at a lower rank is found in well under a millisecond. */
const NEAR_RANK = 2000;

/**
 * The engine behind the interface of the index that it replaces: a writer and a searcher in one thread, pages by number.
 * Changes are sealed before the next search.
 */
export class EngineIndex {
  private readonly searcher: Searcher;
  private readonly writer: Writer;
  private readonly starts = new LRUCache<string, PageStart>({ max: MAX_CURSORS });
  private readonly listed = new Set<string>();

  constructor({ openAtOf, limits = COMPACTION_LIMITS }: EngineIndexOptions) {
    this.searcher = new Searcher({ hours: hoursRules(openAtOf), travelMinutes });
    this.writer = new Writer(new SegmentMemory(SPARE_BYTES), limits);
  }

  readonly upsert = (store: Store): void => {
    if (!store.listed) this.remove(store.storeId);
    else {
      this.listed.add(store.storeId);
      this.writer.upsert(rowOf(store));
    }
  };

  readonly remove = (storeId: string): boolean => {
    this.writer.remove(storeId);
    return this.listed.delete(storeId);
  };

  /** Seals the changes, and does all compaction that is worth it. */
  private settle(): void {
    if (!this.writer.hasChanges) return;
    this.show(this.writer.flush());
    for (let done = false; !done; ) {
      const publication = finish(this.writer.compact());
      this.show(publication);
      done = publication === null;
    }
  }

  private show(publication: Publication | null): void {
    if (publication === null) return;
    this.searcher.show(publication);
    this.writer.release(this.searcher.oldestVersion);
  }

  readonly search = (query: StoreQuery, nowEpochS: number): StorePage => {
    this.settle();
    const nextPage = query.page + 1;
    const start = this.startOf(query, nowEpochS);
    if (start === 'past the end') return { ordinals: [], miles: [], nextPage };
    const { hits, next } = this.searcher.search(engineQueryOf(query), start, pageSizeOf(query.text), nowEpochS);
    if (next !== null) this.note({ ...query, page: nextPage }, next, nowEpochS);
    return {
      ordinals: hits.map((hit) => this.ordinalOf(hit)),
      miles: hits.map(({ chordSquared }) => roundedMilesOfChord(chordSquared)),
      nextPage,
    };
  };

  readonly isPageNear = (query: StoreQuery, nowEpochS: number): boolean => {
    const rank = query.page * pageSizeOf(query.text);
    return rank < NEAR_RANK || rank >= this.storeCount || this.known(query, nowEpochS) !== undefined;
  };

  readonly findPage = (query: StoreQuery, nowEpochS: number): Generator<void, void> => {
    this.settle();
    return this.find(query, nowEpochS);
  };

  readonly nearest = (query: StoreQuery, limit: number, nowEpochS: number): NearStore[] => {
    this.settle();
    return this.searcher.nearest(engineQueryOf(query), limit, nowEpochS).map((hit) => this.nearStore(hit));
  };

  readonly nearestNamed = (
    name: string,
    { latitude, longitude }: { latitude: number; longitude: number },
    sandbox: string | null,
    limit: number,
  ): string[] => {
    this.settle();
    const query = { ...engineQueryOf({ ...ANY, latitude, longitude, sandbox }) };
    const hits = this.searcher.nearestNamed(wordsOf(name), query, limit);
    return hits.map(({ segment, slot }) => segment.ids.at(slot));
  };

  readonly nearestOf = (storeId: string, query: StoreQuery, nowEpochS: number): NearStore | undefined => {
    this.settle();
    const hit = this.searcher.find(storeId, engineQueryOf(query), nowEpochS);
    return hit && this.nearStore(hit);
  };

  readonly writePage = (
    page: StorePage,
    nowEpochS: number,
    projections?: readonly string[],
    allocate: (bytes: number) => Buffer = Buffer.allocUnsafe,
  ): Buffer => {
    const stores = page.ordinals.map((ordinal, nth) => ({
      ...this.placeOf(ordinal),
      miles: page.miles[nth] as number,
    }));
    const { hours } = this.searcher;
    if (projections === undefined) return writePage(stores, page.nextPage, { hours, nowS: nowEpochS }, allocate);
    return writeProjectedPage(stores, page.nextPage, { hours, nowS: nowEpochS }, projections);
  };

  readonly storeIdAt = (ordinal: number): string => {
    const { segment, slot } = this.placeOf(ordinal);
    return segment.ids.at(slot);
  };

  readonly isOpenAt = (ordinal: number, nowEpochS: number): boolean => {
    const { segment, slot } = this.placeOf(ordinal);
    return this.searcher.hours.isOpen(segment, slot, nowEpochS);
  };

  readonly finishLoad = function* (): Generator<void, void> {};

  get storeCount(): number {
    return this.listed.size;
  }

  private startOf(query: StoreQuery, nowS: number): PageStart['start'] {
    if (query.page === 0) return null;
    const known = this.known(query, nowS);
    if (known !== undefined) return known.start;
    if (query.page * pageSizeOf(query.text) >= this.storeCount) return 'past the end';
    return finish(this.rank(query, nowS)) ?? 'past the end';
  }

  private *find(query: StoreQuery, nowS: number): Generator<void, void> {
    if (query.page === 0) return;
    this.note(query, (yield* this.rank(query, nowS)) ?? 'past the end', nowS);
  }

  private rank(query: StoreQuery, nowS: number): Generator<void, Cursor | null> {
    return this.searcher.seek(engineQueryOf(query), query.page * pageSizeOf(query.text) - 1, nowS);
  }

  private known(query: StoreQuery, nowS: number): PageStart | undefined {
    const known = this.starts.get(JSON.stringify(query));
    return known !== undefined && Math.abs(nowS - known.madeAtS) <= CURSOR_LIFE_S ? known : undefined;
  }

  private note(query: StoreQuery, start: PageStart['start'], madeAtS: number): void {
    this.starts.set(JSON.stringify(query), { start, madeAtS });
  }

  private nearStore(hit: Hit): NearStore {
    const { segment, slot, chordSquared, key } = hit;
    return {
      storeId: segment.ids.at(slot),
      ordinal: this.ordinalOf(hit),
      miles: roundedMilesOfChord(chordSquared),
      key,
    };
  }

  private ordinalOf({ segment, slot }: Hit): number {
    return this.searcher.view.segments.indexOf(segment) * SLOTS + slot;
  }

  private placeOf(ordinal: number) {
    const segment = this.searcher.view.segments[Math.floor(ordinal / SLOTS)];
    if (segment === undefined) throw new RangeError(`No store has the ordinal ${ordinal}.`);
    return { segment, slot: ordinal % SLOTS };
  }
}

const ANY: StoreQuery = {
  ...{ sandbox: null, latitude: 0, longitude: 0, text: '', autocomplete: false, storeType: null, pickup: null },
  ...{ open: false, deliversHere: false, maximumMiles: null, cuisine: null, dollarSigns: null, minimumRating: null },
  ...{ viewport: null, sort: 'relevance', page: 0 },
};

export function createStoreIndex(options: EngineIndexOptions): EngineIndex {
  return new EngineIndex(options);
}
