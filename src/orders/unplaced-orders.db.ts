import { spendText } from '../accounts/budgets/spend-budget.db.ts';
import type { Config } from '../config.ts';
import type { Sql } from '../db/connect.ts';
import { columnName, runHot, unnested } from '../db/hot-statement.ts';
import type { Order } from './order.ts';
import { INSERTED_TYPES, valuesOf, WRITTEN_COLUMNS } from './order-row.ts';

/** What became of a new, unplaced order; `known`: its Idempotency-Key is stored already. */
export type InsertedUnplaced = 'stored' | 'known' | 'over_budget';

type Budgets = Pick<Config['dailyBudgets'], 'unplaced_orders' | 'unplaced_bytes'>;
/** A new order, and the UTC day that it counts for. */
export type UnplacedOrder = { order: Order; day: string };

/** The bytes that count of an order: of its request and its quote, as JSON. */
export function countedBytes({ request, quote }: Pick<Order, 'request' | 'quote'>): number {
  return Buffer.byteLength(JSON.stringify(request)) + Buffer.byteLength(JSON.stringify(quote));
}

/**
 * Stores new, unplaced orders, and counts them among the budgets of their accounts in the same statement. Orders of an
 * account that fit only in part are stored one after the other.
 */
export async function insertUnplaced(
  sql: Sql,
  orders: readonly UnplacedOrder[],
  budgets: Budgets,
): Promise<InsertedUnplaced[]> {
  const stored = await insertWithin(sql, orders, budgets);
  const outcomes: InsertedUnplaced[] = [];
  for (const one of orders) {
    const outcome = stored.get(one.order.orderId) ?? 'over_budget';
    const isShared = orders.some((other) => other !== one && isOfSameBudget(other, one));
    if (outcome !== 'over_budget' || !isShared) outcomes.push(outcome);
    else outcomes.push((await insertWithin(sql, [one], budgets)).get(one.order.orderId) ?? 'over_budget');
  }
  return outcomes;
}

function isOfSameBudget(a: UnplacedOrder, b: UnplacedOrder): boolean {
  return a.order.accountId === b.order.accountId && a.order.mode === b.order.mode && a.day === b.day;
}

/** The outcomes of the orders of those accounts that have room for all their orders of this statement. */
async function insertWithin(
  sql: Sql,
  orders: readonly UnplacedOrder[],
  budgets: Budgets,
): Promise<Map<string, InsertedUnplaced>> {
  const rows = orders.map(({ order, day }) => {
    const values = valuesOf(order, COLUMNS);
    const bytes = COUNTED.reduce((sum, index) => sum + Buffer.byteLength(String(values[index])), 0);
    return [...values, day, bytes];
  });
  const lists = TYPES.map((_, index) => rows.map((row) => row[index]));
  const limits = [budgets.unplaced_orders, budgets.unplaced_bytes];
  type Row = { orderId: string; isStored: boolean };
  const { rows: found } = await runHot<Row>(sql, INSERT_TEXT, [...lists, ...limits]);
  return new Map(found.map(({ orderId, isStored }) => [orderId, isStored ? 'stored' : 'known']));
}

const COLUMNS = WRITTEN_COLUMNS.insert;
/** The columns whose bytes are counted: nothing else of an order is large. */
const COUNTED = [COLUMNS.indexOf('request'), COLUMNS.indexOf('quote')];
const COLUMN_NAMES = COLUMNS.map(columnName).join(', ');
const TYPES = [...INSERTED_TYPES, 'date', 'bigint'];

/**
 * A list for each of `TYPES`, then the default budgets of orders and bytes. An order whose key is stored already keeps its
 * place in the count: of two requests with one key the second comes here in a race alone.
 */
const INSERT_TEXT = `
  with given as materialized (
    select * from ${unnested(TYPES)} as o (${COLUMN_NAMES}, day, size)
  ), wanted as (
    select account_id, mode, day, count(*) as used, sum(size)::bigint as bytes from given group by 1, 2, 3
  ), spent as (
    ${spendText('unplaced_orders', 'wanted', `$${TYPES.length + 1}::bigint`, `$${TYPES.length + 2}::bigint`)}, u.day
  ), stored as (
    insert into orders (${COLUMN_NAMES})
    select ${COLUMNS.map((name) => `given.${columnName(name)}`).join(', ')}
    from given join spent using (account_id, mode, day) order by given.idempotency_key
    on conflict (account_id, mode, idempotency_key) where idempotency_key is not null do nothing
    returning order_id
  )
  select given.order_id, stored.order_id is not null as is_stored
  from given join spent using (account_id, mode, day) left join stored using (order_id)`;
