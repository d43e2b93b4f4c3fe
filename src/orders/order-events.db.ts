import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { Order } from './order.ts';
import type { OrderEventType } from './order-events.ts';
import { orderAfterEvent, orderOf } from './order-row.ts';

/** An event of an order's log; `order` is as it was right after it, `current` as it is now. */
export type LoggedEvent = {
  sequence: number;
  type: OrderEventType;
  at: Temporal.Instant;
  data: Readonly<Record<string, unknown>>;
  order: Order;
  current: Order;
};

/** Takes events whose follow-ups do not exist yet, oldest first; those that another worker has taken are passed over. */
export async function takeWaitingEvents(tx: Sql, limit: number): Promise<LoggedEvent[]> {
  const rows = await tx
    .selectFrom('order_events as e')
    .innerJoin('orders as o', 'o.order_id', 'e.order_id')
    .selectAll('o')
    .select(['e.sequence', 'e.type', 'e.at', 'e.data', 'e.progress'])
    .where('e.dispatched', '=', false)
    .orderBy('e.at')
    .orderBy('e.sequence')
    .limit(limit)
    .forUpdate('e')
    .skipLocked()
    .execute();
  return rows.map((row) => ({
    sequence: row.sequence,
    type: row.type as OrderEventType,
    at: row.at,
    data: row.data as LoggedEvent['data'],
    order: orderAfterEvent(row, row.progress),
    current: orderOf(row),
  }));
}

export async function markDispatched(tx: Sql, events: readonly LoggedEvent[]): Promise<void> {
  const orderIds = events.map(({ order }) => order.orderId);
  const sequences = events.map(({ sequence }) => sequence);
  await raw`
    update order_events set dispatched = true
    from unnest(${orderIds}::text[], ${sequences}::int[]) as done (order_id, sequence)
    where order_events.order_id = done.order_id and order_events.sequence = done.sequence`.execute(tx);
}

/** Whether something of an order has happened whose follow-ups do not exist yet. */
export async function hasWaitingEvents(sql: Sql, orderId: string): Promise<boolean> {
  const query = sql.selectFrom('order_events').select('sequence').where('order_id', '=', orderId);
  return (await query.where('dispatched', '=', false).limit(1).executeTakeFirst()) !== undefined;
}

export async function listEvents(sql: Sql, orderId: string) {
  return sql.selectFrom('order_events').selectAll().where('order_id', '=', orderId).orderBy('sequence').execute();
}
