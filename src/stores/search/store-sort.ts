import { chordOfMiles, milesOfChord } from '../../lib/geo/sphere.ts';
import { travelMinutes } from '../time-estimate.ts';
import type { DeliveryReach } from './delivery-reach.index.ts';
import type { Buckets } from './nodes/count-buckets.ts';
import {
  DOUBLES_OF_NODE,
  KINDS_AND_PRICES,
  MINUTES,
  type NodeSummaries,
  WORDS_OF_NODE,
} from './nodes/node-summaries.ts';
import {
  bestOfFiftieths,
  bitsOfFiftieths,
  bitsOfPrice,
  fiftieths,
  fiftiethsOf,
  PRICE_BITS,
  priceBitsOf,
  RATING_BITS,
} from './nodes/slot-traits.ts';
import { minutesOf, NO_DOLLAR_SIGNS, NO_MINUTES, type StoreColumns } from './store-columns.ts';
import type { StoreQuery } from './store-query.ts';

/** Bits of the levels that a price may have. */
const KNOWN_PRICES = 0x7f;

/** `travelMinutes` counts so many minutes for a great-circle mile, before it rounds up. */
const MIN_MINUTES_PER_MILE = 3.9;

/** Stores are sorted by a key, smallest first; stores of equal keys by distance. */
export type StoreSort = {
  keyOf(ordinal: number, chordSquared: number): number;
  /** Lower bound of the store's key at any distance. */
  minKeyOf(ordinal: number): number;
  /** Lower bound of the keys of a node's stores; `chordSquared` is one of their chords. */
  boundOf(summaries: NodeSummaries, node: number, chordSquared: number): number;
  /** The least rating, in fiftieths, of a store with a key up to that; 0 where ratings have no effect. */
  leastFiftieths(key: number): number;
  /** Lower bound of the keys of the stores of a rating in fiftieths; null where ratings are not the key. */
  minKeyOfFiftieths: ((fiftieths: number) => number) | null;
  /** Lower bound of the keys of all stores. */
  minKey: number;
  /** Squared chord beyond which the key of every store is larger than this key; Infinity where distance has no effect. */
  reachOf(key: number): number;
  /** Whether visiting near stores first soon rules out far stores. */
  isNearestFirst: boolean;
  /** Whether the key is the squared chord itself. */
  isByDistance: boolean;
  /** Keys of a lower bucket are lower; null where slots do not tell. */
  buckets: KeyBuckets | null;
};

/** Buckets of stores by the first word of their slots' traits. */
export type KeyBuckets = Buckets & {
  /** True only where all stores of the bucket have the same key. */
  isOfOneKey(bucket: number): boolean;
};

/** As many as a slot has ratings, and price levels. */
const RATING_BUCKETS = 256;
const PRICE_BUCKETS = 8;

/** Relevance is distance within one class of match (docs/behaviour.md#sorts-and-pages); unknown values come last. */
export function sortOf(
  query: StoreQuery,
  columns: StoreColumns,
  reach: Pick<DeliveryReach, 'preparationAt'>,
): StoreSort {
  if (query.sort === 'rating') return byRating(columns);
  if (query.sort === 'cheapest') return byPrice(columns);
  if (query.sort === 'fastest') return byMinutes(query.pickup, columns, reach.preparationAt(query));
  return BY_DISTANCE;
}

const BY_DISTANCE: StoreSort = {
  keyOf: (_, chordSquared) => chordSquared,
  minKeyOf: () => 0,
  boundOf: (_summaries, _node, chordSquared) => chordSquared,
  leastFiftieths: () => 0,
  minKeyOfFiftieths: null,
  minKey: 0,
  reachOf: (key) => key,
  isNearestFirst: true,
  isByDistance: true,
  buckets: null,
};

function byRating({ ratings, ratingValues }: StoreColumns): StoreSort {
  const keyOf = (ordinal: number): number => {
    const rating = ratings[ordinal] as number;
    return Number.isNaN(rating) ? Infinity : -rating;
  };
  const boundOf = ({ ratings }: NodeSummaries, node: number): number => {
    const best = ratings[node * DOUBLES_OF_NODE] as number;
    return best === -Infinity ? Infinity : -best;
  };
  const buckets: KeyBuckets = {
    count: RATING_BUCKETS,
    mask: RATING_BITS,
    of: (trait) => RATING_BUCKETS - 1 - fiftiethsOf(trait),
    bitsOf: (bucket) => bitsOfFiftieths(RATING_BUCKETS - 1 - bucket),
    isOfOneKey: (bucket) => ratingValues.isOne(RATING_BUCKETS - 1 - bucket),
  };
  const common = { minKey: -Infinity, isNearestFirst: false, buckets, minKeyOfFiftieths: minKeyOfRating };
  return { ...byColumn(keyOf, boundOf), ...common, leastFiftieths: (key) => fiftieths(-key) };
}

