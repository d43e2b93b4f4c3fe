import { Type } from 'typebox';
import { optionalText } from '../../../platform/http/api-components.ts';
import { productSearchParameters, sellerLocation } from '../../../search/products/product-search-request.ts';
import type { FoundProducts, ProductSearch } from '../../../search/products/search-products.flow.ts';
import type { Geocoding } from '../../../supply/addresses/geocoding.cache.ts';
import {
  CURSOR,
  clip,
  cursorPosition,
  DOOR_NAMES,
  defineTool,
  MAX_LIST_BYTES,
  MAX_NAME,
  money,
  moneySchema,
  NEXT_CURSOR,
  positionCursor,
  READ_ONLY,
  RESOLVED_ADDRESS,
  resolvedAddress,
  type Tool,
  takeFitting,
} from '../tool.ts';

const P = productSearchParameters.properties;
const input = Type.Object(
  {
    query: optionalText(300, 'Words that the product has in its name, size or category. Needed without upc_codes.'),
    upc_codes: optionalText(1000, 'Comma-separated bar codes.'),
    user_latitude: P.user_latitude,
    user_longitude: P.user_longitude,
    address: P.address,
    store_id: P.store_id,
    store_type: P.store_type,
    pickup: P.pickup,
    open: P.open,
    delivers_here: P.delivers_here,
    accepting: P.accepting,
    maximum_miles: P.maximum_miles,
    diet: P.diet,
    without: P.without,
    sort: P.sort,
    cursor: CURSOR,
  },
  { additionalProperties: false },
);

const output = Type.Object({
  products: Type.Array(
    Type.Object({
      product_id: Type.String(),
      name: Type.String(),
      category: Type.String(),
      ...moneySchema('price'),
      size: Type.Optional(Type.String()),
      store_id: Type.String(),
      store: Type.String(),
      store_is_open: Type.Boolean(),
      miles: Type.Number(),
    }),
  ),
  next_cursor: NEXT_CURSOR,
  resolved_address: RESOLVED_ADDRESS,
});

type Deps = { searchProducts: ProductSearch; geocoding: Geocoding };

/** Defines the tool that searches products (docs/searching.md#product-search). */
export function searchProductsTool({ searchProducts, geocoding }: Deps): Tool {
  return defineTool({
    name: 'search_products',
    title: 'Search products',
    description:
      'Finds products of the stores near a coordinate or an address, by words or bar codes. Continue with get_product for their choices, or quote_order.',
    annotations: READ_ONLY,
    input,
    output,
    names: DOOR_NAMES,
    async run(caller, { cursor, ...given }) {
      const { page, skipped } = cursorPosition(cursor);
      const { latitude, longitude, ...near } = await geocoding.locate(caller, sellerLocation(given, 'body'));
      const place = { ...given, user_latitude: latitude, user_longitude: longitude };
      const found = await searchProducts(caller, { ...place, page }, 'body');
      const entries = takeFitting(found.products.slice(skipped).map(showFound), MAX_LIST_BYTES);
      const seen = skipped + entries.length;
      const position = seen < found.products.length ? { page, skipped: seen } : { page: found.next_page, skipped: 0 };
      return {
        products: entries,
        ...(entries.length > 0 ? { next_cursor: positionCursor(position) } : {}),
        ...resolvedAddress({ latitude, longitude, ...near }),
      };
    },
  });
}

function showFound({ store, ...product }: FoundProducts['products'][number]) {
  return {
    product_id: product.product_id,
    name: clip(product.name, MAX_NAME),
    category: clip(product.category, 60),
    ...money('price', product.price),
    ...(product.unit_size === null
      ? {}
      : { size: `${product.unit_size} ${clip(product.unit_of_measurement, 20)}`.trim() }),
    store_id: product.store_id,
    store: clip(store.name, MAX_NAME),
    store_is_open: store.is_open,
    miles: store.miles,
  };
}
