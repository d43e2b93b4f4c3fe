import { sql as raw } from 'kysely';
import type { BudgetKind } from '../../config.ts';
import type { Sql } from '../../db/connect.ts';

export type UsedUpBudget = {
  accountId: string;
  accountName: string;
  mode: 'sandbox' | 'live';
  kind: BudgetKind;
  used: number;
  most: number;
};

/**
 * Budgets of a day that accounts have used up, by the name of the account. `defaults` has the limits of accounts without
 * limits of their own.
 */
export async function listUsedUpBudgets(
  sql: Sql,
  { day, defaults, limit }: { day: string; defaults: Readonly<Record<BudgetKind, number>>; limit: number },
): Promise<UsedUpBudget[]> {
  const { rows } = await raw<UsedUpBudget>`
    with used as (
      select account_id, mode, kind, used from budget_use where day = ${day}::date
      union all
      select account_id, mode, 'unplaced_bytes', bytes from budget_use where day = ${day}::date and kind = 'unplaced_orders'
    ), limited as (
      select used.*, coalesce(l.most, d.most) as most from used
      join unnest(${Object.keys(defaults)}::text[], ${Object.values(defaults)}::bigint[]) as d (kind, most)
        on d.kind = used.kind
      left join account_limits as l on l.account_id = used.account_id and l.kind = used.kind
    )
    select limited.account_id, a.name as account_name, limited.mode, limited.kind, limited.used, limited.most
    from limited join accounts as a on a.account_id = limited.account_id
    where limited.used >= limited.most order by a.name, limited.account_id, limited.kind, limited.mode
    limit ${limit}`.execute(sql);
  return rows;
}

/** Accounts that have used up a budget of a day. Looks at `limit` rows of the day at most. */
export async function countUsedUpBudgets(
  sql: Sql,
  { day, defaults, limit }: { day: string; defaults: Readonly<Record<BudgetKind, number>>; limit: number },
): Promise<{ kind: BudgetKind; mode: 'sandbox' | 'live'; accounts: number }[]> {
  const { rows } = await raw<{ kind: BudgetKind; mode: 'sandbox' | 'live'; accounts: number }>`
    with today as (
      select account_id, mode, kind, used, bytes from budget_use where day = ${day}::date limit ${limit}
    ), used as (
      select account_id, mode, kind, used from today
      union all
      select account_id, mode, 'unplaced_bytes', bytes from today where kind = 'unplaced_orders'
    )
    select used.kind, used.mode, count(*)::int as accounts from used
    join unnest(${Object.keys(defaults)}::text[], ${Object.values(defaults)}::bigint[]) as d (kind, most)
      on d.kind = used.kind
    left join account_limits as l on l.account_id = used.account_id and l.kind = used.kind
    where used.used >= coalesce(l.most, d.most) group by used.kind, used.mode`.execute(sql);
  return rows;
}
