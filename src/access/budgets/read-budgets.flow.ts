import { BUDGET_KINDS, type BudgetKind, type Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { KeyMode } from '../accounts/account.ts';
import { findAccountLimits, findBudgetUse } from './account-limits.db.ts';
import { BUDGET_MODES, budgetDay, DECLINE_SCOPES, type DeclineScope, MAX_DECLINES_PER_HOUR } from './budget.ts';

/** An account's budget today; `isOwn` if an operator has set its limit. */
export type Budget = { kind: BudgetKind; mode: KeyMode; used: number; max: number; isOwn: boolean };

export type DeclineLimit = { scope: DeclineScope; max: number; isOwn: boolean };

export type AccountBudgets = { budgets: Budget[]; declinesAnHour: DeclineLimit[] };

export async function readBudgets(
  { db, config }: { db: Sql; config: Pick<Config, 'dailyBudgets'> },
  accountId: string,
  now: Temporal.Instant,
): Promise<AccountBudgets> {
  const [limits, used] = [await findAccountLimits(db, accountId), await findBudgetUse(db, accountId, budgetDay(now))];
  const usedToday = (kind: BudgetKind, mode: KeyMode) => {
    const of = (counted: BudgetKind) => used.find((use) => use.kind === counted && use.mode === mode);
    return kind === 'unplaced_bytes' ? (of('unplaced_orders')?.bytes ?? 0) : (of(kind)?.used ?? 0);
  };
  const budgets = BUDGET_KINDS.flatMap((kind) =>
    BUDGET_MODES[kind].map((mode) => ({
      kind,
      mode,
      used: usedToday(kind, mode),
      isOwn: limits.has(kind),
      max: limits.get(kind) ?? config.dailyBudgets[kind],
    })),
  );
  const declinesAnHour = DECLINE_SCOPES.map((scope) => {
    const own = limits.get(`declines_${scope}`);
    return { scope, max: own ?? MAX_DECLINES_PER_HOUR[scope], isOwn: own !== undefined };
  });
  return { budgets, declinesAnHour };
}
