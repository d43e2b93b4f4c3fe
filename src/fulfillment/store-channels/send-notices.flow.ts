import type { Logger } from 'pino';
import type { FollowEvent } from '../../ordering/orders/follow-event.flow.ts';
import type { Order } from '../../ordering/orders/order.ts';
import { findAnyOrders } from '../../ordering/orders/orders.db.ts';
import type { Db } from '../../platform/db/connect.ts';
import { isRefusedStatement } from '../../platform/db/hot-statement.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import { batchCalls, changesNothing } from '../../platform/lib/batch-calls.ts';
import { SerialGate } from '../../platform/lib/batch-gate.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { nextAttemptAt, type RetrySchedule } from '../../platform/lib/retry-schedule.ts';
import { activeTraceparent, failActiveSpan } from '../../platform/lib/tracing.ts';
import { PrinterError } from '../tickets/printer.ts';
import { announceOrders } from './received-orders.db.ts';
import { recordTaken, recordUnlocked, type TakenByChannel } from './record-taken.flow.ts';
import { type SendDeps, sendNotice } from './send-notice.flow.ts';
import { recordFailingChannel } from './store-channels.db.ts';
import { channelKey, isStale, type StoreNotice } from './store-notice.ts';
import { markNoticeFailed, markNoticeOpen, NOTICE_QUEUE, type TakenNotice } from './store-notices.db.ts';

/** Short delays, because a kitchen is waiting. After a day the notice fails permanently. */
const RETRIES: RetrySchedule = { delaysSeconds: [4, 8, 16, 32, 60], repeatsForHours: 24 };
/**
 * Limits of concurrent notices per worker. A hanging channel delays only its own; all hanging channels together leave
 * half.
 */
const NOTICE_LIMITS = { max: 24, perOwner: 4, first: 2, slowMs: 5000, maxSlow: 12 };

type NoticeQueueDeps = SendDeps & {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  jobs: Jobs;
  followEvent: FollowEvent;
};

/** The queue of notices to store channels: offers, cancelations and tickets. */
export function noticeQueue(deps: NoticeQueueDeps): LeasedQueue<TakenNotice> {
  const { db, clock, log, metrics } = deps;
  const failed = metrics.count(
    'doorstep_store_notices_failed_total',
    'Attempts to reach a channel of a store that failed.',
  );
  const sent = metrics.count('doorstep_store_notices_sent_total', 'Notices that a channel of a store has taken.');
  const shared = createNoticeStatements(deps, NOTICE_LIMITS.max);
  return new LeasedQueue<TakenNotice>({
    name: 'telling stores',
    db,
    clock,
    log,
    table: NOTICE_QUEUE,
    limits: NOTICE_LIMITS,
    ownerOf: channelKey,
    async work(notice) {
      const { orderId, channel, kind } = notice;
      const attributes = { 'doorstep.channel': channel, 'doorstep.notice.kind': kind };
      const work = { name: 'tell a store', orderId, attributes };
      const isTaken = await deps.followEvent(work, () => tell(deps, shared, notice));
      (isTaken ? sent : failed).inc();
    },
  });
}

/**
 * Makes one attempt outside of any transaction and records its outcome; returns true if the channel has taken the
 * notice.
 */
async function tell(deps: NoticeQueueDeps, shared: NoticeStatements, notice: TakenNotice): Promise<boolean> {
  const { db, clock, log } = deps;
  const order = await shared.findOrder(notice.orderId);
  if (!order || !notice.hasChannel || isStale(notice.kind, order)) {
    await markNoticeFailed(db, notice, { error: 'withdrawn', nextAttemptAt: undefined, mayBeSent: false });
    return false;
  }
  if (notice.channel === 'console' || notice.channel === 'operator') {
    await markNoticeOpen(db, notice);
    await announceOrders(db, [notice]);
    return true;
  }
  try {
    await sendNotice(deps, notice, order);
  } catch (error) {
    failActiveSpan('not_taken');
    const { orderId, accountId, storeId } = order;
    const ids = { orderId, accountId, storeId, channel: notice.channel };
    if (!(error instanceof OutsideError)) log.error({ err: error, ...ids }, 'telling a store failed');
    const reason = error instanceof OutsideError ? error.message : 'failed inside';
    const failed = { attempt: notice.attempts, since: notice.createdAt, now: clock.now() };
    const retryAt = nextAttemptAt(RETRIES, failed, Math.random());
    const mayBeSent = !(error instanceof PrinterError) || error.mayBePrinted;
    await markNoticeFailed(db, notice, { error: reason, nextAttemptAt: retryAt, mayBeSent });
    await recordFailingChannel(db, notice, { error: reason, at: clock.now() });
    if (notice.attempts === 1) log.warn({ ...ids, reason }, 'a channel of a store fails');
    return false;
  }
  await shared.recordTaken(notice);
  return true;
}

/** Statements of a worker for each notice; concurrent notices share them. */
export type NoticeStatements = {
  /** The order of a notice; undefined if it was deleted. */
  findOrder(orderId: string): Promise<Order | undefined>;
  /**
   * Records that a channel has taken the notice, in one transaction with concurrent notices whose orders are not
   * locked.
   */
  recordTaken(notice: StoreNotice): Promise<void>;
};

export function createNoticeStatements(deps: { db: Db; clock: Clock; jobs: Jobs }, maxBatch: number): NoticeStatements {
  // A call's owner is its trace, and a batch with several traces runs in none of them.
  const limits = { maxBatch, ownerNow: activeTraceparent, gate: new SerialGate() };
  const recordOfBatch = batchCalls({
    ...limits,
    didNothing: isRefusedStatement,
    run: (taken: readonly TakenByChannel[]) => recordUnlocked(deps, taken),
  });
  return {
    findOrder: batchCalls({
      ...limits,
      didNothing: changesNothing,
      run: async (orderIds: readonly string[]) => {
        const orders = await findAnyOrders(deps.db, orderIds);
        return orderIds.map((orderId) => orders.get(orderId));
      },
    }),
    async recordTaken(notice) {
      const taken = { notice, traceparent: activeTraceparent() ?? null };
      if (!(await recordOfBatch(taken))) await recordTaken(deps, taken);
    },
  };
}
