import { Type } from 'typebox';
import { describedObject, text } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import type { InventoryCache } from '../catalog/inventory.cache.ts';
import { createPlaceAdder } from './add-place.flow.ts';
import type { LookupDeps } from './search-places.flow.ts';

const schema = {
  operationId: 'addStore',
  summary: 'Add a directory place as a store',
  description:
    'Adding the same place again returns the same store, for every account. A place added only with sandbox keys is visible to the sandbox keys of those accounts. Once a live key adds it, every key sees the store. Store search includes it within 2 seconds. It accepts no orders until a catalog is imported for it.',
  example: { query: { directory_place_id: '{directory_place_id}' } },
  querystring: Type.Object({
    directory_place_id: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "A place's `directory_place_id` from place search.",
    }),
  }),
  response: {
    200: describedObject(
      'The store. All three fields are empty if the place is unknown, permanently closed, outside the US and Canada, or neither a restaurant nor a shop (such as a bank, a salon or a park).',
      {
        service_store_id: text("The store's `_id`. Empty if no store was added."),
        service_place_id: text("The service's own ID for the place. Empty if no store was added."),
        service_store_type: text('`restaurant` or `grocery`. Empty if no store was added.'),
      },
    ),
  },
};

const REFUSES = ['upstream_unavailable'] as const;

export function addStoreRoute(http: Http, deps: LookupDeps & { inventory: InventoryCache }): void {
  const addPlace = createPlaceAdder(deps);
  http.get('/utils/add_store', { schema, config: { scope: 'read', refuses: REFUSES } }, async (request) => {
    const added = await addPlace(request.query.directory_place_id, request.caller);
    return {
      service_store_id: added?.storeId ?? '',
      service_place_id: added?.placeId ?? '',
      service_store_type: added?.storeType ?? '',
    };
  });
}
