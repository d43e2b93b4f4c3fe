/**
 * A page's number counts pages; above that it carries how many matches were left out of the pages before, because they
 * had just been sold out. So a walk shows every match once, on whichever nodes it is answered.
 */
const LEFT_OUT_STEP = 100_000;

/** A walk over as many matches as there can be ends below. */
export const LAST_PRODUCT_PAGE = 10 ** 12;

/** The rank, from 0, of the first match of a page. */
export function rankOfPage(page: number, pageSize: number): number {
  return (page % LEFT_OUT_STEP) * pageSize + Math.floor(page / LEFT_OUT_STEP);
}

/** The number of the page after one for which so many matches were looked at. */
export function pageAfter(page: number, pageSize: number, looked: number): number {
  return page + 1 + Math.max(0, looked - pageSize) * LEFT_OUT_STEP;
}
