import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { runPrepared } from '../../platform/db/hot-statement.ts';
import type { KeyCaller, KeyMode, KeyScope } from './account.ts';

/* Accounts and their API keys in SQL. A key is stored as its hash, so that a copy of the database signs no one in. */

type NewAccount = { accountId: string; name: string; isHouse: boolean; at: Temporal.Instant };

/** Inserts an account; false if there is a house account already. */
export async function insertAccount(sql: Sql, { at, ...account }: NewAccount): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await sql
    .insertInto('accounts')
    .values({ ...account, createdAt: at.toString() })
    .onConflict((conflict) => conflict.column('isHouse').where('isHouse', '=', raw.lit(true)).doNothing())
    .executeTakeFirst();
  return inserted === 1n;
}

/** The account of orders that stores take by phone; undefined if there is none. */
export async function findHouseAccount(sql: Sql): Promise<string | undefined> {
  const house = await sql.selectFrom('accounts').select('accountId').where('isHouse', '=', true).executeTakeFirst();
  return house?.accountId;
}

export async function findAccount(sql: Sql, accountId: string) {
  return sql.selectFrom('accounts').selectAll().where('accountId', '=', accountId).executeTakeFirst();
}

/** Renames an account; undefined for an unknown one. */
export async function renameAccount(sql: Sql, accountId: string, name: string) {
  return sql.updateTable('accounts').set({ name }).where('accountId', '=', accountId).returningAll().executeTakeFirst();
}

/** Makes the account's other transactions that lock it wait; transactions that only name it continue. */
export async function lockAccount(tx: Sql, accountId: string): Promise<void> {
  await tx.selectFrom('accounts').select('accountId').where('accountId', '=', accountId).forNoKeyUpdate().execute();
}

export async function findAccountNames(sql: Sql, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await sql
    .selectFrom('accounts')
    .select(['accountId', 'name'])
    .where('accountId', 'in', accountIds)
    .execute();
  return new Map(rows.map(({ accountId, name }) => [accountId, name]));
}

export type NewKey = {
  keyId: string;
  accountId: string;
  mode: KeyMode;
  hash: Buffer;
  hint: string;
  scopes: readonly KeyScope[];
  /** Origins of a publishable key; null for other keys. */
  origins: readonly string[] | null;
  at: Temporal.Instant;
};

export async function insertKey(sql: Sql, { hash, scopes, origins, at, ...row }: NewKey) {
  const lists = { scopes: [...scopes], origins: origins && [...origins] };
  const key = { ...row, ...lists, keyHash: hash, createdAt: at.toString() };
  await sql.insertInto('apiKeys').values(key).execute();
}

type KeysPage = {
  accountId?: string | undefined;
  after?: { at: Temporal.Instant; id: string } | undefined;
  limit: number;
};

/** Lists keys without their secrets, oldest first. */
export async function listKeys(sql: Sql, { accountId, after, limit }: KeysPage) {
  return sql
    .selectFrom('apiKeys')
    .select(['keyId', 'accountId', 'storeId', 'mode', 'hint', 'scopes', 'origins', 'createdAt', 'revokedAt'])
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(raw<boolean>`(created_at, key_id) > (${`${after?.at}`}::timestamptz, ${after?.id})`),
    )
    .orderBy('createdAt')
    .orderBy('keyId')
    .limit(limit)
    .execute();
}

/** Returns false if no such key exists. Revoking again keeps the first revocation's time. */
export async function revokeKey(sql: Sql, keyId: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('apiKeys')
    .set({ revokedAt: at.toString() })
    .where('keyId', '=', keyId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  return (await sql.selectFrom('apiKeys').select('keyId').where('keyId', '=', keyId).execute()).length > 0;
}

export async function isKeyRevoked(sql: Sql, keyId: string): Promise<boolean> {
  const key = await sql.selectFrom('apiKeys').select('revokedAt').where('keyId', '=', keyId).executeTakeFirst();
  return key?.revokedAt != null;
}

export async function countRevokedKeys(sql: Sql): Promise<number> {
  const row = await sql
    .selectFrom('apiKeys')
    .select(({ fn }) => fn.count<string>('revokedAt').as('count'))
    .executeTakeFirst();
  return Number(row?.count);
}

/** SQL of a caller's `offers`: of the key `k`, at `moment.now`. */
export const NO_OFFERS = 'null::text';

/**
 * Finds the callers of keys by their hashes, in the order of the hashes; undefined for an unknown or revoked key, and
 * for a store key.
 */
export async function findCallersByKeyHash(
  sql: Sql,
  hashes: readonly Buffer[],
  now: Temporal.Instant,
  offers = NO_OFFERS,
): Promise<(KeyCaller | undefined)[]> {
  const { rows } = await runPrepared<KeyCaller & { nth: number }>(sql, callersText(offers), [hashes, now.toString()]);
  const callers = new Map(rows.map(({ nth, ...caller }) => [nth, caller]));
  return hashes.map((_, index) => callers.get(index + 1));
}

const callersText = (offers: string) => `
  select given.nth, k.account_id, k.mode, k.key_id, k.scopes, k.origins, ${offers} as offers
  from unnest((select $1::bytea[])) with ordinality as given (hash, nth)
  cross join (select $2::timestamptz as now) as moment
  join api_keys as k on k.key_hash = given.hash and k.revoked_at is null and k.store_id is null`;

/** Whether a publishable key lists the origin. */
export async function isListedOrigin(sql: Sql, origin: string): Promise<boolean> {
  const { rows } = await raw<{ isListed: boolean }>`
    select exists (select from api_keys where origins @> array[${origin}] and revoked_at is null) as is_listed
  `.execute(sql);
  return rows[0]?.isListed ?? false;
}
