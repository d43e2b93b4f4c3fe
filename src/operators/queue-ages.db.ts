import { type RawBuilder, sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';

/** Rows of a queue that are due are counted up to this many. */
export const MAX_DUE_COUNTED = 1000;

/** What is due: rows up to MAX_DUE_COUNTED, and since when the longest waiting row is due. */
export type QueueAge = { queue: string; due: number; dueSince: Temporal.Instant | null };

/**
 * What each queue of the service's tables has that is due. Every statement reads the beginning of one partial index, so
 * that neither a long queue nor a long history of orders costs more.
 */
export async function readQueueAges(sql: Sql, now: Temporal.Instant): Promise<QueueAge[]> {
  const at = instantParam(now);
  const first = (due: RawBuilder<unknown>) =>
    raw`(select count(*)::int, min(at) from (${due} order by at limit ${MAX_DUE_COUNTED}) as due)`;
  const queues: Record<string, RawBuilder<unknown>> = {
    order_events: raw`select at from order_events where not dispatched and at <= ${at}`,
    messages: raw`select next_attempt_at as at from messages where state = 'pending' and next_attempt_at <= ${at}`,
    webhook_calls: dueCalls(at),
    store_notices: raw`select next_attempt_at as at from store_notices
      where state = 'waiting' and next_attempt_at is not null and next_attempt_at <= ${at}`,
    courier_calls: raw`select next_call_at as at from courier_deliveries
      where next_call_at is not null and next_call_at <= ${at}`,
    charges: raw`select charge_started_at as at from orders where charge_state in ('pending', 'refund_pending')`,
    refunds: raw`select started_at as at from order_refund_parts where state = 'pending'`,
    tips: raw`select started_at as at from order_tips where state in ('pending', 'returning')`,
    live_orders_awaiting_confirmation: raw`select offer_at as at from orders
      where status = 'awaiting_confirmation' and mode = 'live' and offer_at <= ${at}`,
  };
  const parts = Object.entries(queues).map(
    ([queue, due]) => raw`select ${queue}::text as queue, counted.count as due, counted.min as due_since
      from ${first(due)} as counted`,
  );
  const { rows } = await raw<QueueAge>`${raw.join(parts, raw` union all `)}`.execute(sql);
  return rows;
}

/** The index of calls leads with their owner: a recursive hop along the index finds the first owners with calls. */
const dueCalls = (at: RawBuilder<unknown>) => raw`
  with recursive waiting (account_id, mode, nth) as (
    (select account_id, mode, 1 from webhook_calls where state = 'pending' order by account_id, mode limit 1)
    union all
    select next.*, w.nth + 1 from waiting as w cross join lateral (
      select c.account_id, c.mode from webhook_calls as c
      where c.state = 'pending' and (c.account_id, c.mode) > (w.account_id, w.mode)
      order by c.account_id, c.mode limit 1
    ) as next where w.nth < ${MAX_DUE_COUNTED}
  )
  select due.at from waiting as w
  join webhook_endpoints as e on e.account_id = w.account_id and e.mode = w.mode and e.enabled
  cross join lateral (
    select c.next_attempt_at as at from webhook_calls as c
    where c.account_id = w.account_id and c.mode = w.mode and c.state = 'pending' and c.next_attempt_at <= ${at}
    order by c.next_attempt_at limit ${MAX_DUE_COUNTED}
  ) as due`;

/** The same of each kind of job, which have a schema of their own beside that of the tables. */
export async function readJobAges(sql: Sql, now: Temporal.Instant): Promise<QueueAge[]> {
  const { rows: schemas } = await raw<{ name: string }>`select current_schema() || '_jobs' as name`.execute(sql);
  const job = raw.id(schemas[0]?.name ?? '', 'job');
  const { rows } = await raw<QueueAge>`
    select name as queue, count(*)::int as due, min(start_after) as due_since from (
      select name, start_after from ${job}
      where state < 'active' and not blocked and start_after <= ${instantParam(now)} limit ${MAX_DUE_COUNTED}
    ) as due group by name`.execute(sql);
  return rows;
}
