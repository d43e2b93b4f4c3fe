import type { Selectable } from 'kysely';
import type { Caller } from '../accounts/account.ts';
import { instantParam, type Sql } from '../db/connect.ts';
import { placeholders, runHot } from '../db/hot-statement.ts';
import type { Database } from '../db/schema.ts';
import type { Driver, FrozenQuote, Order, OrderRequest, OrderStatus } from './order.ts';
import type { OrderEvent } from './order-events.ts';

export const ORDERS_PER_PAGE = 100;

type Row = Selectable<Database['orders']>;

function orderOf(row: Row): Order {
  return {
    orderId: row.order_id,
    accountId: row.account_id,
    mode: row.mode,
    storeId: row.store_id,
    status: row.status,
    request: row.request as OrderRequest,
    quote: row.quote as FrozenQuote,
    idempotencyKey: row.idempotency_key,
    chargeState: row.charge_state,
    chargeAttempt: row.charge_attempt,
    chargeStartedAt: row.charge_started_at,
    chargeId: row.charge_id,
    chargedCents: row.charged_cents,
    refundedCents: row.refunded_cents,
    stockHeld: row.stock_held,
    slotHeld: row.slot_held,
    isReady: row.is_ready,
    driver: row.driver as Driver,
    driverStage: row.driver_stage,
    cancelReason: row.cancel_reason,
    eta: row.eta,
    createdAt: row.created_at,
    placedAt: row.placed_at,
    confirmBy: row.confirm_by,
    completedAt: row.completed_at,
    canceledAt: row.canceled_at,
    lastSequence: row.last_sequence,
  };
}

/** What changes while an order lives, as columns. */
function progressOf(order: Order) {
  return {
    status: order.status,
    charge_state: order.chargeState,
    charge_attempt: order.chargeAttempt,
    charge_started_at: order.chargeStartedAt?.toString() ?? null,
    charge_id: order.chargeId,
    charged_cents: order.chargedCents,
    refunded_cents: order.refundedCents,
    stock_held: JSON.stringify(order.stockHeld),
    slot_held: order.slotHeld,
    is_ready: order.isReady,
    driver: JSON.stringify(order.driver),
    driver_stage: order.driverStage,
    cancel_reason: order.cancelReason,
    eta: order.eta?.toString() ?? null,
    placed_at: order.placedAt?.toString() ?? null,
    confirm_by: order.confirmBy?.toString() ?? null,
    completed_at: order.completedAt?.toString() ?? null,
    canceled_at: order.canceledAt?.toString() ?? null,
    last_sequence: order.lastSequence,
  };
}

/** What the client asked for and was quoted, as columns. */
function requestColumnsOf({ request, quote, storeId, idempotencyKey }: Order) {
  const slot = quote.scheduled;
  return {
    user_id: request.customer.userId,
    store_id: storeId,
    pickup: request.mode === 'pickup',
    request: JSON.stringify(request),
    quote: JSON.stringify(quote),
    total_with_tip: quote.totalWithTipCents,
    idempotency_key: idempotencyKey,
    charge_user: request.chargeUser,
    payment_method_id: request.paymentMethodId,
    slot_starts_at: slot ? instantOf(slot.startEpochS) : null,
    slot_ends_at: slot ? instantOf(slot.endEpochS) : null,
    favorited: request.favorited,
    customer_order_id: request.customerOrderId || null,
  };
}

function instantOf(epochS: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochS * 1000).toString();
}

/** A new order has not moved: columns that keep their default are left out. */
function newRowOf(order: Order) {
  return {
    order_id: order.orderId,
    account_id: order.accountId,
    mode: order.mode,
    created_at: order.createdAt.toString(),
    ...requestColumnsOf(order),
    status: order.status,
    charge_state: order.chargeState,
    charge_attempt: order.chargeAttempt,
    charge_started_at: order.chargeStartedAt?.toString() ?? null,
    stock_held: JSON.stringify(order.stockHeld),
    slot_held: order.slotHeld,
  };
}

/** Returns false when an order of the same Idempotency-Key is stored already. */
export async function insertOrder(sql: Sql, order: Order): Promise<boolean> {
  const row = newRowOf(order);
  insertText ??= insertTextOf(Object.keys(row));
  const { numAffectedRows } = await runHot(sql, insertText, Object.values(row));
  return (numAffectedRows ?? 0n) > 0n;
}

let insertText: string | undefined;

function insertTextOf(columns: readonly string[]): string {
  return `insert into orders (${columns.join(', ')}) values (${placeholders(columns.length).join(', ')})
    on conflict (account_id, mode, idempotency_key) where idempotency_key is not null do nothing`;
}

/** Writes a locked, unplaced order anew: another request, another quote, the next attempt to charge. */
export async function rewriteOrder(sql: Sql, order: Order): Promise<void> {
  await sql
    .updateTable('orders')
    .set({ ...requestColumnsOf(order), ...progressOf(order) })
    .where('order_id', '=', order.orderId)
    .execute();
}

