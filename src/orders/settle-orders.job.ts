import type { Deps } from '../deps.ts';
import type { Worker } from '../jobs/boss.ts';
import { SETTLE_ORDER } from './follow-ups.ts';
import { findUnsettledOrders } from './orders.db.ts';
import { LEFT_ALONE_AFTER_SECONDS, settleOrder } from './settle-order.flow.ts';

const BATCH = 200;

/** Refunds one canceled order; tried again until the gateway has it. */
export function settleOneOrder(deps: Deps): Worker<{ orderId: string }> {
  return {
    kind: SETTLE_ORDER,
    retryLimit: 50,
    concurrency: 4,
    run: async ({ orderId }) => {
      await settleOrder(deps, orderId);
    },
  };
}

/** Every minute, and when a service starts: whatever was left with its money on the way. */
export function settleLeftOrders(deps: Deps): Worker<object> {
  return {
    kind: { name: 'settle-left-orders' },
    retryLimit: 0,
    concurrency: 1,
    everyMinutes: '* * * * *',
    atStart: true,
    run: async () => {
      const before = deps.clock.now().subtract({ seconds: LEFT_ALONE_AFTER_SECONDS });
      for (const orderId of await findUnsettledOrders(deps.db, before, BATCH)) {
        await settleOrder(deps, orderId).catch((error) =>
          deps.log.warn({ err: error, orderId }, 'order not settled yet'),
        );
      }
    },
  };
}
