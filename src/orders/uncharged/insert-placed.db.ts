import { budgetDay } from '../../accounts/budgets/budget.ts';
import { spendText } from '../../accounts/budgets/spend-budget.db.ts';
import type { Sql } from '../../db/connect.ts';
import { columnName, placeholders, runHot } from '../../db/hot-statement.ts';
import { errorCode } from '../../lib/error-code.ts';
import { progressText, typeOf, valuesOf, WRITTEN_COLUMNS } from '../order-row.ts';
import type { LoggedStep } from '../orders.db.ts';
import { COUNT_UP, counterOf, numberText } from '../place-orders.db.ts';

/** What became of a new order without a charge; `known`: its Idempotency-Key is stored already. */
export type InsertedPlaced = { orderNumber: string } | 'known' | 'over_budget';

/**
 * Stores a new order as the step of its placing leaves it, with its number and its event, in one statement. A live order is
 * counted among the budget of its account, which has `most`; without `most` nothing is counted. Where the order is not
 * stored, neither a number nor a part of the budget is used.
 */
export async function insertPlaced(sql: Sql, step: LoggedStep, most: number | undefined): Promise<InsertedPlaced> {
  const { order, event, at, traceparent } = step;
  const logged = [event.type, at.toString(), JSON.stringify(event.data), progressText(order), traceparent ?? null];
  const values = [...counterOf(order, at), ...logged, ...valuesOf(order, COLUMNS)];
  const budget = most === undefined ? [] : [order.accountId, order.mode, budgetDay(at), most];
  try {
    const text = most === undefined ? FREE_TEXT : COUNTED_TEXT;
    const { rows } = await runHot<{ orderNumber: string }>(sql, text, [...values, ...budget]);
    const [row] = rows;
    return row ?? 'over_budget';
  } catch (error) {
    if (errorCode(error) === UNIQUE_VIOLATION) return 'known';
    throw error;
  }
}

/** The Idempotency-Key is the only unique key of an order that is not random; the refused statement changes nothing. */
const UNIQUE_VIOLATION = '23505';

const COLUMNS = [...new Set([...WRITTEN_COLUMNS.insert, ...WRITTEN_COLUMNS.placing])];
const COLUMN_NAMES = COLUMNS.map(columnName).join(', ');

/** $1 to $3: the counter; $4 to $8: the event's type, time, data, progress and trace; then columns, then the budget. */
const FIRST_COLUMN = 9;
const AFTER_COLUMNS = FIRST_COLUMN + COLUMNS.length;
const [ACCOUNT, MODE, DAY, MOST] = placeholders(4, AFTER_COLUMNS);

const SPENT = `
  given as (
    select ${ACCOUNT}::text as account_id, ${MODE}::text as mode, ${DAY}::date as day, 1::bigint as used, 0::bigint as bytes
  ), spent as materialized (
    ${spendText('unpaid_orders', 'given', `${MOST}::bigint`)}
  ),`;

/** The counter is taken after the budget, by its row: every transaction locks budgets before counters. */
const textOf = (budget: string, from: string) => `
  with ${budget} drawn as (
    insert into order_counters as c (store_id, account_id, day, last) select $1::text, $2::text, $3::date, 1 ${from}
    ${COUNT_UP} returning ${numberText('c.last')} as number
  ), stored as (
    insert into orders (order_number, ${COLUMN_NAMES})
    select number, ${COLUMNS.map((name, index) => `$${FIRST_COLUMN + index}::${typeOf(name)}`).join(', ')} from drawn
    returning order_id, last_sequence, order_number
  ), logged as (
    insert into order_events (order_id, sequence, type, at, data, progress, traceparent)
    select order_id, last_sequence, $4::text, $5::timestamptz, $6::jsonb, $7::jsonb, $8::text from stored
  )
  select order_number from stored`;

const FREE_TEXT = textOf('', '');
const COUNTED_TEXT = textOf(SPENT, 'from spent');
