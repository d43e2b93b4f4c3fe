import type { Sql } from '../../platform/db/connect.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { KeyMode } from '../accounts/account.ts';

type StoreKey = { keyId: string; storeId: string; accountId: string | null; mode: KeyMode };

async function insertStoreKey(
  sql: Sql,
  { hash, hint, at, ...key }: StoreKey & { hash: Buffer; hint: string; at: Temporal.Instant },
): Promise<void> {
  await sql
    .insertInto('apiKeys')
    .values({ ...key, keyHash: hash, hint, createdAt: at.toString() })
    .execute();
}

/** Finds a store key by hash; undefined if it is unknown, revoked, or an account's key. */
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

export const STORE_KEY_PREFIX = 'ds_store_';
const SECRET_BYTES = 24;

/**
 * Issues a store key for the store's live orders or, with an account, for that account's sandbox orders there. Only the
 * result contains the key's text.
 */
export async function issueStoreKey(
  sql: Sql,
  { storeId, accountId }: { storeId: string; accountId: string | null },
  at: Temporal.Instant,
) {
  const secret = randomId('', SECRET_BYTES);
  const key = STORE_KEY_PREFIX + secret;
  const keyId = randomId('key_', 12);
  const mode: KeyMode = accountId === null ? 'live' : 'sandbox';
  const hint = `${STORE_KEY_PREFIX}…${secret.slice(-4)}`;
  await insertStoreKey(sql, { keyId, storeId, accountId, mode, hash: sha256(key), hint, at });
  return { keyId, key, mode };
}
