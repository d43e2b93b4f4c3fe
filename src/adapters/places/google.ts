import type { Place } from '../../imports/open-data/place.ts';
import { isJsonObject, listIn } from '../../lib/json-object.ts';
import { MAX_PLACES, type PlaceDirectory, type PlaceQuery } from '../../places/place-directory.ts';
import { createGoogleCall, type GoogleOptions, unreadable } from './google-call.ts';
import { googlePlaceOf } from './google-place.ts';

/** A circle may not be wider (SearchTextRequest, LocationBias). */
const WIDEST_BIAS_METRES = 50_000;

/**
 * Google's terms let a coordinate be kept for 30 days, and a place id for good (Google Maps Platform Service Specific
 * Terms; ADR 9).
 */
const MAX_CACHE_DAYS = 30;

/** Fields of a Place that adding it reads. Google charges by the requested fields. */
const FOUND_FIELDS = [
  'id',
  'displayName',
  'primaryType',
  'types',
  'addressComponents',
  'location',
  'internationalPhoneNumber',
  'businessStatus',
  'googleMapsUri',
];

/** Further fields that a search result shows. */
const SHOWN_FIELDS = [...FOUND_FIELDS, 'regularOpeningHours.periods'];

/** Google's place ids are URL-safe texts; for any other text no call is made. */
const PLACE_ID = /^[\w-]{1,1024}$/;

/**
 * Google Places API (New). A search without `pageSize` answers with up to 20 places, which is enough; the parameter's
 * name differs between versions of the API.
 */
export function createGooglePlaces(options: GoogleOptions): PlaceDirectory {
  const call = createGoogleCall(options);
  return {
    name: 'google',
    maxCacheDays: MAX_CACHE_DAYS,
    isBilled: true,
    async search(query) {
      const fields = SHOWN_FIELDS.map((field) => `places.${field}`);
      const answer = await call({ path: '/v1/places:searchText', fields, body: searchTextRequestOf(query) });
      if (answer === undefined) throw unreadable('places');
      const found = listIn(answer, 'places').filter(isJsonObject).map(googlePlaceOf);
      return found.filter((place): place is Place => place !== undefined).slice(0, MAX_PLACES);
    },
    async find(placeId) {
      if (!PLACE_ID.test(placeId)) return undefined;
      const answer = await call({ path: `/v1/places/${placeId}`, fields: FOUND_FIELDS });
      return answer && googlePlaceOf(answer);
    },
  };
}

function searchTextRequestOf({ text, near, isOpenOnly }: PlaceQuery): object {
  const bias = near && {
    circle: {
      center: { latitude: near.latitude, longitude: near.longitude },
      radius: Math.min(near.radiusMetres, WIDEST_BIAS_METRES),
    },
  };
  return { textQuery: text, ...(bias ? { locationBias: bias } : {}), ...(isOpenOnly ? { openNow: true } : {}) };
}
