import type { Place } from './place.ts';

export type PlaceQuery = {
  text: string;
  /** Ranks nearer matches first; null without a location. The radius affects the rank only and excludes nothing. */
  near: { latitude: number; longitude: number; radiusMeters: number } | null;
  /** Whether to return only places that are open now. */
  isOpenOnly: boolean;
  now: Temporal.Instant;
};

/** An outside directory of places. Failures are OutsideError. */
export interface PlaceDirectory {
  /** The directory's name in the database. */
  readonly name: string;
  /** How many days a place may be cached; null for no limit. Ids may always be kept. */
  readonly maxCacheDays: number | null;
  /** Whether the operator pays per look-up. */
  readonly isBilled: boolean;
  /** Returns up to `MAX_PLACES` matches, best first. */
  search(query: PlaceQuery): Promise<readonly Place[]>;
  /** Returns undefined if the directory does not have the place (any more). */
  find(placeId: string): Promise<Place | undefined>;
}

/** The directory of a service without one. */
export const NO_PLACES: PlaceDirectory = {
  name: 'local',
  maxCacheDays: null,
  isBilled: false,
  search: async () => [],
  find: async () => undefined,
};

/** Maximum places per answer. */
export const MAX_PLACES = 20;
