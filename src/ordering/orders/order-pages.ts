/** A page ends at so many orders, or with the order that passes so many bytes. */
export const ORDERS_PER_PAGE = 100;
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/**
 * Page n begins at order 100 n. Where a page ends before its hundredth order, the number of the next page says besides
 * how many of the hundred were shown, as a multiple of this base.
 */
const SHOWN_BASE = 10_000_000;
const MAX_HUNDRED = 1_000_000;
export const MAX_ORDER_PAGE = (ORDERS_PER_PAGE - 1) * SHOWN_BASE + MAX_HUNDRED;

/** Where a page begins in the list, and how many orders it has at most. */
export function startOfPage(page: number): { position: number; limit: number } {
  const shown = Math.floor(page / SHOWN_BASE);
  return { position: (page % SHOWN_BASE) * ORDERS_PER_PAGE + shown, limit: ORDERS_PER_PAGE - shown };
}

/** The number of the page that follows a page with so many orders. */
export function nextPageAfter(page: number, orders: number): number {
  const { limit } = startOfPage(page);
  return orders >= limit ? (page % SHOWN_BASE) + 1 : page + orders * SHOWN_BASE;
}
