import type { StoreType } from '../store.ts';
import type { IndexedStore } from './indexed-store.ts';
import type { RatingValues } from './nodes/rating-values.index.ts';

/** Bits of `flags`. */
export const GROCERY = 1;
export const PICKUP = 2;
export const DELIVERY = 4;
/** The store exists for some sandboxes alone. */
export const SANDBOX_PLACE = 8;
/** Number of values of `flags`. */
export const KINDS = 16;

/** A mode that the store does not offer, or an unknown price level. */
export const NO_MINUTES = 0xffff;
export const NO_DOLLAR_SIGNS = 0xff;

/** What filters and sorts read of each store, one array for each property, by ordinal. Arrays are replaced when they grow. */
export type StoreTraits = {
  flags: Uint8Array;
  dollarSigns: Uint8Array;
  /** NaN for a store without a rating. */
  ratings: Float64Array;
  /** Minimum minutes of preparation, by mode. */
  pickupMinutes: Uint16Array;
  deliveryMinutes: Uint16Array;
  /** Number of the store's set of cuisines of its type; 0 for an ordinal without a store. */
  cuisineSets: Uint32Array;
  /** By number of a set, two words: the bits of its cuisines. */
  cuisineBits: Uint32Array;
};

/** What `StoreTraits` has of one store, and the number of the store's city. */
export type PlacedTraits = {
  city: number;
  cuisineSet: number;
  flags: number;
  dollarSigns: number;
  rating: number;
  pickupMinutes: number;
  deliveryMinutes: number;
};

/** The same of many stores, side by side. */
export type TraitsOfStores = Omit<StoreTraits, 'cuisineBits'> & { cities: Uint32Array };

export function newTraits(stores: number): TraitsOfStores {
  return {
    flags: new Uint8Array(stores),
    dollarSigns: new Uint8Array(stores),
    ratings: new Float64Array(stores),
    pickupMinutes: new Uint16Array(stores),
    deliveryMinutes: new Uint16Array(stores),
    cuisineSets: new Uint32Array(stores),
    cities: new Uint32Array(stores),
  };
}

export type StoreColumns = StoreTraits & {
  /** Number of the store's city; 0 for an ordinal without a store. */
  cities: Uint32Array;
  /** Lower bounds of the price levels and minutes of all stores: the lowest that any store has had so far. */
  minDollarSigns: number;
  minMinutes: number;
  ratingValues: Pick<RatingValues, 'isOne'>;
  /** Returns whether a trait of the store has changed. */
  set(ordinal: number, store: IndexedStore): boolean;
  clear(ordinal: number): void;
  /** Numbers of a city and of a set of cuisines, which are held until they are released. */
  acquireCity(city: string): number;
  releaseCity(city: number): void;
  acquireSet(type: StoreType, cuisines: readonly string[]): number;
  releaseSet(set: number): void;
  /** Sets what the columns have of new stores, whose ordinals follow each other; cities and sets are held. */
  placeAll(first: number, traits: TraitsOfStores): void;
  /** Makes room for so many stores in all. */
  reserve(stores: number): void;
  /** Numbers of the sets of the type (null: of both) that have the cuisine, whatever its case and accents. */
  setsWithCuisine(cuisine: string, type: StoreType | null): ReadonlySet<number>;
  /** Bits of the cuisine, as `cuisineBits` has them; none where no store of the type (null: of both) has the cuisine. */
  bitsOfCuisine(cuisine: string, type: StoreType | null): { low: number; high: number };
  /** Number of the city of this name, given as its words joined by spaces; undefined where no store is in one. */
  cityOf(words: string): number | undefined;
};

/** Minimum minutes of preparation; NO_MINUTES where the mode is not offered. */
export function minutesOf(offer: { enabled: boolean; prepMinutes: readonly [number, number] }): number {
  return offer.enabled ? Math.min(NO_MINUTES - 1, Math.max(0, Math.ceil(Math.min(...offer.prepMinutes)))) : NO_MINUTES;
}
