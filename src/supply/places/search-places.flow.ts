import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import { type Caller, type Sandbox, sandboxOf } from '../../access/accounts/account.ts';
import { type LookupBudgetDeps, spendLookup } from '../../access/budgets/spend-lookup.flow.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { readPhone } from '../../platform/lib/phone.ts';
import { findNearby, type StoreNearby } from '../stores/merges/merges.db.ts';
import { type ComparedPlace, samePlace } from '../stores/merges/same-place.ts';
import { isStoreOpenAt } from '../stores/open-state.ts';
import { isVisibleTo } from '../stores/store.ts';
import { findStores } from '../stores/stores.db.ts';
import type { Place } from './place.ts';
import { MAX_PLACES, type PlaceDirectory, type PlaceQuery } from './place-directory.ts';
import { DEFAULT_RADIUS_METERS, type PlaceSearchParameters } from './place-search-request.ts';
import { findPlaceLinks } from './places.db.ts';
import { type KnownPlace, type PlaceSchema, presentPlace } from './present-place.ts';

/**
 * Finds up to 20 places, best first. A store's own hours decide whether it is open, so that an open search also reads
 * the matches that the directory considers closed. Refuses with `rate_limited` and `upstream_unavailable`.
 */
export async function searchPlaces(
  deps: LookupDeps,
  caller: Caller,
  given: PlaceSearchParameters,
): Promise<Static<typeof PlaceSchema>[]> {
  const query = placeQueryOf(given, deps.clock.now());
  const search = async (isOpenOnly: boolean) => {
    if (deps.placeDirectory.isBilled) await spendLookup(deps, caller);
    const found = await deps.placeDirectory.search({ ...query, isOpenOnly });
    return new Map(found.map((place) => [place.placeId, place]));
  };
  const matches = await search(false);
  const open = query.isOpenOnly ? await search(true) : matches;
  const places = [...new Map([...matches, ...open]).values()];
  const known = await findKnownPlaces(deps, places, sandboxOf(caller));
  const stores = await findStores(deps.db, [...new Set(known.values().map(({ storeId }) => storeId))]);
  const shown = places.flatMap((place) => {
    const ids = known.get(place.placeId);
    const store = stores.find(({ storeId }) => storeId === ids?.storeId);
    const hasHours = query.isOpenOnly && store?.hours.operational;
    const isShown = hasHours ? isStoreOpenAt(store, 'operational', query.now) : open.has(place.placeId);
    return isShown ? [presentPlace(place, ids, store)] : [];
  });
  return shown.slice(0, MAX_PLACES);
}

function placeQueryOf(given: PlaceSearchParameters, now: Temporal.Instant): PlaceQuery {
  const { location_bias_latitude: latitude, location_bias_longitude: longitude } = given;
  const radiusMeters = given.location_bias_radius ?? DEFAULT_RADIUS_METERS;
  const near = latitude === undefined || longitude === undefined ? null : { latitude, longitude, radiusMeters };
  return { text: given.search, near, isOpenOnly: given.open_filter ?? false, now };
}

export type LookupDeps = LookupBudgetDeps & { placeDirectory: PlaceDirectory };

/**
 * Finds the existing store of each place, by directory id, for a sandbox or live callers: the added store, or a listed
 * one at the same spot. Two queries for any number of places.
 */
async function findKnownPlaces(
  { db, placeDirectory }: { db: Db; placeDirectory: PlaceDirectory },
  places: readonly Place[],
  sandbox: Sandbox,
): Promise<ReadonlyMap<string, KnownPlace>> {
  const known = new Map<string, KnownPlace>();
  const links = await findPlaceLinks(
    db,
    placeDirectory.name,
    places.map(({ placeId }) => placeId),
  );
  for (const { directoryPlaceId, storeId, placeId, ...link } of links) {
    if (link.isListed && isVisibleTo(link, sandbox)) known.set(directoryPlaceId, { storeId, placeId });
  }
  const unknown = places.filter(({ placeId }) => !known.has(placeId));
  const stores = await findSameStores(db, unknown, sandbox);
  for (const { placeId } of unknown) {
    const store = stores.get(placeId);
    if (store && isVisibleTo(store, sandbox))
      known.set(placeId, { storeId: store.storeId, placeId: placeIdOf(placeDirectory.name, placeId) });
  }
  return known;
}

/** Finds each place's listed store: the nearest visible to the callers, or just the nearest. One query. */
export async function findSameStores(
  sql: Sql,
  places: readonly Place[],
  sandbox: Sandbox,
): Promise<ReadonlyMap<string, StoreNearby>> {
  const found = new Map<string, StoreNearby>();
  const around = await findNearby(sql, places, { placesOnly: false });
  for (const [nth, place] of places.entries()) {
    const one = comparedPlaceOf(place);
    const same = (around[nth] ?? []).flatMap((store) => {
      const sameness = samePlace(one, store);
      return sameness ? [{ store, meters: sameness.meters, isHidden: !isVisibleTo(store, sandbox) }] : [];
    });
    const [nearest] = same.sort((a, b) => Number(a.isHidden) - Number(b.isHidden) || a.meters - b.meters);
    if (nearest) found.set(place.placeId, nearest.store);
  }
  return found;
}

function comparedPlaceOf({ name, brand, phone, latitude, longitude }: Place): ComparedPlace {
  return { name, brand, phoneNumber: readPhone(phone)?.number ?? null, latitude, longitude };
}

/** Returns this service's id of a directory place, equal in every database, before and after the place is added. */
export function placeIdOf(directory: string, directoryPlaceId: string): string {
  return hash('sha256', `place\n${directory}\n${directoryPlaceId}`).slice(0, 24);
}
