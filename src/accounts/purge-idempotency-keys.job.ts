import type { Deps } from '../deps.ts';
import type { Worker } from '../jobs/boss.ts';
import { deleteExpiredKeys } from './idempotency.db.ts';

/** Once an hour, forgets the answers that are no longer replayed. */
export function purgeIdempotencyKeys({ db, clock }: Deps): Worker<object> {
  return {
    kind: { name: 'purge-idempotency-keys' },
    retryLimit: 1,
    concurrency: 1,
    everyMinutes: '7 * * * *',
    run: () => deleteExpiredKeys(db, clock.now()),
  };
}
