import type { Db } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { deleteBudgetUse } from './account-limits.db.ts';
import { budgetDay } from './budget.ts';

/** Days for which operators can look up an account's usage. */
const RETENTION_DAYS = 35;

/** Deletes expired budget use, once a day. */
export function purgeBudgetUse({ db, clock }: { db: Db; clock: Clock }): Worker<object> {
  return {
    kind: { name: 'purge-budget-use' },
    concurrency: 1,
    everyMinutes: '23 9 * * *',
    run: () => deleteBudgetUse(db, budgetDay(clock.now().subtract({ hours: 24 * RETENTION_DAYS }))),
  };
}
