import { ownerOf, sandboxOf } from '../accounts/account.ts';
import { presentStores } from '../catalog/search/present-found.ts';
import { claimsIn } from '../catalog/search/product-search-request.ts';
import { createSearchLimit, requireLoaded } from '../catalog/search/search-limits.ts';
import type { ProductSearchDeps } from '../catalog/search/search-products.flow.ts';
import type { Http } from '../http/http.ts';
import { epochSeconds } from '../lib/time.ts';
import { nextSlice, runInSlices } from '../load/event-loop-scheduler.ts';
import { EXAMPLE_USER } from '../stores/example-store.ts';
import { CartSearchSchema, cartSearchParameters, presentCarts } from './cart-schema.ts';
import { parseCartQuery } from './parse-cart-query.ts';
import { offersIn } from './read-products.ts';
import { searchCarts } from './search-carts.flow.ts';

/** Cart searches of one account that wait or run in a process: the last of them waits for some seconds. */
const MAX_ADMITTED = 32;

const schema = {
  operationId: 'searchCarts',
  tags: ['Products'],
  summary: 'What a whole cart costs at the stores near a coordinate',
  description:
    'Looks at the nearest 500 stores with a catalogue that meet the conditions and take orders, now or for a window to come. In each store every line gets the product that matches it best, of equal products the cheapest; `grand_total` is what an order of the cart would come to before a tip. A cart of many lines that thousands of products match is searched at fewer stores, the nearest; 429 `rate_limited` with `Retry-After` says that too many cart searches of the account are running.',
  example: { query: { query: '{"coffee":2}', ...EXAMPLE_USER } },
  querystring: cartSearchParameters,
  response: { 200: CartSearchSchema },
};

/** GET /search/cart (docs/behaviour.md#cart-search). */
export function searchCartsRoute(http: Http, deps: ProductSearchDeps): void {
  const { clock, storeFeed, tokens } = deps;
  const limiter = createSearchLimit(MAX_ADMITTED);
  http.get('/search/cart', { schema, config: { refuses: ['store_not_found'] } }, async (request) => {
    const given = request.query;
    const lines = parseCartQuery(given.query);
    requireLoaded(storeFeed);
    const now = clock.now();
    const query = {
      lines,
      keyMode: request.caller.mode,
      sandbox: sandboxOf(request.caller),
      latitude: given.user_latitude,
      longitude: given.user_longitude,
      storeId: given.store_id ?? null,
      storeType: given.store_type ?? null,
      pickup: given.pickup ?? null,
      open: given.open ?? false,
      deliversHere: given.delivers_here ?? false,
      maximumMiles: given.maximum_miles ?? null,
      claims: claimsIn(given),
      fullOnly: given.full_carts_only ?? true,
      split: given.split_cart ?? false,
    };
    const owner = ownerOf(request.caller);
    const found = await limiter.run(owner, () => searchCarts({ ...deps, owner }, query, now));
    const stores = await presentStores(
      deps,
      [...offersIn(found.view)].map(({ seller }) => seller),
      epochSeconds(now),
    );
    await nextSlice();
    return runInSlices(presentCarts(found, { tokens, lines, stores, withSplits: query.split }));
  });
}
