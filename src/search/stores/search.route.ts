import type { Coordinate } from 'doorstep/search-engine/geography';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { ownerOf } from '../../access/accounts/account.ts';
import { describedObject, integer } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { WITHOUT_SECURITY_HEADERS } from '../../platform/http/security-headers.ts';
import { sendJsonBytes } from '../../platform/http/send-bytes.ts';
import { BufferPool } from '../../platform/lib/buffer-pool.ts';
import { type Clock, epochMsOf } from '../../platform/lib/clock.ts';
import { type Geocoding, REFUSES_ADDRESS } from '../../supply/addresses/geocoding.cache.ts';
import { type OfferingStore, sharedOffersAt } from '../../supply/promotions/shared-offers.ts';
import { EXAMPLE_DOOR } from '../../supply/stores/example-store.ts';
import { ProjectedStoreSchema } from '../../supply/stores/store-element.ts';
import { findStorePage, type StoreSearchDeps } from './find-store-page.flow.ts';
import { projectionsOf, searchedLocation, searchParameters, storeQueryOf } from './search-request.ts';
import type { StorePage } from './store-search.index.ts';

const schema = {
  operationId: 'searchStores',
  summary: 'Search for stores near a coordinate',
  description:
    'Requires only the coordinate or an `address`. Every other parameter narrows the results. A page contains up to 100 stores, or up to 20 with a `query`. `is_open` is based on published hours, and `accepting` on whether the store takes orders now.',
  example: { query: { ...EXAMPLE_DOOR, maximum_miles: 5 } },
  querystring: searchParameters,
  response: {
    200: describedObject('A page of stores. A page after the last store is empty.', {
      stores: Type.Array(ProjectedStoreSchema),
      next_page: integer('Send it as `page` to get the next page.'),
    }),
  },
};

/** Size for a page of 100 stores, and the usual number of concurrent answers: 12 MiB in all. */
const BUFFERS = { bufferBytes: 192 * 1024, maxKept: 64 };

/** GET /search/store/v3. Joins the stored documents of a page in a pooled buffer. */
export function searchRoute(http: Http, deps: StoreSearchDeps & { clock: Clock; geocoding: Geocoding }): void {
  const buffers = new BufferPool(BUFFERS);
  http.get(
    '/search/store/v3',
    { schema, config: { scope: 'read', publishable: true, refuses: REFUSES_ADDRESS }, ...WITHOUT_SECURITY_HEADERS },
    (request, reply) => {
      const { caller, query: given } = request;
      const nowEpochS = Math.floor(epochMsOf(deps.clock) / 1000);
      const projections = projectionsOf(given);
      const offers = caller.offers ? { offersAt: (store: OfferingStore) => sharedOffersAt(caller, store) } : {};
      const lend = (bytes: number) => lendBuffer(buffers, reply, bytes);
      // A search in memory answers without a promise, because it would cost a turn of the event loop.
      const search = (near: Coordinate): void | Promise<void> => {
        const query = storeQueryOf({ ...given, ...near }, caller);
        const answer = (page: StorePage) =>
          void sendJsonBytes(request, reply, [
            deps.search.writePage(page, nowEpochS, { query, projections, allocate: lend, ...offers }),
          ]);
        const found = findStorePage(deps, { query, focus: given.search_focus, owner: ownerOf(caller) }, nowEpochS);
        return found instanceof Promise ? found.then(answer) : answer(found);
      };
      const near = deps.geocoding.locate(caller, searchedLocation(given, 'query'));
      const sent = near instanceof Promise ? near.then(search) : search(near);
      if (sent instanceof Promise) sent.catch((error) => reply.send(error));
    },
  );
}

/** Returns a buffer for one response, which is returned to the pool once the response is sent. */
function lendBuffer(buffers: BufferPool, reply: FastifyReply, bytes: number): Buffer {
  const buffer = buffers.take(bytes);
  reply.raw.once('finish', () => buffers.give(buffer));
  return buffer;
}
