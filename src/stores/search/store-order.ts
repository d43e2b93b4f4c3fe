import { travelMinutes } from '../../quotes/time-estimate.ts';
import { chordOfMiles, milesOfChord } from './sphere.ts';
import { NO_DOLLAR_SIGNS, NO_MINUTES, type StoreColumns } from './store-columns.ts';
import type { StoreQuery } from './store-query.ts';

/** No delivery covers a great-circle mile in fewer minutes: what `travelMinutes` counts, before it rounds up. */
const LEAST_MINUTES_PER_MILE = 3.9;

/** Stores are ordered by a key, smallest first; equal keys by distance. */
export type StoreOrder = {
  keyOf(ordinal: number, chordSquared: number): number;
  /** Squared chord from which on every store's key is larger than this one; Infinity where distance says nothing. */
  reachOf(key: number): number;
  isByDistance: boolean;
};

/** Relevance is distance within one class of match (decisions, section 4); the unknown comes last. */
export function orderOf(query: StoreQuery, columns: StoreColumns): StoreOrder {
  if (query.sort === 'rating') return byFact((ordinal) => -(columns.ratings[ordinal] as number));
  if (query.sort === 'cheapest') return byFact((ordinal) => levelOf(columns.dollarSigns[ordinal] as number));
  if (query.sort === 'fastest') return byMinutes(query.pickup, columns);
  return { keyOf: (_, chordSquared) => chordSquared, reachOf: (key) => key, isByDistance: true };
}

function byFact(factOf: (ordinal: number) => number): StoreOrder {
  const keyOf = (ordinal: number): number => {
    const fact = factOf(ordinal);
    return Number.isNaN(fact) ? Infinity : fact;
  };
  return { keyOf, reachOf: () => Infinity, isByDistance: false };
}

function levelOf(dollarSigns: number): number {
  return dollarSigns === NO_DOLLAR_SIGNS ? Infinity : dollarSigns;
}

/** The lowest time estimate that the quote would give: of the mode asked for, or of the faster one if any will do. */
function byMinutes(pickup: boolean | null, columns: StoreColumns): StoreOrder {
  const { pickupMinutes, deliveryMinutes } = columns;
  const pickupAt = (ordinal: number): number => {
    const minutes = pickupMinutes[ordinal] as number;
    return minutes === NO_MINUTES ? Infinity : minutes;
  };
  const deliveryAt = (ordinal: number, chordSquared: number): number => {
    const minutes = deliveryMinutes[ordinal] as number;
    return minutes === NO_MINUTES ? Infinity : minutes + travelMinutes(milesOfChord(chordSquared));
  };
  if (pickup === true) return { keyOf: pickupAt, reachOf: () => Infinity, isByDistance: false };
  if (pickup === false) {
    return { keyOf: deliveryAt, reachOf: (key) => reachWithin(key), isByDistance: false };
  }
  const keyOf = (ordinal: number, chordSquared: number): number =>
    Math.min(pickupAt(ordinal), deliveryAt(ordinal, chordSquared));
  return { keyOf, reachOf: () => Infinity, isByDistance: false };
}

/** The way alone takes longer than this from here on; a foot more keeps the rounding of ties out of it. */
function reachWithin(minutes: number): number {
  return minutes === Infinity ? Infinity : chordOfMiles(minutes / LEAST_MINUTES_PER_MILE + 0.0002);
}
