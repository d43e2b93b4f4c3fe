import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Caller } from '../accounts/account.ts';
import { budgetDay, budgetUsedUp } from './budget.ts';
import { spendBudget } from './spend-budget.db.ts';

export type LookupBudgetDeps = { config: Pick<Config, 'dailyBudgets'>; clock: Clock; db: Db };

/**
 * Counts a look-up in a directory or at a geocoder before it is made; sandbox keys have their own budget. Refuses with
 * `rate_limited` if the budget is used up (docs/limits.md#daily-budgets).
 */
export async function spendLookup(
  { config, clock, db }: LookupBudgetDeps,
  { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
): Promise<void> {
  const now = clock.now();
  const kind = mode === 'sandbox' ? 'sandbox_directory_lookups' : 'directory_lookups';
  const spending = { accountId, mode, kind, day: budgetDay(now), used: 1, max: config.dailyBudgets[kind] } as const;
  if (!(await spendBudget(db, spending))) throw budgetUsedUp([kind], now);
}
