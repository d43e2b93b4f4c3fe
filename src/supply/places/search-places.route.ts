import { Type } from 'typebox';
import { describedObject } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { EXAMPLE_DOOR } from '../stores/example-store.ts';
import { placeSearchParameters } from './place-search-request.ts';
import { PlaceSchema } from './present-place.ts';
import { type LookupDeps, searchPlaces } from './search-places.flow.ts';

const schema = {
  operationId: 'searchPlaces',
  summary: 'Search for a place in the directory',
  description:
    "Finds businesses that store search doesn't return. A place that is already in the service includes its store's ID. Add any other place with add_store.",
  example: {
    query: {
      search: 'tea house',
      location_bias_latitude: EXAMPLE_DOOR.latitude,
      location_bias_longitude: EXAMPLE_DOOR.longitude,
      location_bias_radius: 20_000,
    },
  },
  querystring: placeSearchParameters,
  response: {
    200: describedObject('The places found. The list is empty if nothing matches.', {
      places: Type.Array(PlaceSchema, { description: 'Up to 20 places, best first.' }),
    }),
  },
};

const REFUSES = ['upstream_unavailable'] as const;

export function searchPlacesRoute(http: Http, deps: LookupDeps): void {
  http.get('/places/search', { schema, config: { scope: 'read', refuses: REFUSES } }, async ({ caller, query }) => ({
    places: await searchPlaces(deps, caller, query),
  }));
}
