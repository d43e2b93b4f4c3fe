import type { RankedItem } from '../../../lib/columns/top-list.ts';
import type { UnitVector } from '../../../lib/geo/sphere.ts';
import type { Groups } from '../groups/store-group.ts';
import type { StoreFilter } from '../store-filter.ts';
import type { StoreSort } from '../store-sort.ts';
import type { Viewport } from '../walk-tree.ts';
import type { NodeFilter } from './node-filter.ts';

/** The stores that are ranked: each group comes before the next one and is sorted in the same way. */
export type RankRequest = {
  groups: Groups;
  from: UnitVector;
  farthest: number;
  viewport: Viewport | null;
  sort: StoreSort;
  /** The conditions of `accept` that a whole node can be judged by. */
  filter: NodeFilter;
  isJudgedBySlots: StoreFilter['isJudgedBySlots'];
  /** Whether a store meets the conditions; `acceptFound` where its slot has met the filter. */
  accept: StoreFilter['accept'];
  acceptFound: StoreFilter['acceptFound'];
  /** Whether the store delivers to `from`; null where that is no condition. */
  delivers: ((ordinal: number) => boolean) | null;
};

/**
 * The store of a rank, or how many stores there are where there are no more than the rank; `following` has the stores
 * after it, where these were ranked too.
 */
export type FoundRank = { found: RankedItem | undefined; passed: number; following: RankedItem[] | null };
