import {
  type JsonObject,
  listIn,
  memberOf,
  objectIn,
  objectsIn,
  parseJsonObject,
} from '../../../platform/lib/json-object.ts';
import type { Geocoder, Precision } from '../../../supply/addresses/geocoder.ts';
import { type GeocoderOptions, geocodeBy, type StatedResult } from './geocoder-call.ts';

const HOST = 'Photon';
/** Requests more results than it returns, because places outside of the US and Canada are dropped. */
const LIMIT = '10';

/** Calls Photon, a geocoder of OpenStreetMap's data, at the operator's URL. */
export function createPhotonGeocoder({ baseUrl, timeoutMs }: GeocoderOptions & { baseUrl: string }): Geocoder {
  return {
    async geocode(text) {
      const query = { q: text, limit: LIMIT, lang: 'en' };
      return geocodeBy(`${baseUrl}/api`, query, { host: HOST, timeoutMs }, (answer) => {
        const read = parseJsonObject(answer.text);
        if (answer.status !== 200 || !read || !Array.isArray(memberOf(read, 'features'))) return undefined;
        return objectsIn(read, 'features').map(statedResult);
      });
    },
  };
}

function statedResult(feature: JsonObject): StatedResult {
  const [longitude, latitude] = listIn(objectIn(feature, 'geometry'), 'coordinates');
  const properties = objectIn(feature, 'properties');
  return {
    latitude,
    longitude,
    address: addressLine(properties),
    country: memberOf(properties, 'countrycode'),
    precision: precisionOf(properties),
  };
}

function precisionOf(properties: JsonObject): Precision | undefined {
  if (memberOf(properties, 'osm_value') === 'postcode') return 'postal_code';
  const type = memberOf(properties, 'type');
  if (type === 'house') return textIn(properties, 'housenumber') === '' ? 'street' : 'rooftop';
  if (type === 'street') return 'street';
  return type === 'city' || type === 'district' || type === 'locality' ? 'city' : undefined;
}

function addressLine(properties: JsonObject): string {
  const of = (name: string) => textIn(properties, name);
  const street = [of('housenumber'), of('street')].filter((part) => part !== '').join(' ');
  const region = [of('state'), of('postcode')].filter((part) => part !== '').join(' ');
  const parts = [street === '' ? of('name') : street, of('city'), region, of('country')];
  return [...new Set(parts.filter((part) => part !== ''))].join(', ');
}

function textIn(properties: JsonObject, name: string): string {
  const value = memberOf(properties, name);
  return typeof value === 'string' ? value : '';
}
