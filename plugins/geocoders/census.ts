import type { Geocoder } from 'doorstep/plugin';
import {
  type GeocoderOptions,
  geocodeBy,
  isJsonObject,
  type JsonObject,
  memberOf,
  objectIn,
  objectsIn,
  parseJsonObject,
  readStreet,
  type StatedResult,
} from 'doorstep/plugin';

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

/** The parts belong to the street's range of numbers; the number itself is only in the matched line. */
function statedResult(match: JsonObject): StatedResult {
  const coordinates = objectIn(match, 'coordinates');
  const parts = objectIn(match, 'addressComponents');
  const line = memberOf(match, 'matchedAddress');
  const street = typeof line === 'string' ? readStreet(line.split(',')[0] ?? '') : {};
  return {
    latitude: memberOf(coordinates, 'y'),
    longitude: memberOf(coordinates, 'x'),
    parts: {
      ...street,
      city: memberOf(parts, 'city'),
      state: memberOf(parts, 'state'),
      zipcode: memberOf(parts, 'zip'),
    },
    line,
    country: 'US',
    precision: 'street',
  };
}
