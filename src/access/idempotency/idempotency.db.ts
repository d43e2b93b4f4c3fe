import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import { CLAIM_STALE_SECONDS, type KeyOwner, type KeyRecord, type RecordedAnswer } from './idempotency.ts';

export type HeldClaim = Pick<Claim, 'owner' | 'key'> & { attempt: number };
export type Claim = { owner: KeyOwner; key: string; fingerprint: Buffer; at: Temporal.Instant; replayHours: number };

/**
 * Claims the key for this request and returns the attempt's number; undefined if another request holds the claim. Takes
 * over expired records and claims of dead processes (`isFree`).
 */
export async function claimKey(sql: Sql, claim: Claim): Promise<number | undefined> {
  const { owner, key, fingerprint, at, replayHours } = claim;
  const expired = at.subtract({ hours: replayHours }).toString();
  const stale = at.subtract({ seconds: CLAIM_STALE_SECONDS }).toString();
  const { rows } = await raw<{ attempt: number }>`
    insert into idempotency_keys as k (account_id, mode, key, fingerprint, state, started_at)
    values (${owner.accountId}, ${owner.mode}, ${key}, ${fingerprint}, 'running', ${at.toString()})
    on conflict (account_id, mode, key) do update
      set state = 'running', attempt = case when k.started_at < ${expired} then 1 else k.attempt + 1 end, started_at = excluded.started_at,
          fingerprint = excluded.fingerprint, status = null, content_type = null, body = null
      where k.started_at < ${expired}
         or (k.state = 'running' and k.started_at < ${stale} and k.fingerprint = excluded.fingerprint)
    returning attempt`.execute(sql);
  return rows[0]?.attempt;
}

export async function findRecord(sql: Sql, owner: KeyOwner, key: string): Promise<KeyRecord | undefined> {
  return sql
    .selectFrom('idempotencyKeys')
    .select(['fingerprint', 'state', 'startedAt', 'status', 'contentType', 'body'])
    .where('accountId', '=', owner.accountId)
    .where('mode', '=', owner.mode)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Saves the response if this attempt still owns the claim; returns false otherwise. */
export async function saveAnswer(
  sql: Sql,
  { owner, key, attempt }: HeldClaim,
  { status, contentType, body }: RecordedAnswer,
): Promise<boolean> {
  const result = await sql
    .updateTable('idempotencyKeys')
    .set({ state: 'done', status, contentType, body })
    .where('accountId', '=', owner.accountId)
    .where('mode', '=', owner.mode)
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Releases the claim for an immediate retry of the same request. The record stays, so a different request with this key
 * is refused.
 */
export async function releaseClaim(sql: Sql, { owner, key, attempt }: HeldClaim): Promise<void> {
  await sql
    .updateTable('idempotencyKeys')
    .set({ startedAt: raw<string>`started_at - make_interval(secs => ${2 * CLAIM_STALE_SECONDS})` })
    .where('accountId', '=', owner.accountId)
    .where('mode', '=', owner.mode)
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .execute();
}

/**
 * Removes the recorded answers that name one of these orders, or are about what has the user's ID. Their requests are
 * not carried out again.
 */
export async function clearAnswers(
  sql: Sql,
  { accountId, mode, userId }: KeyOwner & { userId: string },
  orderIds: readonly string[],
): Promise<void> {
  await raw`
    update idempotency_keys set body = null where account_id = ${accountId} and mode = ${mode} and body is not null
      and (substring(body from '"order_id":"([^"]+)"') = any(${[...orderIds]}::text[])
        or position(${`"id":${JSON.stringify(userId)}`} in body) > 0)`.execute(sql);
}
