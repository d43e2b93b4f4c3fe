import {
  isJsonObject,
  type JsonObject,
  memberOf,
  objectIn,
  objectsIn,
  parseJsonObject,
} from '../../../platform/lib/json-object.ts';
import type { Geocoder } from '../../../supply/addresses/geocoder.ts';
import { type GeocoderOptions, geocodeBy, type StatedResult } from './geocoder-call.ts';

const BASE_URL = 'https://geocoding.geo.census.gov';
const HOST = 'The US Census';

/**
 * Calls the geocoder of the US Census Bureau: free, but only for street addresses in the United States. It interpolates
 * along the house numbers of a street.
 */
export function createCensusGeocoder({ baseUrl = BASE_URL, timeoutMs }: GeocoderOptions = {}): Geocoder {
  return {
    async geocode(text) {
      const query = { address: text, benchmark: 'Public_AR_Current', format: 'json' };
      const url = `${baseUrl}/geocoder/locations/onelineaddress`;
      return geocodeBy(url, query, { host: HOST, timeoutMs }, (answer) => {
        // The Census answers 400 to a text that it cannot read as a street address.
        if (answer.status === 400) return [];
        const read = parseJsonObject(answer.text);
        if (!read || !isJsonObject(memberOf(read, 'result'))) return undefined;
        return objectsIn(objectIn(read, 'result'), 'addressMatches').map(statedResult);
      });
    },
  };
}

function statedResult(match: JsonObject): StatedResult {
  const coordinates = objectIn(match, 'coordinates');
  return {
    latitude: memberOf(coordinates, 'y'),
    longitude: memberOf(coordinates, 'x'),
    address: memberOf(match, 'matchedAddress'),
    country: 'US',
    precision: 'street',
  };
}
