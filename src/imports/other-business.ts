import { metresBetween } from '../lib/geo/sphere.ts';
import { haveUnlikeNames } from '../stores/merges/same-place.ts';

/** What a store is recognised by. */
export type Business = {
  name: string;
  /** Digits with the country code first; null where it is unknown. */
  phoneNumber: number | null;
  latitude: number;
  longitude: number;
};

/** A store that takes another name keeps its telephone number or its place: within this distance it only changes its name. */
export const RENAMED_METRES = 1000;

/** No store moves farther and stays the same store; outlets of a chain share a name and a telephone number. */
export const MOVED_METRES = 50_000;

/**
 * Whether a line is of another business than the store that has its id (docs/feeds.md#a-feed-by-its-file-name): more than
 * 50 km away, or more than 1 km away with a name that has nothing in common and another telephone number. The metres
 * between both, or null for the same business.
 */
export function otherBusiness(known: Business, line: Business): { metres: number } | null {
  const metres = metresBetween(known, line);
  if (metres > MOVED_METRES) return { metres };
  const hasSamePhone = known.phoneNumber !== null && known.phoneNumber === line.phoneNumber;
  if (metres <= RENAMED_METRES || hasSamePhone) return null;
  return haveUnlikeNames(known.name, line.name) ? { metres } : null;
}
