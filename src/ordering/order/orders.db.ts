import { type RawBuilder, sql as raw } from 'kysely';
import type { Caller } from '../../access/accounts/account.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import { columnName, placeholders, runPrepared } from '../../platform/db/hot-statement.ts';
import type { Driver, Order, OrderStatus } from './order.ts';
import { columnValues, progressText, STORED_FIELDS, WRITTEN_COLUMNS } from './order-columns.ts';
import type { OrderEvent } from './order-events.ts';

/** Saves a locked, unplaced order with a new request or quote, and its progress. */
export async function saveQuote(sql: Sql, order: Order, at: Temporal.Instant): Promise<void> {
  await runPrepared(sql, QUOTE_TEXT, [order.orderId, ...columnValues(order, WRITTEN_COLUMNS.quote), at.toString()]);
}

/** Saves progress of a locked order without a step, such as a declined or waiting charge or a new ETA. */
export async function saveProgress(sql: Sql, order: Order): Promise<void> {
  await runPrepared(sql, PROGRESS_TEXT, [order.orderId, ...columnValues(order, WRITTEN_COLUMNS.progress)]);
}

/** Saves the request of a locked order, and the code that follows from it. */
export async function saveRequest(sql: Sql, order: Order): Promise<void> {
  await runPrepared(sql, REQUEST_TEXT, [order.orderId, ...columnValues(order, REQUEST_COLUMNS)]);
}

/** A step: the order after it, and its row of the event log. */
export type LoggedStep = {
  order: Order;
  event: OrderEvent;
  at: Temporal.Instant;
  /** Trace of the work that takes the step, for the event's consequences, if any. */
  traceparent?: string | undefined;
};

/** Writes the progress of a locked order and its event in one statement. */
export async function saveStep(sql: Sql, step: LoggedStep): Promise<void> {
  const { order } = step;
  await runPrepared(sql, STEP_TEXT, [
    order.orderId,
    ...columnValues(order, WRITTEN_COLUMNS.progress),
    ...eventValues(step),
  ]);
}

export function eventValues({ order, event, at, traceparent }: LoggedStep): unknown[] {
  const { lastSequence } = order;
  return [
    lastSequence,
    event.type,
    at.toString(),
    JSON.stringify(event.data),
    progressText(order),
    traceparent ?? null,
  ];
}

/** Columns of an event after its order, and their types. */
export const EVENT_COLUMNS = ['sequence', 'type', 'at', 'data', 'progress', 'traceparent'];

export const EVENT_TYPES = ['integer', 'text', 'timestamptz', 'jsonb', 'jsonb', 'text'];

/** Writes the only UPDATE of an order: $1 is the order, then its columns. */
const updateText = (columns: readonly string[]) => `
  update orders set ${columns.map((name, index) => `${columnName(name)} = $${index + 2}`).join(', ')}
  where order_id = $1`;

const QUOTE_TEXT = updateText([...WRITTEN_COLUMNS.quote, 'requotedAt']);

const REQUEST_COLUMNS = ['request', 'handoverCode'] as const;
const REQUEST_TEXT = updateText(REQUEST_COLUMNS);

const PROGRESS_TEXT = updateText(WRITTEN_COLUMNS.progress);

const LOGGED = placeholders(EVENT_COLUMNS.length, WRITTEN_COLUMNS.progress.length + 2);

const STEP_TEXT = `
  with step as (${PROGRESS_TEXT} returning order_id)
  insert into order_events (order_id, ${EVENT_COLUMNS.join(', ')})
  select order_id, ${LOGGED.map((parameter, index) => `${parameter}::${EVENT_TYPES[index]}`).join(', ')} from step`;

/** Frees an order's Idempotency-Key after 24 hours, for a new order. */
export async function forgetIdempotencyKey(sql: Sql, orderId: string): Promise<void> {
  await sql.updateTable('orders').set({ idempotencyKey: null }).where('orderId', '=', orderId).execute();
}

/** Ends an unplaced order's checkout link: no one places it any more by that link. */
export async function endCheckoutLink(sql: Sql, orderId: string): Promise<void> {
  const ended = { checkoutKey: null, checkoutUntil: null };
  await sql.updateTable('orders').set(ended).where('orderId', '=', orderId).where('status', '=', 'unplaced').execute();
}

