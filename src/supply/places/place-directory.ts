import type { Place } from '../imports/open-data/place.ts';

export type PlaceQuery = {
  text: string;
  /** Nearer matches come first; null without a location. The radius moves matches up, and cuts no match off. */
  near: { latitude: number; longitude: number; radiusMeters: number } | null;
  /** True keeps the places that are open now. */
  isOpenOnly: boolean;
  now: Temporal.Instant;
};

/** A directory of places of an outside party. Failures are OutsideError. */
export interface PlaceDirectory {
  /** The name of the directory in the database. */
  readonly name: 'google' | 'local';
  /** Days that a place may be cached before it must be read again; null: for good. Ids may always be kept for good. */
  readonly maxCacheDays: number | null;
  /** Whether the operator pays for each look-up. */
  readonly isBilled: boolean;
  /** The best matches, best first, at most `MAX_PLACES`. */
  search(query: PlaceQuery): Promise<readonly Place[]>;
  /** Undefined where the directory has no such place, or no longer has it. */
  find(placeId: string): Promise<Place | undefined>;
}

/** Places in one answer. */
export const MAX_PLACES = 20;
