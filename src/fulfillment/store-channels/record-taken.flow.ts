import type { Order } from '../../ordering/order/order.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { activeTraceparent } from '../../platform/lib/tracing.ts';
import { AUTO_CONFIRM } from './auto-confirm.job.ts';
import { announceOrders, lockOrders, markNoticesTaken, markReceived, type OrderChange } from './received-orders.db.ts';
import type { StoreChannel } from './store-channel.ts';
import { findAutoConfirms, recordWorkingChannels } from './store-channels.db.ts';
import { isNotifiedOfChanges, type StoreNotice } from './store-notice.ts';
import { insertNotices, markNoticesSent } from './store-notices.db.ts';

/* Records the notices that a store's channels have taken, and the effects of a taken offer. */

type RecordTakenDeps = Context & { jobs: Jobs };

/** A notice that a channel has taken, and the trace of the work that sent it, if any. */
export type TakenByChannel = { notice: StoreNotice; traceparent: string | null };

/**
 * Records notices of several orders as taken, in one transaction that skips locked orders, so that one order's lock
 * delays no other's notice. Returns for each notice whether it was recorded; call `recordTaken` for the others.
 */
export async function tryRecordTaken(needs: RecordTakenDeps, taken: readonly TakenByChannel[]): Promise<boolean[]> {
  return needs.db.transaction().execute(async (tx) => {
    const states = await lockOrders(tx, orderIdsOf(taken), { skipLocked: true });
    const isRecorded = taken.map(({ notice }) => states.has(notice.orderId));
    const unlocked = taken.filter((_, index) => isRecorded[index]);
    if (unlocked.length > 0) await writeTaken(needs, tx, unlocked, states);
    return isRecorded;
  });
}

/** Records that a channel has taken a notice; waits for the order's lock. */
export async function recordTaken(needs: RecordTakenDeps, taken: TakenByChannel): Promise<void> {
  await needs.db.transaction().execute(async (tx) => {
    const states = await lockOrders(tx, [taken.notice.orderId]);
    await writeTaken(needs, tx, [taken], states);
  });
}

const orderIdsOf = (taken: readonly TakenByChannel[]) => [...new Set(taken.map(({ notice }) => notice.orderId))];

/** Writes the channels' acceptance. If an order was canceled before that, the cancellation follows. */
async function writeTaken(
  { clock, jobs }: RecordTakenDeps,
  tx: Sql,
  taken: readonly TakenByChannel[],
  states: ReadonlyMap<string, Order['status']>,
): Promise<void> {
  const at = clock.now();
  const notices = taken.map(({ notice }) => notice);
  await markNoticesSent(tx, notices, at);
  await recordWorkingChannels(tx, notices);
  const offers = notices.filter(({ kind }) => kind === 'offered');
  if (offers.length === 0) return;
  const traceOf = new Map(taken.map(({ notice, traceparent }) => [notice.orderId, traceparent]));
  await handleFirstReceipt({ tx, jobs, at, traceOf }, offers);
  const late = offers.filter(
    ({ orderId, channel }) => states.get(orderId) === 'canceled' && isNotifiedOfChanges(channel),
  );
  const called = { kind: 'canceled', copy: 0, at } as const;
  await insertNotices(
    tx,
    late.map(({ orderId, storeId, channel }) => ({ orderId, storeId, channel, ...called })),
  );
}

/** Records offers of a store as taken by a channel that fetches its orders, in one transaction. */
export async function recordFetched(
  { db, clock, jobs }: RecordTakenDeps,
  storeId: string,
  orderIds: readonly string[],
  channel: StoreChannel,
): Promise<void> {
  if (orderIds.length === 0) return;
  const at = clock.now();
  await db.transaction().execute(async (tx) => {
    await lockOrders(tx, orderIds);
    const taken = await markNoticesTaken(tx, orderIds, channel, at);
    const traceOf = new Map(taken.map((orderId) => [orderId, activeTraceparent() ?? null]));
    await handleFirstReceipt(
      { tx, jobs, at, traceOf },
      taken.map((orderId) => ({ storeId, orderId })),
    );
  });
}

type FirstReceipt = { tx: Sql; jobs: Jobs; at: Temporal.Instant; traceOf: ReadonlyMap<string, string | null> };

/**
 * Notifies the customer when the first channel has an order and, if the store wants that, confirms the order, in the
 * trace of the order's own notice.
 */
async function handleFirstReceipt({ tx, jobs, at, traceOf }: FirstReceipt, taken: readonly OrderChange[]) {
  const storeOf = new Map(taken.map(({ orderId, storeId }) => [orderId, storeId]));
  const orderIds = await markReceived(tx, [...storeOf.keys()], at);
  if (orderIds.length === 0) return;
  const received = orderIds.map((orderId) => ({ orderId, storeId: storeOf.get(orderId) ?? '' }));
  const minutesOf = await findAutoConfirms(tx, [...new Set(received.map(({ storeId }) => storeId))]);
  const confirmations = received.flatMap(({ orderId, storeId }) => {
    const minutes = minutesOf.get(storeId);
    const traceparent = traceOf.get(orderId) ?? null;
    return minutes === undefined ? [] : [{ payload: { orderId, minutes }, traceparent }];
  });
  await jobs.enqueueMany(tx, AUTO_CONFIRM, confirmations);
  await announceOrders(tx, received);
}
