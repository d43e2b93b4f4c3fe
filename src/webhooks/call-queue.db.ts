import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';
import type { TakeLimits } from '../jobs/owner-limiter.ts';
import type { SigningSecrets } from '../lib/standard-webhook.ts';
import type { Owner } from './webhook.ts';

/** A call that this worker has leased, with everything that an attempt needs. */
export type TakenCall = SigningSecrets & {
  webhookId: string;
  owner: Owner;
  /** The event that the call tells; null for a call that tells none. */
  orderId: string | null;
  sequence: number | null;
  body: string;
  attempts: number;
  attemptsBefore: number;
  url: string;
};

/**
 * Leases due calls until `leasedUntil`: of each endpoint at most its allowance (`others` for an unlisted endpoint), and the
 * first call of every endpoint before the second call of any, running calls counted. A recursive hop along the index finds the endpoints with
 * waiting calls, so that a long queue of one endpoint costs the other endpoints nothing.
 */
export async function takeDueCalls(
  sql: Sql,
  { free, allowances, others }: TakeLimits,
  now: Temporal.Instant,
  leasedUntil: Temporal.Instant,
): Promise<TakenCall[]> {
  const known = allowances.map(({ owner }) => owner);
  const calls = allowances.map(({ calls }) => calls);
  const running = allowances.map(({ running }) => running);
  const at = instantParam(now);
  const { rows } = await raw<TakenCall>`
    with recursive waiting (account_id, mode) as (
      (select account_id, mode from webhook_calls where state = 'pending' order by account_id, mode limit 1)
      union all
      select next.* from waiting as w cross join lateral (
        select d.account_id, d.mode from webhook_calls as d
        where d.state = 'pending' and (d.account_id, d.mode) > (w.account_id, w.mode)
        order by d.account_id, d.mode limit 1
      ) as next
    ), due as (
      select d.webhook_id from waiting as w
      join webhook_endpoints as e on e.account_id = w.account_id and e.mode = w.mode and e.enabled
      left join unnest(${known}::text[], ${calls}::int[], ${running}::int[]) as known (owner, calls, running)
        on known.owner = w.account_id || ' ' || w.mode
      cross join lateral (
        select first.*, row_number() over () + coalesce(known.running, 0) as position from (
          select q.webhook_id, q.next_attempt_at from webhook_calls as q
          where q.account_id = w.account_id and q.mode = w.mode and q.state = 'pending' and q.next_attempt_at <= ${at}
            and (q.leased_until is null or q.leased_until <= ${at})
          order by q.next_attempt_at limit coalesce(known.calls, ${others}::int)
        ) as first
      ) as d
      order by d.position, d.next_attempt_at limit ${free}::int
    ), free as (
      select q.webhook_id from webhook_calls as q join due on due.webhook_id = q.webhook_id
      where q.state = 'pending' and q.next_attempt_at <= ${at} and (q.leased_until is null or q.leased_until <= ${at})
      for update of q skip locked
    )
    update webhook_calls as q set leased_until = ${instantParam(leasedUntil)}
    from free, webhook_endpoints as e
    where q.webhook_id = free.webhook_id and e.account_id = q.account_id and e.mode = q.mode
    returning q.webhook_id, json_build_object('accountId', q.account_id, 'mode', q.mode) as owner, q.order_id, q.sequence, q.body, q.attempts,
      q.attempts_before, e.url, e.secret, e.previous_secret as previous, e.previous_secret_until as previous_until`.execute(
    sql,
  );
  return rows;
}

/** The outcome of an attempt; `nextAttemptAt` is undefined after the last attempt. */
export type Outcome = {
  call: TakenCall;
  leasedUntil: Temporal.Instant;
  at: Temporal.Instant;
  isDelivered: boolean;
  status: number | null;
  error: string | null;
  nextAttemptAt: Temporal.Instant | undefined;
};

/**
 * Records many outcomes in one statement. A failure counts only while this worker holds the lease: afterwards another
 * worker repeats the call. A success always counts.
 */
export async function recordOutcomes(sql: Sql, outcomes: readonly Outcome[]): Promise<void> {
  const texts = (of: (outcome: Outcome) => string | null) => outcomes.map(of);
  const ids = texts((o) => o.call.webhookId);
  // Every statement that changes many rows locks them in the same sequence, so that no two statements deadlock.
  await raw`
    with locked as (
      select webhook_id from webhook_calls where webhook_id = any(${ids}::text[]) order by webhook_id for update
    )
    update webhook_calls as q
    set state = case when o.delivered then 'delivered' when o.next_at is null then 'dead' else 'pending' end,
      attempts = q.attempts + 1, last_status = o.status, last_error = o.error, leased_until = null,
      next_attempt_at = o.next_at, delivered_at = case when o.delivered then o.at end
    from locked join unnest(${ids}::text[], ${outcomes.map((o) => o.isDelivered)}::bool[],
      ${outcomes.map((o) => o.status)}::int[], ${texts((o) => o.error)}::text[],
      ${texts((o) => o.leasedUntil.toString())}::timestamptz[], ${texts((o) => o.at.toString())}::timestamptz[],
      ${texts((o) => o.nextAttemptAt?.toString() ?? null)}::timestamptz[])
      as o (webhook_id, delivered, status, error, leased_until, at, next_at) on o.webhook_id = locked.webhook_id
    where q.webhook_id = locked.webhook_id and case when o.delivered then q.state <> 'delivered'
      else q.state = 'pending' and q.leased_until = o.leased_until end`.execute(sql);
}
