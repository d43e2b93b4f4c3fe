import type { Caller } from '../accounts/account.ts';
import type { Sql } from '../db/connect.ts';
import { columnName, placeholders, runHot, unnested } from '../db/hot-statement.ts';
import type { Order } from './order.ts';
import type { OrderEvent } from './order-events.ts';
import { loggedProgressOf, newRowOf, orderOf, placedColumnsOf, progressOf, requestColumnsOf } from './order-row.ts';

/** Stores new orders; tells which. One whose Idempotency-Key is stored already is left out. */
export async function insertOrders(sql: Sql, orders: readonly Order[]): Promise<ReadonlySet<string>> {
  // Always in one order, so that no two statements wait for each other's keys in a circle.
  const rows = orders.map(newRowOf).sort(byIdempotencyKey);
  const text = insertTexts.get(rows.length) ?? insertTextOf(Object.keys(rows[0] ?? {}).map(columnName), rows.length);
  insertTexts.set(rows.length, text);
  const stored = await runHot<{ orderId: string }>(sql, text, rows.flatMap(Object.values));
  return new Set(stored.rows.map(({ orderId }) => orderId));
}

type NewRow = ReturnType<typeof newRowOf>;

function byIdempotencyKey(a: NewRow, b: NewRow): number {
  const [one, other] = [sortKeyOf(a), sortKeyOf(b)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** What two new orders may have in common; empty where there is no key. */
function sortKeyOf({ accountId, mode, idempotencyKey: key }: NewRow): string {
  return key === null ? '' : JSON.stringify([accountId, mode, key]);
}

/** By the number of orders: their columns are always the same. */
const insertTexts = new Map<number, string>();

function insertTextOf(columns: readonly string[], count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `(${placeholders(columns.length, 1 + n * columns.length)})`);
  return `insert into orders (${columns.join(', ')}) values ${rows.join(', ')}
    on conflict (account_id, mode, idempotency_key) where idempotency_key is not null do nothing
    returning order_id`;
}

/** Writes a locked, unplaced order anew: another request, another quote, the next attempt to charge. */
export async function rewriteOrder(sql: Sql, order: Order, at: Temporal.Instant): Promise<void> {
  await sql
    .updateTable('orders')
    .set({ ...requestColumnsOf(order), ...progressOf(order), requotedAt: at.toString() })
    .where('orderId', '=', order.orderId)
    .execute();
}

/** A step that an order has taken: the order as it is after it, and the row of its event log that tells so. */
export type LoggedStep = { order: Order; event: OrderEvent; at: Temporal.Instant };

/** Saves where a locked order has got to, and its event, in one statement. */
export async function saveStep(sql: Sql, { order, event, at }: LoggedStep): Promise<void> {
  const columns = progressOf(order);
  stepText ??= stepTextOf(Object.keys(columns).map(columnName));
  const [data, logged] = [JSON.stringify(event.data), JSON.stringify(loggedProgressOf(order))];
  const facts = [order.orderId, order.lastSequence, event.type, at.toString(), data, logged];
  await runHot(sql, stepText, [...facts, ...Object.values(columns)]);
}

let stepText: string | undefined;

/** $1 to $6: order, the event's sequence, type, time, data and progress; then columns. */
function stepTextOf(columns: readonly string[]): string {
  const values = placeholders(columns.length, 7);
  return `
    with step as (
      update orders set ${columns.map((column, index) => `${column} = ${values[index]}`).join(', ')}
      where order_id = $1 returning order_id
    )
    insert into order_events (order_id, sequence, type, at, data, progress)
    select order_id, $2::integer, $3::text, $4::timestamptz, $5::jsonb, $6::jsonb from step`;
}

/**
 * Saves the steps that end attempts to charge, each unless its attempt has ended already; tells of which orders. Of the
 * others nothing is changed.
 */
export async function endAttempts(sql: Sql, steps: readonly LoggedStep[]): Promise<ReadonlySet<string>> {
  // Always in one order, so that no two statements wait for each other's rows in a circle.
  const rows = steps.map(endedRowOf).sort((a, b) => (a.orderId < b.orderId ? -1 : 1));
  const columns = Object.keys(ENDED_TYPES) as (keyof typeof ENDED_TYPES)[];
  const values = columns.map((column) => rows.map((row) => row[column]));
  const { rows: ended } = await runHot<{ orderId: string }>(sql, END_TEXT, values);
  return new Set(ended.map(({ orderId }) => orderId));
}

function endedRowOf({ order, event, at }: LoggedStep) {
  return {
    orderId: order.orderId,
    chargeAttempt: order.chargeAttempt,
    type: event.type,
    at: at.toString(),
    data: JSON.stringify(event.data),
    progress: JSON.stringify(loggedProgressOf(order)),
    ...placedColumnsOf(order),
  };
}

/** What is saved of a charged order that is placed; every order that is charged waits for this. */
const PLACED_TYPES: Readonly<Record<keyof ReturnType<typeof placedColumnsOf>, string>> = {
  status: 'text',
  chargeState: 'text',
  chargeId: 'text',
  chargedCents: 'bigint',
  eta: 'timestamptz',
  placedAt: 'timestamptz',
  confirmBy: 'timestamptz',
  lastSequence: 'integer',
};

const ENDED_TYPES = {
  orderId: 'text',
  chargeAttempt: 'integer',
  type: 'text',
  at: 'timestamptz',
  data: 'jsonb',
  progress: 'jsonb',
  ...PLACED_TYPES,
};

/**
 * A list for each of `ENDED_TYPES`, one place in them for each step. The state is compared as no index has it: the one of
 * charges under way would seem short to the planner, and is full of the dead entries of every order placed of late.
 */
const END_TEXT = `
  with step as (
    update orders set ${Object.keys(PLACED_TYPES)
      .map(columnName)
      .map((column) => `${column} = ended.${column}`)
      .join(', ')}
    from ${unnested(Object.values(ENDED_TYPES))} as ended (${Object.keys(ENDED_TYPES).map(columnName).join(', ')})
    where orders.order_id = ended.order_id
      and orders.charge_state || '' = 'pending' and orders.charge_attempt = ended.charge_attempt
    returning orders.order_id, orders.last_sequence, ended.type, ended.at, ended.data, ended.progress
  )
  insert into order_events (order_id, sequence, type, at, data, progress) select * from step
  returning order_id`;

/** Saves progress that is no step of its own: a charge under way or declined. */
export async function saveProgress(sql: Sql, order: Order): Promise<void> {
  await sql.updateTable('orders').set(progressOf(order)).where('orderId', '=', order.orderId).execute();
}

/** The order, locked until the transaction ends. */
export async function lockOrder(sql: Sql, orderId: string): Promise<Order | undefined> {
  const row = await sql.selectFrom('orders').selectAll().where('orderId', '=', orderId).forUpdate().executeTakeFirst();
  return row && orderOf(row);
}

/** Another account's order, or of the other world of keys, is as good as none. */
export async function findOrder(sql: Sql, caller: Caller, orderId: string): Promise<Order | undefined> {
  const row = await ordersOf(sql, caller).where('orderId', '=', orderId).selectAll().executeTakeFirst();
  return row && orderOf(row);
}

/** For operators and jobs, which see every account. */
export async function findAnyOrder(sql: Sql, orderId: string): Promise<Order | undefined> {
  const row = await sql.selectFrom('orders').selectAll().where('orderId', '=', orderId).executeTakeFirst();
  return row && orderOf(row);
}

export async function findOrderByIdempotencyKey(sql: Sql, caller: Caller, key: string): Promise<Order | undefined> {
  const row = await ordersOf(sql, caller).where('idempotencyKey', '=', key).selectAll().executeTakeFirst();
  return row && orderOf(row);
}

/** A key older than its 24 hours may name a new order. */
export async function forgetIdempotencyKey(sql: Sql, orderId: string): Promise<void> {
  await sql.updateTable('orders').set({ idempotencyKey: null }).where('orderId', '=', orderId).execute();
}

export function ordersOf(sql: Sql, { accountId, mode }: Caller) {
  return sql.selectFrom('orders').where('accountId', '=', accountId).where('mode', '=', mode);
}
