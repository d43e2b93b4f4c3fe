/** Maximum orders per page; a page also ends with the order that exceeds the byte limit. */
export const ORDERS_PER_PAGE = 100;
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/**
 * Base of page numbers. Page n begins at order 100 n. After a page that ended early, the next page number adds the
 * number of shown orders as a multiple of this base.
 */
const OFFSET_BASE = 10_000_000;
const MAX_HUNDRED = 1_000_000;
export const MAX_ORDER_PAGE = (ORDERS_PER_PAGE - 1) * OFFSET_BASE + MAX_HUNDRED;

/** Returns where a page begins in the list, and its maximum number of orders. */
export function startOfPage(page: number): { position: number; limit: number } {
  const shown = Math.floor(page / OFFSET_BASE);
  return { position: (page % OFFSET_BASE) * ORDERS_PER_PAGE + shown, limit: ORDERS_PER_PAGE - shown };
}

/** Returns the page number that follows a page with this many orders. */
export function nextPageNumber(page: number, orders: number): number {
  const { limit } = startOfPage(page);
  return orders >= limit ? (page % OFFSET_BASE) + 1 : page + orders * OFFSET_BASE;
}
