import { budgetDay } from '../accounts/budgets/budget.ts';
import { spendText } from '../accounts/budgets/spend-budget.db.ts';
import type { Sql } from '../db/connect.ts';
import { columnName, runHot, unnested } from '../db/hot-statement.ts';
import type { Order } from './order.ts';
import { ORDER_COLUMNS } from './order-columns.ts';
import { progressText, valuesOf, WRITTEN_COLUMNS } from './order-row.ts';
import type { LoggedStep } from './orders.db.ts';

/** Numbers of one letter. After Z9999 a store's day begins again with A1. */
const PER_LETTER = 9999;
const LETTERS = 26;

/** The n-th order of a store's day as SQL: A1 to A9999, B1 and so on. */
export const numberText = (n: string) =>
  `chr(65 + (${n} - 1) / ${PER_LETTER} % ${LETTERS}) || ((${n} - 1) % ${PER_LETTER} + 1)`;

/** The key of the counter that numbers an order placed at a moment: store, account of a sandbox, local day. */
export function counterOf({ storeId, accountId, mode, quote }: Order, at: Temporal.Instant): [string, string, string] {
  const day = at.toZonedDateTimeISO(quote.store.timeZone).toPlainDate().toString();
  return [storeId, mode === 'sandbox' ? accountId : '', day];
}

/**
 * Draws the number of an order that is placed in the same transaction. The counter stays locked until then, so the draw
 * comes first: every transaction locks counters, then orders, then windows, then products.
 */
export async function drawOrderNumber(sql: Sql, order: Order, at: Temporal.Instant): Promise<string> {
  const { rows } = await runHot<{ number: string }>(sql, DRAW_TEXT, counterOf(order, at));
  const [drawn] = rows;
  if (!drawn) throw new Error('A counter has given no number.');
  return drawn.number;
}

/**
 * Draws the number of a live order without a charge, and counts the order among the budget of its account;
 * undefined where the budget is used up. The budget of the account stays locked with the counter.
 */
export async function drawUnpaidNumber(
  sql: Sql,
  order: Order,
  { at, most }: { at: Temporal.Instant; most: number },
): Promise<string | undefined> {
  const spender = [order.accountId, order.mode, budgetDay(at), most];
  const { rows } = await runHot<{ number: string }>(sql, DRAW_UNPAID_TEXT, [...counterOf(order, at), ...spender]);
  return rows[0]?.number;
}

/** The end of a statement that counts a counter up by its rows. */
export const COUNT_UP = 'on conflict (store_id, account_id, day) do update set last = c.last + excluded.last';

const DRAW_TEXT = `
  insert into order_counters as c (store_id, account_id, day, last) values ($1, $2, $3::date, 1)
  ${COUNT_UP} returning ${numberText('c.last')} as number`;

/** The counter is taken after the budget, by its row: every transaction locks budgets before counters. */
const DRAW_UNPAID_TEXT = `
  with given as (
    select $4::text as account_id, $5::text as mode, $6::date as day, 1::bigint as used, 0::bigint as bytes
  ), spent as materialized (
    ${spendText('unpaid_orders', 'given', '$7::bigint')}
  )
  insert into order_counters as c (store_id, account_id, day, last)
  select $1::text, $2::text, $3::date, 1 from spent
  ${COUNT_UP} returning ${numberText('c.last')} as number`;

/**
 * Saves the steps that end attempts to charge by placing their orders, and returns the numbers of the placed orders by
 * id. An order whose attempt has already ended is not changed.
 */
export async function endAttempts(sql: Sql, steps: readonly LoggedStep[]): Promise<ReadonlyMap<string, string>> {
  // Sort the rows, so that no two statements wait for each other's rows in a circle.
  const rows = steps.toSorted((a, b) => (a.order.orderId < b.order.orderId ? -1 : 1)).map(endedValuesOf);
  const lists = ENDED_TYPES.map((_, index) => rows.map((row) => row[index]));
  const { rows: ended } = await runHot<{ orderId: string; orderNumber: string }>(sql, END_TEXT, lists);
  return new Map(ended.map(({ orderId, orderNumber }) => [orderId, orderNumber]));
}

function endedValuesOf({ order, event, at, traceparent }: LoggedStep): unknown[] {
  const logged = [event.type, at.toString(), JSON.stringify(event.data), progressText(order), traceparent ?? null];
  return [order.orderId, order.chargeAttempt, ...logged, ...counterOf(order, at), ...valuesOf(order, PLACED)];
}

const PLACED = WRITTEN_COLUMNS.placing;
const PLACED_COLUMNS = PLACED.map(columnName);
const PLACED_TYPES = PLACED.map((name) => ORDER_COLUMNS[name].type);
const LOGGED_TYPES = ['text', 'timestamptz', 'jsonb', 'jsonb', 'text'];
const ENDED_TYPES = ['text', 'integer', ...LOGGED_TYPES, 'text', 'text', 'date', ...PLACED_TYPES];

/**
 * A list for each of `ENDED_TYPES`, with one element for each step. `drawn` sorts, so that all counters are locked before
 * the first order, and `counted` counts them up in the order of their keys: no two statements wait in a circle. The
 * comparison of the state avoids the index of pending charges: the planner takes that index for short, and it is full of
 * dead entries of recently placed orders.
 */
const END_TEXT = `
  with ended as materialized (
    select *, row_number() over (partition by store, account, day order by order_id desc)::integer as places_from_last
    from ${unnested(ENDED_TYPES)}
      as given (order_id, charge_attempt, type, at, data, progress, traceparent, store, account, day, ${PLACED_COLUMNS.join(', ')})
  ), counted as (
    insert into order_counters as c (store_id, account_id, day, last)
    select store, account, day, count(*)::integer from ended group by 1, 2, 3 order by 1, 2, 3
    ${COUNT_UP} returning c.store_id, c.account_id, c.day, c.last
  ), drawn as materialized (
    select * from counted order by last
  ), step as (
    update orders set ${PLACED_COLUMNS.map((column) => `${column} = ended.${column}`).join(', ')},
      order_number = ${numberText('(drawn.last - ended.places_from_last + 1)')}
    from ended, drawn
    where orders.order_id = ended.order_id
      and orders.charge_state || '' = 'pending' and orders.charge_attempt = ended.charge_attempt
      and drawn.store_id = ended.store and drawn.account_id = ended.account and drawn.day = ended.day
    returning orders.order_id, orders.last_sequence, ended.type, ended.at, ended.data, ended.progress,
      ended.traceparent, orders.order_number
  ), logged as (
    insert into order_events (order_id, sequence, type, at, data, progress, traceparent)
    select order_id, last_sequence, type, at, data, progress, traceparent from step
  )
  select order_id, order_number from step`;
