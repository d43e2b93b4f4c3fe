import type { Db } from '../db/connect.ts';
import type { Worker } from '../jobs/job-queue.ts';
import type { Clock } from '../lib/clock.ts';
import { deleteCardSetups } from './card-setups.db.ts';

/** A webhook of the gateway may be late by days; after a week nothing asks for a setup. */
const KEEP_HOURS = 7 * 24;

/** Every night: forgets card setups that ended long ago. */
export function purgeCardSetups({ db, clock }: { db: Db; clock: Clock }): Worker<object> {
  return {
    kind: { name: 'purge-card-setups' },
    retryLimit: 0,
    concurrency: 1,
    everyMinutes: '41 3 * * *',
    run: async () => {
      await deleteCardSetups(db, clock.now().subtract({ hours: KEEP_HOURS }));
    },
  };
}
