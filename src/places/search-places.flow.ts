import type { Static } from 'typebox';
import { type Caller, sandboxOf } from '../accounts/account.ts';
import { findKnownPlaces } from './known-places.flow.ts';
import type { PlaceQuery } from './place-directory.ts';
import type { PlaceSearchParameters } from './place-search-request.ts';
import { DEFAULT_RADIUS_METRES } from './place-search-request.ts';
import { type PlaceSchema, presentPlace } from './present-place.ts';
import { type LookupDeps, spendLookup } from './spend-lookup.flow.ts';

/** At most 20 places of the directory, best first. Refuses with rate_limited and upstream_unavailable. */
export async function searchPlaces(
  deps: LookupDeps,
  caller: Caller,
  given: PlaceSearchParameters,
): Promise<Static<typeof PlaceSchema>[]> {
  await spendLookup(deps, caller);
  const places = await deps.placeDirectory.search(placeQueryOf(given, deps.clock.now()));
  const known = await findKnownPlaces(deps, places, sandboxOf(caller));
  return places.map((place) => presentPlace(place, known.get(place.placeId)));
}

function placeQueryOf(given: PlaceSearchParameters, now: Temporal.Instant): PlaceQuery {
  const { location_bias_latitude: latitude, location_bias_longitude: longitude } = given;
  const radiusMetres = given.location_bias_radius ?? DEFAULT_RADIUS_METRES;
  const near = latitude === undefined || longitude === undefined ? null : { latitude, longitude, radiusMetres };
  return { text: given.search, near, isOpenOnly: given.open_filter ?? false, now };
}
