import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';
import { MESSAGE_KINDS, type Message, type MessageChannel } from './message.ts';

export type NewMessage = Omit<Message, 'attempts' | 'lastError' | 'sentAt' | 'state'>;

/** Writes messages into the queue; one that its order already has is passed over. */
export async function insertMessages(sql: Sql, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const column = <K extends keyof NewMessage>(name: K) => messages.map((message) => message[name]);
  const instants = (name: 'createdAt' | 'nextAttemptAt') => column(name).map((instant) => instant?.toString() ?? null);
  await raw`
    insert into messages
      (message_id, account_id, order_id, sequence, mode, channel, kind, created_at, next_attempt_at, state)
    select *, 'pending'
    from unnest(${column('messageId')}::text[], ${column('accountId')}::text[], ${column('orderId')}::text[],
      ${column('sequence')}::int[], ${column('mode')}::text[], ${column('channel')}::text[], ${column('kind')}::text[],
      ${instants('createdAt')}::timestamptz[], ${instants('nextAttemptAt')}::timestamptz[])
      as m (message_id, account_id, order_id, sequence, mode, channel, kind, created_at, next_attempt_at)
    on conflict (order_id, channel, kind, sequence) do nothing`.execute(sql);
}

export type Take = { channel: MessageChannel; now: Temporal.Instant; leaseUntil: Temporal.Instant; limit: number };

/**
 * Takes messages that are due, longest waiting first, and counts the attempt. Until its lease ends no other worker takes
 * a message; a worker that dies lets it go by that.
 */
export async function takeDueMessages(sql: Sql, { channel, now, leaseUntil, limit }: Take): Promise<Message[]> {
  return (
    sql
      // Beside the update, not within its condition: there a plan may evaluate it again, and take more than the limit.
      .with('due', (query) =>
        query
          .selectFrom('messages')
          .select('messageId')
          .where('state', '=', 'pending')
          .where('channel', '=', channel)
          .where('nextAttemptAt', '<=', instantParam(now))
          .where((row) => row.or([row('leasedUntil', 'is', null), row('leasedUntil', '<=', instantParam(now))]))
          .orderBy('nextAttemptAt')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('messages')
      .from('due')
      .set((row) => ({ leasedUntil: leaseUntil.toString(), attempts: row('messages.attempts', '+', 1) }))
      .whereRef('messages.messageId', '=', 'due.messageId')
      .returningAll('messages')
      .execute()
  );
}

/** Marks a message as sent, even if another worker has leased it since. */
export async function markSent(sql: Sql, messageId: string, at: Temporal.Instant): Promise<void> {
  await sql
    .updateTable('messages')
    .set({ state: 'sent', sentAt: at.toString(), leasedUntil: null, nextAttemptAt: null, lastError: null })
    .where('messageId', '=', messageId)
    .where('state', '!=', 'sent')
    .execute();
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
