import type { Language } from '../../src/platform/languages/language.ts';
import type { StreetAddress } from '../../src/supply/stores/street-address.ts';
import type { FoundStore, Menu } from './api.ts';
import type { ListQuery } from './list-query.ts';

/** What a page is begun with: the server renders its first view from it, and the browser hydrates the same. */
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
  brand: { name: string; logoUrl?: string };
  /** Path of the shop: empty at an account's own host, `/shop` in the demo. */
  base: string;
  /** When the server rendered it: the same text is written while the page hydrates. */
  nowEpochS: number;
  page: ShopPage;
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
  found: FoundList;
};

/** A place as the API locates it. */
export type Near = {
  address: string;
  latitude: number;
  longitude: number;
  parts?: StreetAddress;
  /** Whether the coordinate is the middle of a city or postal code, although a door was typed. */
  isArea?: boolean;
};

/**
 * Stores in the sequence of a search. `more` are found and not read yet; `next` are the following pages of the searches
 * by name and by dishes, null past the last.
 */
export type FoundList = {
  stores: readonly FoundStore[];
  more: readonly string[];
  next: { store: number | null; item: number | null };
};
