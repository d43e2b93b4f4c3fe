import type { Sandbox } from '../../accounts/account.ts';
import type { StoreType } from '../store.ts';
import type { Viewport } from './walk-tree.ts';

export const SORTS = ['relevance', 'distance', 'rating', 'cheapest', 'fastest'] as const;
export type Sort = (typeof SORTS)[number];

/** Stores of a page (docs/behaviour.md#sorts-and-pages). */
export const PAGE_SIZE_WITH_TEXT = 20;
export const PAGE_SIZE_BROWSING = 100;

/** Stores of a page of a query with this text: a text without letter or digit is a text, though all stores match it. */
export function pageSizeOf(text: string): number {
  return text === '' ? PAGE_SIZE_BROWSING : PAGE_SIZE_WITH_TEXT;
}

/** Degrees; every coordinate on earth is valid. */
export type Coordinate = { latitude: number; longitude: number };

/** A search for stores; null means no condition. */
export type StoreQuery = Coordinate & {
  /** The sandbox whose own places are found too; null finds everyone's stores alone. */
  sandbox: Sandbox;
  /** A name as typed; all stores match a text without letter or digit. */
  text: string;
  /** The last word of the text may be unfinished. */
  autocomplete: boolean;
  storeType: StoreType | null;
  /** true for stores that offer pickup, false for stores that offer delivery. */
  pickup: boolean | null;
  /** true keeps the stores that are open now; false keeps all. */
  open: boolean;
  /** true keeps the stores that deliver to the coordinate, whether or not they accept orders now; false keeps all. */
  deliversHere: boolean;
  /** Great-circle miles, included. */
  maximumMiles: number | null;
  /** One of the store's cuisines, whatever its case and accents. */
  cuisine: string | null;
  dollarSigns: number | null;
  minimumRating: number | null;
  /** Bounds included; `west` over `east` crosses the antimeridian. */
  viewport: Viewport | null;
  sort: Sort;
  /** From 0. */
  page: number;
};

/** The conditions of a query that every store meets. */
export const ANY_STORE: Omit<StoreQuery, keyof Coordinate> = {
  sandbox: null,
  text: '',
  autocomplete: false,
  storeType: null,
  pickup: null,
  open: false,
  deliversHere: false,
  maximumMiles: null,
  cuisine: null,
  dollarSigns: null,
  minimumRating: null,
  viewport: null,
  sort: 'relevance',
  page: 0,
};

/** A page of the answer, valid until the index next changes. */
export type StorePage = {
  /** The index's own numbers of the stores, sorted. */
  ordinals: readonly number[];
  /** Great-circle miles of each store, rounded to two decimals. */
  miles: readonly number[];
  /** The number after this page's, past the last store too. */
  nextPage: number;
};

/** A store near a coordinate, valid until the index next changes. */
export type NearStore = {
  storeId: string;
  /** The index's own number of the store. */
  ordinal: number;
  /** Great-circle miles, rounded to two decimals. */
  miles: number;
  /** The sort key of the query, smallest first. */
  key: number;
};
