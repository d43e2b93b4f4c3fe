import type { AgentOrders, KeyMode } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';

/** A platform that orders for an account, in one key mode. */
export type BoundPlatform = { profileUrl: string; accountId: string; mode: KeyMode; orders: AgentOrders };

export async function findPlatform(sql: Sql, profileUrl: string): Promise<BoundPlatform | undefined> {
  return sql
    .selectFrom('ucpPlatforms')
    .select(['profileUrl', 'accountId', 'mode', 'orders'])
    .where('profileUrl', '=', profileUrl)
    .executeTakeFirst();
}

/** Binds a platform, which until now may have been bound to another account. */
export async function bindPlatform(sql: Sql, platform: BoundPlatform, at: Temporal.Instant): Promise<void> {
  const { profileUrl, ...bound } = { ...platform, boundAt: at.toString() };
  await sql
    .insertInto('ucpPlatforms')
    .values({ profileUrl, ...bound })
    .onConflict((conflict) => conflict.column('profileUrl').doUpdateSet(bound))
    .execute();
}

/** Returns false if the account has no such platform. */
export async function unbindPlatform(
  sql: Sql,
  { profileUrl, accountId }: Pick<BoundPlatform, 'profileUrl' | 'accountId'>,
): Promise<boolean> {
  const { numDeletedRows } = await sql
    .deleteFrom('ucpPlatforms')
    .where('profileUrl', '=', profileUrl)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
