import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { OrderDeps } from './order-deps.ts';
import { deleteUntouchedOrders } from './orders.db.ts';

const UNTOUCHED_DAYS = 30;
/** Maximum orders per statement, so that locks are short. */
const BATCH = 500;
/** Maximum statements per run, enough for four million orders. The next run deletes the rest. */
const MAX_BATCHES = 8000;

/** Deletes unplaced orders that no request has used for 30 days, once a day. */
export function deleteUntouched({ db, clock, log }: Pick<OrderDeps, 'clock' | 'log' | 'db'>): Worker<object> {
  return {
    kind: { name: 'delete-untouched-orders' },
    concurrency: 1,
    everyMinutes: '41 9 * * *',
    run: async (_payload, signal) => {
      const before = clock.now().subtract({ hours: 24 * UNTOUCHED_DAYS });
      let deleted = 0;
      for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1) {
        const count = await deleteUntouchedOrders(db, { before, limit: BATCH });
        deleted += count;
        if (count < BATCH) break;
      }
      if (deleted > 0) log.info({ deleted }, 'unplaced orders deleted');
    },
  };
}
