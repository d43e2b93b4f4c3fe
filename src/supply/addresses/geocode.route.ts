import { Type } from 'typebox';
import { describedObject } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { addressText } from './address-parameter.ts';
import { MAX_RESULTS, PRECISIONS, partsOf } from './geocoder.ts';
import { type Geocoding, REFUSES_ADDRESS } from './geocoding.cache.ts';

const schema = {
  operationId: 'geocode',
  summary: 'Find the coordinate of an address, or the address at a coordinate',
  description:
    'For addresses, postal codes and cities in the US and Canada. Every endpoint that needs a coordinate takes `address` instead of it, and looks it up in the same way. Sandbox keys of a service without a geocoder look up the addresses, postal codes and cities of its stores. Without `address`, the coordinate is looked up.',
  example: { query: { address: '60607' } },
  querystring: Type.Object(
    {
      address: Type.Optional(addressText('An address on one line, a postal code, or a city and its state.')),
      latitude: Type.Optional(
        Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north, of a place in the US or Canada.' }),
      ),
      longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east.' })),
    },
    {
      dependentRequired: { latitude: ['longitude'], longitude: ['latitude'] },
      if: { anyOf: [{ required: ['latitude'] }, { required: ['longitude'] }] },
      else: { required: ['address'] },
    },
  ),
  response: {
    200: describedObject('The matches; none is 422 `address_not_found`.', {
      results: Type.Array(
        Type.Object({
          latitude: Type.Number({ description: 'Degrees north.' }),
          longitude: Type.Number({ description: 'Degrees east.' }),
          address: Type.String({ description: "The geocoder's spelling of what it found, on one line." }),
          components: describedObject('The parts of `address`, as an order takes them; empty where unknown.', {
            street_num: Type.String({ description: 'Of the house, which rural addresses may lack.' }),
            street_name: Type.String(),
            apt_num: Type.String(),
            city: Type.String(),
            state: Type.String({ description: 'The code of the state, province or territory.' }),
            zipcode: Type.String(),
          }),
          precision: Type.Enum([...PRECISIONS], {
            description:
              '`rooftop`: the building. `street`: a point of the street, estimated from house numbers where there is one. `postal_code`, `city`: the middle of it.',
          }),
        }),
        { description: `1 to ${MAX_RESULTS}, best first.` },
      ),
    }),
  },
};

export function geocodeRoute(http: Http, { geocoding }: { geocoding: Geocoding }): void {
  http.get(
    '/utils/geocode',
    { schema, config: { scope: 'read', publishable: true, refuses: REFUSES_ADDRESS } },
    async ({ caller, query }) => {
      const { address: text, latitude, longitude } = query;
      const found = await (text === undefined && latitude !== undefined && longitude !== undefined
        ? geocoding.findAt(caller, { latitude, longitude })
        : geocoding.find(caller, text ?? '', { in: 'query', name: 'address' }));
      return {
        results: found.map((match) => {
          const { latitude, longitude, address, precision } = match;
          const { streetNum, streetName, aptNum, city, state, zipcode } = partsOf(match);
          const components = { street_num: streetNum, street_name: streetName, apt_num: aptNum, city, state, zipcode };
          return { latitude, longitude, address, components, precision };
        }),
      };
    },
  );
}
