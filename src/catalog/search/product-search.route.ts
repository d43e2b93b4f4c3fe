import { Type } from 'typebox';
import { ownerOf, sandboxOf } from '../../accounts/account.ts';
import type { Db } from '../../db/connect.ts';
import type { Http } from '../../http/http.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FairTurns } from '../../lib/fair-turns.ts';
import { epochSeconds } from '../../lib/time.ts';
import type { TokenSealer } from '../../lib/tokens.ts';
import type { KnownStores } from '../../stores/known-stores.cache.ts';
import type { StoreSearch } from '../../stores/search/store-search.index.ts';
import type { StoreFeed } from '../../stores/store-feed.cache.ts';
import { findProducts } from './find-products.flow.ts';
import { FoundProductSchema } from './found-schema.ts';
import { presentFound, presentStores } from './present-found.ts';
import type { ProductIndexes } from './product-indexes.cache.ts';
import { productQueryOf, productSearchParameters } from './product-search-request.ts';
import { createSearchLimit, requireLoaded } from './search-limits.ts';

/** Cart search takes the same. */
export type ProductSearchRouteDeps = {
  clock: Clock;
  db: Db;
  tokens: TokenSealer;
  search: StoreSearch;
  storeFeed: StoreFeed;
  productIndexes: ProductIndexes;
  knownStores: KnownStores;
  turns: FairTurns;
};

/** Searches of one account that wait or run in a process: the last of them waits for some seconds. */
const MAX_ADMITTED = 64;

const schema = {
  operationId: 'searchProducts',
  tags: ['Products'],
  summary: 'Find products of the stores near a coordinate',
  description:
    'Searches the products of the nearest 500 stores with a catalogue that pass the filters. Products that are sold out are left out. Words that hundreds of thousands of products have are searched at fewer stores, the nearest; 429 `rate_limited` with `Retry-After` says that too many searches of the account are running.',
  querystring: productSearchParameters,
  response: {
    200: Type.Object(
      {
        products: Type.Array(FoundProductSchema),
        next_page: Type.Integer({
          description: 'Send it as `page` to get the following page. It need not be one more.',
        }),
      },
      { description: 'A page of at most 50 products; past the last one it is empty.' },
    ),
  },
};

/** GET /search/product/v4 (docs/behaviour.md#product-search). */
export function productSearchRoute(http: Http, deps: ProductSearchRouteDeps): void {
  const { clock, storeFeed, tokens, turns } = deps;
  const admit = createSearchLimit(MAX_ADMITTED);
  http.get('/search/product/v4', { schema, config: { refuses: ['store_not_found'] } }, async (request) => {
    const query = productQueryOf(request.query, sandboxOf(request.caller));
    requireLoaded(storeFeed);
    const nowEpochS = epochSeconds(clock.now());
    const owner = ownerOf(request.caller);
    const { hits, nextPage } = await admit(owner, () =>
      findProducts({ ...deps, owner, slice: turns.sliceOf(owner) }, query, nowEpochS),
    );
    const stores = await presentStores(
      deps,
      hits.map(({ seller }) => seller),
      nowEpochS,
    );
    const products = hits.flatMap(({ product, mode }) => {
      const store = stores.get(product.storeId);
      return store ? [presentFound(tokens, product, store, mode)] : [];
    });
    return { products, next_page: nextPage };
  });
}
