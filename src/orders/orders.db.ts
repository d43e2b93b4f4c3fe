import { sql as raw } from 'kysely';
import type { Caller } from '../accounts/account.ts';
import { instantParam, type Sql } from '../db/connect.ts';
import { columnName, placeholders, runHot } from '../db/hot-statement.ts';
import { driverNow, etaNow } from './driver-positions.db.ts';
import type { Order, OrderStatus } from './order.ts';
import type { OrderEvent } from './order-events.ts';
import { progressText, STORED_FIELDS, valuesOf, WRITTEN_COLUMNS } from './order-row.ts';

/** Stores new orders and returns the ids of stored orders. An order whose Idempotency-Key is already stored is left out. */
export async function insertOrders(sql: Sql, orders: readonly Order[]): Promise<ReadonlySet<string>> {
  // Sort the rows, so that no two statements wait for each other's keys in a circle.
  const sorted = orders.toSorted(byIdempotencyKey);
  const text = insertTexts.get(sorted.length) ?? insertTextOf(sorted.length);
  insertTexts.set(sorted.length, text);
  const values = sorted.flatMap((order) => valuesOf(order, WRITTEN_COLUMNS.insert));
  const { rows } = await runHot<{ orderId: string }>(sql, text, values);
  return new Set(rows.map(({ orderId }) => orderId));
}

