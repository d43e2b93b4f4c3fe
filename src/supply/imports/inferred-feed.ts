import { metersBetween } from '../../platform/lib/geo/sphere.ts';
import { haveUnlikeNames } from '../stores/merges/same-place.ts';
import { createSeenStores, type SeenStores } from './seen-stores.ts';

/**
 * Guards a feed identified by its file name: another file of that name may be another feed, whose stores must not
 * overwrite these.
 */

/**
 * What a run knows of a feed identified by file name, because no source is stated
 * (docs/feeds.md#a-feed-by-its-file-name).
 */
export type InferredFeed = {
  /** Whether an id is the same business in every feed, as in open data. */
  globalIds: boolean;
  /**
   * Whether the feed always came from this run's first file: then it is the same feed, though it may be truncated. Null
   * until a file is opened.
   */
  isOwnFile: boolean | null;
  /** Stores brought by this run: its later lines may change their business. */
  taken: SeenStores;
  /** Whether the files name a store the feed had before. */
  namesKnown: boolean;
  /** Whether the files have records that are no stores: such a record may have been a store before. */
  leavesOut: boolean;
  /** Lines rejected as other businesses. */
  misplaced: number;
};

/** A line that would turn a store into another business. */
export type MisplacedBusiness = { known: Business; meters: number };

/** Stores allowed to become other businesses; null for all. */
export function exemptStores(feed: InferredFeed | undefined): SeenStores | null {
  return feed && !feed.globalIds && !feed.isOwnFile ? feed.taken : null;
}

export function createInferredFeed({ globalIds }: Pick<InferredFeed, 'globalIds'>): InferredFeed {
  const taken = createSeenStores();
  return { globalIds, isOwnFile: null, taken, namesKnown: false, leavesOut: false, misplaced: 0 };
}

/** Records which stores existed before they were written, and which this run took. */
export function noteStores(
  feed: InferredFeed,
  { known, taken, misplaced }: { known: readonly string[]; taken: Iterable<string>; misplaced: number },
): void {
  feed.namesKnown ||= known.some((storeId) => !feed.taken.has(storeId));
  for (const storeId of taken) feed.taken.add(storeId);
  feed.misplaced += misplaced;
}

/** Why the line is rejected, and the operator's options. */
export function misplacedFault(
  source: string,
  { known, meters }: MisplacedBusiness,
): { path: string; message: string } {
  const message = `expected the business that the feed ${source} has by this id: ${known.name}, ${kilometers(meters)} away. State the feed with --source: ${source} where it is the same business, a name of its own where the file is another feed`;
  return { path: 'external_id', message };
}

function kilometers(meters: number): string {
  const km = meters / 1000;
  return `${km < 10 ? km.toFixed(1) : Math.round(km)} km`;
}

/**
 * Why the feed's unnamed stores stay in search; null if they may be pruned. `namesListed`: the files name a listed
 * store of the feed, even in a faulty line.
 */
export function pruningObstacle(source: string, feed: InferredFeed, namesListed: boolean): string | null {
  const { namesKnown, misplaced, leavesOut, taken, isOwnFile } = feed;
  const state = `State the feed with --source: ${source} to prune its stores, a name of its own where the file is another feed.`;
  if (misplaced > 0)
    return `Nothing was pruned: ${misplaced === 1 ? 'a line is' : `${misplaced} lines are`} of other businesses than the feed ${source} has. ${state}`;
  if (namesKnown || namesListed || (leavesOut && taken.size === 0) || (isOwnFile && taken.size > 0)) return null;
  return `Nothing was pruned: the feed ${source} has other stores, and the file names none of them. ${state}`;
}

/** The identifying facts of a store. */
export type Business = {
  name: string;
  /** Digits with country code; null if unknown. */
  phoneNumber: number | null;
  latitude: number;
  longitude: number;
};

/** Meters within which a store with a new name and phone number still counts as the same store. */
export const RENAMED_METERS = 1000;

/** No store moves farther; outlets of a chain share name and phone. */
export const MOVED_METERS = 50_000;

/**
 * The distances that make a line another business than the store with its id (docs/feeds.md#a-feed-by-its-file-name):
 * over 50 km, or over 1 km with different name and phone; null for the same business.
 */
export function otherBusiness(known: Business, line: Business): { meters: number } | null {
  const meters = metersBetween(known, line);
  if (meters > MOVED_METERS) return { meters };
  const hasSamePhone = known.phoneNumber !== null && known.phoneNumber === line.phoneNumber;
  if (meters <= RENAMED_METERS || hasSamePhone) return null;
  return haveUnlikeNames(known.name, line.name) ? { meters } : null;
}
