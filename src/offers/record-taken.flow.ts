import type { Db, Sql } from '../db/connect.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { AUTO_CONFIRM } from './auto-confirm.ts';
import { lockOrders, markOffersTaken, markReceived } from './offers.db.ts';
import { announceOrders, type OrderNews } from './order-news.db.ts';
import type { StoreChannel } from './store-channel.ts';
import { findAutoConfirms, recordWorkingChannels } from './store-channels.db.ts';
import { type StoreNotice, TOLD_OF_CANCELATION } from './store-notice.ts';
import { insertNotices, markNoticesSent } from './store-notices.db.ts';

type Needs = { db: Db; clock: Clock; jobs: Jobs };

/**
 * Records that channels have taken these notices, in one transaction. An offer that was taken after its order was canceled
 * is called back.
 */
export async function recordTaken({ db, clock, jobs }: Needs, notices: readonly StoreNotice[]): Promise<void> {
  const at = clock.now();
  await db.transaction().execute(async (tx) => {
    // Every transaction locks orders before their notices.
    const states = await lockOrders(tx, [...new Set(notices.map(({ orderId }) => orderId))]);
    await markNoticesSent(tx, notices, at);
    await recordWorkingChannels(tx, notices);
    const offers = notices.filter(({ kind }) => kind === 'offered');
    if (offers.length === 0) return;
    await firstTaken({ tx, jobs, at }, offers);
    const late = offers.filter(
      ({ orderId, channel }) => states.get(orderId) === 'canceled' && TOLD_OF_CANCELATION.includes(channel),
    );
    const called = { kind: 'canceled', copy: 0, link: null, at, nextAttemptAt: at } as const;
    await insertNotices(
      tx,
      late.map(({ orderId, storeId, channel }) => ({ orderId, storeId, channel, ...called })),
    );
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
    await firstTaken(
      { tx, jobs, at },
      taken.map((orderId) => ({ storeId, orderId })),
    );
  });
}

/** The first channel that has an order makes it known to the customer, and confirms it where the store wants that. */
async function firstTaken(
  { tx, jobs, at }: { tx: Sql; jobs: Jobs; at: Temporal.Instant },
  taken: readonly OrderNews[],
): Promise<void> {
  const storeOf = new Map(taken.map(({ orderId, storeId }) => [orderId, storeId]));
  const orderIds = await markReceived(tx, [...storeOf.keys()], at);
  if (orderIds.length === 0) return;
  const received = orderIds.map((orderId) => ({ orderId, storeId: storeOf.get(orderId) ?? '' }));
  const minutesOf = await findAutoConfirms(tx, [...new Set(received.map(({ storeId }) => storeId))]);
  const confirmations = received.flatMap(({ orderId, storeId }) => {
    const minutes = minutesOf.get(storeId);
    return minutes === undefined ? [] : [{ payload: { orderId, minutes } }];
  });
  await jobs.enqueueMany(tx, AUTO_CONFIRM, confirmations);
  await announceOrders(tx, received);
}