const minKeyOfRating = (fiftieths: number): number => -bestOfFiftieths(fiftieths);

const PRICE_LEVELS: KeyBuckets = {
  count: PRICE_BUCKETS,
  mask: PRICE_BITS,
  of: (trait) => Math.clz32(1) - Math.clz32(priceBitsOf(trait)),
  bitsOf: bitsOfPrice,
  isOfOneKey: () => true,
};

function byPrice({ dollarSigns, minDollarSigns }: StoreColumns): StoreSort {
  const keyOf = (ordinal: number): number => {
    const level = dollarSigns[ordinal] as number;
    return level === NO_DOLLAR_SIGNS ? Infinity : level;
  };
  const boundOf = ({ words }: NodeSummaries, node: number): number => {
    const levels = ((words[node * WORDS_OF_NODE + KINDS_AND_PRICES] as number) >>> 16) & KNOWN_PRICES;
    return levels === 0 ? Infinity : Math.log2(levels & -levels);
  };
  return { ...byColumn(keyOf, boundOf), minKey: minDollarSigns, isNearestFirst: true, buckets: PRICE_LEVELS };
}

/**
 * The lowest time estimate that the quote would give: of the requested mode, or of the faster mode without one. The zones
 * that hold the door count; out of range, and in bounds, the fastest zone does.
 */
function byMinutes(
  pickup: boolean | null,
  columns: StoreColumns,
  preparationAtDoor: ReturnType<DeliveryReach['preparationAt']>,
): StoreSort {
  const pickupAt = (ordinal: number): number => knownMinutes(columns.pickupMinutes[ordinal] as number);
  const preparedAt = (ordinal: number): number => knownMinutes(columns.deliveryMinutes[ordinal] as number);
  const preparedAtDoor = (ordinal: number): number => {
    const least = preparedAt(ordinal);
    const prepMinutes = least === Infinity ? undefined : preparationAtDoor(ordinal);
    return prepMinutes ? Math.max(least, minutesOf({ enabled: true, prepMinutes })) : least;
  };
  const deliveryAt = (ordinal: number, chordSquared: number): number =>
    preparedAtDoor(ordinal) + travelMinutes(milesOfChord(chordSquared));
  const pickupOf = ({ words }: NodeSummaries, node: number): number =>
    knownMinutes((words[node * WORDS_OF_NODE + MINUTES] as number) & 0xffff);
  const preparedOf = ({ words }: NodeSummaries, node: number): number =>
    knownMinutes((words[node * WORDS_OF_NODE + MINUTES] as number) >>> 16);
  const deliveryOf = (summaries: NodeSummaries, node: number, chordSquared: number): number =>
    preparedOf(summaries, node) + travelMinutes(milesOfChord(chordSquared));
  const common = { minKey: columns.minMinutes, isNearestFirst: true };
  if (pickup === true) return { ...byColumn(pickupAt, pickupOf), ...common };
  if (pickup === false) {
    return { ...byColumn(preparedAt, deliveryOf), ...common, keyOf: deliveryAt, reachOf: reachWithin };
  }
  return {
    ...byColumn(
      (ordinal) => Math.min(pickupAt(ordinal), preparedAt(ordinal)),
      (summaries, node, chordSquared) => Math.min(pickupOf(summaries, node), deliveryOf(summaries, node, chordSquared)),
    ),
    ...common,
    keyOf: (ordinal, chordSquared) => Math.min(pickupAt(ordinal), deliveryAt(ordinal, chordSquared)),
  };
}

/** A sort in which distance only decides between stores of equal keys. */
function byColumn(
  keyOf: (ordinal: number) => number,
  boundOf: StoreSort['boundOf'],
): Omit<StoreSort, 'minKey' | 'isNearestFirst'> {
  const common = { leastFiftieths: () => 0, minKeyOfFiftieths: null, buckets: null };
  return { keyOf, minKeyOf: keyOf, boundOf, ...common, reachOf: () => Infinity, isByDistance: false };
}

function knownMinutes(minutes: number): number {
  return minutes === NO_MINUTES ? Infinity : minutes;
}

/** Beyond this squared chord travel alone takes longer; one foot more keeps ties from being rounded away. */
function reachWithin(minutes: number): number {
  return minutes === Infinity ? Infinity : chordOfMiles(minutes / MIN_MINUTES_PER_MILE + 0.0002);
}
