import type { Worker } from '../jobs/job-queue.ts';
import { SETTLE_ORDER } from './follow-ups.ts';
import type { OrderDeps } from './order-deps.ts';
import { settleOrder } from './settle-order.flow.ts';

/** Refunds one canceled order; tried again until the gateway has it. */
export function settleOneOrder(
  deps: Pick<OrderDeps, 'config' | 'clock' | 'db' | 'jobs' | 'gateways' | 'inventory' | 'placing'>,
): Worker<{ orderId: string }> {
  return {
    kind: SETTLE_ORDER,
    retryLimit: 50,
    concurrency: 4,
    run: async ({ orderId }) => {
      await settleOrder(deps, orderId);
    },
  };
}
