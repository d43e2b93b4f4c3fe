import { findAccountNames } from '../../access/accounts/accounts.db.ts';
import { findChannels } from '../../fulfillment/store-channels/store-channels.db.ts';
import { findOrderNotices } from '../../fulfillment/store-channels/store-notices.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { listAwaiting } from './operator-lists.db.ts';
import { presentWaiting, type Waiting } from './waiting.ts';

const MAX_WAITING = 200;

export type WaitingRows = Awaited<ReturnType<typeof findWaiting>>;

/** The live orders that wait for their stores, with everything that says whether they ring. */
export async function findWaiting(db: Sql, now: Temporal.Instant) {
  const found = await listAwaiting(db, { now, limit: MAX_WAITING + 1 });
  const orders = found.slice(0, MAX_WAITING);
  const [offers, channels, names] = await Promise.all([
    findOrderNotices(
      db,
      orders.map(({ orderId }) => orderId),
    ),
    findChannels(db, [...new Set(orders.map(({ storeId }) => storeId))]),
    findAccountNames(db, [...new Set(orders.map(({ accountId }) => accountId))]),
  ]);
  return { now, orders, more: found.length > MAX_WAITING, offers, channels, names };
}

export function presentFound({ now, orders, more, offers, channels, names }: WaitingRows): Waiting {
  return {
    now: epochSeconds(now),
    more,
    orders: orders.map((order) =>
      presentWaiting(order, {
        offers: offers.filter(({ orderId }) => orderId === order.orderId),
        channels: channels.filter(({ storeId }) => storeId === order.storeId),
        accountName: names.get(order.accountId) ?? '',
      }),
    ),
  };
}
