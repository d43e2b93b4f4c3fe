import type { Sql } from '../../platform/db/connect.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { budgetDay, STORE_BUDGETS, type StoreBudgetKind, secondsUntilNextDay } from './budget.ts';
import { spendBudget } from './spend-budget.db.ts';

/** Counts one use of a store's daily budget; 429 `rate_limited` when it is used up. */
export async function spendStoreBudget(sql: Sql, kind: StoreBudgetKind, storeId: string, now: Temporal.Instant) {
  const budget = { accountId: storeId, mode: 'live', kind, day: budgetDay(now) } as const;
  if (await spendBudget(sql, { ...budget, used: 1, max: STORE_BUDGETS[kind] })) return;
  throw new Refusal(
    'rate_limited',
    `The store's budget of ${kind.replace('_', ' ')} is used up until midnight in UTC.`,
    retryAfter(secondsUntilNextDay(now)),
  );
}
