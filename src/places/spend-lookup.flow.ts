import type { Caller } from '../accounts/account.ts';
import { budgetDay, budgetUsedUp } from '../accounts/budgets/budget.ts';
import { spendBudget } from '../accounts/budgets/spend-budget.db.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Clock } from '../lib/clock.ts';
import type { PlaceDirectory } from './place-directory.ts';

export type LookupDeps = { config: Pick<Config, 'dailyBudgets'>; clock: Clock; db: Db; placeDirectory: PlaceDirectory };

/**
 * Counts a look-up in a directory that bills its look-ups, before the look-up is made; sandbox keys have a budget of their
 * own. Refuses with rate_limited where the account has used its budget up (docs/behaviour.md#daily-budgets).
 */
export async function spendLookup(
  { config, clock, db, placeDirectory }: LookupDeps,
  { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
): Promise<void> {
  if (!placeDirectory.isBilled) return;
  const now = clock.now();
  const kind = mode === 'sandbox' ? 'sandbox_directory_lookups' : 'directory_lookups';
  const spending = { accountId, mode, kind, day: budgetDay(now), used: 1, most: config.dailyBudgets[kind] } as const;
  if (!(await spendBudget(db, spending))) throw budgetUsedUp([kind], now);
}
