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

/** Returns whether a store meets every condition of the query but its text, its radius and delivery to its coordinate. */
export function filterOf(
  query: StoreQuery,
  { columns, spatial, openTimes, sandboxPlaces }: FilterInputs,
  nowEpochS: number,
): (ordinal: number) => boolean {
  const { flags, dollarSigns, ratings, cuisineSets } = columns;
  const { latitudes, longitudes } = spatial;
  const sandbox = sandboxPlaces.ownerOf(query.sandbox);
  const { mask, wanted } = flagsOf(query, sandbox);
  const { viewport, open } = query;
  const level = query.dollarSigns;
  const rating = query.minimumRating;
  const sets = query.cuisine === null ? null : columns.setsWithCuisine(query.cuisine);

  return (ordinal) =>
    ((flags[ordinal] as number) & mask) === wanted &&
    (level === null || dollarSigns[ordinal] === level) &&
    (rating === null || (ratings[ordinal] as number) >= rating) &&
    (viewport === null || isInViewport(viewport, latitudes[ordinal] as number, longitudes[ordinal] as number)) &&
    (sets === null || sets.has(cuisineSets[ordinal] as number)) &&
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
    cuisine: query.cuisine === null ? null : columns.bitsOfCuisine(query.cuisine),
  };
}

/** Whether kinds and price levels are all that `filterOf` asks of a store, and delivery is no condition. */
export function isJudgedBySlots(query: StoreQuery, { sandboxPlaces }: Pick<FilterInputs, 'sandboxPlaces'>): boolean {
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
