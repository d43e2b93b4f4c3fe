import type { Place } from '../imports/open-data/place.ts';

export type PlaceQuery = {
  text: string;
  /** Ranks nearer matches first; null without a location. The radius only ranks, it excludes nothing. */
  near: { latitude: number; longitude: number; radiusMeters: number } | null;
  /** True for places open now. */
  isOpenOnly: boolean;
  now: Temporal.Instant;
};

/** An outside directory of places. Failures are OutsideError. */
export interface PlaceDirectory {
  /** The directory's name in the database. */
  readonly name: 'google' | 'local';
  /** Days a place may be cached; null for no limit. Ids may always be kept. */
  readonly maxCacheDays: number | null;
  /** Whether the operator pays per look-up. */
  readonly isBilled: boolean;
  /** The best matches, best first, at most `MAX_PLACES`. */
  search(query: PlaceQuery): Promise<readonly Place[]>;
  /** Undefined if the directory does not (or no longer) have the place. */
  find(placeId: string): Promise<Place | undefined>;
}

/** Places per answer. */
export const MAX_PLACES = 20;
