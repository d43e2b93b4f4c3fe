import type { Db } from '../db/connect.ts';
import type { Worker } from '../jobs/job-queue.ts';
import type { Clock } from '../lib/clock.ts';
import { deleteBudgetUse } from './budgets/account-limits.db.ts';
import { budgetDay } from './budgets/budget.ts';
import { deleteExpiredKeys } from './idempotency.db.ts';

/** What the service forgets of accounts. */

type Needs = { clock: Clock; db: Db };

/** Once an hour, forgets the answers that are no longer replayed. */
export function purgeIdempotencyKeys({ db, clock }: Needs): Worker<object> {
  return {
    kind: { name: 'purge-idempotency-keys' },
    concurrency: 1,
    everyMinutes: '7 * * * *',
    run: () => deleteExpiredKeys(db, clock.now()),
  };
}

/** Days for which operators can look up in the database what an account has used. */
const KEPT_DAYS = 35;

/** Once a day, forgets what accounts used of budgets that are long over. */
export function purgeBudgetUse({ db, clock }: Needs): Worker<object> {
  return {
    kind: { name: 'purge-budget-use' },
    concurrency: 1,
    everyMinutes: '23 9 * * *',
    run: () => deleteBudgetUse(db, budgetDay(clock.now().subtract({ hours: 24 * KEPT_DAYS }))),
  };
}
