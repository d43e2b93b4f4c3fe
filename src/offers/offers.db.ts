import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';
import type { Order } from '../orders/order.ts';
import type { StoreChannel } from './store-channel.ts';

/** Marks offers as taken by a channel that fetches them; returns the orders that were not taken before. */
export async function markOffersTaken(
  sql: Sql,
  orderIds: readonly string[],
  channel: StoreChannel,
  at: Temporal.Instant,
): Promise<string[]> {
  if (orderIds.length === 0) return [];
  const rows = await sql
    .updateTable('storeNotices')
    .set({ state: 'sent', sentAt: at.toString(), nextAttemptAt: null, leasedUntil: null })
    .where('orderId', 'in', orderIds)
    .where('channel', '=', channel)
    .where('kind', '=', 'offered')
    .where('state', '=', 'waiting')
    .returning('orderId')
    .execute();
  return rows.map(({ orderId }) => orderId);
}

/** Marks the offer of an order on a channel as answered; without a channel on all that have it. */
export async function acknowledgeOffer(
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
    .$if(channel !== undefined, (query) => query.where('channel', '=', channel ?? 'console'))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Locks orders in the sequence of their ids, and returns their states: every transaction locks orders before their
 * notices.
 */
export async function lockOrders(sql: Sql, orderIds: readonly string[]): Promise<ReadonlyMap<string, Order['status']>> {
  const rows = await sql
    .selectFrom('orders')
    .select(['orderId', 'status'])
    .where('orderId', '=', raw<string>`any(${orderIds}::text[])`)
    .orderBy('orderId')
    .forUpdate()
    .execute();
  return new Map(rows.map(({ orderId, status }) => [orderId, status]));
}

/** Notes when a first channel had orders; returns the orders that no channel had before. */
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
