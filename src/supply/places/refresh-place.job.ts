import type { Logger } from 'pino';
import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { InventoryCache } from '../catalog/inventory.cache.ts';
import { retryTransaction } from '../imports/write-stores.flow.ts';
import { relistMerged } from '../stores/merges/merge-places.flow.ts';
import { nextChange, notifyChange } from '../stores/stores.db.ts';
import { cacheableStoreOf, writePlaceStore } from './add-place.flow.ts';
import type { Place } from './place.ts';
import type { PlaceDirectory } from './place-directory.ts';
import { type CachedStore, emptyExpiredStore, findExpiringStores, isStillCached } from './places.db.ts';

/** Rereads a directory's facts before their permitted caching time ends, and removes unreadable facts. */

type RefreshDeps = {
  clock: Clock;
  db: Db;
  placeDirectory: PlaceDirectory;
  inventory: InventoryCache;
  reportLeftOut: ReportLeftOut;
};

/** Rereading begins this many hours before the end of caching, enough to survive a directory outage of four days. */
const REFRESH_AHEAD_HOURS = 96;
const BATCH = 50;

/**
 * Reads stores with limited caching again from their directory, every ten minutes and at start. Empties a store if its
 * place is gone, or unreachable when caching ends (docs/adr/0009-what-is-kept-of-a-directory.md).
 */
export function refreshPlaces(deps: RefreshDeps & { log: Logger }): Worker<object> {
  return {
    kind: { name: 'refresh-places' },
    concurrency: 1,
    everyMinutes: 10,
    atStart: true,
    run: async (_payload, signal) => {
      const before = deps.clock.now().add({ hours: REFRESH_AHEAD_HOURS });
      const readPlace = createPlaceReader(deps.placeDirectory, deps.log);
      let last: CachedStore | undefined;
      do {
        const batch: CachedStore[] = await findExpiringStores(deps.db, { before, after: last, limit: BATCH });
        for (const store of batch) {
          signal.throwIfAborted();
          await refresh(deps, store, readPlace);
        }
        last = batch.at(-1);
      } while (last);
    },
  };
}

/** The place as of today. `gone`: the directory has dropped it. `unknown`: it did not answer. */
type CurrentPlace = Place | 'gone' | 'unknown';

/** Reads places. After a failure, not again in this run, because its quota or outage affects every place. */
function createPlaceReader(placeDirectory: PlaceDirectory, log: Logger): (store: CachedStore) => Promise<CurrentPlace> {
  let isSilent = false;
  return async ({ directory, directoryPlaceId, isShown }) => {
    if (!isShown || directoryPlaceId === null) return 'gone';
    if (isSilent || directory !== placeDirectory.name) return 'unknown';
    try {
      const place = await placeDirectory.find(directoryPlaceId);
      return place ? { ...place, placeId: directoryPlaceId } : 'gone';
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      log.warn({ err: error }, 'places not read again yet');
      isSilent = true;
      return 'unknown';
    }
  };
}

async function refresh(
  deps: RefreshDeps,
  cached: CachedStore,
  readPlace: (store: CachedStore) => Promise<CurrentPlace>,
): Promise<void> {
  const place = await readPlace(cached);
  const isExpired = Temporal.Instant.compare(deps.clock.now(), cached.cachedUntil) >= 0;
  if (place === 'unknown' && !isExpired) return;
  const store = typeof place === 'string' ? undefined : cacheableStoreOf(place, deps);
  await retryTransaction(deps.db, async (tx) => {
    const seq = await nextChange(tx);
    if (!(await isStillCached(tx, cached))) return;
    if (store) {
      await writePlaceStore(deps, tx, { store, audience: 'same' });
      return;
    }
    const change = { seq, at: deps.clock.now() };
    await emptyExpiredStore(tx, cached.storeId, change);
    await relistMerged(tx, [cached.storeId], change);
    await notifyChange(tx);
  });
  if (!store && cached.isShown) {
    const reason = typeof place === 'string' ? place : place.status;
    const fields = { storeId: cached.storeId, directory: cached.directory, reason };
    deps.reportLeftOut('place', 'stores of the directory left search', fields);
  }
  deps.inventory.evict(cached.storeId);
}
