import { metersBetween } from '../../platform/lib/geo/sphere.ts';
import { type ComparedPlace, haveUnlikeNames } from '../stores/merges/same-place.ts';

/**
 * Guards a feed identified by its file name: another file of that name may be another feed, whose stores must not
 * overwrite these.
 */

/**
 * State of a feed that is identified by its file name, because no source is stated
 * (docs/feeds.md#a-feed-by-its-file-name).
 */
export type InferredFeed = {
  /** Whether an id is the same business in every feed, as in open data. */
  globalIds: boolean;
  /**
   * Whether all of the feed's imports read this run's first file: then it is the same feed, although it may be
   * truncated. Null until a file is opened.
   */
  isOwnFile: boolean | null;
  /** Stores that this run has written. Its later lines may turn them into another business. */
  writtenStores: Set<string>;
  /** Whether the files list a store that the feed had before. */
  namesKnown: boolean;
  /** Whether the files have records that are not stores; such a record may have been a store before. */
  leavesOut: boolean;
  /** Number of lines rejected as other businesses. */
  misplaced: number;
};

/** A line that would turn a store into another business. */
export type MisplacedBusiness = { known: Business; meters: number };

/** Stores that may become another business; null for all. */
export function exemptStores(feed: InferredFeed | undefined): ReadonlySet<string> | null {
  return feed && !feed.globalIds && !feed.isOwnFile ? feed.writtenStores : null;
}

export function createInferredFeed({ globalIds = false }: { globalIds?: boolean }): InferredFeed {
  const writtenStores = new Set<string>();
  return { globalIds, isOwnFile: null, writtenStores, namesKnown: false, leavesOut: false, misplaced: 0 };
}

/** Records which stores existed before they were written, and which stores this run wrote. */
export function recordStores(
  feed: InferredFeed,
  { known, writtenStores, misplaced }: { known: readonly string[]; writtenStores: Iterable<string>; misplaced: number },
): void {
  feed.namesKnown ||= known.some((storeId) => !feed.writtenStores.has(storeId));
  for (const storeId of writtenStores) feed.writtenStores.add(storeId);
  feed.misplaced += misplaced;
}

/** The rejection of a line, with the reason and the operator's options. */
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
 * Explains why stores that the feed no longer lists stay in search; null if they may be pruned. `namesListed`: the
 * files name a listed store of the feed, even in a faulty line.
 */
export function pruningObstacle(source: string, feed: InferredFeed, namesListed: boolean): string | null {
  const { namesKnown, misplaced, leavesOut, writtenStores, isOwnFile } = feed;
  const state = `State the feed with --source: ${source} to prune its stores, a name of its own where the file is another feed.`;
  if (misplaced > 0)
    return `Nothing was pruned: ${misplaced === 1 ? 'a line is' : `${misplaced} lines are`} of other businesses than the feed ${source} has. ${state}`;
  if (namesKnown || namesListed || (leavesOut && writtenStores.size === 0) || (isOwnFile && writtenStores.size > 0))
    return null;
  return `Nothing was pruned: the feed ${source} has other stores, and the file names none of them. ${state}`;
}

/** Facts that identify a store's business. */
export type Business = Omit<ComparedPlace, 'brand'>;

/** Maximum distance in meters at which a store with a new name and phone number still counts as the same store. */
export const MAX_RENAME_METERS = 1000;

/**
 * Maximum distance in meters that a store may move. Farther away it is another outlet of a chain, which shares name and
 * phone.
 */
export const MAX_MOVE_METERS = 50_000;

/**
 * Whether a line is another business than the store with its id (docs/feeds.md#a-feed-by-its-file-name), and the
 * distance: over 50 km, or over 1 km with a different name and phone. Null for the same business.
 */
export function otherBusiness(known: Business, line: Business): { meters: number } | null {
  const meters = metersBetween(known, line);
  if (meters > MAX_MOVE_METERS) return { meters };
  const hasSamePhone = known.phoneNumber !== null && known.phoneNumber === line.phoneNumber;
  if (meters <= MAX_RENAME_METERS || hasSamePhone) return null;
  return haveUnlikeNames(known.name, line.name) ? { meters } : null;
}
