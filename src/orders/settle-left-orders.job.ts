import type { Worker } from '../jobs/job-queue.ts';
import type { OrderDeps } from './order-deps.ts';
import { findUnresolvedOrders, type UnresolvedOrder } from './orders.db.ts';
import { LEFT_ALONE_AFTER_SECONDS, settleOrder } from './settle-order.flow.ts';

/** Orders settled at the same time; few, because a silent gateway must not take the pool from the requests. */
const BATCH = 8;

/** Every minute, and when a service starts: whatever was left with its money on the way. */
export function settleLeftOrders(
  deps: Pick<OrderDeps, 'config' | 'clock' | 'log' | 'db' | 'jobs' | 'gateways' | 'inventory' | 'placing'>,
): Worker<object> {
  return {
    kind: { name: 'settle-left-orders' },
    retryLimit: 0,
    concurrency: 1,
    everyMinutes: '* * * * *',
    atStart: true,
    run: async () => {
      const before = deps.clock.now().subtract({ seconds: LEFT_ALONE_AFTER_SECONDS });
      let last: UnresolvedOrder | undefined;
      do {
        // From where the last batch ended: orders that cannot be settled keep no other waiting.
        const batch: UnresolvedOrder[] = await findUnresolvedOrders(deps.db, { before, after: last, limit: BATCH });
        await Promise.all(batch.map(({ orderId }) => trySettling(deps, orderId)));
        last = batch.at(-1);
      } while (last);
    },
  };
}

async function trySettling(
  deps: Pick<OrderDeps, 'config' | 'clock' | 'log' | 'db' | 'jobs' | 'gateways' | 'inventory' | 'placing'>,
  orderId: string,
): Promise<void> {
  await settleOrder(deps, orderId).catch((error) => {
    deps.log.warn({ err: error, orderId }, 'order not settled yet');
  });
}
