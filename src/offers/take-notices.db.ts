import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';
import type { TakeLimits } from '../jobs/owner-limiter.ts';
import type { StoreNotice } from './store-notice.ts';

/** A notice that a worker has leased, with the channel as it is now; null channel: it was taken away. */
export type TakenNotice = StoreNotice & {
  target: string | null;
  signingSecret: string | null;
  previousSecret: string | null;
  previousSecretUntil: Temporal.Instant | null;
  encoding: string | null;
  hasChannel: boolean;
};

export type DueNotices = {
  now: Temporal.Instant;
  leaseUntil: Temporal.Instant;
  /** A printer may take longer than the other channels. */
  printerLeaseUntil: Temporal.Instant;
  /** The owners of its allowances are channels of stores, by `channelKey`. */
  limits: TakeLimits;
};

/**
 * Leases due notices until `leaseUntil`: of each channel of a store at most its allowance (`others` for an unlisted
 * channel), the first notice of every channel before the second notice of any, running notices counted, then the oldest.
 * A recursive hop along the index finds the channels with waiting notices. Of a printer one at a time, so that two tickets
 * never mix; a leased row whose worker died is due again when the lease ends.
 */
export async function takeDueNotices(
  sql: Sql,
  { now, leaseUntil, printerLeaseUntil, limits: { free, allowances, others } }: DueNotices,
): Promise<TakenNotice[]> {
  const at = instantParam(now);
  const { rows } = await raw<TakenNotice>`
    with recursive waiting (store_id, channel) as (
      (select store_id, channel from store_notices where state = 'waiting' and next_attempt_at is not null
        order by store_id, channel limit 1)
      union all
      select next.store_id, next.channel from waiting as w cross join lateral (
        select s.store_id, s.channel from store_notices as s
        where s.state = 'waiting' and s.next_attempt_at is not null and (s.store_id, s.channel) > (w.store_id, w.channel)
        order by s.store_id, s.channel limit 1
      ) as next
    ), ranked as (
      select d.* from waiting as w
      left join unnest(${allowances.map(({ owner }) => owner)}::text[], ${allowances.map(({ calls }) => calls)}::int[],
        ${allowances.map(({ running }) => running)}::int[]) as known (owner, calls, running)
        on known.owner = w.store_id || ' ' || w.channel
      cross join lateral (
        select first.*, row_number() over (order by first.next_attempt_at) + coalesce(known.running, 0) as position from (
          select n.order_id, n.channel, n.kind, n.copy, n.next_attempt_at from store_notices as n
          where n.store_id = w.store_id and n.channel = w.channel and n.state = 'waiting'
            and n.next_attempt_at <= ${at} and (n.leased_until is null or n.leased_until <= ${at})
            and (n.channel <> 'printer' or not exists (
              select 1 from store_notices as o
              where o.store_id = n.store_id and o.channel = 'printer' and o.state = 'waiting'
                and (o.leased_until > ${at} or (o.created_at, o.order_id, o.kind, o.copy) < (n.created_at, n.order_id, n.kind, n.copy))))
          order by n.next_attempt_at limit coalesce(known.calls, ${others}::int)
        ) as first
      ) as d
      order by d.position, d.next_attempt_at limit ${free}::int
    ), due as (
      select n.order_id, n.channel, n.kind, n.copy from store_notices as n
      join ranked as r on (r.order_id, r.channel, r.kind, r.copy) = (n.order_id, n.channel, n.kind, n.copy)
      where n.state = 'waiting' and n.next_attempt_at <= ${at} and (n.leased_until is null or n.leased_until <= ${at})
      for update of n skip locked
    )
    update store_notices as n set leased_until = case n.channel when 'printer' then ${instantParam(printerLeaseUntil)} else ${instantParam(leaseUntil)} end, attempts = n.attempts + 1
    from due
    where (n.order_id, n.channel, n.kind, n.copy) = (due.order_id, due.channel, due.kind, due.copy)
    returning n.order_id, n.store_id, n.channel, n.kind, n.copy, n.state, n.attempts, n.ended_attempts, n.may_be_sent, n.last_error, n.next_attempt_at,
      n.created_at, n.sent_at, n.acknowledged_at,
      (select target from store_channels as s where (s.store_id, s.channel) = (n.store_id, n.channel)) as target,
      (select signing_secret from store_channels as s where (s.store_id, s.channel) = (n.store_id, n.channel)) as signing_secret,
      (select previous_signing_secret from store_channels as s where (s.store_id, s.channel) = (n.store_id, n.channel)) as previous_secret,
      (select previous_secret_until from store_channels as s where (s.store_id, s.channel) = (n.store_id, n.channel)) as previous_secret_until,
      (select encoding from store_channels as s where (s.store_id, s.channel) = (n.store_id, n.channel)) as encoding,
      exists (select 1 from store_channels as s where (s.store_id, s.channel) = (n.store_id, n.channel)) as has_channel`.execute(
    sql,
  );
  return rows;
}
