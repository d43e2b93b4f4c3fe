import type { ReportLeftOut } from 'doorstep/plugin';
import {
  codeWord,
  fetchText,
  isJsonObject,
  type JsonObject,
  jsonRequest,
  listIn,
  MAX_PLACES,
  memberOf,
  OutsideError,
  objectIn,
  objectsIn,
  type PlaceDirectory,
  type PlaceQuery,
  parseJsonObject,
  type TextAnswer,
} from 'doorstep/plugin';
import type { Logger } from 'pino';
import { googlePlaceOf } from './place.ts';

/** Maximum radius of a circle (SearchTextRequest, LocationBias). */
const MAX_BIAS_METERS = 50_000;

/**
 * Google's terms allow caching a coordinate for 30 days, and a place id indefinitely (Google Maps Platform Service
 * Specific Terms; ADR 9).
 */
const MAX_CACHE_DAYS = 30;

/** Fields needed to add a place. Google charges by requested fields. */
const FOUND_FIELDS =
  `id displayName primaryType types addressComponents location internationalPhoneNumber businessStatus
  googleMapsUri`.split(/\s+/);

/** Further fields shown in search results. */
const SHOWN_FIELDS = [...FOUND_FIELDS, 'regularOpeningHours.periods'];

/** Format of Google's place ids. Other texts cause no call. */
const PLACE_ID = /^[\w-]{1,1024}$/;

/**
 * Calls the Google Places API (New). Without `pageSize`, whose name differs between API versions, a search returns up
 * to 20 places, which is enough.
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
      const listed = listIn(answer, 'places');
      const found = listed.flatMap((place) => (isJsonObject(place) ? (googlePlaceOf(place) ?? []) : []));
      const unread = listed.length - found.length;
      if (unread > 0) options.reportLeftOut('place', 'places of the directory could not be read', {}, unread);
      return found.slice(0, MAX_PLACES);
    },
    async find(placeId) {
      if (!PLACE_ID.test(placeId)) return undefined;
      const answer = await call({ path: `/v1/places/${placeId}`, fields: FOUND_FIELDS });
      if (answer === undefined) return undefined;
      const place = googlePlaceOf(answer);
      // Undefined would mean that the place is gone, and its store would leave search.
      if (!place) throw unreadable('readable place');
      return place;
    },
  };
}

function searchTextRequestOf({ text, near, isOpenOnly }: PlaceQuery): object {
  const bias = near && {
    circle: {
      center: { latitude: near.latitude, longitude: near.longitude },
      radius: Math.min(near.radiusMeters, MAX_BIAS_METERS),
    },
  };
  return { textQuery: text, ...(bias ? { locationBias: bias } : {}), ...(isOpenOnly ? { openNow: true } : {}) };
}

type GoogleOptions = {
  apiKey: string;
  log: Pick<Logger, 'error'>;
  reportLeftOut: ReportLeftOut;
  baseUrl?: string;
  timeoutMs?: number;
};

/** A call; with a body it is a POST. `fields` is the field mask. */
type GoogleCall = { path: string; fields: readonly string[]; body?: object };

const BASE_URL = 'https://places.googleapis.com';
/** Time-out of a call. People wait for the response. */
const TIMEOUT_MS = 5_000;
const QUOTA_RETRY_AFTER_SECONDS = 60;
const MAX_RETRY_AFTER_SECONDS = 3600;
const PARTY = 'The place directory';
/** Limits of a response. Twenty places with these fields are about 100 kB. */
const CALLED_PARTY = { party: PARTY, host: 'Google', maxBytes: 2 * 1024 * 1024 };

/**
 * Calls Google's REST API; undefined for an unknown place. The key is sent in a header only. Errors have a status and
 * Google's code, never its message. A refused key is logged once per process.
 */
function createGoogleCall(options: GoogleOptions): (call: GoogleCall) => Promise<JsonObject | undefined> {
  const { apiKey, log, baseUrl = BASE_URL, timeoutMs = TIMEOUT_MS } = options;
  let isKeyFaultLogged = false;
  const logKeyFault = (sentence: string) => {
    if (!isKeyFaultLogged)
      log.error(`${sentence} Check GOOGLE_PLACES_API_KEY and that Places API (New) is enabled for it.`);
    isKeyFaultLogged = true;
  };
  return async ({ path, fields, body }) => {
    const headers = { 'x-goog-api-key': apiKey, 'x-goog-fieldmask': fields.join(',') };
    const init = jsonRequest(body ? 'POST' : 'GET', headers, body);
    const answer = await fetchText(`${baseUrl}${path}`, init, { ...CALLED_PARTY, timeoutMs });
    if (answer.status !== 200) return refusedOrMissing(answer, logKeyFault);
    const read = parseJsonObject(answer.text);
    if (!read) throw unreadable('readable body');
    return read;
  };
}

/** Creates the error for a response that contradicts Google's documentation. */
const unreadable = (what: string): OutsideError =>
  new OutsideError(PARTY, `Google's response lacks ${what}.`, { retryable: true });

/**
 * Returns undefined for a missing place: 404 if it no longer exists, 400 for an id that never existed
 * (developers.google.com, Place IDs).
 */
function refusedOrMissing({ status, text, headers }: TextAnswer, logKeyFault: (sentence: string) => void): undefined {
  const error = objectIn(parseJsonObject(text) ?? {}, 'error');
  const code = codeWord(memberOf(error, 'status'));
  const said = `Google returned ${status} (${code ?? 'no code'}).`;
  const isKeyRefused = status === 401 || status === 403 || isKeyInvalid(error);
  if (isKeyRefused) logKeyFault(said);
  else if (status === 404 || (status === 400 && code === 'INVALID_ARGUMENT')) return undefined;
  const retryAfterSeconds =
    status === 429 || code === 'RESOURCE_EXHAUSTED' ? secondsOf(headers.get('retry-after')) : undefined;
  const retryable = status === 429 || status >= 500 || status < 400;
  throw new OutsideError(PARTY, said, { retryable, retryAfterSeconds });
}

/** Whether the key is invalid. Google then answers 400 INVALID_ARGUMENT, as for a malformed id, with another reason. */
const isKeyInvalid = (error: JsonObject): boolean =>
  objectsIn(error, 'details').some((detail) => /^API_KEY_/.test(String(memberOf(detail, 'reason'))));

function secondsOf(retryAfter: string | null): number {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : QUOTA_RETRY_AFTER_SECONDS;
  return Math.min(Math.max(1, seconds), MAX_RETRY_AFTER_SECONDS);
}
