import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import type { Followed } from './follow-ups.ts';
import type { OrderEventType } from './order-events.ts';

/** An event whose jobs do not exist yet, and its order as it stands now. */
export type WaitingEvent = { sequence: number; type: OrderEventType; at: Temporal.Instant; order: Followed };

/** Takes waiting events, oldest first; those that another worker has taken are passed over until it commits or dies. */
export async function takeWaitingEvents(tx: Sql, limit: number): Promise<WaitingEvent[]> {
  const rows = await tx
    .selectFrom('order_events as e')
    .innerJoin('orders as o', 'o.order_id', 'e.order_id')
    .select(['e.order_id', 'e.sequence', 'e.type', 'e.at'])
    .select(['o.mode', 'o.status', 'o.charge_state', 'o.confirm_by', 'o.last_sequence'])
    .where('e.dispatched', '=', false)
    .orderBy('e.at')
    .limit(limit)
    .forUpdate('e')
    .skipLocked()
    .execute();
  return rows.map((row) => ({
    sequence: row.sequence,
    type: row.type as OrderEventType,
    at: row.at,
    order: {
      orderId: row.order_id,
      mode: row.mode,
      status: row.status,
      chargeState: row.charge_state,
      confirmBy: row.confirm_by,
      lastSequence: row.last_sequence,
    },
  }));
}

export async function markDispatched(tx: Sql, events: readonly WaitingEvent[]): Promise<void> {
  const orderIds = events.map(({ order }) => order.orderId);
  const sequences = events.map(({ sequence }) => sequence);
  await raw`
    update order_events set dispatched = true
    from unnest(${orderIds}::text[], ${sequences}::int[]) as done (order_id, sequence)
    where order_events.order_id = done.order_id and order_events.sequence = done.sequence`.execute(tx);
}

export async function listEvents(sql: Sql, orderId: string) {
  return sql.selectFrom('order_events').selectAll().where('order_id', '=', orderId).orderBy('sequence').execute();
}
