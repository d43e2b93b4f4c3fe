import type { KeyMode } from '../accounts/account.ts';
import type { Sql } from '../db/connect.ts';

export type StoreKey = { keyId: string; storeId: string; accountId: string | null; mode: KeyMode };

export async function insertStoreKey(
  sql: Sql,
  { hash, hint, at, ...key }: StoreKey & { hash: Buffer; hint: string; at: Temporal.Instant },
): Promise<void> {
  await sql
    .insertInto('apiKeys')
    .values({ ...key, keyHash: hash, hint, createdAt: at.toString() })
    .execute();
}

/** The store key with this hash; undefined for an unknown or revoked key, and for a key of an account. */
export async function findStoreKey(sql: Sql, hash: Buffer): Promise<StoreKey | undefined> {
  return sql
    .selectFrom('apiKeys')
    .select(['keyId', 'storeId', 'accountId', 'mode'])
    .where('keyHash', '=', hash)
    .where('revokedAt', 'is', null)
    .where('storeId', 'is not', null)
    .$narrowType<{ storeId: string }>()
    .executeTakeFirst();
}
