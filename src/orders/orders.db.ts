import type { Caller } from '../accounts/account.ts';
import type { Sql } from '../db/connect.ts';
import { placeholders, runHot } from '../db/hot-statement.ts';
import type { Order } from './order.ts';
import type { OrderEvent } from './order-events.ts';
import { loggedProgressOf, newRowOf, orderOf, placedColumnsOf, progressOf, requestColumnsOf } from './order-row.ts';

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
  await runStep(sql, { order, event, at, attempt: null, columns: progressOf(order) });
}

/** Saves the step that ends an attempt to charge, if it has not ended yet; false when it has, and nothing is changed. */
export async function endAttempt(sql: Sql, order: Order, event: OrderEvent, at: Temporal.Instant): Promise<boolean> {
  return runStep(sql, { order, event, at, attempt: order.chargeAttempt, columns: placedColumnsOf(order) });
}

type SavedStep = {
  order: Order;
  event: OrderEvent;
  at: Temporal.Instant;
  attempt: number | null;
  columns: Readonly<Record<string, unknown>>;
};

async function runStep(sql: Sql, { order, event, at, attempt, columns }: SavedStep): Promise<boolean> {
  const names = Object.keys(columns);
  const text = stepTexts.get(names.length) ?? stepTextOf(names);
  stepTexts.set(names.length, text);
  const [data, logged] = [JSON.stringify(event.data), JSON.stringify(loggedProgressOf(order))];
  const facts = [order.orderId, attempt, order.lastSequence, event.type, at.toString(), data, logged];
  const { numAffectedRows } = await runHot(sql, text, [...facts, ...Object.values(columns)]);
  return (numAffectedRows ?? 0n) > 0n;
}

/** By the number of columns: there are two lists of them, and each is always the same. */
const stepTexts = new Map<number, string>();

/** $1 to $7: order, the open attempt it must be in (or null), the event's sequence, type, time, data and progress; then columns. */
function stepTextOf(columns: readonly string[]): string {
  const values = placeholders(columns.length, 8);
  return `
    with step as (
      update orders set ${columns.map((column, index) => `${column} = ${values[index]}`).join(', ')}
      where order_id = $1 and ($2::integer is null or (charge_state = 'pending' and charge_attempt = $2))
      returning order_id
    )
    insert into order_events (order_id, sequence, type, at, data, progress)
    select order_id, $3::integer, $4::text, $5::timestamptz, $6::jsonb, $7::jsonb from step`;
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

export function ordersOf(sql: Sql, { accountId, mode }: Caller) {
  return sql.selectFrom('orders').where('account_id', '=', accountId).where('mode', '=', mode);
}
