import type {
  FoundProduct,
  ReadInventoryQuery,
  ReadProductQuery,
  ReadStoresQuery,
  SearchCartsQuery,
  SearchPlacesQuery,
  SearchProductsAnswer,
  SearchProductsQuery,
  SearchStoresAnswer,
  SearchStoresQuery,
  Store,
} from './api-types.ts';
import type { Call, CallOptions } from './call.ts';
import { type Pages, pagesOf } from './pages.ts';

/** A line of the cart by its product query, with its quantity: `{ 'whole milk': 2, eggs: 1 }`. */
export type CartQuery = Omit<SearchCartsQuery, 'query'> & { query: Readonly<Record<string, number>> };

/** Finding stores, products, whole carts, addresses and places, and reading a store's menu. */
export function createFinders(call: Call) {
  return {
    stores: {
      /** Stores near a coordinate or an address, best first. */
      search: (query: SearchStoresQuery, options?: CallOptions): Pages<SearchStoresAnswer, Store> =>
        pagesOf({
          start: query.page,
          read: (page) => call('searchStores', { query: at(query, page) }, options),
          itemsOf: ({ stores }) => stores,
          nextOf: ({ stores, next_page }) => (stores.length > 0 ? next_page : undefined),
        }),
      /** Stores by their IDs, up to 50, separated by commas. */
      get: (query: ReadStoresQuery, options?: CallOptions) => call('readStores', { query }, options),
      /** A store's products, and with `include_quote` the cost of an order there. */
      inventory: (query: ReadInventoryQuery, options?: CallOptions) => call('readInventory', { query }, options),
    },
    products: {
      /** Products of the nearest stores, by words or code. */
      search: (query: SearchProductsQuery, options?: CallOptions): Pages<SearchProductsAnswer, FoundProduct> =>
        pagesOf({
          start: query.page,
          read: (page) => call('searchProducts', { query: at(query, page) }, options),
          itemsOf: ({ products }) => products,
          nextOf: ({ products, next_page }) => (products.length > 0 ? next_page : undefined),
        }),
      /** One product with its nested customizations. */
      get: (query: ReadProductQuery, options?: CallOptions) => call('readProduct', { query }, options),
    },
    carts: {
      /** A whole cart's price at the nearest stores, cheapest first. */
      search: ({ query, ...where }: CartQuery, options?: CallOptions) =>
        call('searchCarts', { query: { ...where, query: JSON.stringify(query) } }, options),
    },
    addresses: {
      /** The coordinates of an address, a postal code or a city, best first. */
      geocode: (address: string, options?: CallOptions) => call('geocode', { query: { address } }, options),
      /** The addresses at a coordinate, best first. */
      reverseGeocode: (at: { latitude: number; longitude: number }, options?: CallOptions) =>
        call('geocode', { query: at }, options),
    },
    places: {
      /** Places of the directory, for stores that search does not find. */
      search: (query: SearchPlacesQuery, options?: CallOptions) => call('searchPlaces', { query }, options),
      /** Makes a place a store; an empty `service_store_id` says that the place cannot be one. */
      addStore: (directoryPlaceId: string, options?: CallOptions) =>
        call('addStore', { query: { directory_place_id: directoryPlaceId } }, options),
    },
  };
}

function at<Query extends object>(query: Query, page: number | undefined): Query {
  return page === undefined ? query : { ...query, page };
}
