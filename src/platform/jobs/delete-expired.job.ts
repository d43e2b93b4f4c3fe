import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import { expireRows, type Retention } from './delete-expired.db.ts';
import type { Worker } from './job-queue.ts';

/** Maximum rows per statement, so that locks are short. */
const BATCH = 1000;
/** Maximum rows whose personal data is cleared in one transaction; each has rows in many tables. */
const CLEARED_BATCH = 100;
/** Maximum batches per table and run. The next run has the rest. */
const MAX_BATCHES = 10_000;

/** Deletes the expired rows of these tables, or clears their personal data, every hour. */
export function deleteExpiredRows(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  retentions: readonly Retention[],
): Worker<object> {
  return {
    kind: { name: 'delete-expired-rows' },
    concurrency: 1,
    everyMinutes: 60,
    atMinute: 7,
    run: async (_payload, signal) => {
      const now = clock.now();
      for (const retention of retentions) {
        const limit = retention.clears ? CLEARED_BATCH : BATCH;
        let rows = 0;
        for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1) {
          const count = await expireRows(db, retention, { now, limit });
          rows += count;
          if (count < limit) break;
        }
        const news = retention.clears ? 'personal data of old rows cleared' : 'expired rows deleted';
        if (rows > 0) log.info({ table: retention.table, rows }, news);
      }
    },
  };
}
