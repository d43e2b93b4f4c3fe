import type { EngineQuery } from 'doorstep/search-engine';
import type { Coordinate } from 'doorstep/search-engine/geography';
import { splitWords } from 'doorstep/search-engine/text';

export { SORTS, type SortName as Sort } from 'doorstep/search-engine';

/** Stores per page with a text (docs/searching.md#sorts-and-pages). */
export const PAGE_SIZE_WITH_TEXT = 20;
export const PAGE_SIZE_BROWSING = 100;

/** Returns the stores per page for a text. One without letters and digits still counts, although it matches all. */
export const pageSizeOf = (text: string): number => (text === '' ? PAGE_SIZE_BROWSING : PAGE_SIZE_WITH_TEXT);

/** A store search request; null means no condition. */
export type StoreQuery = Omit<EngineQuery, 'words'> & {
  /** The name as typed. A text without letters and digits matches all stores. */
  text: string;
  /** Page number, from 0. */
  page: number;
};

/** The query defaults: conditions that every store passes. */
export const ANY_STORE: Omit<StoreQuery, keyof Coordinate> = {
  sandbox: null,
  text: '',
  autocomplete: false,
  storeType: null,
  pickup: null,
  open: false,
  deliversHere: false,
  accepting: false,
  hasOffer: false,
  sellersOnly: false,
  maximumMiles: null,
  cuisine: null,
  dollarSigns: null,
  minimumRating: null,
  viewport: null,
  sort: 'relevance',
  page: 0,
};

export function engineQueryOf({ page: _page, text, ...query }: StoreQuery): EngineQuery {
  return { ...query, words: splitWords(text) };
}

/** A store near a coordinate. */
export type NearStore = {
  storeId: string;
  /** Great-circle miles, rounded to two decimals. */
  miles: number;
  /** The query's sort key, smallest first. */
  key: number;
};
