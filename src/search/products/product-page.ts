/**
 * Step between page counts and drops. The low digits of a page number count pages; above them, it counts matches that
 * earlier pages dropped because they had just sold out. So a walk shows every match once, on any node.
 */
const DROPPED_MATCHES_STEP = 100_000;

/** Maximum page number; a walk over all possible matches ends below it. */
export const MAX_PRODUCT_PAGE = 10 ** 12;

/** Returns the rank, from 0, of a page's first match. */
export function rankOfPage(page: number, pageSize: number): number {
  return (page % DROPPED_MATCHES_STEP) * pageSize + Math.floor(page / DROPPED_MATCHES_STEP);
}

/** Returns the next page's number, after a page that passed this many ranks. */
export function nextPageNumber(page: number, pageSize: number, passed: number): number {
  return page + 1 + Math.max(0, passed - pageSize) * DROPPED_MATCHES_STEP;
}
