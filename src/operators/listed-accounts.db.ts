import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';
import type { Cursor } from './page-cursor.ts';

export type ListedAccount = { accountId: string; name: string; createdAt: Temporal.Instant };

/** Accounts, newest first; with `search` those whose name or id begins with it. Operators make accounts by hand: they are few. */
export async function listNewestAccounts(
  sql: Sql,
  { search, before, limit }: { search: string | undefined; before: Cursor | undefined; limit: number },
): Promise<ListedAccount[]> {
  let query = sql.selectFrom('accounts').selectAll();
  if (search !== undefined) {
    query = query.where(
      raw<boolean>`(starts_with(lower(name), lower(${search}::text)) or starts_with(account_id, ${search}::text))`,
    );
  }
  if (before) query = query.where(raw<boolean>`(created_at, account_id) < (${instantParam(before.at)}, ${before.id})`);
  return query.orderBy('createdAt', 'desc').orderBy('accountId', 'desc').limit(limit).execute();
}

export type ListedEndpoint = {
  mode: 'sandbox' | 'live';
  url: string;
  enabled: boolean;
  failingSince: Temporal.Instant | null;
};

/** The webhook endpoints of an account, without their secrets. */
export async function listEndpoints(sql: Sql, accountId: string): Promise<ListedEndpoint[]> {
  return sql
    .selectFrom('webhookEndpoints')
    .select(['mode', 'url', 'enabled', 'failingSince'])
    .where('accountId', '=', accountId)
    .orderBy('mode')
    .execute();
}
