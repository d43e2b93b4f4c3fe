import type { Worker } from '../jobs/job-queue.ts';
import type { OrderDeps } from './order-deps.ts';
import { deleteUntouchedOrders } from './orders.db.ts';

const UNTOUCHED_DAYS = 30;
/** Orders of one statement: few, so that none of its locks is felt. */
const BATCH = 500;
/** What is left of a run is the next one's: it comes to four million orders a day. */
const MOST_BATCHES = 8000;

/** Once a day, deletes orders that were quoted, and neither placed nor touched in any way for 30 days. */
export function deleteUntouched({ db, clock, log }: Pick<OrderDeps, 'clock' | 'log' | 'db'>): Worker<object> {
  return {
    kind: { name: 'delete-untouched-orders' },
    retryLimit: 1,
    concurrency: 1,
    everyMinutes: '41 9 * * *',
    run: async (_payload, signal) => {
      const before = clock.now().subtract({ hours: 24 * UNTOUCHED_DAYS });
      let deleted = 0;
      for (let batch = 0; batch < MOST_BATCHES && !signal.aborted; batch += 1) {
        const count = await deleteUntouchedOrders(db, { before, limit: BATCH });
        deleted += count;
        if (count < BATCH) break;
      }
      if (deleted > 0) log.info({ deleted }, 'unplaced orders deleted');
    },
  };
}
