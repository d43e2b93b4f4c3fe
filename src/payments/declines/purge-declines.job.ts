import type { Db } from '../../db/connect.ts';
import type { Worker } from '../../jobs/job-queue.ts';
import type { Clock } from '../../lib/clock.ts';
import { deleteOldDeclines } from './declines.db.ts';

/** Once an hour, forgets declines and charges that no longer count. */
export function purgeDeclines({ db, clock }: { clock: Clock; db: Db }): Worker<object> {
  return {
    kind: { name: 'purge-declines' },
    retryLimit: 1,
    concurrency: 1,
    everyMinutes: '13 * * * *',
    run: () => deleteOldDeclines(db, clock.now()),
  };
}
