import { flag, optionalText } from '../../../platform/http/api-components.ts';
import { productSearchParameters, sellerLocation } from '../../../search/products/product-search-request.ts';
import type { FoundProducts, ProductSearch } from '../../../search/products/search-products.flow.ts';
import type { Geocoding } from '../../../supply/addresses/geocoding.cache.ts';
import { showWeight } from '../product-choices.ts';
import {
  CURSOR,
  clip,
  cursorPosition,
  DOOR_NAMES,
  defineTool,
  MAX_LIST_BYTES,
  MAX_NAME,
  money,
  positionCursor,
  READ_ONLY,
  resolvedAddress,
  type Tool,
  takeFitting,
} from '../tool.ts';

const P = productSearchParameters.properties;
const input = {
  query: optionalText(300, 'Words'),
  upc_codes: optionalText(1000, 'Comma-separated bar codes'),
  user_latitude: P.user_latitude,
  user_longitude: P.user_longitude,
  address: P.address,
  store_id: optionalText(64, 'Only this store'),
  store_type: P.store_type,
  pickup: flag('false: delivered; true: for pickup'),
  open: P.open,
  delivers_here: P.delivers_here,
  accepting: P.accepting,
  maximum_miles: P.maximum_miles,
  diet: P.diet,
  without: P.without,
  sort: P.sort,
  cursor: CURSOR,
};

const NOTHING_FOUND =
  'No nearby product matches. Try fewer or other words, a larger maximum_miles, or fewer filters (store_id, open, accepting, delivers_here, pickup, diet, without). search_stores finds stores by name and cuisine.';

type Deps = { searchProducts: ProductSearch; geocoding: Geocoding };

/** Defines the tool that searches products (docs/searching.md#product-search). */
export function searchProductsTool({ searchProducts, geocoding }: Deps): Tool {
  return defineTool({
    name: 'search_products',
    description: 'Finds products at stores near a place, by words, barcodes or diet.',
    annotations: READ_ONLY,
    input,
    names: DOOR_NAMES,
    async run(caller, { cursor, ...given }) {
      const { page, skipped } = cursorPosition(cursor, given);
      const { latitude, longitude, ...near } = await geocoding.locate(caller, sellerLocation(given, 'body'));
      const place = { ...given, user_latitude: latitude, user_longitude: longitude };
      const found = await searchProducts(caller, { ...place, page }, 'body');
      const entries = takeFitting(found.products.slice(skipped).map(showFound), MAX_LIST_BYTES);
      const seen = skipped + entries.length;
      const position = seen < found.products.length ? { page, skipped: seen } : { page: found.next_page, skipped: 0 };
      return {
        products: entries,
        ...(found.relaxed.length > 0 ? { relaxed: found.relaxed } : {}),
        ...(entries.length > 0 ? { next_cursor: positionCursor(position, given) } : {}),
        ...resolvedAddress({ latitude, longitude, ...near }),
        ...(seen === 0 && page === 0 ? { hint: NOTHING_FOUND } : {}),
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
    ...showWeight(product),
    ...(product.unit_size === null || product.weight
      ? {}
      : { size: `${product.unit_size} ${clip(product.unit_of_measurement, 20)}`.trim() }),
    store_id: product.store_id,
    store: clip(store.name, MAX_NAME),
    store_is_open: store.is_open,
    miles: store.miles,
  };
}
