import { chordOfMiles, milesOfChord } from '../../lib/geo/sphere.ts';
import { travelMinutes } from '../time-estimate.ts';
import { NO_DOLLAR_SIGNS, NO_MINUTES, type StoreColumns } from './store-columns.ts';
import type { StoreQuery } from './store-query.ts';

/** No delivery covers a great-circle mile in fewer minutes: what `travelMinutes` counts, before it rounds up. */
const LEAST_MINUTES_PER_MILE = 3.9;

/** Stores are ordered by a key, smallest first; equal keys by distance. */
export type StoreOrder = {
  keyOf(ordinal: number, chordSquared: number): number;
  /** The key is never smaller than this, wherever the store is. */
  leastKeyOf(ordinal: number): number;
  /** No store's key is smaller. */
  leastKey: number;
  /** Squared chord from which on every store's key is larger than this one; Infinity where distance says nothing. */
  reachOf(key: number): number;
  /** Whether looking at near stores first soon makes far ones uninteresting. */
  isNearestFirst: boolean;
  /** Whether the key is the squared chord itself. */
  isByDistance: boolean;
};

/** Relevance is distance within one class of match (docs/behaviour.md#sorts-and-pages); the unknown comes last. */
export function orderOf(query: StoreQuery, columns: StoreColumns): StoreOrder {
  if (query.sort === 'rating') return byRating(columns);
  if (query.sort === 'cheapest') return byPrice(columns);
  if (query.sort === 'fastest') return byMinutes(query.pickup, columns);
  return {
    keyOf: (_, chordSquared) => chordSquared,
    leastKeyOf: () => 0,
    leastKey: 0,
    reachOf: (key) => key,
    isNearestFirst: true,
    isByDistance: true,
  };
}

function byRating({ ratings }: StoreColumns): StoreOrder {
  const keyOf = (ordinal: number): number => {
    const rating = ratings[ordinal] as number;
    return Number.isNaN(rating) ? Infinity : -rating;
  };
  return { ...byFact(keyOf), leastKey: -Infinity, isNearestFirst: false };
}

function byPrice({ dollarSigns, leastDollarSigns }: StoreColumns): StoreOrder {
  const keyOf = (ordinal: number): number => {
    const level = dollarSigns[ordinal] as number;
    return level === NO_DOLLAR_SIGNS ? Infinity : level;
  };
  return { ...byFact(keyOf), leastKey: leastDollarSigns, isNearestFirst: true };
}

/** The lowest time estimate that the quote would give: of the mode asked for, or of the faster one if any will do. */
function byMinutes(pickup: boolean | null, columns: StoreColumns): StoreOrder {
  const pickupAt = (ordinal: number): number => knownMinutes(columns.pickupMinutes[ordinal] as number);
  const preparedAt = (ordinal: number): number => knownMinutes(columns.deliveryMinutes[ordinal] as number);
  const deliveryAt = (ordinal: number, chordSquared: number): number =>
    preparedAt(ordinal) + travelMinutes(milesOfChord(chordSquared));
  const common = { leastKey: columns.leastMinutes, isNearestFirst: true };
  if (pickup === true) return { ...byFact(pickupAt), ...common };
  if (pickup === false) {
    return { ...byFact(preparedAt), ...common, keyOf: deliveryAt, reachOf: reachWithin };
  }
  return {
    ...byFact((ordinal) => Math.min(pickupAt(ordinal), preparedAt(ordinal))),
    ...common,
    keyOf: (ordinal, chordSquared) => Math.min(pickupAt(ordinal), deliveryAt(ordinal, chordSquared)),
  };
}

/** An order in which distance only decides between equals. */
function byFact(factOf: (ordinal: number) => number): Omit<StoreOrder, 'leastKey' | 'isNearestFirst'> {
  return { keyOf: factOf, leastKeyOf: factOf, reachOf: () => Infinity, isByDistance: false };
}

function knownMinutes(minutes: number): number {
  return minutes === NO_MINUTES ? Infinity : minutes;
}

/** The way alone takes longer than this from here on; a foot more keeps the rounding of ties out of it. */
function reachWithin(minutes: number): number {
  return minutes === Infinity ? Infinity : chordOfMiles(minutes / LEAST_MINUTES_PER_MILE + 0.0002);
}
