import type { Geocoder, Precision } from 'doorstep/plugin';
import {
  type GeocoderOptions,
  geocodeBy,
  type JsonObject,
  listIn,
  memberOf,
  objectIn,
  objectsIn,
  parseJsonObject,
  type StatedResult,
} from 'doorstep/plugin';

const HOST = 'Photon';
/** Requests more results than it returns, because places outside of the US and Canada are dropped. */
const LIMIT = '10';

/** Calls Photon, a geocoder of OpenStreetMap's data, at the operator's URL. */
export function createPhotonGeocoder({ baseUrl, timeoutMs }: GeocoderOptions & { baseUrl: string }): Geocoder {
  const find = (path: string, where: Readonly<Record<string, string>>) => {
    const query = { ...where, limit: LIMIT, lang: 'en' };
    return geocodeBy(`${baseUrl}${path}`, query, { host: HOST, timeoutMs }, (answer) => {
      const read = parseJsonObject(answer.text);
      if (answer.status !== 200 || !read || !Array.isArray(memberOf(read, 'features'))) return undefined;
      return objectsIn(read, 'features').map(statedResult);
    });
  };
  return {
    geocode: (text) => find('/api', { q: text }),
    reverseGeocode: ({ latitude, longitude }) => find('/reverse', { lat: String(latitude), lon: String(longitude) }),
  };
}

function statedResult(feature: JsonObject): StatedResult {
  const [longitude, latitude] = listIn(objectIn(feature, 'geometry'), 'coordinates');
  const properties = objectIn(feature, 'properties');
  return {
    latitude,
    longitude,
    country: memberOf(properties, 'countrycode'),
    parts: statedParts(properties),
    line: ['name', 'city', 'state', 'postcode', 'country']
      .map((name) => textIn(properties, name))
      .filter(Boolean)
      .join(', '),
    precision: precisionOf(properties),
  };
}

/** A street, a city or a postal code is its own feature's name. */
function statedParts(properties: JsonObject): StatedResult['parts'] {
  const of = (name: string) => textIn(properties, name);
  const precision = precisionOf(properties);
  return {
    streetNum: of('housenumber'),
    streetName: of('street') || (of('type') === 'street' ? of('name') : ''),
    city: precision === 'city' ? of('name') : of('city') || of('locality') || of('district'),
    state: of('state'),
    zipcode: of('postcode') || (precision === 'postal_code' ? of('name') : ''),
  };
}

function precisionOf(properties: JsonObject): Precision | undefined {
  if (memberOf(properties, 'osm_value') === 'postcode') return 'postal_code';
  const type = memberOf(properties, 'type');
  if (type === 'house') return textIn(properties, 'housenumber') === '' ? 'street' : 'rooftop';
  if (type === 'street') return 'street';
  return type === 'city' || type === 'district' || type === 'locality' ? 'city' : undefined;
}

function textIn(properties: JsonObject, name: string): string {
  const value = memberOf(properties, name);
  return typeof value === 'string' ? value : '';
}
