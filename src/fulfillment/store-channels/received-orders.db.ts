import { sql as raw } from 'kysely';
import { changeLetters } from '../../notify/outbox/letters.db.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { StoreChannel } from './store-channel.ts';
import { NOTICES } from './store-notices.db.ts';

/** Marks offers as taken by a channel that fetches its offers; returns the orders that were not taken before. */
export async function markNoticesTaken(
  sql: Sql,
  orderIds: readonly string[],
  channel: StoreChannel,
  at: Temporal.Instant,
): Promise<string[]> {
  if (orderIds.length === 0) return [];
  const which = raw`order_id = any(${orderIds}::text[]) and channel = ${channel} and kind = 'offered'
    and state = 'waiting'`;
  const set = raw`state = 'sent', sent_at = ${instantParam(at)}, next_attempt_at = null, leased_until = null`;
  const taken = await changeLetters<{ orderId: string }>(sql, NOTICES, which, set);
  return taken.map(({ orderId }) => orderId);
}

/**
 * Marks the offer of an order as acknowledged on a channel; without a channel, on all of them. A ticket that waits for
 * its printer stays, because the kitchen needs it on paper after any confirmation.
 */
export async function acknowledgeOrder(
  sql: Sql,
  orderId: string,
  channel: StoreChannel | undefined,
  at: Temporal.Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('storeNotices')
    .set({ state: 'acknowledged', acknowledgedAt: at.toString(), nextAttemptAt: null, leasedUntil: null })
    .set({ sentAt: raw<string>`coalesce(sent_at, ${instantParam(at)})` })
    .where('orderId', '=', orderId)
    .where('kind', '=', 'offered')
    .where('state', 'in', ['waiting', 'sent'])
    .where(raw<boolean>`not (state = 'waiting' and channel like 'printer%')`)
    .$if(channel !== undefined, (query) => query.where('channel', '=', channel ?? 'console'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Locks orders by id and returns their states. A transaction that locks orders and notices must lock the orders first.
 * With `skipLocked`, orders that are locked elsewhere are left out.
 */
export async function lockOrders(sql: Sql, orderIds: readonly string[], { skipLocked = false } = {}) {
  const rows = await sql
    .selectFrom('orders')
    .select(['orderId', 'status'])
    .where('orderId', '=', raw<string>`any(${orderIds}::text[])`)
    .orderBy('orderId')
    .forUpdate()
    .$if(skipLocked, (query) => query.skipLocked())
    .execute();
  return new Map(rows.map(({ orderId, status }) => [orderId, status]));
}

/** Records when orders reached their first channel; returns the orders that no channel had before. */
export async function markReceived(sql: Sql, orderIds: readonly string[], at: Temporal.Instant): Promise<string[]> {
  if (orderIds.length === 0) return [];
  const rows = await sql
    .updateTable('orders')
    .set({ receivedAt: at.toString() })
    .where('orderId', '=', raw<string>`any(${orderIds}::text[])`)
    .where('receivedAt', 'is', null)
    .returning('orderId')
    .execute();
  return rows.map(({ orderId }) => orderId);
}

/** The PostgreSQL channel that announces changed orders to open consoles. */
export const ORDER_CHANGES_CHANNEL = 'doorstep_store_orders';

/** Orders per notification: PostgreSQL limits it to less than 8,000 bytes, and an order takes about 55. */
const ORDERS_PER_NOTIFICATION = 120;

export type OrderChange = { storeId: string; orderId: string };

/** Announces changed orders to all listeners when the transaction commits. */
export async function announceOrders(sql: Sql, orders: readonly OrderChange[]): Promise<void> {
  const lines = [...new Set(orders.map(({ storeId, orderId }) => `${storeId} ${orderId}`))];
  for (let start = 0; start < lines.length; start += ORDERS_PER_NOTIFICATION) {
    const text = lines.slice(start, start + ORDERS_PER_NOTIFICATION).join('\n');
    await raw`select pg_notify(${ORDER_CHANGES_CHANNEL}, ${text})`.execute(sql);
  }
}

/** Parses a notification of `announceOrders`. */
export function parseOrderChanges(text: string): OrderChange[] {
  return text.split('\n').flatMap((line) => {
    const [storeId = '', orderId = ''] = line.split(' ');
    return orderId === '' ? [] : [{ storeId, orderId }];
  });
}
