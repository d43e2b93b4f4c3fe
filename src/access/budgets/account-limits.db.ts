import type { BudgetKind } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { AgentOrders, KeyMode } from '../accounts/account.ts';
import type { LimitKind } from './budget.ts';

/** Sets an account's limit; null resets it to the default. */
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

/** Features that an operator grants: prices below the stores' own, orders placed by agents, and uncharged ones. */
export type AccountPermissions = { negativeMarkup: boolean; agentOrders: AgentOrders; agentUnpaid: boolean };
export type PermissionChanges = { [Name in keyof AccountPermissions]?: AccountPermissions[Name] | undefined };

export async function setPermissions(sql: Sql, accountId: string, permissions: PermissionChanges): Promise<void> {
  const changes = Object.fromEntries(Object.entries(permissions).filter(([, value]) => value !== undefined));
  if (Object.keys(changes).length === 0) return;
  await sql.updateTable('accounts').set(changes).where('accountId', '=', accountId).execute();
}

export async function findAccountLimits(sql: Sql, accountId: string): Promise<ReadonlyMap<LimitKind, number>> {
  const rows = await sql
    .selectFrom('accountLimits')
    .select(['kind', 'max'])
    .where('accountId', '=', accountId)
    .execute();
  return new Map(rows.map(({ kind, max }) => [kind, max]));
}

export type BudgetUse = { mode: KeyMode; kind: BudgetKind; used: number; bytes: number };

/** Finds an account's budget use on a day, without unused budgets. */
export async function findBudgetUse(sql: Sql, accountId: string, day: string): Promise<BudgetUse[]> {
  return sql
    .selectFrom('budgetUse')
    .select(['mode', 'kind', 'used', 'bytes'])
    .where('accountId', '=', accountId)
    .where('day', '=', day)
    .$narrowType<{ kind: BudgetKind }>()
    .execute();
}
