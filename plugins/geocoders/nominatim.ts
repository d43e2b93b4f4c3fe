import type { Geocoder, Precision } from 'doorstep/plugin';
import {
  type GeocoderOptions,
  geocodeBy,
  type JsonObject,
  memberOf,
  objectIn,
  parseJsonObject,
  parseJsonObjects,
  type StatedResult,
} from 'doorstep/plugin';

const HOST = 'Nominatim';
const QUERY = { format: 'jsonv2', addressdetails: '1', 'accept-language': 'en' };

/** Calls Nominatim, a geocoder of OpenStreetMap's data, at the operator's URL or the public server. */
export function createNominatimGeocoder({ baseUrl, timeoutMs }: GeocoderOptions & { baseUrl: string }): Geocoder {
  return {
    async geocode(text) {
      const query = { ...QUERY, limit: '5', countrycodes: 'us,ca', q: text };
      return geocodeBy(`${baseUrl}/search`, query, { host: HOST, timeoutMs }, (answer) =>
        answer.status === 200 ? parseJsonObjects(answer.text)?.map(statedResult) : undefined,
      );
    },
    async reverseGeocode({ latitude, longitude }) {
      const query = { ...QUERY, lat: String(latitude), lon: String(longitude) };
      return geocodeBy(`${baseUrl}/reverse`, query, { host: HOST, timeoutMs }, (answer) => {
        // One result, or an `error` where nothing is near.
        const read = answer.status === 200 ? parseJsonObject(answer.text) : undefined;
        return read && [statedResult(read)];
      });
    },
  };
}

function statedResult(result: JsonObject): StatedResult {
  const address = objectIn(result, 'address');
  const part = (...names: readonly string[]) => names.map((name) => memberOf(address, name)).find(Boolean);
  return {
    latitude: decimalOf(memberOf(result, 'lat')),
    longitude: decimalOf(memberOf(result, 'lon')),
    country: part('country_code'),
    parts: {
      streetNum: part('house_number'),
      streetName: part('road', 'pedestrian', 'footway', 'residential', 'square'),
      city: part('city', 'town', 'village', 'hamlet', 'municipality', 'borough', 'suburb'),
      state: part('ISO3166-2-lvl4', 'state'),
      zipcode: part('postcode'),
    },
    line: memberOf(result, 'display_name'),
    precision: precisionOf(result),
  };
}

/** Parses a coordinate, which Nominatim writes as text. */
function decimalOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^-?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : undefined;
}

/** Reads Nominatim's rank: 30 is a building, 26 and 27 a street, 13 to 25 a city and its parts. */
function precisionOf(result: JsonObject): Precision | undefined {
  if (memberOf(result, 'addresstype') === 'postcode' || memberOf(result, 'type') === 'postcode') return 'postal_code';
  const rank = memberOf(result, 'place_rank');
  if (typeof rank !== 'number' || rank < 13) return undefined;
  if (rank < 26) return 'city';
  const houseNumber = memberOf(objectIn(result, 'address'), 'house_number');
  // A house number of the category `place` on a way is interpolated along the street.
  const isInterpolated = memberOf(result, 'osm_type') === 'way' && memberOf(result, 'category') === 'place';
  return rank >= 30 && typeof houseNumber === 'string' && !isInterpolated ? 'rooftop' : 'street';
}
