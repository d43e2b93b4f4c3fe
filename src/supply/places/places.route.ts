import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { describedObject, text } from '../../platform/http/api-components.ts';
import type { InventoryCache } from '../catalog/inventory.cache.ts';
import { EXAMPLE_DOOR } from '../stores/example-store.ts';
import { createPlaceAdder } from './add-place.flow.ts';
import { placeSearchParameters } from './place-search-request.ts';
import { PlaceSchema } from './present-place.ts';
import { type LookupDeps, searchPlaces } from './search-places.flow.ts';

const DIRECTORY = {
  refuses: ['upstream_unavailable'],
  on: { account: { scope: 'read' } },
} as const;

/** The directory of places. */
export function placeOperations(deps: LookupDeps & { inventory: InventoryCache }) {
  const addPlace = createPlaceAdder(deps);
  return [
    operation({
      ...DIRECTORY,
      name: 'searchPlaces',
      endpoint: 'GET /places/search',
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
      query: placeSearchParameters,
      answer: describedObject('The places found. The list is empty if nothing matches.', {
        places: Type.Array(PlaceSchema, { description: 'Up to 20 places, best first.' }),
      }),
    }).run(async (deps: LookupDeps, { by, query }) => ({ places: await searchPlaces(deps, by.caller, query) })),
    operation({
      ...DIRECTORY,
      name: 'addStore',
      endpoint: 'GET /utils/add_store',
      summary: 'Add a directory place as a store',
      description:
        'Adding the same place again returns the same store, for every account. A place added only with sandbox keys is visible to the sandbox keys of those accounts. Once a live key adds it, every key sees the store. Store search includes it within 2 seconds. It accepts no orders until a catalog is imported for it.',
      example: { query: { directory_place_id: '{directory_place_id}' } },
      query: Type.Object({
        directory_place_id: Type.String({
          minLength: 1,
          maxLength: 1024,
          description: "A place's `directory_place_id` from place search.",
        }),
      }),
      answer: describedObject(
        'The store. All three fields are empty if the place is unknown, permanently closed, outside the US and Canada, or neither a restaurant nor a shop (such as a bank, a salon or a park).',
        {
          service_store_id: text("The store's `_id`. Empty if no store was added."),
          service_place_id: text("The service's own ID for the place. Empty if no store was added."),
          service_store_type: text('`restaurant` or `grocery`. Empty if no store was added.'),
        },
      ),
    }).run(async (_deps: object, { by, query }) => {
      const added = await addPlace(query.directory_place_id, by.caller);
      return {
        service_store_id: added?.storeId ?? '',
        service_place_id: added?.placeId ?? '',
        service_store_type: added?.storeType ?? '',
      };
    }),
  ];
}
