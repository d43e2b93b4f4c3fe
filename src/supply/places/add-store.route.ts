import { Type } from 'typebox';
import { describedObject } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import type { InventoryCache } from '../catalog/inventory.cache.ts';
import { createPlaceAdder } from './add-place.flow.ts';
import type { LookupDeps } from './search-places.flow.ts';

const schema = {
  operationId: 'addStore',
  summary: 'Add a place of the directory as a store',
  description:
    'The same place gives the same store, however often it is added, and by anyone. A place that sandbox keys alone have added is a store for the sandbox keys of their accounts; once a live key adds it, every key sees the store. Store search finds it within 2 seconds; it takes no orders until a catalog is imported for it.',
  example: { query: { directory_place_id: '{directory_place_id}' } },
  querystring: Type.Object({
    directory_place_id: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The `directory_place_id` of a place found by place search.',
    }),
  }),
  response: {
    200: describedObject(
      'The store. All three are empty for a place that is unknown, closed for good, outside of the US and Canada, or neither a restaurant nor a shop (a bank, a salon, a park).',
      {
        service_store_id: Type.String({ description: 'The `_id` of the store; empty when nothing was added.' }),
        service_place_id: Type.String({ description: "The service's own id of the place; empty with it." }),
        service_store_type: Type.String({ description: '`restaurant` or `grocery`; empty with it.' }),
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
