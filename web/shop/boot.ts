import type { MapFiles } from '../../src/fulfillment/deliveries/street-map.ts';
import type { Language } from '../../src/platform/languages/language.ts';
import type { StreetAddress } from '../../src/supply/stores/street-address.ts';
import type { HandedLine, ShopBrand } from '../../src/surfaces/shop/shop-visit.ts';
import type { FoundStore, Menu } from './api.ts';
import type { ListQuery } from './list-query.ts';

/** The initial data of a page: the server renders its first view from it, and the browser hydrates the same. */
export type ShopBoot = {
  /** Where the API is, a URL, or a path of the same origin. */
  apiBase: string;
  publishableKey: string;
  language: Language;
  /** The language that the address chooses, which links keep. */
  lang?: Language;
  /** Languages that the page can be had in. */
  languages: readonly Language[];
  isSandbox: boolean;
  /** Whether the store itself takes an order for a customer, on its own device. */
  isTaken?: boolean;
  brand: ShopBrand;
  /** Path of the shop: empty at an account's own host; at the service's, `/shop`, or `/shops/ACCOUNT_ID`. */
  base: string;
  /** When the server rendered it: the same text is written while the page hydrates. */
  nowEpochS: number;
  page: ShopPage;
  /** The map of a chain's stores; absent where the service has no tiles. */
  map?: MapFiles;
  /** The signed-in customer's saved data; null for a visitor, absent where no one can sign in. */
  customer?: { addresses: readonly Near[] } | null;
  /** An agent's lines for the cart of the page's store. */
  handed?: readonly HandedLine[];
  codes?: readonly string[];
};

export type ShopPage =
  | ListPage
  | { kind: 'store'; storeId: string; store: FoundStore; menu: Menu; pickup: boolean }
  | { kind: 'orders' }
  /** A store that the shop does not have. */
  | { kind: 'missing' };

export type ListPage = {
  kind: 'list';
  /** Where a visitor without an address is shown stores; null where only named ones are. */
  near: Near | null;
  /** The only stores of the shop; null for all. */
  storeIds: readonly string[] | null;
  query: ListQuery;
  /** Null where the device keeps the visitor's place, and searches there itself. */
  found: FoundList | null;
};

/** A place as the API locates it. */
export type Near = {
  address: string;
  latitude: number;
  longitude: number;
  parts?: StreetAddress;
  /** Whether the coordinate is the middle of a city or postal code, although a door was typed. */
  isArea?: boolean;
  /** Whether it is where the device is: the address that was found there may be the neighbor's. */
  isDevice?: boolean;
};

/**
 * Stores in the order of a search. `more` are found and not read yet; `next` are the following pages of the searches
 * by name and by dishes, null past the last.
 */
export type FoundList = {
  stores: readonly FoundStore[];
  more: readonly string[];
  next: { store: number | null; item: number | null };
};
