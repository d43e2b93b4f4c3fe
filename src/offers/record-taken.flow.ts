import type { Db, Sql } from '../db/connect.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { lockOrder } from '../orders/orders.db.ts';
import { AUTO_CONFIRM } from './auto-confirm.ts';
import { lockOrders, markOffersTaken, markReceived } from './offers.db.ts';
import { announceOrders } from './order-news.db.ts';
import type { StoreChannel } from './store-channel.ts';
import { findAutoConfirm, recordChannelHealth } from './store-channels.db.ts';
import { isAcknowledgedBySending, type StoreNotice, TOLD_OF_CANCELATION } from './store-notice.ts';
import { insertNotices, markNoticeSent } from './store-notices.db.ts';

type Needs = { db: Db; clock: Clock; jobs: Jobs };

/** Records that a channel has taken a notice. An offer that was taken after its order was canceled is called back. */
export async function recordTaken({ db, clock, jobs }: Needs, notice: StoreNotice): Promise<void> {
  const at = clock.now();
  const { orderId, storeId, channel, kind } = notice;
  await db.transaction().execute(async (tx) => {
    // Every transaction locks the order before its notices.
    const order = await lockOrder(tx, orderId);
    await markNoticeSent(tx, notice, { at, isAcknowledged: isAcknowledgedBySending(channel) });
    await recordChannelHealth(tx, notice, { error: null, at });
    if (kind !== 'offered') return;
    await firstTaken({ tx, jobs, at }, storeId, [orderId]);
    if (order?.status !== 'canceled' || !TOLD_OF_CANCELATION.includes(channel)) return;
    await insertNotices(tx, [
      { orderId, storeId, channel, kind: 'canceled', copy: 0, link: null, at, nextAttemptAt: at },
    ]);
  });
}

/** Records that a channel which fetches its orders has taken offers of a store, in one transaction. */
export async function recordFetched(
  { db, clock, jobs }: Needs,
  storeId: string,
  orderIds: readonly string[],
  channel: StoreChannel,
): Promise<void> {
  if (orderIds.length === 0) return;
  const at = clock.now();
  await db.transaction().execute(async (tx) => {
    await lockOrders(tx, orderIds);
    const taken = await markOffersTaken(tx, orderIds, channel, at);
    await firstTaken({ tx, jobs, at }, storeId, taken);
  });
}

/** The first channel that has an order makes it known to the customer, and confirms it where the store wants that. */
async function firstTaken(
  { tx, jobs, at }: { tx: Sql; jobs: Jobs; at: Temporal.Instant },
  storeId: string,
  orderIds: readonly string[],
): Promise<void> {
  const received = await markReceived(tx, orderIds, at);
  if (received.length === 0) return;
  const minutes = await findAutoConfirm(tx, storeId);
  if (minutes !== null) {
    const confirmations = received.map((orderId) => ({ payload: { orderId, minutes } }));
    await jobs.enqueueMany(tx, AUTO_CONFIRM, confirmations);
  }
  await announceOrders(
    tx,
    received.map((orderId) => ({ storeId, orderId })),
  );
}
