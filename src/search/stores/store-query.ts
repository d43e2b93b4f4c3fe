import { splitWords } from '../../platform/lib/text/normalize-text.ts';
import type { EngineQuery } from '../engine/query.ts';

export { SORTS, type SortName as Sort } from '../engine/query.ts';

/** Stores of a page (docs/searching.md#sorts-and-pages). */
export const PAGE_SIZE_WITH_TEXT = 20;
export const PAGE_SIZE_BROWSING = 100;

/** Stores of a page of a query with this text: a text without letter or digit is a text, though all stores match it. */
export function pageSizeOf(text: string): number {
  return text === '' ? PAGE_SIZE_BROWSING : PAGE_SIZE_WITH_TEXT;
}

/** Degrees; every coordinate on earth is valid. */
export type Coordinate = Pick<EngineQuery, 'latitude' | 'longitude'>;

/** A search for stores as it is asked; null means no condition. */
export type StoreQuery = Omit<EngineQuery, 'words'> & {
  /** A name as typed; all stores match a text without letter or digit. */
  text: string;
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
  sellersOnly: false,
  maximumMiles: null,
  cuisine: null,
  dollarSigns: null,
  minimumRating: null,
  viewport: null,
  sort: 'relevance',
  page: 0,
};

/** The query as the engine takes it. */
export function engineQueryOf({ page: _page, text, ...query }: StoreQuery): EngineQuery {
  return { ...query, words: splitWords(text) };
}

/** A store near a coordinate. */
export type NearStore = {
  storeId: string;
  /** Great-circle miles, rounded to two decimals. */
  miles: number;
  /** The sort key of the query, smallest first. */
  key: number;
};
