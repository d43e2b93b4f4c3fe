import { Type } from 'typebox';
import { describedObject, integer } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { REFUSES_ADDRESS } from '../../supply/addresses/geocoding.cache.ts';
import { EXAMPLE_USER } from '../../supply/stores/example-store.ts';
import { FoundProductSchema } from './found-schema.ts';
import { productSearchParameters } from './product-search-request.ts';
import type { ProductSearch } from './search-products.flow.ts';

const schema = {
  operationId: 'searchProducts',
  summary: 'Search for products at stores near a coordinate',
  description:
    'Searches the products of the nearest 500 stores with a catalog that pass the filters. Sold-out products are left out. Words shared by hundreds of thousands of products are searched at fewer stores, the nearest. Too many concurrent searches from an account return 429 `rate_limited` with `Retry-After`.',
  example: { query: { query: 'coffee', ...EXAMPLE_USER } },
  querystring: productSearchParameters,
  response: {
    200: describedObject('A page of up to 50 products. A page after the last product is empty.', {
      products: Type.Array(FoundProductSchema),
      relaxed: Type.Array(Type.String(), {
        description:
          'Words of `query` that were left out, because no nearby product matches them all: `["large", "diced"]` for `large onion, diced`. Otherwise empty.',
      }),
      next_page: integer("Send it as `page` to get the next page. It isn't always the current page plus one."),
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
