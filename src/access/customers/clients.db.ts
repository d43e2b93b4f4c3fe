import type { Sql } from '../../platform/db/connect.ts';

export type RegisteredClient = {
  clientId: string;
  accountId: string;
  name: string;
  redirectUris: readonly string[];
  secretHash: Buffer | null;
  /** The secret before the last rotation, which counts until `previousUntil`. */
  previousHash: Buffer | null;
  previousUntil: Temporal.Instant | null;
  jwksUri: string | null;
};

/** Finds a client that the operator registered for an account, unless it was removed. */
export async function findRegisteredClient(
  sql: Sql,
  accountId: string,
  clientId: string,
): Promise<RegisteredClient | undefined> {
  return sql
    .selectFrom('oauthClients')
    .selectAll()
    .where('clientId', '=', clientId)
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
}

export async function insertClient(
  sql: Sql,
  { redirectUris, secretHash, jwksUri, ...client }: Omit<RegisteredClient, 'previousHash' | 'previousUntil'>,
  at: Temporal.Instant,
): Promise<void> {
  const row = { ...client, redirectUris: [...redirectUris], secretHash, jwksUri, createdAt: at.toString() };
  await sql.insertInto('oauthClients').values(row).execute();
}

/** Lists an account's clients, oldest first. */
export async function listClients(
  sql: Sql,
  accountId: string,
): Promise<(RegisteredClient & { createdAt: Temporal.Instant })[]> {
  return sql
    .selectFrom('oauthClients')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('clientId')
    .execute();
}

/** Removes a client; undefined if there is none. Returns its account. */
export async function removeClient(sql: Sql, clientId: string, at: Temporal.Instant): Promise<string | undefined> {
  const removed = await sql
    .updateTable('oauthClients')
    .set({ removedAt: at.toString() })
    .where('clientId', '=', clientId)
    .where('removedAt', 'is', null)
    .returning('accountId')
    .executeTakeFirst();
  return removed?.accountId;
}

/** Replaces a client's secret; the previous secret is valid until `previousUntil`. False for a client without one. */
export async function rotateSecret(
  sql: Sql,
  clientId: string,
  secretHash: Buffer,
  previousUntil: Temporal.Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('oauthClients')
    .set((row) => ({ secretHash, previousHash: row.ref('secretHash'), previousUntil: previousUntil.toString() }))
    .where('clientId', '=', clientId)
    .where('removedAt', 'is', null)
    .where('secretHash', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
