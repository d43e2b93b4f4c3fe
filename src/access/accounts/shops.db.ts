import type { Sql } from '../../platform/db/connect.ts';
import type { KeyMode } from './account.ts';

/** An account's shop: web pages on which its customers order. An account without one has no row. */
export type Shop = {
  accountId: string;
  mode: KeyMode;
  /** The publishable key that its pages send. */
  keyId: string;
  key: string;
  /** The only stores that it shows; null for all. */
  storeIds: readonly string[] | null;
  /** The address near which a visitor without one is shown stores. */
  near: string | null;
  /** Whether the service's own host shows it at `/shop`. */
  isDefault: boolean;
};

export async function findShop(sql: Sql, accountId: string): Promise<Shop | undefined> {
  return sql.selectFrom('shops').selectAll().where('accountId', '=', accountId).executeTakeFirst();
}

/** The shop at the service's own host. */
export async function findDefaultShop(sql: Sql): Promise<Shop | undefined> {
  return sql.selectFrom('shops').selectAll().where('isDefault', '=', true).executeTakeFirst();
}

export async function saveShop(sql: Sql, { storeIds, ...shop }: Shop): Promise<void> {
  const { accountId, ...row } = { ...shop, storeIds: storeIds && [...storeIds] };
  await sql
    .insertInto('shops')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
}

export async function deleteShop(sql: Sql, accountId: string): Promise<void> {
  await sql.deleteFrom('shops').where('accountId', '=', accountId).execute();
}
