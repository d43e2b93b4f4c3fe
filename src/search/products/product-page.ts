/**
 * The number of a page counts pages in its low digits, and above them the matches that the pages before left out because
 * they had just been sold out. So a walk shows every match once, whichever nodes answer it.
 */
const LEFT_OUT_STEP = 100_000;

/** The largest number that a client may send; a walk over all matches that a search can have ends below. */
export const MAX_PRODUCT_PAGE = 10 ** 12;

/** The rank, from 0, of the first match of a page. */
export function rankOfPage(page: number, pageSize: number): number {
  return (page % LEFT_OUT_STEP) * pageSize + Math.floor(page / LEFT_OUT_STEP);
}

/** The number of the next page, after a page that passed so many ranks. */
export function pageAfter(page: number, pageSize: number, passed: number): number {
  return page + 1 + Math.max(0, passed - pageSize) * LEFT_OUT_STEP;
}
