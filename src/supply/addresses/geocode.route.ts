import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { describedObject, number, text } from '../../platform/http/api-components.ts';
import { readAddressLine } from '../stores/address-line.ts';
import { addressText } from './address-parameter.ts';
import { MAX_RESULTS, PRECISIONS, partsOf } from './geocoder.ts';
import { type Geocoding, REFUSES_ADDRESS } from './geocoding.cache.ts';

export const geocodeOperation = operation({
  name: 'geocode',
  endpoint: 'GET /utils/geocode',
  summary: 'Geocode an address or a coordinate',
  description:
    'Returns the coordinate of an address, postal code or city in the US or Canada. Without `address`, returns the address at the coordinate. Endpoints that require a coordinate also accept `address` and geocode it the same way. Without a geocoder, sandbox keys can geocode the addresses, postal codes and cities of stores.',
  example: { query: { address: '60607' } },
  query: Type.Object(
    {
      address: Type.Optional(addressText('An address on one line, a postal code, or a city and its state.')),
      latitude: Type.Optional(
        Type.Number({ minimum: -90, maximum: 90, description: 'The latitude of a place in the US or Canada.' }),
      ),
      longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'The longitude in degrees.' })),
    },
    {
      dependentRequired: { latitude: ['longitude'], longitude: ['latitude'] },
      if: { anyOf: [{ required: ['latitude'] }, { required: ['longitude'] }] },
      else: { required: ['address'] },
    },
  ),
  answer: describedObject('The matches. If nothing matches, returns 422 `address_not_found`.', {
    results: Type.Array(
      Type.Object({
        latitude: number('The latitude in degrees.'),
        longitude: number('The longitude in degrees.'),
        address: text("The geocoder's spelling of the match, on one line."),
        components: describedObject('The parts of `address` in the format of an order. A field is empty if unknown.', {
          street_num: text('The house number, which rural addresses may lack.'),
          street_name: Type.String(),
          apt_num: Type.String(),
          city: Type.String(),
          state: text("The state's, province's or territory's code."),
          zipcode: Type.String(),
        }),
        precision: Type.Enum([...PRECISIONS], {
          description:
            '`rooftop`: the building. `street`: a point on the street, estimated from house numbers if possible. `postal_code`, `city`: its center.',
        }),
      }),
      { description: `From 1 to ${MAX_RESULTS} matches, best first.` },
    ),
  }),
  refuses: REFUSES_ADDRESS,
  on: { account: { scope: 'read', config: { publishable: true } } },
}).run(async ({ geocoding }: { geocoding: Geocoding }, { by: { caller }, query }) => {
  const { address: text, latitude, longitude } = query;
  const found = await (text === undefined && latitude !== undefined && longitude !== undefined
    ? geocoding.findAt(caller, { latitude, longitude })
    : geocoding.find(caller, text ?? '', { in: 'query', name: 'address' }));
  return {
    results: found.map((match) => {
      const { latitude, longitude, address, precision } = match;
      const { streetNum, streetName, aptNum, city, state, zipcode } = partsOf(match);
      const typed = aptNum || (text === undefined ? '' : readAddressLine(text).aptNum);
      const components = { street_num: streetNum, street_name: streetName, apt_num: typed, city, state, zipcode };
      return { latitude, longitude, address, components, precision };
    }),
  };
});
