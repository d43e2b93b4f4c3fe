import type { Deps } from '../deps.ts';
import type { Worker } from '../jobs/boss.ts';
import { SETTLE_ORDER } from './follow-ups.ts';
import { settleOrder } from './settle-order.flow.ts';

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
