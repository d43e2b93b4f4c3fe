import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { deleteExpired, type Retention } from './delete-expired.db.ts';
import type { Worker } from './job-queue.ts';

/** Maximum rows per statement, so that locks are short. */
const BATCH = 1000;
/** Maximum statements per table and run, ten million rows. The next run deletes the rest. */
const MAX_BATCHES = 10_000;

/** Deletes the expired rows of these tables, every hour. */
export function deleteExpiredRows(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  retentions: readonly Retention[],
): Worker<object> {
  return {
    kind: { name: 'delete-expired-rows' },
    concurrency: 1,
    everyMinutes: '7 * * * *',
    run: async (_payload, signal) => {
      const now = clock.now();
      for (const retention of retentions) {
        let deleted = 0;
        for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1) {
          const count = await deleteExpired(db, retention, { now, limit: BATCH });
          deleted += count;
          if (count < BATCH) break;
        }
        if (deleted > 0) log.info({ table: retention.table, deleted }, 'expired rows deleted');
      }
    },
  };
}
