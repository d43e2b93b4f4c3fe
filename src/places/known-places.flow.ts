import type { Sandbox } from '../accounts/account.ts';
import type { Db, Sql } from '../db/connect.ts';
import type { Place } from '../imports/open-data/place.ts';
import { findNearby, type StoreNearby } from '../stores/merges/find-nearby.db.ts';
import { type ComparedPlace, samePlace } from '../stores/merges/same-place.ts';
import { phoneNumberOf } from '../stores/phone-number.ts';
import { existsFor } from '../stores/store.ts';
import type { PlaceDirectory } from './place-directory.ts';
import { placeIdOf } from './place-id.ts';
import { findPlaceLinks } from './places.db.ts';
import type { KnownPlace } from './present-place.ts';

/**
 * The stores that these places already are for a sandbox, or for live callers, by the directory's id: a store that the
 * place was added as, or a listed store at the same spot. Two queries for any number of places.
 */
export async function findKnownPlaces(
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
    if (link.isListed && existsFor(link, sandbox)) known.set(directoryPlaceId, { storeId, placeId });
  }
  const unknown = places.filter(({ placeId }) => !known.has(placeId));
  const stores = await findSameStores(db, unknown, sandbox);
  for (const { placeId } of unknown) {
    const store = stores.get(placeId);
    if (store && existsFor(store, sandbox))
      known.set(placeId, { storeId: store.storeId, placeId: placeIdOf(placeDirectory.name, placeId) });
  }
  return known;
}

/**
 * The listed store that each place is, if any: of several the nearest that exists for the sandbox, or for live callers,
 * else the nearest. One query.
 */
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
      return sameness ? [{ store, metres: sameness.metres, isHidden: !existsFor(store, sandbox) }] : [];
    });
    const [nearest] = same.sort((a, b) => Number(a.isHidden) - Number(b.isHidden) || a.metres - b.metres);
    if (nearest) found.set(place.placeId, nearest.store);
  }
  return found;
}

function comparedPlaceOf({ name, brand, phone, country, latitude, longitude }: Place): ComparedPlace {
  const phoneNumber = phone === '' ? null : phoneNumberOf(phone, country ?? 'US');
  return { name, brand, phoneNumber, latitude, longitude };
}
