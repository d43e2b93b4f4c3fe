import type { Db } from '../db/connect.ts';
import { isRefusedStatement } from '../db/hot-statement.ts';
import { createStatementGate } from '../db/statement-gate.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { batchCalls, changesNothing } from '../lib/batch-calls.ts';
import type { Clock } from '../lib/clock.ts';
import { traceparentNow } from '../lib/tracing.ts';
import type { Order } from '../orders/order.ts';
import { findAnyOrders } from '../orders/orders.db.ts';
import { recordTaken, recordUnlocked, type TakenByChannel } from './record-taken.flow.ts';
import type { StoreNotice } from './store-notice.ts';

/** What a worker asks of the database for each notice: notices that are told at one moment share the statements. */
export type SharedNotices = {
  /** The order of a notice; undefined where it was deleted. */
  findOrder(orderId: string): Promise<Order | undefined>;
  /** Records that a channel has taken the notice, in a transaction with the other notices of the moment whose orders are not locked. */
  recordTaken(notice: StoreNotice): Promise<void>;
};

export function shareNotices(deps: { db: Db; clock: Clock; jobs: Jobs }, maxBatch: number): SharedNotices {
  // The trace is the owner of a call: a batch of several traces runs in none of the traces.
  const limits = { maxBatch, ownerNow: traceparentNow, gate: createStatementGate() };
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
      const taken = { notice, traceparent: traceparentNow() ?? null };
      if (!(await recordOfBatch(taken))) await recordTaken(deps, taken);
    },
  };
}
