import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';
import type { TakeLimits } from '../jobs/owner-limiter.ts';
import { MESSAGE_KINDS, type Message, type MessageChannel } from './message.ts';

export type Take = { channel: MessageChannel; now: Temporal.Instant; leaseUntil: Temporal.Instant; limits: TakeLimits };

/**
 * Takes messages that are due, and counts the attempt: of each account at most its allowance (`others` for an unlisted
 * account), the first message of every account before the second message of any, running messages counted, then the
 * longest waiting. A recursive hop along the index finds the accounts with waiting messages, so that a long queue of one
 * account costs the other accounts nothing. Until its lease ends no other worker takes a message; a worker that dies
 * releases its messages when their leases end.
 */
export async function takeDueMessages(sql: Sql, { channel, now, leaseUntil, limits }: Take): Promise<Message[]> {
  const { free, allowances, others } = limits;
  const at = instantParam(now);
  const { rows } = await raw<Message>`
    with recursive waiting (account_id) as (
      (select account_id from messages where channel = ${channel} and state = 'pending' order by account_id limit 1)
      union all
      select next.account_id from waiting as w cross join lateral (
        select m.account_id from messages as m
        where m.channel = ${channel} and m.state = 'pending' and m.account_id > w.account_id
        order by m.account_id limit 1
      ) as next
    ), due as (
      select d.message_id from waiting as w
      left join unnest(${allowances.map(({ owner }) => owner)}::text[], ${allowances.map(({ calls }) => calls)}::int[],
        ${allowances.map(({ running }) => running)}::int[]) as known (owner, calls, running) on known.owner = w.account_id
      cross join lateral (
        select first.*, row_number() over (order by first.next_attempt_at) + coalesce(known.running, 0) as position from (
          select q.message_id, q.next_attempt_at from messages as q
          where q.channel = ${channel} and q.account_id = w.account_id and q.state = 'pending'
            and q.next_attempt_at <= ${at} and (q.leased_until is null or q.leased_until <= ${at})
          order by q.next_attempt_at limit coalesce(known.calls, ${others}::int)
        ) as first
      ) as d
      order by d.position, d.next_attempt_at limit ${free}::int
    ), free as (
      select q.message_id from messages as q join due on due.message_id = q.message_id
      where q.state = 'pending' and q.next_attempt_at <= ${at} and (q.leased_until is null or q.leased_until <= ${at})
      for update of q skip locked
    )
    update messages as q set leased_until = ${leaseUntil.toString()}, attempts = q.attempts + 1
    from free where q.message_id = free.message_id
    returning q.*`.execute(sql);
  return rows;
}

export type SentMessage = { messageId: string; at: Temporal.Instant };

/**
 * Marks messages as sent, even if another worker has leased the messages since. Marks of several
 * workers lock messages in one sequence, so that no two marks wait for each other in a circle. `takeDueMessages` locks
 * messages in another sequence, which is harmless: the statement skips locked messages and waits for no lock.
 */
export async function markSent(sql: Sql, sent: readonly SentMessage[]): Promise<void> {
  const ids = sent.map(({ messageId }) => messageId);
  await raw`
    with locked as (
      select message_id from messages where message_id = any(${ids}::text[]) order by message_id for update
    )
    update messages as m
    set state = 'sent', sent_at = given.at, leased_until = null, next_attempt_at = null, last_error = null
    from locked join unnest(${ids}::text[], ${sent.map(({ at }) => at.toString())}::timestamptz[])
      as given (message_id, at) on given.message_id = locked.message_id
    where m.message_id = locked.message_id and m.state <> 'sent'`.execute(sql);
}

/** Tried again then, or never without a `nextAttemptAt`; unless another worker has taken it since this attempt. */
export async function markFailed(
  sql: Sql,
  { messageId, attempts }: Message,
  failure: { error: string; nextAttemptAt: Temporal.Instant | undefined },
): Promise<void> {
  await sql
    .updateTable('messages')
    .set({
      state: failure.nextAttemptAt ? 'pending' : 'dead',
      lastError: failure.error,
      nextAttemptAt: failure.nextAttemptAt?.toString() ?? null,
      leasedUntil: null,
    })
    .where('messageId', '=', messageId)
    .where('state', '=', 'pending')
    .where('attempts', '=', attempts)
    .execute();
}

/** What a live order has in the queue, sent or not, oldest first; those of one moment in the order of an order's life. */
export async function listMessages(sql: Sql, orderId: string): Promise<Message[]> {
  const rank = raw`array_position(${[...MESSAGE_KINDS]}::text[], kind)`;
  const query = sql.selectFrom('messages').selectAll().where('orderId', '=', orderId);
  return query.orderBy('createdAt').orderBy(rank).execute();
}