/** Saves where a locked order has got to, and the row of its event log that tells so, in one statement. */
export async function saveStep(sql: Sql, order: Order, event: OrderEvent, at: Temporal.Instant): Promise<void> {
  await runStep(sql, order, event, at, null);
}

/** Saves the step that ends an attempt to charge, if it has not ended yet; false when it has, and nothing is changed. */
export async function endAttempt(sql: Sql, order: Order, event: OrderEvent, at: Temporal.Instant): Promise<boolean> {
  return runStep(sql, order, event, at, order.chargeAttempt);
}

async function runStep(
  sql: Sql,
  order: Order,
  event: OrderEvent,
  at: Temporal.Instant,
  attempt: number | null,
): Promise<boolean> {
  const progress = progressOf(order);
  stepText ??= stepTextOf(Object.keys(progress));
  const { orderId, lastSequence } = order;
  const logged = [orderId, attempt, lastSequence, event.type, at.toString(), JSON.stringify(event.data)];
  const { numAffectedRows } = await runHot(sql, stepText, [...logged, ...Object.values(progress)]);
  return (numAffectedRows ?? 0n) > 0n;
}

let stepText: string | undefined;

/** $1 to $6: order, the open attempt it must be in (or null), sequence, type, time and data of the event; then columns. */
function stepTextOf(columns: readonly string[]): string {
  const values = placeholders(columns.length, 7);
  return `
    with step as (
      update orders set ${columns.map((column, index) => `${column} = ${values[index]}`).join(', ')}
      where order_id = $1 and ($2::integer is null or (charge_state = 'pending' and charge_attempt = $2))
      returning order_id
    )
    insert into order_events (order_id, sequence, type, at, data)
    select order_id, $3::integer, $4::text, $5::timestamptz, $6::jsonb from step`;
}

/** Saves progress that is no step of its own: a charge under way or declined. */
export async function saveProgress(sql: Sql, order: Order): Promise<void> {
  await sql.updateTable('orders').set(progressOf(order)).where('order_id', '=', order.orderId).execute();
}

/** The order, locked until the transaction ends. */
export async function lockOrder(sql: Sql, orderId: string): Promise<Order | undefined> {
  const row = await sql.selectFrom('orders').selectAll().where('order_id', '=', orderId).forUpdate().executeTakeFirst();
  return row && orderOf(row);
}

/** Another account's order, or of the other world of keys, is as good as none. */
export async function findOrder(sql: Sql, caller: Caller, orderId: string): Promise<Order | undefined> {
  const row = await ordersOf(sql, caller).where('order_id', '=', orderId).selectAll().executeTakeFirst();
  return row && orderOf(row);
}

/** For operators and jobs, which see every account. */
export async function findAnyOrder(sql: Sql, orderId: string): Promise<Order | undefined> {
  const row = await sql.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  return row && orderOf(row);
}

export async function findOrderByIdempotencyKey(sql: Sql, caller: Caller, key: string): Promise<Order | undefined> {
  const row = await ordersOf(sql, caller).where('idempotency_key', '=', key).selectAll().executeTakeFirst();
  return row && orderOf(row);
}

/** A key older than its 24 hours may name a new order. */
export async function forgetIdempotencyKey(sql: Sql, orderId: string): Promise<void> {
  await sql.updateTable('orders').set({ idempotency_key: null }).where('order_id', '=', orderId).execute();
}

export type OrderFilter = {
  orderId?: string | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  createdFrom?: Temporal.Instant | undefined;
  createdBefore?: Temporal.Instant | undefined;
  userId?: string | undefined;
  favorited?: boolean | undefined;
};

/** A page of the caller's orders, newest first. */
export async function listOrders(sql: Sql, caller: Caller, filter: OrderFilter, page: number): Promise<Order[]> {
  const rows = await filtered(sql, caller, filter)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('order_id')
    .limit(ORDERS_PER_PAGE)
    .offset(page * ORDERS_PER_PAGE)
    .execute();
  return rows.map(orderOf);
}

export async function countOrders(sql: Sql, caller: Caller, filter: OrderFilter): Promise<number> {
  const row = await filtered(sql, caller, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

function ordersOf(sql: Sql, { accountId, mode }: Caller) {
  return sql.selectFrom('orders').where('account_id', '=', accountId).where('mode', '=', mode);
}

function filtered(sql: Sql, caller: Caller, filter: OrderFilter) {
  let query = ordersOf(sql, caller);
  if (filter.orderId !== undefined) query = query.where('order_id', '=', filter.orderId);
  if (filter.statuses) query = query.where('status', 'in', [...filter.statuses]);
  if (filter.createdFrom) query = query.where('created_at', '>=', instantParam(filter.createdFrom));
  if (filter.createdBefore) query = query.where('created_at', '<', instantParam(filter.createdBefore));
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
  if (filter.favorited !== undefined) query = query.where('favorited', '=', filter.favorited);
  return query;
}
