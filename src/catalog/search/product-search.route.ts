import { Type } from 'typebox';
import type { Db } from '../../db/connect.ts';
import type { Http } from '../../http/http.ts';
import { Refusal } from '../../http/refusal.ts';
import type { Clock } from '../../lib/clock.ts';
import { epochSeconds } from '../../lib/time.ts';
import type { TokenSealer } from '../../lib/tokens.ts';
import type { KnownStores } from '../../stores/known-stores.cache.ts';
import type { StoreSearch } from '../../stores/search/store-search.index.ts';
import type { StoreFeed } from '../../stores/store-feed.cache.ts';
import { findProducts } from './find-products.flow.ts';
import { FoundProductSchema } from './found-schema.ts';
import { presentFound, presentStores } from './present-found.ts';
import type { Shelves } from './product-indexes.cache.ts';
import { productQueryOf, productSearchParameters } from './product-search-request.ts';
import { createSearchTurns } from './search-limits.ts';

type Needs = {
  clock: Clock;
  db: Db;
  tokens: TokenSealer;
  search: StoreSearch;
  storeFeed: StoreFeed;
  shelves: Shelves;
  knownStores: KnownStores;
};

/** Searches that are waited for or worked on in a process: the last one waits for some seconds. */
const MOST_UNDER_WAY = 64;

const schema = {
  operationId: 'searchProducts',
  tags: ['Products'],
  summary: 'Find products of the stores near a coordinate',
  description:
    'Looks at what the nearest 500 stores with a catalogue sell that meet the conditions. Products that are sold out are left out. A search for words that hundreds of thousands of products have looks at fewer stores, the nearest; 503 `not_ready` tells that too many searches are under way.',
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
export function productSearchRoute(http: Http, deps: Needs): void {
  const { clock, storeFeed, tokens } = deps;
  const { admitted, inTurn } = createSearchTurns(MOST_UNDER_WAY);
  http.get('/search/product/v4', { schema, config: { refuses: ['store_not_found'] } }, async (request) => {
    const query = productQueryOf(request.query);
    if (!storeFeed.isLoaded) {
      throw new Refusal('not_ready', 'The search index is loading.', { headers: { 'retry-after': '1' } });
    }
    const nowEpochS = epochSeconds(clock.now());
    const { hits, nextPage } = await admitted(() => findProducts({ ...deps, inTurn }, query, nowEpochS));
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
