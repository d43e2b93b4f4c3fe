import { Type } from 'typebox';
import { describedObject } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { REFUSES_ADDRESS } from '../../supply/addresses/geocoding.cache.ts';
import { EXAMPLE_USER } from '../../supply/stores/example-store.ts';
import { FoundProductSchema } from './found-schema.ts';
import { productSearchParameters } from './product-search-request.ts';
import type { ProductSearch } from './search-products.flow.ts';

const schema = {
  operationId: 'searchProducts',
  summary: 'Find products of the stores near a coordinate',
  description:
    'Searches the products of the nearest 500 stores with a catalog that pass the filters. Products that are sold out are left out. Words that hundreds of thousands of products have are searched at fewer stores, the nearest; 429 `rate_limited` with `Retry-After` says that too many searches of the account are running.',
  example: { query: { query: 'coffee', ...EXAMPLE_USER } },
  querystring: productSearchParameters,
  response: {
    200: describedObject('A page of at most 50 products; past the last one it is empty.', {
      products: Type.Array(FoundProductSchema),
      relaxed: Type.Array(Type.String(), {
        description:
          'Words of `query` that were left out, because no product nearby has them all: `["large", "diced"]` for `large onion, diced`. Otherwise empty.',
      }),
      next_page: Type.Integer({ description: 'Send it as `page` to get the following page. It need not be one more.' }),
    }),
  },
};

/** GET /search/product/v4 (docs/searching.md#product-search). */
export function productSearchRoute(http: Http, { searchProducts }: { searchProducts: ProductSearch }): void {
  http.get(
    '/search/product/v4',
    { schema, config: { scope: 'read', publishable: true, refuses: ['store_not_found', ...REFUSES_ADDRESS] } },
    ({ caller, query }) => searchProducts(caller, query, 'query'),
  );
}
