import { chordOfMiles, milesOfChord } from '../../lib/geo/sphere.ts';
import { travelMinutes } from '../time-estimate.ts';
import { NO_DOLLAR_SIGNS, NO_MINUTES, type StoreColumns } from './store-columns.ts';
import type { StoreQuery } from './store-query.ts';

/** `travelMinutes` counts so many minutes for a great-circle mile, before it rounds up. */
const MIN_MINUTES_PER_MILE = 3.9;

/** Stores are sorted by a key, smallest first; stores of equal keys by distance. */
export type StoreSort = {
  keyOf(ordinal: number, chordSquared: number): number;
  /** Lower bound of the store's key at any distance. */
  minKeyOf(ordinal: number): number;
  /** Lower bound of the keys of all stores. */
  minKey: number;
  /** Squared chord beyond which the key of every store is larger than this key; Infinity where distance has no effect. */
  reachOf(key: number): number;
  /** Whether visiting near stores first soon rules out far stores. */
  isNearestFirst: boolean;
  /** Whether the key is the squared chord itself. */
  isByDistance: boolean;
};

/** Relevance is distance within one class of match (docs/behaviour.md#sorts-and-pages); unknown values come last. */
export function sortOf(query: StoreQuery, columns: StoreColumns): StoreSort {
  if (query.sort === 'rating') return byRating(columns);
  if (query.sort === 'cheapest') return byPrice(columns);
  if (query.sort === 'fastest') return byMinutes(query.pickup, columns);
  return {
    keyOf: (_, chordSquared) => chordSquared,
    minKeyOf: () => 0,
    minKey: 0,
    reachOf: (key) => key,
    isNearestFirst: true,
    isByDistance: true,
  };
}

function byRating({ ratings }: StoreColumns): StoreSort {
  const keyOf = (ordinal: number): number => {
    const rating = ratings[ordinal] as number;
    return Number.isNaN(rating) ? Infinity : -rating;
  };
  return { ...byColumn(keyOf), minKey: -Infinity, isNearestFirst: false };
}

function byPrice({ dollarSigns, minDollarSigns }: StoreColumns): StoreSort {
  const keyOf = (ordinal: number): number => {
    const level = dollarSigns[ordinal] as number;
    return level === NO_DOLLAR_SIGNS ? Infinity : level;
  };
  return { ...byColumn(keyOf), minKey: minDollarSigns, isNearestFirst: true };
}

/** The lowest time estimate that the quote would give: of the requested mode, or of the faster mode without one. */
function byMinutes(pickup: boolean | null, columns: StoreColumns): StoreSort {
  const pickupAt = (ordinal: number): number => knownMinutes(columns.pickupMinutes[ordinal] as number);
  const preparedAt = (ordinal: number): number => knownMinutes(columns.deliveryMinutes[ordinal] as number);
  const deliveryAt = (ordinal: number, chordSquared: number): number =>
    preparedAt(ordinal) + travelMinutes(milesOfChord(chordSquared));
  const common = { minKey: columns.minMinutes, isNearestFirst: true };
  if (pickup === true) return { ...byColumn(pickupAt), ...common };
  if (pickup === false) {
    return { ...byColumn(preparedAt), ...common, keyOf: deliveryAt, reachOf: reachWithin };
  }
  return {
    ...byColumn((ordinal) => Math.min(pickupAt(ordinal), preparedAt(ordinal))),
    ...common,
    keyOf: (ordinal, chordSquared) => Math.min(pickupAt(ordinal), deliveryAt(ordinal, chordSquared)),
  };
}

/** A sort in which distance only decides between stores of equal keys. */
function byColumn(keyOf: (ordinal: number) => number): Omit<StoreSort, 'minKey' | 'isNearestFirst'> {
  return { keyOf, minKeyOf: keyOf, reachOf: () => Infinity, isByDistance: false };
}

function knownMinutes(minutes: number): number {
  return minutes === NO_MINUTES ? Infinity : minutes;
}

/** Beyond this squared chord travel alone takes longer; one foot more keeps ties from being rounded away. */
function reachWithin(minutes: number): number {
  return minutes === Infinity ? Infinity : chordOfMiles(minutes / MIN_MINUTES_PER_MILE + 0.0002);
}
