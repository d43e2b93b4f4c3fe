import type { StoreType } from '../store.ts';
import type { Viewport } from './walk-places.ts';

export const SORTS = ['relevance', 'distance', 'rating', 'cheapest', 'fastest'] as const;
export type Sort = (typeof SORTS)[number];

/** Stores on a page (docs/behaviour.md#sorts-and-pages). */
export const PAGE_SIZE_WITH_TEXT = 20;
export const PAGE_SIZE_BROWSING = 100;

/** Degrees; every coordinate on earth is valid. */
export type Coordinate = { latitude: number; longitude: number };

/** What a client asks of store search; null means that it does not matter. */
export type StoreQuery = Coordinate & {
  /** Names to look for, as typed; without a letter or digit it is as if empty, and all stores match. */
  text: string;
  /** The last word of the text may be unfinished. */
  autocomplete: boolean;
  storeType: StoreType | null;
  /** true for stores that offer pickup, false for stores that offer delivery. */
  pickup: boolean | null;
  /** true keeps the stores that are open now; false keeps all. */
  open: boolean;
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

/** The query that every store meets, but for the place that it is asked near. */
export const ANY_STORE: Omit<StoreQuery, keyof Coordinate> = {
  text: '',
  autocomplete: false,
  storeType: null,
  pickup: null,
  open: false,
  maximumMiles: null,
  cuisine: null,
  dollarSigns: null,
  minimumRating: null,
  viewport: null,
  sort: 'relevance',
  page: 0,
};

/** One page of the answer, good until the index next changes. */
export type StorePage = {
  /** The index's own numbers for the stores, in order. */
  ordinals: readonly number[];
  /** Great-circle miles of each, rounded to two decimals. */
  miles: readonly number[];
  /** Always the number after this page's, past the last store too. */
  nextPage: number;
};

/** A store near a place, good until the index next changes. */
export type NearStore = {
  storeId: string;
  /** The index's own number for the store. */
  ordinal: number;
  /** Great-circle miles, rounded to two decimals. */
  miles: number;
  /** What the query's order goes by, smallest first. */
  key: number;
};
