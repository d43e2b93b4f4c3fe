import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { Mode } from '../../supply/stores/store.ts';
import type { Order, OrderRequest } from './order.ts';
import { ORDER_FIELDS, orderAfterEvent } from './order-columns.ts';
import { ORDER_EVENT_TYPES, type OrderEvent, readEvent } from './order-events.ts';

/** Fields of an order that decide the consequences of its last event. */
export type OrderConsequences = Pick<
  Order,
  'orderId' | 'mode' | 'status' | 'chargeState' | 'refundingCents' | 'confirmBy' | 'lastSequence'
>;

/** An event whose consequences were not written yet, with the fields that decide them. */
export type WaitingEvent = Pick<Order, 'orderId' | 'accountId' | 'mode' | 'storeId' | 'moneyPlan'> & {
  sequence: number;
  at: Temporal.Instant;
  orderMode: Mode;
  /** When the order is offered to its store; for an order that was never placed, the event's own time. */
  offerAt: Temporal.Instant;
  /** Request of a live order; null in the sandbox, where consequences do not depend on it. */
  request: OrderRequest | null;
  /** Whether promotions lowered the order. */
  isDiscounted: boolean;
  /** Whether the order includes goods by weight (`isWeighedOrder`). */
  isWeighed: boolean;
  /** The current order, which later events may have changed. */
  current: OrderConsequences;
  /** Trace of the work that wrote the event, if any. */
  traceparent: string | null;
} & OrderEvent;

/** An event of an order's log, written by any version. `order` is its state right after the event. */
export type LoggedEvent = { sequence: number; at: Temporal.Instant; type: string; data: unknown; order: Order };

/** Parses the events of rows; omits rows with unreadable events. */
function withEvents<Row extends { type: string; data: unknown }>(rows: readonly Row[]) {
  return rows.flatMap(({ type, data, ...row }) => {
    const event = readEvent(type, data);
    return event ? [{ ...row, ...event }] : [];
  });
}

export type EventKey = { orderId: string; sequence: number };

/**
 * Locks events that this version can read and that were not dispatched yet, oldest first; skips events that another
 * worker has locked. Unreadable events wait for a newer node and block no other event.
 */
export async function takeWaitingEvents(tx: Sql, limit: number): Promise<WaitingEvent[]> {
  for (let after: Pick<WaitingEvent, 'at' | 'sequence' | 'orderId'> | null = null; ; ) {
    const rows = await waitingRows(tx, limit, after);
    const last = rows.at(-1);
    const events = withEvents(rows);
    if (events.length === 0 && last !== undefined && rows.length === limit) {
      after = last;
      continue;
    }
    return events.map(({ status, chargeState, refundingCents, confirmBy, lastSequence, ...event }) => {
      const { orderId, mode } = event;
      return { ...event, current: { orderId, mode, status, chargeState, refundingCents, confirmBy, lastSequence } };
    });
  }
}

function waitingRows(tx: Sql, limit: number, after: Pick<WaitingEvent, 'at' | 'sequence' | 'orderId'> | null) {
  let query = tx
    .selectFrom('orderEvents as e')
    .innerJoin('orders as o', 'o.orderId', 'e.orderId')
    .select([
      'o.orderId',
      'o.accountId',
      'o.mode',
      'o.storeId',
      'o.moneyPlan',
      'o.status',
      'o.chargeState',
      'o.refundingCents',
      'o.confirmBy',
      'o.lastSequence',
    ])
    .select([
      'e.sequence',
      'e.type',
      'e.at',
      'e.data',
      'e.traceparent',
      raw<Temporal.Instant>`coalesce(o.offer_at, e.at)`.as('offerAt'),
      raw<Mode>`o.request->>'mode'`.as('orderMode'),
      raw<OrderRequest | null>`case o.mode when 'live' then o.request end`.as('request'),
      raw<boolean>`o.quote ? 'discounts'`.as('isDiscounted'),
      raw<boolean>`o.quote @? '$.items[*].weight'`.as('isWeighed'),
    ])
    .where('e.dispatched', '=', false)
    .where('e.type', 'in', ORDER_EVENT_TYPES);
  if (after) {
    const { at, sequence, orderId } = after;
    query = query.where(raw<boolean>`(e.at, e.sequence, e.order_id) > (${at}, ${sequence}, ${orderId})`);
  }
  const sorted = query.orderBy('e.at').orderBy('e.sequence').orderBy('e.orderId');
  return sorted.limit(limit).forUpdate('e').skipLocked().execute();
}

/** Finds events with their orders, written by any version, oldest first. */
export async function findEvents(sql: Sql, keys: readonly EventKey[]): Promise<LoggedEvent[]> {
  if (keys.length === 0) return [];
  const named = raw<EventKey>`(select distinct * from unnest(${keys.map(({ orderId }) => orderId)}::text[],
    ${keys.map(({ sequence }) => sequence)}::int[]) as named (order_id, sequence))`;
  const rows = await sql
    .selectFrom('orderEvents as e')
    .innerJoin('orders as o', 'o.orderId', 'e.orderId')
    .select(ORDER_FIELDS.map((name) => `o.${name}` as const))
    .select(['e.sequence', 'e.type', 'e.at', 'e.data', 'e.progress'])
    .where(raw<boolean>`(e.order_id, e.sequence) in ${named}`)
    .orderBy('e.at')
    .orderBy('e.sequence')
    .execute();
  return rows.map(({ sequence, type, at, data, progress, ...order }) => {
    return { sequence, at, type, data, order: orderAfterEvent(order, progress) };
  });
}

/** Marks events as dispatched, in the transaction that wrote their consequences. */
export async function markDispatched(tx: Sql, events: readonly EventKey[]): Promise<void> {
  const orderIds = events.map(({ orderId }) => orderId);
  const sequences = events.map(({ sequence }) => sequence);
  await raw`
    update order_events set dispatched = true
    from unnest(${orderIds}::text[], ${sequences}::int[]) as done (order_id, sequence)
    where order_events.order_id = done.order_id and order_events.sequence = done.sequence`.execute(tx);
}

/** Finds the trace of an event, or of the order's last event with a trace; undefined if there is none. */
export async function findTraceparent(sql: Sql, orderId: string, sequence: number | null): Promise<string | undefined> {
  let query = sql.selectFrom('orderEvents').select('traceparent').where('orderId', '=', orderId);
  if (sequence !== null) query = query.where('sequence', '=', sequence);
  const row = await query.where('traceparent', 'is not', null).orderBy('sequence', 'desc').limit(1).executeTakeFirst();
  return row?.traceparent ?? undefined;
}

/** An event of the log, without its order. */
export type EventRow = { sequence: number; at: Temporal.Instant } & OrderEvent;

/** Lists the log of an order as far as this version can read it, oldest first. */
export async function listEvents(sql: Sql, orderId: string): Promise<EventRow[]> {
  const rows = await sql
    .selectFrom('orderEvents')
    .select(['sequence', 'type', 'at', 'data'])
    .where('orderId', '=', orderId)
    .orderBy('sequence')
    .execute();
  return withEvents(rows);
}
