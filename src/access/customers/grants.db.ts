import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { KeyCaller, KeyMode } from '../accounts/account.ts';
import type { Customer, CustomerScope } from './customer.ts';

/* Grants of customers to clients, and their tokens. Codes and tokens are stored as hashes. */

export type NewGrant = {
  grantId: string;
  accountId: string;
  mode: KeyMode;
  userId: string;
  clientId: string;
  clientName: string;
  clientHost: string;
  scopes: readonly CustomerScope[];
  redirectUri: string;
  codeChallenge: string;
  resource: string;
  /** The most that an order of this client may cost, in cents; null if it places none. */
  maxOrderCents: number | null;
  codeHash: Buffer;
};
export type Grant = NewGrant & {
  isConfidential: boolean;
  codeExpiresAt: Temporal.Instant;
  exchangedAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  usedAt: Temporal.Instant | null;
  revokedAt: Temporal.Instant | null;
};

export async function insertGrant(
  sql: Sql,
  grant: NewGrant,
  { at, codeExpiresAt }: { at: Temporal.Instant; codeExpiresAt: Temporal.Instant },
): Promise<void> {
  const times = { createdAt: at.toString(), codeExpiresAt: codeExpiresAt.toString() };
  await sql
    .insertInto('oauthGrants')
    .values({ ...grant, scopes: [...grant.scopes], ...times })
    .execute();
}

/** Finds the grant of an account's code, and locks it until the transaction ends. */
export async function lockGrantOfCode(tx: Sql, accountId: string, codeHash: Buffer): Promise<Grant | undefined> {
  return tx
    .selectFrom('oauthGrants')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('codeHash', '=', codeHash)
    .forUpdate()
    .executeTakeFirst();
}

export async function lockGrant(tx: Sql, grantId: string): Promise<Grant | undefined> {
  return tx.selectFrom('oauthGrants').selectAll().where('grantId', '=', grantId).forUpdate().executeTakeFirst();
}

export async function markExchanged(
  tx: Sql,
  grantId: string,
  { isConfidential, at }: { isConfidential: boolean; at: Temporal.Instant },
): Promise<void> {
  const values = { exchangedAt: at.toString(), usedAt: at.toString(), isConfidential };
  await tx.updateTable('oauthGrants').set(values).where('grantId', '=', grantId).execute();
}

export async function markUsed(sql: Sql, grantId: string, at: Temporal.Instant): Promise<void> {
  await sql.updateTable('oauthGrants').set({ usedAt: at.toString() }).where('grantId', '=', grantId).execute();
}

/** Ends grants with all their tokens. Returns how many were alive. */
export async function revokeGrants(
  sql: Sql,
  which: { grantId: string } | { clientId: string; accountId: string } | { grantIds: readonly string[] },
  at: Temporal.Instant,
): Promise<bigint> {
  const { numUpdatedRows } = await sql
    .updateTable('oauthGrants')
    .set({ revokedAt: at.toString() })
    .where('revokedAt', 'is', null)
    .$if('grantId' in which, (query) => query.where('grantId', '=', 'grantId' in which ? which.grantId : ''))
    .$if('grantIds' in which, (query) => query.where('grantId', 'in', 'grantIds' in which ? [...which.grantIds] : []))
    .$if('clientId' in which, (query) =>
      query
        .where('clientId', '=', 'clientId' in which ? which.clientId : '')
        .where('accountId', '=', 'clientId' in which ? which.accountId : ''),
    )
    .executeTakeFirst();
  return numUpdatedRows;
}

type StoredToken = { tokenHash: Buffer; grantId: string; kind: 'access' | 'refresh'; scopes: readonly CustomerScope[] };

/** Writes tokens. Twins of a request write the same ones, so an existing one stays. */
export async function insertTokens(
  sql: Sql,
  tokens: readonly (StoredToken & { expiresAt: Temporal.Instant })[],
): Promise<void> {
  const rows = tokens.map((token) => ({ ...token, scopes: [...token.scopes], expiresAt: token.expiresAt.toString() }));
  await sql
    .insertInto('oauthTokens')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type FoundToken = StoredToken & { expiresAt: Temporal.Instant; rotatedAt: Temporal.Instant | null };

export async function findToken(sql: Sql, tokenHash: Buffer): Promise<FoundToken | undefined> {
  return sql.selectFrom('oauthTokens').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

export async function changeToken(
  tx: Sql,
  tokenHash: Buffer,
  changes: { rotatedAt: Temporal.Instant } | { expiresAt: Temporal.Instant },
): Promise<void> {
  const values = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value.toString()]));
  await tx.updateTable('oauthTokens').set(values).where('tokenHash', '=', tokenHash).execute();
}

export async function deleteToken(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql.deleteFrom('oauthTokens').where('tokenHash', '=', tokenHash).execute();
}

/** A customer represented by a client: the client's grant and its scopes. */
export type TokenBearer = Customer & {
  grantId: string;
  clientName: string;
  clientHost: string;
  scopes: CustomerScope[];
  maxOrderCents: number | null;
  offers: KeyCaller['offers'];
};

/** Finds whom an access token acts for, with a key's offers; undefined for an unknown, expired or revoked one. */
export async function findBearer(sql: Sql, tokenHash: Buffer, at: Temporal.Instant, offers: string) {
  return sql
    .selectFrom('oauthTokens as t')
    .innerJoin('oauthGrants as k', 'k.grantId', 't.grantId')
    .innerJoin('customers as c', (join) =>
      join.onRef('c.accountId', '=', 'k.accountId').onRef('c.mode', '=', 'k.mode').onRef('c.userId', '=', 'k.userId'),
    )
    .crossJoin(raw`(select ${at.toString()}::timestamptz as now)`.as('moment'))
    .select(['c.accountId', 'c.mode', 'c.userId', 'c.email', 'c.phone', 'c.firstName', 'c.lastName'])
    .select(['k.grantId', 'k.clientName', 'k.clientHost', 'k.maxOrderCents', 't.scopes'])
    .select(raw<string | null>`${raw.raw(offers)}`.as('offers'))
    .where('t.tokenHash', '=', tokenHash)
    .where('t.kind', '=', 'access')
    .where('t.expiresAt', '>', instantParam(at))
    .where('k.revokedAt', 'is', null)
    .executeTakeFirst();
}

/** The hosts of the programs that act for an account's customers now, with their grants. */
export async function listGrantHosts(
  sql: Sql,
  accountId: string,
): Promise<Pick<Grant, 'grantId' | 'clientHost' | 'clientId'>[]> {
  const grants = sql.selectFrom('oauthGrants').select(['grantId', 'clientHost', 'clientId']);
  return grants.where('accountId', '=', accountId).where('revokedAt', 'is', null).execute();
}

/** Maximum connections that a page lists. */
const MAX_LISTED = 100;

/** The grants of a customer that are in use, newest first. */
export async function listGrants(sql: Sql, { accountId, mode, userId }: Customer): Promise<Grant[]> {
  return sql
    .selectFrom('oauthGrants')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .where('userId', '=', userId)
    .where('exchangedAt', 'is not', null)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** A grant mail's content and destination. */
export async function findGrantLetter(sql: Sql, grantId: string) {
  return sql
    .selectFrom('oauthGrants as g')
    .innerJoin('customers as c', (join) =>
      join.onRef('c.accountId', '=', 'g.accountId').onRef('c.mode', '=', 'g.mode').onRef('c.userId', '=', 'g.userId'),
    )
    .select(['g.accountId', 'g.clientName', 'g.clientHost', 'c.email', 'c.language'])
    .where('g.grantId', '=', grantId)
    .executeTakeFirst();
}