/** Writes SQL of a column's current value. Driver positions have rows of their own. */
const present = (table: string, column: 'driver' | 'eta', value: string) => `
  case when ${table}.status = 'in_progress' and ${table}.driver_stage <> 'none' then coalesce((
    select ${value} from driver_positions p
    where p.order_id = ${table}.order_id and p.last_sequence = ${table}.last_sequence), ${table}.${column})
  else ${table}.${column} end`;

export const driverText = (table: string) => present(table, 'driver', `${table}.driver || p.moved`);

export const etaText = (table: string) => present(table, 'eta', 'p.eta');

/** Returns SQL for the driver with the current position, for the orders of a table or alias. */
export const currentDriverSql = (table: string): RawBuilder<Driver> => raw<Driver>`${raw.raw(driverText(table))}`;

/** Returns SQL for the estimated time of arrival that belongs to `currentDriverSql`. */
export const currentEtaSql = (table: string): RawBuilder<Temporal.Instant | null> =>
  raw<Temporal.Instant | null>`${raw.raw(etaText(table))}`;

export const ORDER = [
  ...STORED_FIELDS,
  currentDriverSql('orders').as('driver'),
  currentEtaSql('orders').as('eta'),
] as const;

export async function lockOrder(sql: Sql, orderId: string): Promise<Order | undefined> {
  return sql.selectFrom('orders').select(ORDER).where('orderId', '=', orderId).forUpdate().executeTakeFirst();
}

/** Finds the caller's order; undefined for an order of another account or key mode. */
export async function findOrder(sql: Sql, caller: Caller, orderId: string): Promise<Order | undefined> {
  return accountOrders(sql, caller).where('orderId', '=', orderId).select(ORDER).executeTakeFirst();
}

/** Finds an order of any account, for operators and jobs. */
export async function findAnyOrder(sql: Sql, orderId: string): Promise<Order | undefined> {
  return sql.selectFrom('orders').select(ORDER).where('orderId', '=', orderId).executeTakeFirst();
}

/** Finds orders of any account by id; omits ids without an order. */
export async function findAnyOrders(sql: Sql, orderIds: readonly string[]): Promise<ReadonlyMap<string, Order>> {
  const isNamed = raw<boolean>`order_id = any(${[...orderIds]}::text[])`;
  const orders = await sql.selectFrom('orders').select(ORDER).where(isNamed).execute();
  return new Map(orders.map((order) => [order.orderId, order]));
}

export async function findOrderByIdempotencyKey(sql: Sql, caller: Caller, key: string): Promise<Order | undefined> {
  return accountOrders(sql, caller).where('idempotencyKey', '=', key).select(ORDER).executeTakeFirst();
}

function accountOrders(sql: Sql, { accountId, mode, userId }: Caller) {
  return sql
    .selectFrom('orders')
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? ''));
}

export type OrderFilter = {
  orderId?: string | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  createdFrom?: Temporal.Instant | undefined;
  createdBefore?: Temporal.Instant | undefined;
  userId?: string | undefined;
  customerOrderId?: string | undefined;
  favorited?: boolean | undefined;
};

/** Lists the caller's orders, newest first, after a given order or from an offset. */
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
  let query = accountOrders(sql, caller);
  if (filter.orderId !== undefined) query = query.where('orderId', '=', filter.orderId);
  if (filter.statuses) query = query.where('status', 'in', [...filter.statuses]);
  if (filter.createdFrom) query = query.where('createdAt', '>=', instantParam(filter.createdFrom));
  if (filter.createdBefore) query = query.where('createdAt', '<', instantParam(filter.createdBefore));
  if (filter.userId !== undefined) query = query.where('userId', '=', filter.userId);
  if (filter.customerOrderId !== undefined) query = query.where('customerOrderId', '=', filter.customerOrderId);
  if (filter.favorited !== undefined) query = query.where('favorited', '=', filter.favorited);
  return query;
}

export type UnresolvedOrder = { orderId: string; startedAt: Temporal.Instant };

/**
 * Finds orders whose charge has been pending, or whose hold has been captured, since before a moment, oldest first,
 * because their process died or the gateway is slow. `after` is the last order of the previous batch.
 */
export async function findUnresolvedOrders(
  sql: Sql,
  of: {
    state: 'pending' | 'capturing';
    before: Temporal.Instant;
    after?: UnresolvedOrder | undefined;
    limit: number;
  },
): Promise<UnresolvedOrder[]> {
  const { state, before, after, limit } = of;
  let query = sql
    .selectFrom('orders')
    .select(['orderId', 'chargeStartedAt as startedAt'])
    .where('chargeState', '=', state)
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
