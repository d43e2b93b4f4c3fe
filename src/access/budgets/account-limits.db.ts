import { sql as raw } from 'kysely';
import type { BudgetKind } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { KeyMode } from '../accounts/account.ts';
import type { LimitKind } from './budget.ts';

/** Sets the limit of an account; null brings the default back. */
export async function setAccountLimit(
  sql: Sql,
  { accountId, kind, max }: { accountId: string; kind: LimitKind; max: number | null },
): Promise<void> {
  if (max === null) {
    await sql.deleteFrom('accountLimits').where('accountId', '=', accountId).where('kind', '=', kind).execute();
    return;
  }
  await sql
    .insertInto('accountLimits')
    .values({ accountId, kind, max })
    .onConflict((conflict) => conflict.columns(['accountId', 'kind']).doUpdateSet({ max }))
    .execute();
}

/** Allows an account to sell below the stores' own prices, or ends that; false where there is no such account. */
export async function setNegativeMarkup(sql: Sql, accountId: string, isAllowed: boolean): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('accounts')
    .set({ negativeMarkup: isAllowed })
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The limits that operators have set for an account. */
export async function findAccountLimits(sql: Sql, accountId: string): Promise<ReadonlyMap<LimitKind, number>> {
  const rows = await sql
    .selectFrom('accountLimits')
    .select(['kind', 'max'])
    .where('accountId', '=', accountId)
    .execute();
  return new Map(rows.map(({ kind, max }) => [kind, max]));
}

export type BudgetUse = { mode: KeyMode; kind: BudgetKind; used: number; bytes: number };

/** What an account has used of its budgets on a day; budgets that were not touched are left out. */
export async function findBudgetUse(sql: Sql, accountId: string, day: string): Promise<BudgetUse[]> {
  return sql
    .selectFrom('budgetUse')
    .select(['mode', 'kind', 'used', 'bytes'])
    .where('accountId', '=', accountId)
    .where('day', '=', day)
    .execute();
}

/** Forgets what was used before a day. */
export async function deleteBudgetUse(sql: Sql, before: string): Promise<void> {
  await raw`delete from budget_use where day < ${before}::date`.execute(sql);
}
