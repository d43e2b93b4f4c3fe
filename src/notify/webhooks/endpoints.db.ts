import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { SigningSecrets } from '../../platform/lib/standard-webhook.ts';
import { type Endpoint, type Owner, ownerKey } from './webhook.ts';

/** Attaches a URL in place of an earlier one. An existing secret stays; otherwise `secret` is stored. */
export async function attachEndpoint(
  sql: Sql,
  { accountId, mode, url, secret }: Pick<Endpoint, 'accountId' | 'mode' | 'url' | 'secret'>,
  at: Temporal.Instant,
): Promise<void> {
  const now = at.toString();
  await sql
    .insertInto('webhookEndpoints')
    .values({ accountId, mode, url, secret, enabled: true, updatedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'mode']).doUpdateSet({ url, enabled: true, failingSince: null, updatedAt: now }),
    )
    .execute();
}

/** Returns false if the owner has no endpoint with this URL. */
export async function detachEndpoint(tx: Sql, { accountId, mode }: Owner, url: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhookEndpoints')
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .where('url', '=', url)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Finds the owner's endpoint, enabled or not; undefined if there is none. `lock` locks its row for the transaction. */
export async function findEndpoint(sql: Sql, { accountId, mode }: Owner, { lock = false } = {}) {
  const row = await sql
    .selectFrom('webhookEndpoints')
    .select(['url', 'secret', 'previousSecretUntil', 'enabled'])
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row && { accountId, mode, ...row };
}

export async function saveEndpointSecrets(
  tx: Sql,
  { accountId, mode }: Owner,
  { secret, previous, previousUntil }: SigningSecrets,
): Promise<void> {
  await tx
    .updateTable('webhookEndpoints')
    .set({ secret, previousSecret: previous, previousSecretUntil: previousUntil?.toString() ?? null })
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .execute();
}

/** Finds which of these accounts have an active endpoint, by `ownerKey`. */
export async function findListeners(sql: Sql, accountIds: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await raw<Pick<Endpoint, 'accountId' | 'mode' | 'enabled'>>`
    select account_id, mode, enabled from webhook_endpoints
    where account_id = any(${[...accountIds]}::text[])`.execute(sql);
  return new Map(rows.map((row) => [ownerKey(row), row.enabled]));
}

/** The health of one endpoint in a batch of calls: whether any succeeded, and whether the last one failed. */
export type Health = Owner & { url: string; hasSucceeded: boolean; lastFailed: boolean };

/**
 * Stores when endpoints began to fail, if that changed; calls to an earlier URL do not count. Returns the owners of
 * active endpoints that began to fail at or before `failingBefore`.
 */
export async function recordHealth(
  sql: Sql,
  healths: readonly Health[],
  at: Temporal.Instant,
  failingBefore: Temporal.Instant,
): Promise<Owner[]> {
  const column = <K extends keyof Health>(name: K) => healths.map((health) => health[name]);
  await raw`
    update webhook_endpoints as e
    set failing_since = case when h.last_failed then ${instantParam(at)} end
    from unnest(${column('accountId')}::text[], ${column('mode')}::text[], ${column('url')}::text[],
      ${column('hasSucceeded')}::bool[], ${column('lastFailed')}::bool[])
      as h (account_id, mode, url, has_succeeded, last_failed)
    where e.account_id = h.account_id and e.mode = h.mode and e.url = h.url
      and ((h.last_failed and (e.failing_since is null or h.has_succeeded))
        or (not h.last_failed and e.failing_since is not null))`.execute(sql);
  const { rows } = await raw<Owner>`
    select account_id, mode from webhook_endpoints
    where (account_id, mode) in (select * from unnest(${column('accountId')}::text[], ${column('mode')}::text[]))
      and enabled and failing_since <= ${instantParam(failingBefore)}`.execute(sql);
  return rows;
}

/** Returns false if the endpoint was already off. */
export async function disableEndpoint(
  tx: Sql,
  { accountId, mode }: Owner,
  failingBefore: Temporal.Instant,
  at: Temporal.Instant,
): Promise<boolean> {
  const row = await tx
    .updateTable('webhookEndpoints')
    .set({ enabled: false, updatedAt: at.toString() })
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .where('enabled', '=', true)
    .where('failingSince', '<=', instantParam(failingBefore))
    .returning('accountId')
    .executeTakeFirst();
  return row !== undefined;
}
