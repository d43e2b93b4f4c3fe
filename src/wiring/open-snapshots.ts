import type { Db } from '../db/connect.ts';
import { migrationNames } from '../db/migrations.ts';
import type { BegunSnapshot } from '../stores/search/snapshots/begin-snapshot.flow.ts';
import { loadSnapshot } from '../stores/search/snapshots/load-snapshot.flow.ts';
import { snapshotFormat } from '../stores/search/snapshots/snapshot-format.ts';
import { createSnapshotKeeper } from '../stores/search/snapshots/snapshot-keeper.cache.ts';
import type { StoreSearch } from '../stores/search/store-search.index.ts';
import type { StoreFeed } from '../stores/store-feed.cache.ts';
import type { FeedPoint } from '../stores/stores.db.ts';
import type { ServiceOptions } from './service-options.ts';

/** The snapshot of this node's search index: read at the start, kept new enough afterwards. */
export type Snapshots = {
  restore(signal: AbortSignal): Promise<FeedPoint | null>;
  /** Begins to look from time to time whether a new snapshot is due; returns how to end that. */
  keep(storeFeed: StoreFeed): { close(): Promise<void> };
};

/** Undefined where the node keeps no snapshot. */
export function openSnapshots(
  { connectionString, schema, log }: ServiceOptions,
  db: Db,
  search: StoreSearch,
  snapshot: BegunSnapshot | undefined,
): Snapshots | undefined {
  if (snapshot === undefined) return undefined;
  const { file } = snapshot;
  const format = async () => snapshotFormat((await migrationNames()).at(-1) ?? '');
  let isRestored = false;
  return {
    async restore(signal) {
      const point = await loadSnapshot({ db, log, snapshot, format: await format(), search, signal });
      isRestored = point !== null;
      return point;
    },
    keep(storeFeed) {
      const state = {
        get isLoaded() {
          return storeFeed.isLoaded;
        },
        get isRestored() {
          return isRestored;
        },
        get storeCount() {
          return search.stores.storeCount;
        },
        get changes() {
          return storeFeed.changes;
        },
      };
      const order = async () => ({ connectionString, schema, file, format: await format() });
      const keeper = createSnapshotKeeper({ order, state, log });
      keeper.start();
      return keeper;
    },
  };
}
