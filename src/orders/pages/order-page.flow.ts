import type { Caller } from '../../accounts/account.ts';
import type { TrackingSite } from '../../accounts/tracking-site.ts';
import type { Sql } from '../../db/connect.ts';
import { isSliceOver, nextSlice } from '../../load/event-loop-scheduler.ts';
import type { Order } from '../order.ts';
import { countOrders, listOrders, type OrderFilter } from '../orders.db.ts';
import { presentOrder } from '../present-order.ts';
import { MAX_PAGE_BYTES, nextPageAfter, startOfPage } from './order-pages.ts';

/** Orders of the first read: their size tells how many more a page has room for. */
const FIRST_READ = 4;
/** The bytes of one later read: what is read at once is parsed at once, and held until it is shown. */
const READ_BYTES = 256 * 1024;

type Deps = { db: Sql; site: TrackingSite };
type Question = { caller: Caller; filter: OrderFilter; page: number; withCount: boolean };

/**
 * A page of the caller's orders as JSON, in parts. The page ends at 100 orders, or with the order that passes `MAX_PAGE_BYTES`;
 * `next_page` is absent where no order follows. Orders are read a few at a time, so that a page of large orders holds
 * little more memory than its bytes.
 */
export async function orderPage(deps: Deps, { caller, filter, page, withCount }: Question): Promise<Buffer[]> {
  const { db } = deps;
  const count = withCount ? await countOrders(db, caller, filter) : undefined;
  const { position, limit } = startOfPage(page);
  const shown: Shown = { parts: [], count: 0, bytes: 0 };
  let from: number | Order = position;
  let wanted = Math.min(FIRST_READ, limit);
  let isFollowed = false;
  while (wanted > 0) {
    // One more than wanted tells whether an order follows.
    const orders: Order[] = await listOrders(db, caller, filter, { from, limit: wanted + 1 });
    const last = await show(deps, shown, orders.slice(0, wanted));
    isFollowed = last !== undefined && last !== orders.at(-1);
    if (!last || !isFollowed) break;
    from = last;
    wanted = roomFor(shown, limit);
  }
  const end = [
    ']',
    count === undefined ? '' : `,"order_count":${count}`,
    isFollowed ? `,"next_page":${nextPageAfter(page, shown.count)}` : '',
    '}',
  ];
  return [Buffer.from('{"orders":['), ...shown.parts, Buffer.from(end.join(''))];
}

/** The Order elements of a page so far, as bytes with the commas between them: outside of the heap of JavaScript. */
type Shown = { parts: Buffer[]; count: number; bytes: number };

/** Adds orders until the page is full; returns the last order that was added. */
async function show({ site }: Deps, shown: Shown, orders: readonly Order[]): Promise<Order | undefined> {
  let last: Order | undefined;
  for (const order of orders) {
    if (isSliceOver()) await nextSlice();
    const text = JSON.stringify(presentOrder(order, site));
    const part = Buffer.from(shown.count === 0 ? text : `,${text}`);
    shown.parts.push(part);
    shown.count += 1;
    shown.bytes += part.length;
    last = order;
    if (shown.bytes >= MAX_PAGE_BYTES) break;
  }
  return last;
}

/** How many orders of the mean size so far the next read may have; at least one, and none where the page is full. */
function roomFor({ count, bytes }: Shown, limit: number): number {
  if (bytes >= MAX_PAGE_BYTES || count >= limit) return 0;
  const mean = bytes / count;
  const fit = Math.ceil((MAX_PAGE_BYTES - bytes) / mean);
  return Math.min(fit, Math.max(1, Math.floor(READ_BYTES / mean)), limit - count);
}
