import { Type } from 'typebox';
import type { Http } from '../../platform/http/http.ts';
import { addressText } from './address-parameter.ts';
import { MAX_RESULTS, PRECISIONS, partsOf } from './geocoder.ts';
import { type Geocoding, REFUSES_ADDRESS } from './geocoding.cache.ts';

const schema = {
  operationId: 'geocode',
  tags: ['Places'],
  summary: 'Find the coordinate of an address',
  description:
    'For addresses, postal codes and cities in the US and Canada. Every endpoint that needs a coordinate takes `address` instead of it, and looks it up in the same way. Sandbox keys of a service without a geocoder look up the addresses, postal codes and cities of its stores.',
  example: { query: { address: '60607' } },
  querystring: Type.Object({
    address: addressText('An address on one line, a postal code, or a city and its state.'),
  }),
  response: {
    200: Type.Object(
      {
        results: Type.Array(
          Type.Object({
            latitude: Type.Number({ description: 'Degrees north.' }),
            longitude: Type.Number({ description: 'Degrees east.' }),
            address: Type.String({ description: "The geocoder's spelling of what it found, on one line." }),
            components: Type.Object(
              {
                street_num: Type.String({ description: 'Of the house, which rural addresses may lack.' }),
                street_name: Type.String(),
                apt_num: Type.String(),
                city: Type.String(),
                state: Type.String({ description: 'The code of the state, province or territory.' }),
                zipcode: Type.String(),
              },
              { description: 'The parts of `address`, as an order takes them; empty where unknown.' },
            ),
            precision: Type.Enum([...PRECISIONS], {
              description:
                '`rooftop`: the building. `street`: a point of the street, estimated from house numbers where there is one. `postal_code`, `city`: the middle of it.',
            }),
          }),
          { description: `1 to ${MAX_RESULTS}, best first.` },
        ),
      },
      { description: 'The matches; none is 422 `address_not_found`.' },
    ),
  },
};

export function geocodeRoute(http: Http, { geocoding }: { geocoding: Geocoding }): void {
  http.get(
    '/utils/geocode',
    { schema, config: { scope: 'read', publishable: true, refuses: REFUSES_ADDRESS } },
    async ({ caller, query }) => {
      const found = await geocoding.find(caller, query.address, { in: 'query', name: 'address' });
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
