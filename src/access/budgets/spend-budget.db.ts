import type { BudgetKind } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { runPrepared } from '../../platform/db/hot-statement.ts';
import { UNLIMITED } from '../../platform/lib/parse-setting.ts';
import type { KeyMode } from '../accounts/account.ts';
import type { LimitKind, StoreBudgetKind } from './budget.ts';

/** Returns SQL for an account's limit: the operator's, otherwise the given default. */
export function limitText(accountId: string, kind: LimitKind | StoreBudgetKind, otherwise: string): string {
  return `coalesce((select max from account_limits where account_id = ${accountId} and kind = '${kind}'), ${otherwise})`;
}

/**
 * Writes SQL that counts a budget: it returns, and counts, only the rows of `from` within the limit. Statements of one
 * account and day run one after another. `from` has account_id, mode, day, used and bytes; `max` and `maxBytes` are
 * defaults.
 */
export function spendText(kind: BudgetKind | StoreBudgetKind, from: string, max: string, maxBytes?: string): string {
  const isWithin = (row: string, used: string, bytes: string) =>
    [
      `${used} <= ${limitText(`${row}.account_id`, kind, max)}`,
      ...(maxBytes === undefined ? [] : [`${bytes} <= ${limitText(`${row}.account_id`, 'unplaced_bytes', maxBytes)}`]),
    ].join(' and ');
  return `
    insert into budget_use as u (account_id, mode, kind, day, used, bytes)
    select w.account_id, w.mode, '${kind}', w.day, w.used, w.bytes from ${from} as w
    where ${isWithin('w', 'w.used', 'w.bytes')}
    order by w.account_id, w.mode
    on conflict (account_id, mode, kind, day) do update set used = u.used + excluded.used, bytes = u.bytes + excluded.bytes
    where ${isWithin('u', 'u.used + excluded.used', 'u.bytes + excluded.bytes')}
    returning u.account_id, u.mode`;
}

/**
 * One request's use of a budget. `bytes` and `maxBytes` apply only to unplaced orders. For a store's budget `accountId`
 * is the store's id.
 */
export type Spending = {
  accountId: string;
  mode: KeyMode;
  kind: BudgetKind | StoreBudgetKind;
  day: string;
  used: number;
  bytes?: number;
  max: number;
  maxBytes?: number;
};

/** Counts a use and returns true. If it would exceed the account's limit, counts nothing and returns false. */
export async function spendBudget(sql: Sql, spending: Spending): Promise<boolean> {
  const { accountId, mode, kind, day, used, bytes = 0, max, maxBytes = UNLIMITED } = spending;
  const text = SPEND_TEXTS.get(kind) ?? spendOneText(kind);
  SPEND_TEXTS.set(kind, text);
  const { rows } = await runPrepared(sql, text, [accountId, mode, day, used, bytes, max, maxBytes]);
  return rows.length > 0;
}

const SPEND_TEXTS = new Map<Spending['kind'], string>();

function spendOneText(kind: Spending['kind']): string {
  const given =
    '(select $1::text as account_id, $2::text as mode, $3::date as day, $4::bigint as used, $5::bigint as bytes)';
  return spendText(kind, given, '$6::bigint', '$7::bigint');
}

/**
 * Counts up to the remaining limit and returns the granted units. They are read from the column `granted`, because a
 * statement cannot see the use before a concurrent one.
 */
export async function spendUpTo(sql: Sql, { accountId, mode, kind, day, used, max }: Spending): Promise<number> {
  const limit = limitText('$1', kind, '$5::bigint');
  const text = `
    insert into budget_use as u (account_id, mode, kind, day, used, granted)
    select $1, $2, '${kind}', $3::date, g.units, g.units from (select least($4::bigint, ${limit}) as units) as g
    on conflict (account_id, mode, kind, day) do update set (used, granted) = (
      select u.used + g.units, g.units from (select least($4::bigint, greatest(${limit} - u.used, 0)) as units) as g
    )
    returning granted`;
  const { rows } = await runPrepared<{ granted: number }>(sql, text, [accountId, mode, day, used, max]);
  return rows[0]?.granted ?? 0;
}
