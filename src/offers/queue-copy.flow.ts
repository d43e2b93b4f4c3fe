import type { Db } from '../db/connect.ts';
import type { Order } from '../orders/order.ts';
import { lockOrder } from '../orders/orders.db.ts';
import { listChannels } from './store-channels.db.ts';
import { insertNotices, nextCopyNo } from './store-notices.db.ts';

/** Queues another print of a ticket and returns the number of the copy; undefined where the store has no printer. */
export async function queueCopy(
  db: Db,
  { orderId, storeId }: Pick<Order, 'orderId' | 'storeId'>,
  document: 'kitchen' | 'receipt',
  at: Temporal.Instant,
): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    // Two requests at once wait here, so that each gets a number of its own.
    await lockOrder(tx, orderId);
    const channels = await listChannels(tx, storeId);
    if (channels.every(({ channel }) => channel !== 'printer')) return undefined;
    const kind = document === 'kitchen' ? 'kitchen_copy' : 'receipt_copy';
    const copy = await nextCopyNo(tx, orderId, kind);
    await insertNotices(tx, [{ orderId, storeId, channel: 'printer', kind, copy, at, nextAttemptAt: at }]);
    return copy;
  });
}
