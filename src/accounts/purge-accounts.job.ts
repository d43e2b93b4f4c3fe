import type { Db } from '../db/connect.ts';
import type { Worker } from '../jobs/job-queue.ts';
import type { Clock } from '../lib/clock.ts';
import { deleteBudgetUse } from './budgets/account-limits.db.ts';
import { budgetDay } from './budgets/budget.ts';
import { deleteExpiredKeys } from './idempotency.db.ts';

/** Deletes records of accounts once nobody needs them. */

type Needs = { clock: Clock; db: Db };

/** Once an hour, deletes the answers that can no longer be replayed. */
export function purgeIdempotencyKeys({ db, clock }: Needs): Worker<object> {
  return {
    kind: { name: 'purge-idempotency-keys' },
    concurrency: 1,
    everyMinutes: '7 * * * *',
    run: () => deleteExpiredKeys(db, clock.now()),
  };
}

/** Days for which operators can look up an account's usage in the database. */
const KEPT_DAYS = 35;

/** Once a day, deletes the usage of budgets of long ago. */
export function purgeBudgetUse({ db, clock }: Needs): Worker<object> {
  return {
    kind: { name: 'purge-budget-use' },
    concurrency: 1,
    everyMinutes: '23 9 * * *',
    run: () => deleteBudgetUse(db, budgetDay(clock.now().subtract({ hours: 24 * KEPT_DAYS }))),
  };
}
