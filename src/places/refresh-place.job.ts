import type { Logger } from 'pino';
import type { InventoryCache } from '../catalog/inventory.cache.ts';
import type { Db } from '../db/connect.ts';
import type { Place } from '../imports/open-data/place.ts';
import { inRetriedTransaction } from '../imports/write-stores.flow.ts';
import type { Worker } from '../jobs/job-queue.ts';
import type { Clock } from '../lib/clock.ts';
import { OutsideError } from '../lib/outside-error.ts';
import { bringBackMerged } from '../stores/merges/merge-places.flow.ts';
import { nextChange, notifyChange } from '../stores/stores.db.ts';
import { keptStoreOf, writePlaceStore } from './add-place.flow.ts';
import type { PlaceDirectory } from './place-directory.ts';
import { emptyLentStore, findLentStores, isStillLent, type LentStore } from './places.db.ts';

type Needs = { clock: Clock; log: Logger; db: Db; placeDirectory: PlaceDirectory; inventory: InventoryCache };

/** A loan is renewed from four days before its end on, so that an outage of the directory has that long to pass. */
const AHEAD_HOURS = 96;
const BATCH = 50;

/**
 * Every ten minutes, and when a service starts: what a directory has lent for a time is read again and renewed, or,
 * where it no longer knows the place or did not answer until the loan ended, given up (ADR 9).
 */
export function refreshPlaces(deps: Needs): Worker<object> {
  return {
    kind: { name: 'refresh-places' },
    retryLimit: 0,
    concurrency: 1,
    everyMinutes: '*/10 * * * *',
    atStart: true,
    run: async (_payload, signal) => {
      const before = deps.clock.now().add({ hours: AHEAD_HOURS });
      const ask = askUntilSilent(deps);
      let last: LentStore | undefined;
      do {
        const batch: LentStore[] = await findLentStores(deps.db, { before, after: last, limit: BATCH });
        for (const lent of batch) {
          signal.throwIfAborted();
          await refresh(deps, lent, ask);
        }
        last = batch.at(-1);
      } while (last);
    },
  };
}

/** The place as it is today, `gone` where it is no place any more, `unknown` where nobody could say. */
type Answer = Place | 'gone' | 'unknown';

/** A directory that has failed once is not asked again in this run: its quota, or its outage, concerns every place. */
function askUntilSilent({
  placeDirectory,
  log,
}: {
  log: Logger;
  placeDirectory: PlaceDirectory;
}): (lent: LentStore) => Promise<Answer> {
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
  deps: { clock: Clock; db: Db; placeDirectory: PlaceDirectory; inventory: InventoryCache },
  lent: LentStore,
  ask: (lent: LentStore) => Promise<Answer>,
): Promise<void> {
  const answer = await ask(lent);
  const isOver = Temporal.Instant.compare(deps.clock.now(), lent.refreshBy) >= 0;
  if (answer === 'unknown' && !isOver) return;
  const store = typeof answer === 'string' ? undefined : keptStoreOf(answer, deps.placeDirectory);
  await inRetriedTransaction(deps.db, async (tx) => {
    const seq = await nextChange(tx);
    if (!(await isStillLent(tx, lent))) return;
    if (store) {
      await writePlaceStore(deps, tx, store);
      return;
    }
    const change = { seq, at: deps.clock.now() };
    await emptyLentStore(tx, lent.storeId, change);
    await bringBackMerged(tx, [lent.storeId], change);
    await notifyChange(tx);
  });
  deps.inventory.evict(lent.storeId);
}
