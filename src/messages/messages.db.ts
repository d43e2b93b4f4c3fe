import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { QueueTable } from '../jobs/leased-queue.ts';
import { MESSAGE_KINDS, type Message, type MessageChannel } from './message.ts';

/** Messages of one channel that are due, by account. The lease counts the attempt. */
export function messageQueue(channel: MessageChannel): QueueTable {
  return {
    table: 'messages',
    key: ['message_id'],
    owner: ['account_id'],
    waits: `q.channel = '${channel}' and q.state = 'pending'`,
    dueAt: 'next_attempt_at',
    leaseSeconds: 25,
    onLease: 'attempts = q.attempts + 1',
    columns: 'q.*',
  };
}

export type SentMessage = { messageId: string; at: Temporal.Instant };

/**
 * Marks messages as sent, even if another worker has leased the messages since. Marks of several
 * workers lock messages in one sequence, so that no two marks wait for each other in a circle.
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
