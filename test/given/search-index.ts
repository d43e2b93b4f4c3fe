import { finish, type Publication, SegmentMemory, type StoreRow, Writer } from 'doorstep/search-engine';
import type { Coordinate } from 'doorstep/search-engine/geography';
import { COMPACTION_LIMITS, type CompactionLimits } from '../../packages/search-engine/compaction.ts';
import type { NearStore, StoreQuery } from '../../src/search/stores/store-query.ts';
import { engineRow } from '../../src/search/stores/store-row.ts';
import { type StorePage, StoreSearch } from '../../src/search/stores/store-search.index.ts';
import type { Store } from '../../src/supply/stores/store.ts';
import { openAtOf, queryOf, storeOf } from '../oracles/store-search.ts';

type OpenAtOf = ConstructorParameters<typeof StoreSearch>[0];

const SPARE_BYTES = 2 ** 26;

/** Store search and its writer in one thread: changes are sealed and compacted before the next search. */
export class SearchIndex extends StoreSearch {
  private readonly writer: Writer;

  constructor(openAtOf?: OpenAtOf, limits: CompactionLimits = COMPACTION_LIMITS) {
    super(openAtOf);
    this.writer = new Writer(new SegmentMemory(SPARE_BYTES), limits);
  }

  upsert(store: Store): void {
    if (store.listed) this.writer.upsert(engineRow(store));
    else this.remove(store.storeId);
  }

  remove(storeId: string): void {
    this.writer.remove(storeId);
  }

  override search(query: StoreQuery, nowEpochS: number): StorePage {
    this.settle();
    return super.search(query, nowEpochS);
  }

  override findPage(query: StoreQuery, nowEpochS: number): Generator<void, void> {
    this.settle();
    return super.findPage(query, nowEpochS);
  }

  override isPageNear(query: StoreQuery, nowEpochS: number): boolean {
    this.settle();
    return super.isPageNear(query, nowEpochS);
  }

  override nearest(query: StoreQuery, limit: number, nowEpochS: number): NearStore[] {
    this.settle();
    return super.nearest(query, limit, nowEpochS);
  }

  override nearestNamed(name: string, near: Coordinate, sandbox: string | null, limit: number): string[] {
    this.settle();
    return super.nearestNamed(name, near, sandbox, limit);
  }

  override nearestOf(storeId: string, query: StoreQuery, nowEpochS: number): NearStore | undefined {
    this.settle();
    return super.nearestOf(storeId, query, nowEpochS);
  }

  override count(): { stores: number; sellers: number } {
    this.settle();
    return super.count();
  }

  private settle(): void {
    if (!this.writer.hasChanges) return;
    for (let next = this.writer.flush(); next !== null; next = finish(this.writer.compact())) this.publish(next);
  }

  private publish(publication: Publication): void {
    this.writer.release(finish(this.show(publication)));
  }
}

/** Returns the publication after loading all stores at once. */
export function loadAll(writer: Writer, rows: Iterable<StoreRow>): Publication {
  const load = writer.startLoad();
  for (const row of rows) load.add(row);
  return finish(writer.finishLoad(load));
}

/** Stores in a row northwards, so that order is distance; a store's id is its name. */
export function namedStores(...names: readonly string[]): SearchIndex {
  const index = new SearchIndex(openAtOf);
  for (const [i, name] of names.entries())
    index.upsert(storeOf(name, { name, latitude: 40 + i / 100, longitude: -74 }));
  return index;
}

export const foundBy = (index: SearchIndex, text: string, autocomplete = false): string[] =>
  storeIdsOf(index.search(queryOf({ text, autocomplete, latitude: 40, longitude: -74 }), 0));

export const storeIdsOf = ({ stores }: Pick<StorePage, 'stores'>): string[] =>
  stores.map(({ segment, slot }) => segment.ids.at(slot));
