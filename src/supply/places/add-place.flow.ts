import { type Caller, ownerOf, type Sandbox, sandboxOf } from '../../access/accounts/account.ts';
import { spendLookup } from '../../access/budgets/spend-lookup.flow.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import type { InventoryCache } from '../catalog/inventory.cache.ts';
import type { Audience } from '../imports/import.db.ts';
import type { FeedStore } from '../imports/parse-store-line.ts';
import { retryTransaction, writeBareStore } from '../imports/write-stores.flow.ts';
import { shareStore } from '../stores/set-store.db.ts';
import { isVisibleTo, type StoreType } from '../stores/store.ts';
import { nextChange, notifyChange, updateStore } from '../stores/stores.db.ts';
import type { Place } from './place.ts';
import type { PlaceDirectory } from './place-directory.ts';
import { findPlaceLinks, type PlaceLink, savePlaceLink } from './places.db.ts';
import { findSameStores, type LookupDeps, placeIdOf } from './search-places.flow.ts';
import { storeOfPlace } from './store-of-place.ts';

/** The feed name of added places. */
export const PLACES_SOURCE = 'places';

export type AddedPlace = { storeId: string; placeId: string; storeType: StoreType };

/** Limits of writers: one at a time. Look-ups and budgets limit the queue. */
const WRITER_LIMITS = {
  maxRunning: 1,
  maxRunningOfOwner: 1,
  maxWaiting: Infinity,
  maxWaitingOfOwner: Infinity,
  refusal: () => new Error('Too many additions are waiting.'),
};

type Deps = LookupDeps & { inventory: InventoryCache };
type PlaceCaller = Pick<Caller, 'accountId' | 'mode'>;

/** A place of the directory, and the store made from it. */
type FoundPlace = { place: Place; store: FeedStore };

/**
 * Creates the function that adds a directory's place as a store for the caller's sandbox or for everyone, or finds it.
 * Concurrent calls get one store. Undefined if the place is unknown, permanently closed, outside the US and Canada, or
 * not a store.
 */
export function createPlaceAdder(
  deps: Deps,
): (directoryPlaceId: string, caller: PlaceCaller) => Promise<AddedPlace | undefined> {
  const { db, placeDirectory, inventory } = deps;
  // Writers of stores run one at a time in the database. A call that waits here holds no connection, so many additions,
  // or a long import, leave the pool to other requests.
  const writers = new ConcurrencyLimiter(WRITER_LIMITS);
  return async (directoryPlaceId, caller) => {
    const sandbox = sandboxOf(caller);
    const linked = await findLinked(db, placeDirectory.name, directoryPlaceId);
    if (linked && isVisibleTo(linked, sandbox)) return linked;
    const found = linked ? undefined : await findPlace(deps, caller, directoryPlaceId);
    if (!linked && !found) return undefined;
    const write = async (tx: Sql): Promise<AddedPlace | undefined> => {
      // From here this transaction has the change clock, so a store that another call just added is visible.
      const change = { seq: await nextChange(tx), at: deps.clock.now() };
      const link = await findLinked(tx, placeDirectory.name, directoryPlaceId);
      const added = link ?? (found && (await linkToStore(deps, tx, { directoryPlaceId, sandbox, ...found })));
      if (added && (await shareStore(tx, added.storeId, sandbox, change))) await notifyChange(tx);
      return added;
    };
    const added = await writers.run(ownerOf(caller), () => retryTransaction(db, write));
    if (added) inventory.evict(added.storeId);
    return added;
  };
}

async function findPlace(deps: Deps, caller: PlaceCaller, directoryPlaceId: string): Promise<FoundPlace | undefined> {
  if (deps.placeDirectory.isBilled) await spendLookup(deps, caller);
  const place = await deps.placeDirectory.find(directoryPlaceId);
  const store = place && cacheableStoreOf({ ...place, placeId: directoryPlaceId }, deps);
  return place && store && { place, store };
}

async function findLinked(sql: Sql, directory: string, directoryPlaceId: string): Promise<PlaceLink | undefined> {
  const [link] = await findPlaceLinks(sql, directory, [directoryPlaceId]);
  return link?.isListed ? link : undefined;
}

/** Links the place to a listed store at the same spot, or makes it a new store. */
async function linkToStore(
  deps: { clock: Clock; placeDirectory: PlaceDirectory },
  tx: Sql,
  { directoryPlaceId, sandbox, place, store }: FoundPlace & { directoryPlaceId: string; sandbox: Sandbox },
): Promise<AddedPlace> {
  const directory = deps.placeDirectory.name;
  const same = (await findSameStores(tx, [place], sandbox)).get(place.placeId);
  const audience = sandbox === null ? 'everyone' : { sandbox };
  const storeId = same?.storeId ?? (await writePlaceStore(deps, tx, { store, audience }));
  const placeId = placeIdOf(directory, directoryPlaceId);
  await savePlaceLink(tx, { directory, directoryPlaceId, placeId, storeId }, deps.clock.now());
  // The write may have merged the store into another store.
  const linked = await findLinked(tx, directory, directoryPlaceId);
  return linked ?? { storeId, placeId, storeType: same?.storeType ?? store.profile.type };
}

/** Writes the store as an import does, with its caching deadline. The caller must have locked the change clock. */
export async function writePlaceStore(
  deps: { clock: Clock; placeDirectory: PlaceDirectory },
  tx: Sql,
  { store, audience }: { store: FeedStore; audience: Audience },
): Promise<string> {
  const at = deps.clock.now();
  const storeId = await writeBareStore(tx, { source: PLACES_SOURCE, store, at, audience });
  await updateStore(tx, storeId, { refreshBy: cachedUntilOf(deps.placeDirectory, at)?.toString() ?? null });
  return storeId;
}

/** Returns the end of caching: a day before the directory's limit, so that an outage of a day does not break it. */
function cachedUntilOf({ maxCacheDays }: PlaceDirectory, at: Temporal.Instant): Temporal.Instant | null {
  return maxCacheDays === null ? null : at.add({ hours: 24 * (maxCacheDays - 1) });
}

/**
 * Converts a place to a store; undefined if it cannot be one. If the directory limits caching, the store has only name,
 * address, coordinate and type (docs/adr/0009-what-is-kept-of-a-directory.md).
 */
export function cacheableStoreOf(
  place: Place,
  { placeDirectory }: { placeDirectory: PlaceDirectory },
): FeedStore | undefined {
  const { name, maxCacheDays } = placeDirectory;
  const kept =
    maxCacheDays === null
      ? place
      : { ...place, phone: '', hours: null, datedRules: null, cuisines: [], brand: null, link: '', origins: [] };
  const placed = storeOfPlace(kept);
  return placed.ok ? { ...placed.store, externalId: `${name}:${place.placeId}` } : undefined;
}
