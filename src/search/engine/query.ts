import type { Coordinate } from '../../platform/lib/geo/sphere.ts';
import { foldText } from '../../platform/lib/text/normalize-text.ts';
import type { Viewport } from './filter.ts';

export const SORTS = ['relevance', 'distance', 'rating', 'cheapest', 'fastest'] as const;
export type SortName = (typeof SORTS)[number];

/** A search for stores; null means no condition. */
export type EngineQuery = Coordinate & {
  /** The account whose sandbox places are found too; null finds everyone's stores alone. */
  sandbox: string | null;
  /** The words of a name (`wordsOf`); without a word all stores match. */
  words: readonly string[];
  /** The last word may be unfinished. */
  autocomplete: boolean;
  storeType: 'restaurant' | 'grocery' | null;
  /** true for stores that offer pickup, false for stores that offer delivery. */
  pickup: boolean | null;
  /** true keeps the stores that are open now. */
  open: boolean;
  /** true keeps the stores that deliver to the coordinate. */
  deliversHere: boolean;
  /** true keeps the stores that have a catalog. */
  sellersOnly: boolean;
  /** Great-circle miles, included. */
  maximumMiles: number | null;
  cuisine: string | null;
  dollarSigns: number | null;
  minimumRating: number | null;
  viewport: Viewport | null;
  sort: SortName;
};

/** A cuisine as it is compared: without case and accents. */
export function foldCuisine(cuisine: string): string {
  return foldText(cuisine.replaceAll('\n', ' ')).trim();
}
