import type { Sql } from '../db/connect.ts';
import type { Caller, KeyMode } from './account.ts';

export async function insertAccount(sql: Sql, account: { accountId: string; name: string; at: Temporal.Instant }) {
  await sql
    .insertInto('accounts')
    .values({ account_id: account.accountId, name: account.name, created_at: account.at.toString() })
    .execute();
}

export async function findAccount(sql: Sql, accountId: string) {
  return sql.selectFrom('accounts').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export async function listAccounts(sql: Sql) {
  return sql.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('account_id').execute();
}

export type NewKey = {
  keyId: string;
  accountId: string;
  mode: KeyMode;
  hash: Buffer;
  hint: string;
  at: Temporal.Instant;
};

export async function insertKey(sql: Sql, key: NewKey) {
  await sql
    .insertInto('api_keys')
    .values({
      key_id: key.keyId,
      account_id: key.accountId,
      mode: key.mode,
      key_hash: key.hash,
      hint: key.hint,
      created_at: key.at.toString(),
    })
    .execute();
}

export async function listKeys(sql: Sql, accountId?: string) {
  return sql
    .selectFrom('api_keys')
    .select(['key_id', 'account_id', 'mode', 'hint', 'created_at', 'revoked_at'])
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy('created_at')
    .execute();
}

/** Returns false when no such key exists; revoking twice keeps the first time. */
export async function revokeKey(sql: Sql, keyId: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('api_keys')
    .set({ revoked_at: at.toString() })
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  return (await sql.selectFrom('api_keys').select('key_id').where('key_id', '=', keyId).execute()).length > 0;
}

/** The caller whose key has this hash; undefined for an unknown or revoked key. */
export async function findCallerByKeyHash(sql: Sql, hash: Buffer): Promise<Caller | undefined> {
  const row = await sql
    .selectFrom('api_keys')
    .select(['account_id', 'mode', 'key_id', 'revoked_at'])
    .where('key_hash', '=', hash)
    .executeTakeFirst();
  return row && row.revoked_at === null ? { accountId: row.account_id, mode: row.mode, keyId: row.key_id } : undefined;
}
