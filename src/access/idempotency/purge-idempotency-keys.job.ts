import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { deleteExpiredKeys } from './idempotency.db.ts';

/** Deletes expired answers, once an hour. */
export function purgeIdempotencyKeys({ db, clock }: { db: Db; clock: Clock }): Worker<object> {
  return {
    kind: { name: 'purge-idempotency-keys' },
    concurrency: 1,
    everyMinutes: '7 * * * *',
    run: () => deleteExpiredKeys(db, clock.now()),
  };
}
