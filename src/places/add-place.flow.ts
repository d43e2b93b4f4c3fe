import type { InventoryCache } from '../catalog/inventory.cache.ts';
import type { Db, Sql } from '../db/connect.ts';
import type { FeedStore } from '../imports/feed/parse-store-line.ts';
import { createStaging } from '../imports/import.db.ts';
import type { Place } from '../imports/open-data/place.ts';
import { storeOfPlace } from '../imports/open-data/store-of-place.ts';
import { createStoreRows } from '../imports/store-rows.ts';
import { inRetriedTransaction, mergeStaged } from '../imports/write-stores.flow.ts';
import type { Clock } from '../lib/clock.ts';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import type { StoreType } from '../stores/store.ts';
import { nextChange } from '../stores/stores.db.ts';
import { findSameStores } from './known-places.flow.ts';
import type { PlaceDirectory } from './place-directory.ts';
import { placeIdOf } from './place-id.ts';
import { findPlaceLinks, savePlaceLink, setRefreshBy } from './places.db.ts';

/** The feed that added places are stores of. */
export const PLACES_SOURCE = 'places';

export type AddedPlace = { storeId: string; placeId: string; storeType: StoreType };

/**
 * Adds places. What it gives is the store that a place of the directory is in the service; it becomes one where it is
 * none yet. Whoever adds it again, at the same time too, gets the same store. Undefined for a place that is unknown,
 * closed for good, outside of the US and Canada, or sells no food. Throws OutsideError where the directory does not
 * answer.
 */
export function createPlaceAdder(deps: {
  clock: Clock;
  db: Db;
  placeDirectory: PlaceDirectory;
  inventory: InventoryCache;
}): (directoryPlaceId: string) => Promise<AddedPlace | undefined> {
  const { db, placeDirectory, inventory } = deps;
  // Writers of stores come one after the other in the database. Who waits here holds no connection meanwhile, so that
  // many additions, or an import that takes its time, leave the pool to everybody else.
  const inTurn = limitConcurrency(1);
  return async (directoryPlaceId) => {
    const linked = await findLinked(db, placeDirectory.name, directoryPlaceId);
    if (linked) return linked;
    const place = await placeDirectory.find(directoryPlaceId);
    const store = place && keptStoreOf({ ...place, placeId: directoryPlaceId }, placeDirectory);
    if (!place || !store) return undefined;
    const write = async (tx: Sql): Promise<AddedPlace> => {
      // Whoever waited here sees what the writer before has added.
      await nextChange(tx);
      const link = await findLinked(tx, placeDirectory.name, directoryPlaceId);
      return link ?? (await linkToStore(deps, tx, { directoryPlaceId, place, store }));
    };
    const added = await inTurn(() => inRetriedTransaction(db, write));
    inventory.evict(added.storeId);
    return added;
  };
}

async function findLinked(sql: Sql, directory: string, directoryPlaceId: string): Promise<AddedPlace | undefined> {
  const [link] = await findPlaceLinks(sql, directory, [directoryPlaceId]);
  return link?.isListed ? link : undefined;
}

/** A listed store at the same spot is the place; else it becomes a store of its own. */
async function linkToStore(
  deps: { clock: Clock; placeDirectory: PlaceDirectory },
  tx: Sql,
  { directoryPlaceId, place, store }: { directoryPlaceId: string; place: Place; store: FeedStore },
): Promise<AddedPlace> {
  const directory = deps.placeDirectory.name;
  const same = (await findSameStores(tx, [place])).get(place.placeId);
  const storeId = same?.storeId ?? (await writePlaceStore(deps, tx, store));
  const placeId = placeIdOf(directory, directoryPlaceId);
  await savePlaceLink(tx, { directory, directoryPlaceId, placeId, storeId }, deps.clock.now());
  // What was written may have been merged at once into a store that stands for it.
  const linked = await findLinked(tx, directory, directoryPlaceId);
  return linked ?? { storeId, placeId, storeType: same?.storeType ?? store.profile.type };
}

/** Writes the store as an import would, and until when its facts may stay. The caller holds the change clock. */
export async function writePlaceStore(
  deps: { clock: Clock; placeDirectory: PlaceDirectory },
  tx: Sql,
  store: FeedStore,
): Promise<string> {
  const at = deps.clock.now();
  const rows = createStoreRows(PLACES_SOURCE, store).finish([]);
  await createStaging(tx);
  await mergeStaged(tx, { source: PLACES_SOURCE, stores: [rows], at });
  await setRefreshBy(tx, rows.storeId, refreshByOf(deps.placeDirectory, at));
  return rows.storeId;
}

/** A day early, so that a loan never runs over because nobody was there to end it. */
function refreshByOf({ keepDays }: PlaceDirectory, at: Temporal.Instant): Temporal.Instant | null {
  return keepDays === null ? null : at.add({ hours: 24 * (keepDays - 1) });
}

/**
 * A place as the store that is kept of it; undefined where it can be none. Of a directory that only lends, no more than
 * makes it a store is kept: name, address, coordinate and type (ADR 9).
 */
export function keptStoreOf(place: Place, { name, keepDays }: PlaceDirectory): FeedStore | undefined {
  const kept =
    keepDays === null ? place : { ...place, phone: '', hours: null, cuisines: [], brand: null, link: '', origins: [] };
  const placed = storeOfPlace(kept);
  return placed.ok ? { ...placed.store, externalId: `${name}:${place.placeId}` } : undefined;
}
