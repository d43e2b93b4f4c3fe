import { instantParam, type Sql } from '../db/connect.ts';
import type { OrderStatus } from '../orders/order.ts';
import type { MessageChannel } from './message.ts';

/**
 * Locks messages of an account that were beyond its budget, oldest first; with `statuses` those of orders that have one.
 */
export async function lockHeldMessages(
  sql: Sql,
  held: {
    accountId: string;
    channel: MessageChannel;
    since: Temporal.Instant;
    statuses: readonly OrderStatus[] | undefined;
    limit: number;
  },
): Promise<string[]> {
  const rows = await sql
    .selectFrom('messages as m')
    .innerJoin('orders as o', 'o.orderId', 'm.orderId')
    .select('m.messageId')
    .where('m.state', '=', 'over_budget')
    .where('m.accountId', '=', held.accountId)
    .where('m.channel', '=', held.channel)
    .where('m.createdAt', '>', instantParam(held.since))
    .$if(held.statuses !== undefined, (query) => query.where('o.status', 'in', held.statuses ?? []))
    .orderBy('m.createdAt')
    .orderBy('m.orderId')
    .orderBy('m.sequence')
    .orderBy('m.messageId')
    .limit(held.limit)
    .forUpdate('m')
    .execute();
  return rows.map(({ messageId }) => messageId);
}

/** Queues messages that were beyond a budget: they are due now. */
export async function queueHeldMessages(sql: Sql, messageIds: readonly string[], now: Temporal.Instant): Promise<void> {
  if (messageIds.length === 0) return;
  await sql
    .updateTable('messages')
    .set({ state: 'pending', nextAttemptAt: now.toString() })
    .where('messageId', 'in', [...messageIds])
    .where('state', '=', 'over_budget')
    .execute();
}
