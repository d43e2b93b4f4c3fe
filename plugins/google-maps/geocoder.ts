import type { Geocoder, LocatedAddress, Precision } from 'doorstep/plugin';
import {
  callGeocoder,
  codeWord,
  GEOCODER,
  type GeocoderOptions,
  type JsonObject,
  listIn,
  locatedAddresses,
  memberOf,
  OutsideError,
  objectIn,
  objectsIn,
  parseJsonObject,
  quotaUsedUp,
  type StatedResult,
  unreadable,
} from 'doorstep/plugin';
import type { Logger } from 'pino';

const BASE_URL = 'https://maps.googleapis.com';
const HOST = 'Google';
/** Types of the results at a coordinate: no businesses, codes of squares or regions. */
const ADDRESSES = 'street_address|premise|subpremise|route|postal_code|locality';

/** Calls Google's Geocoding API, with its key in the URL: the API takes no header. Errors name only Google's status. */
export function createGoogleGeocoder(
  options: GeocoderOptions & { apiKey: string; log: Pick<Logger, 'error'> },
): Geocoder {
  const { apiKey, log, baseUrl = BASE_URL, timeoutMs } = options;
  let isKeyLogged = false;
  async function find(where: Readonly<Record<string, string>>): Promise<LocatedAddress[]> {
    const query = { ...where, language: 'en', key: apiKey };
    const answer = await callGeocoder(`${baseUrl}/maps/api/geocode/json`, query, { host: HOST, timeoutMs });
    const read = parseJsonObject(answer.text);
    if (!read) throw unreadable(HOST);
    const status = codeWord(memberOf(read, 'status')) ?? 'no status';
    if (status === 'OK') return locatedAddresses(objectsIn(read, 'results').map(statedResult));
    if (status === 'ZERO_RESULTS' || status === 'INVALID_REQUEST') return [];
    if (/^OVER_\w+_LIMIT$/.test(status)) throw quotaUsedUp(HOST);
    const said = `${HOST} answered ${status}.`;
    if (status === 'REQUEST_DENIED' && !isKeyLogged) {
      isKeyLogged = true;
      log.error(`${said} Check GOOGLE_PLACES_API_KEY and that Geocoding API is enabled for it.`);
    }
    throw new OutsideError(GEOCODER, said, { retryable: status !== 'REQUEST_DENIED' });
  }
  return {
    geocode: (text) => find({ address: text, region: 'us' }),
    reverseGeocode: ({ latitude, longitude }) => find({ latlng: `${latitude},${longitude}`, result_type: ADDRESSES }),
  };
}

function statedResult(result: JsonObject): StatedResult {
  const geometry = objectIn(result, 'geometry');
  const location = objectIn(geometry, 'location');
  const components = objectsIn(result, 'address_components');
  const part = (...types: readonly string[]) => {
    const found = types.map((type) => components.find((component) => listIn(component, 'types').includes(type)));
    return memberOf(found.find((component) => component !== undefined) ?? {}, 'short_name');
  };
  return {
    latitude: memberOf(location, 'lat'),
    longitude: memberOf(location, 'lng'),
    country: part('country'),
    parts: {
      streetNum: part('street_number'),
      streetName: part('route'),
      aptNum: part('subpremise'),
      city: part('locality', 'sublocality_level_1', 'postal_town', 'neighborhood', 'administrative_area_level_3'),
      state: part('administrative_area_level_1'),
      zipcode: part('postal_code'),
    },
    line: memberOf(result, 'formatted_address'),
    precision: precisionOf(listIn(result, 'types'), memberOf(geometry, 'location_type')),
  };
}

/** Areas larger than a city, which Google returns if it finds nothing closer. They locate no address. */
const LARGER_AREAS = /^(country|continent|administrative_area_level_\d|colloquial_area|archipelago|natural_feature)$/;
const CITIES = /^(locality|sublocality(_level_\d)?|neighborhood|postal_town)$/;

function precisionOf(types: readonly unknown[], locationType: unknown): Precision | undefined {
  const isA = (pattern: RegExp) => types.some((type) => typeof type === 'string' && pattern.test(type));
  if (isA(/^postal_code/)) return 'postal_code';
  if (isA(CITIES)) return 'city';
  if (isA(LARGER_AREAS)) return undefined;
  return locationType === 'ROOFTOP' ? 'rooftop' : 'street';
}
