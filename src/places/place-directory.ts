import type { Place } from '../imports/open-data/place.ts';

export type PlaceQuery = {
  text: string;
  /** Nearer matches come first; null where nothing is known of where. Metres bias, and cut nothing off. */
  near: { latitude: number; longitude: number; radiusMetres: number } | null;
  /** true keeps the places that are open now. */
  isOpenOnly: boolean;
  now: Temporal.Instant;
};

/** A directory of places that somebody else keeps. Failures are OutsideError. */
export interface PlaceDirectory {
  /** Names the directory in the database. */
  readonly name: 'google' | 'local';
  /** Days that its facts may be kept without asking again; null: for good. Its ids may be kept for good always. */
  readonly keepDays: number | null;
  /** The best matches, best first, at most `MOST_PLACES`. */
  search(query: PlaceQuery): Promise<readonly Place[]>;
  /** Undefined where the directory knows no such place (any more). */
  find(placeId: string): Promise<Place | undefined>;
}

/** Places in one answer. */
export const MOST_PLACES = 20;
