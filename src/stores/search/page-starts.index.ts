import { createRecentTable } from '../../lib/columns/recent-table.ts';
import type { RecentChanges } from './groups/recent-changes.index.ts';
import type { RankRequest } from './nodes/rank-request.ts';
import { areSamePage, hashOfPage, type PageKey } from './page-key.ts';
import type { Cursor, RankedStores, StoreRanking } from './store-ranking.index.ts';

/** Where a page begins: after a store, or at the first store (null). */
export type PageStart = Cursor | null | 'past the end';

/** A page of a request. */
export type AskedPage = { request: RankRequest; key: PageKey; size: number };

/**
 * Where pages begin. A page starts where the page before it ended, even if stores have come or gone since: a client that
 * pages through sees no store twice, and every store that was there throughout. Without a cached end the page is counted
 * from the first store.
 */
export type PageStarts = {
  startOf(asked: AskedPage, nowEpochS: number): PageStart;
  /** Whether the start is known, or near enough to be counted at once. */
  isNear(asked: Omit<AskedPage, 'request'>, nowEpochS: number): boolean;
  /** Counts in short steps where the page begins, and caches that; stores may change between two steps. */
  find(asked: AskedPage, nowEpochS: number): Generator<void, void>;
  /** The stores of the page that begins there, where they were ranked with its start and no store has changed since. */
  rankedFrom(key: PageKey, start: PageStart): RankedStores | null;
  /** The page begins there. */
  set(key: PageKey, start: PageStart, nowEpochS: number): void;
};

/** Cached ends of pages: the next page of a query starts where its last page ended. */
const MAX_CURSORS = 10_000;

/** A page requested later than this after the page before it is counted from the first store again. */
const CURSOR_LIFE_S = 600;

/** A store of a lower rank is found in well under a millisecond. */
const NEAR_RANK = 2000;

/** Pages that were ranked with their start: a page is searched soon after its start was found. */
const MAX_RANKED_PAGES = 64;

type CachedStart = { start: PageStart; madeAtS: number };
type RankedPage = { start: Cursor; stores: RankedStores; changes: number };

export function createPageStarts(
  ranking: StoreRanking,
  changes: Pick<RecentChanges, 'count'>,
  storeCount: () => number,
): PageStarts {
  const keyRules = { hashOf: hashOfPage, areEqual: areSamePage };
  const ranked = createRecentTable<PageKey, RankedPage>(MAX_RANKED_PAGES, keyRules);
  const starts = createRecentTable<PageKey, CachedStart>(MAX_CURSORS, keyRules);

  function knownOf(key: PageKey, nowEpochS: number): CachedStart | undefined {
    const known = starts.get(key);
    return known !== undefined && Math.abs(nowEpochS - known.madeAtS) <= CURSOR_LIFE_S ? known : undefined;
  }

  function set(key: PageKey, start: PageStart, nowEpochS: number): void {
    starts.set(key, { start, madeAtS: nowEpochS });
  }

  function* count({ request, key, size }: AskedPage): Generator<void, PageStart> {
    const before = changes.count;
    const found = yield* ranking.cursorSteps(request, { rank: key.page * size - 1, size });
    if (found === null) return 'past the end';
    const { cursor, following } = found;
    // A store may have changed between two steps.
    const isCurrent = changes.count === before;
    if (following !== null && isCurrent) ranked.set(key, { start: cursor, stores: following, changes: before });
    return cursor;
  }

  return {
    set,
    startOf(asked, nowEpochS) {
      const { key, size } = asked;
      const { page } = key;
      if (page === 0) return null;
      const known = knownOf(key, nowEpochS);
      if (known !== undefined) return known.start;
      if (page * size >= storeCount()) return 'past the end';
      const steps = count(asked);
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
      }
    },
    rankedFrom(key, start) {
      // A first page was not ranked before; most searches ask for one.
      const page = start === null ? undefined : ranked.get(key);
      return page?.start === start && page.changes === changes.count ? page.stores : null;
    },
    isNear({ key, size }, nowEpochS) {
      const rank = key.page * size;
      return rank < NEAR_RANK || rank >= storeCount() || knownOf(key, nowEpochS) !== undefined;
    },
    *find(asked, nowEpochS) {
      set(asked.key, yield* count(asked), nowEpochS);
    },
  };
}
