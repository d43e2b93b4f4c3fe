import type { Sandbox } from '../../accounts/account.ts';
import { ANY_NODE, type NodeFilter } from './nodes/node-filter.ts';
import { priceBit } from './nodes/node-summaries.ts';
import type { OpenTimes } from './open-times.index.ts';
import type { SandboxPlaces } from './sandbox-places.index.ts';
import type { SpatialIndex } from './spatial.index.ts';
import { DELIVERY, GROCERY, KINDS, PICKUP, SANDBOX_PLACE, type StoreColumns } from './store-columns.ts';
import type { StoreQuery } from './store-query.ts';
import type { Viewport } from './walk-tree.ts';

type FilterInputs = {
  columns: StoreColumns;
  spatial: SpatialIndex;
  openTimes: OpenTimes;
  sandboxPlaces: SandboxPlaces;
};

/** A query whose stores must be in the city of that number; null: in any. */
export type LocatedQuery = StoreQuery & { city: number | null };

/** Whether a store meets the conditions of a query but its text, its radius and delivery to its coordinate. */
export type StoreFilter = {
  /** All of the conditions. */
  accept(ordinal: number): boolean;
  /** The conditions that are left where the slot of the store has met the `SlotFilter` of the query. */
  acceptFound(ordinal: number): boolean;
  /** Whether the kinds and price levels of the slots are all that `accept` asks, and delivery is no condition. */
  isJudgedBySlots: boolean;
};

/** Every column that a condition reads is a miss of the processor's cache: a walk reads none that its slots decide. */
export function filterOf(query: LocatedQuery, inputs: FilterInputs, nowEpochS: number): StoreFilter {
  const { flags, dollarSigns } = inputs.columns;
  const { mask, wanted } = flagsOf(query, inputs.sandboxPlaces.ownerOf(query.sandbox));
  const level = query.dollarSigns;
  const acceptFound = beyondSlots(query, inputs, nowEpochS);
  return {
    accept: (ordinal) =>
      ((flags[ordinal] as number) & mask) === wanted &&
      (level === null || dollarSigns[ordinal] === level) &&
      acceptFound(ordinal),
    acceptFound,
    isJudgedBySlots: query.city === null && isJudgedBySlots(query, inputs),
  };
}

/** Slots decide kinds and price levels, but ratings and cuisines only roughly. */
function beyondSlots(
  query: LocatedQuery,
  { columns, spatial, openTimes, sandboxPlaces }: FilterInputs,
  nowEpochS: number,
): (ordinal: number) => boolean {
  const { ratings, cuisineSets, cities } = columns;
  const { latitudes, longitudes } = spatial;
  const { viewport, open, city } = query;
  const sandbox = sandboxPlaces.ownerOf(query.sandbox);
  const rating = query.minimumRating;
  const sets = query.cuisine === null ? null : columns.setsWithCuisine(query.cuisine, query.storeType);
  if (viewport === null && sandbox === null && rating === null && sets === null && city === null) {
    return open ? (ordinal) => openTimes.isOpen(ordinal, nowEpochS) : () => true;
  }
  return (ordinal) =>
    (rating === null || (ratings[ordinal] as number) >= rating) &&
    (viewport === null || isInViewport(viewport, latitudes[ordinal] as number, longitudes[ordinal] as number)) &&
    (sets === null || sets.has(cuisineSets[ordinal] as number)) &&
    (city === null || cities[ordinal] === city) &&
    (sandbox === null || sandboxPlaces.isShown(ordinal, sandbox)) &&
    (!open || openTimes.isOpen(ordinal, nowEpochS));
}

/** The conditions of `filterOf` that the summary of a node can rule out. */
export function nodeFilterOf(
  query: StoreQuery,
  { columns, sandboxPlaces }: Omit<FilterInputs, 'openTimes' | 'spatial'>,
): NodeFilter {
  const { mask, wanted } = flagsOf(query, sandboxPlaces.ownerOf(query.sandbox));
  let kinds = 0;
  for (let flags = 0; flags < KINDS; flags += 1) if ((flags & mask) === wanted) kinds |= 1 << flags;
  return {
    kinds,
    prices: query.dollarSigns === null ? ANY_NODE.prices : priceBit(query.dollarSigns),
    minimumRating: query.minimumRating ?? ANY_NODE.minimumRating,
    cuisine: query.cuisine === null ? null : columns.bitsOfCuisine(query.cuisine, query.storeType),
  };
}

function isJudgedBySlots(query: StoreQuery, { sandboxPlaces }: Pick<FilterInputs, 'sandboxPlaces'>): boolean {
  const { open, viewport, deliversHere, minimumRating, cuisine } = query;
  if (open || viewport !== null || deliversHere || minimumRating !== null || cuisine !== null) return false;
  return sandboxPlaces.ownerOf(query.sandbox) === null;
}

/** The flags leave out stores of sandboxes at no cost, unless the caller's sandbox has some of its own. */
function flagsOf(query: StoreQuery, sandbox: Sandbox): { mask: number; wanted: number } {
  const mode = query.pickup === null ? 0 : query.pickup ? PICKUP : DELIVERY;
  const type = query.storeType === null ? 0 : GROCERY;
  const places = sandbox === null ? SANDBOX_PLACE : 0;
  return { mask: mode | type | places, wanted: mode | (query.storeType === 'grocery' ? GROCERY : 0) };
}

function isInViewport(viewport: Viewport, latitude: number, longitude: number): boolean {
  if (latitude < viewport.south || latitude > viewport.north) return false;
  const { west, east } = viewport;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}
