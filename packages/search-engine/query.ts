import type { Coordinate } from './geography/sphere.ts';
import type { StoreRow } from './store-row.ts';
import { foldText } from './text/normalize-text.ts';

export const SORTS = ['relevance', 'distance', 'rating', 'cheapest', 'fastest'] as const;
export type SortName = (typeof SORTS)[number];

/** A map's viewport in degrees, inclusive. Across the antimeridian `west` is greater than `east`. */
export type Viewport = { south: number; north: number; west: number; east: number };

/** Stores with an offer independent of their own row, by all conditions present. */
export type OfferScope = Partial<Pick<StoreRow, 'type' | 'country'>> & { storeIds?: readonly string[] };

/** A store search; null means no condition. */
export type EngineQuery = Coordinate & {
  /** The account whose sandbox places are included; null for public stores only. */
  sandbox: string | null;
  /** Words of a name (`splitWords`); without words all stores match. */
  words: readonly string[];
  /** Whether the last word may be incomplete. */
  autocomplete: boolean;
  storeType: 'restaurant' | 'grocery' | null;
  /** true for stores with pickup, false for stores with delivery. */
  pickup: boolean | null;
  /** true for stores open now. */
  open: boolean;
  /** true for stores that deliver to the coordinate. */
  deliversHere: boolean;
  /** true for stores that take an order now, in the mode of `pickup`, of delivery if they must deliver, or of either. */
  accepting: boolean;
  /** true for stores that have an offer; scopes for those too that are in one. */
  hasOffer: boolean | readonly OfferScope[];
  /** true for stores with a catalog. */
  sellersOnly: boolean;
  /** Great-circle miles, inclusive. */
  maximumMiles: number | null;
  cuisine: string | null;
  dollarSigns: number | null;
  minimumRating: number | null;
  viewport: Viewport | null;
  sort: SortName;
};

/** Normalizes a cuisine for comparison: lower case, without accents. */
export const foldCuisine = (cuisine: string): string => foldText(cuisine.replaceAll('\n', ' ')).trim();