function byIdempotencyKey(a: Order, b: Order): number {
  const [one, other] = [sortKeyOf(a), sortKeyOf(b)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The unique key that two new orders may share; empty without an Idempotency-Key. */
function sortKeyOf({ accountId, mode, idempotencyKey: key }: Order): string {
  return key === null ? '' : JSON.stringify([accountId, mode, key]);
}

/** By the number of orders: their columns are always the same. */
const insertTexts = new Map<number, string>();

function insertTextOf(count: number): string {
  const columns = WRITTEN_COLUMNS.insert.map(columnName);
  const rows = Array.from({ length: count }, (_, n) => `(${placeholders(columns.length, 1 + n * columns.length)})`);
  return `insert into orders (${columns.join(', ')}) values ${rows.join(', ')}
    on conflict (account_id, mode, idempotency_key) where idempotency_key is not null do nothing
    returning order_id`;
}

/** Writes a locked, unplaced order anew: another request, another quote, the next attempt to charge. */
export async function rewriteOrder(sql: Sql, order: Order, at: Temporal.Instant): Promise<void> {
  await runHot(sql, REWRITE_TEXT, [order.orderId, at.toString(), ...valuesOf(order, WRITTEN_COLUMNS.rewrite)]);
}

const REWRITE_TEXT = `
  update orders set requoted_at = $2, ${assignments(WRITTEN_COLUMNS.rewrite, 3)} where order_id = $1`;

/**
 * Writes an unplaced order anew with its next attempt to charge, without a lock before. False where there is no such
 * order, where it is no longer unplaced, where a charge is pending or waits for the customer, where another attempt than
 * the one before was the last, or where its quote is not that of `quoteId`: nothing is changed, and the order must be
 * locked and read.
 */
export async function rewriteIdleOrder(
  sql: Sql,
  order: Order,
  at: Temporal.Instant,
  quoteId?: string,
): Promise<boolean> {
  const values = valuesOf(order, WRITTEN_COLUMNS.rewrite);
  const { rows } = await runHot(sql, REWRITE_IDLE_TEXT, [
    order.orderId,
    at.toString(),
    ...values,
    order.chargeAttempt - 1,
    quoteId ?? null,
  ]);
  return rows.length > 0;
}

const REWRITE_IDLE_TEXT = `
  ${REWRITE_TEXT} and status = 'unplaced' and charge_state in ('none', 'declined')
    and charge_attempt = $${3 + WRITTEN_COLUMNS.rewrite.length}
    and ($${4 + WRITTEN_COLUMNS.rewrite.length}::text is null or quote->>'quoteId' = $${4 + WRITTEN_COLUMNS.rewrite.length})
  returning order_id`;

function assignments(columns: readonly string[], from: number): string {
  return columns.map((column, index) => `${columnName(column)} = $${from + index}`).join(', ');
}

/** Saves progress that is no step: a pending or declined charge. */
export async function saveProgress(sql: Sql, order: Order): Promise<void> {
  await runHot(sql, PROGRESS_TEXT, [order.orderId, ...valuesOf(order, WRITTEN_COLUMNS.step)]);
}

const PROGRESS_TEXT = `update orders set ${assignments(WRITTEN_COLUMNS.step, 2)} where order_id = $1`;

/** A step of an order: the order after it, and the row of the event log. */
export type LoggedStep = {
  order: Order;
  event: OrderEvent;
  at: Temporal.Instant;
  /** The work that takes the step, for what follows from the event; undefined without a trace. */
  traceparent?: string | undefined;
};

/** Saves the progress of a locked order and its event in one statement. */
export async function saveStep(sql: Sql, { order, event, at, traceparent }: LoggedStep): Promise<void> {
  const logged = [order.lastSequence, event.type, at.toString(), JSON.stringify(event.data), progressText(order)];
  await runHot(sql, STEP_TEXT, [
    order.orderId,
    ...logged,
    traceparent ?? null,
    ...valuesOf(order, WRITTEN_COLUMNS.step),
  ]);
}

/** $1 to $7: order, the event's sequence, type, time, data, progress and trace; then columns. */
const STEP_TEXT = `
  with step as (update orders set ${assignments(WRITTEN_COLUMNS.step, 8)} where order_id = $1 returning order_id)
  insert into order_events (order_id, sequence, type, at, data, progress, traceparent)
  select order_id, $2::integer, $3::text, $4::timestamptz, $5::jsonb, $6::jsonb, $7::text from step`;

/** A key older than its 24 hours may name a new order. */
export async function forgetIdempotencyKey(sql: Sql, orderId: string): Promise<void> {
  await sql.updateTable('orders').set({ idempotencyKey: null }).where('orderId', '=', orderId).execute();
}

/**
 * Deletes up to `limit` unplaced orders that no request has touched since the given moment, and returns their number.
 * Skips an order that is being placed or quoted anew. No other row refers to an unplaced order: events, messages and
 * calls begin with its placing.
 */
export async function deleteUntouchedOrders(
  sql: Sql,
  { before, limit }: { before: Temporal.Instant; limit: number },
): Promise<number> {
  const untouched = sql
    .selectFrom('orders')
    .select('orderId')
    .where('status', '=', 'unplaced')
    .where('chargeState', 'in', ['none', 'declined'])
    .where(raw<boolean>`coalesce(requoted_at, created_at) < ${instantParam(before)}`)
    .orderBy(raw`coalesce(requoted_at, created_at)`)
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const result = await sql.deleteFrom('orders').where('orderId', 'in', untouched).executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Every field of an order. */
export const ORDER = [...STORED_FIELDS, driverNow('orders').as('driver'), etaNow('orders').as('eta')] as const;

/** The order, locked until the transaction ends. */
export async function lockOrder(sql: Sql, orderId: string): Promise<Order | undefined> {
  return sql.selectFrom('orders').select(ORDER).where('orderId', '=', orderId).forUpdate().executeTakeFirst();
}

/** The caller's order; undefined for an order of another account or key mode. */
export async function findOrder(sql: Sql, caller: Caller, orderId: string): Promise<Order | undefined> {
  return ordersOf(sql, caller).where('orderId', '=', orderId).select(ORDER).executeTakeFirst();
}

/** For operators and jobs, which see every account. */
export async function findAnyOrder(sql: Sql, orderId: string): Promise<Order | undefined> {
  return sql.selectFrom('orders').select(ORDER).where('orderId', '=', orderId).executeTakeFirst();
}

/** The orders with these ids, by id; an id without an order is left out. */
export async function findAnyOrders(sql: Sql, orderIds: readonly string[]): Promise<ReadonlyMap<string, Order>> {
  const isNamed = raw<boolean>`order_id = any(${[...orderIds]}::text[])`;
  const orders = await sql.selectFrom('orders').select(ORDER).where(isNamed).execute();
  return new Map(orders.map((order) => [order.orderId, order]));
}

export async function findOrderByIdempotencyKey(sql: Sql, caller: Caller, key: string): Promise<Order | undefined> {
  return ordersOf(sql, caller).where('idempotencyKey', '=', key).select(ORDER).executeTakeFirst();
}

function ordersOf(sql: Sql, { accountId, mode }: Caller) {
  return sql.selectFrom('orders').where('accountId', '=', accountId).where('mode', '=', mode);
}

export type OrderFilter = {
  orderId?: string | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  createdFrom?: Temporal.Instant | undefined;
  createdBefore?: Temporal.Instant | undefined;
  userId?: string | undefined;
  favorited?: boolean | undefined;
};

/** Some of the caller's orders, newest first: after an order of the same list, or from a position of the list on. */
export async function listOrders(
  sql: Sql,
  caller: Caller,
  filter: OrderFilter,
  { from, limit }: { from: number | Pick<Order, 'createdAt' | 'orderId'>; limit: number },
): Promise<Order[]> {
  let query = filtered(sql, caller, filter);
  if (typeof from === 'number') query = query.offset(from);
  else {
    const [createdAt, { orderId }] = [instantParam(from.createdAt), from];
    query = query.where((eb) =>
      eb.and([eb('createdAt', '<=', createdAt), eb.or([eb('createdAt', '<', createdAt), eb('orderId', '>', orderId)])]),
    );
  }
  return query.select(ORDER).orderBy('createdAt', 'desc').orderBy('orderId').limit(limit).execute();
}

export async function countOrders(sql: Sql, caller: Caller, filter: OrderFilter): Promise<number> {
  const row = await filtered(sql, caller, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

function filtered(sql: Sql, caller: Caller, filter: OrderFilter) {
  let query = ordersOf(sql, caller);
  if (filter.orderId !== undefined) query = query.where('orderId', '=', filter.orderId);
  if (filter.statuses) query = query.where('status', 'in', [...filter.statuses]);
  if (filter.createdFrom) query = query.where('createdAt', '>=', instantParam(filter.createdFrom));
  if (filter.createdBefore) query = query.where('createdAt', '<', instantParam(filter.createdBefore));
  if (filter.userId !== undefined) query = query.where('userId', '=', filter.userId);
  if (filter.favorited !== undefined) query = query.where('favorited', '=', filter.favorited);
  return query;
}

export type UnresolvedOrder = { orderId: string; startedAt: Temporal.Instant };

/**
 * Orders whose charge has been pending since before the given moment, oldest first: their process died, or the gateway is
 * slow. `after` is the last order of the previous batch.
 */
export async function findUnresolvedOrders(
  sql: Sql,
  { before, after, limit }: { before: Temporal.Instant; after?: UnresolvedOrder | undefined; limit: number },
): Promise<UnresolvedOrder[]> {
  let query = sql
    .selectFrom('orders')
    .select(['orderId', 'chargeStartedAt as startedAt'])
    .where('chargeState', '=', 'pending')
    .where('chargeStartedAt', '<', instantParam(before))
    .orderBy('chargeStartedAt')
    .orderBy('orderId')
    .limit(limit)
    .$narrowType<UnresolvedOrder>();
  if (after) {
    const { startedAt, orderId } = after;
    query = query.where(
      raw<boolean>`(charge_started_at, order_id) > (${startedAt.toString()}::timestamptz, ${orderId})`,
    );
  }
  return query.execute();
}
