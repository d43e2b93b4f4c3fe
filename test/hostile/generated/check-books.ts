import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Db } from '../../../src/platform/db/connect.ts';
import type { StripeDouble } from '../../fakes/stripe-double.ts';

type OrderMoney = {
  orderId: string;
  mode: string;
  status: string;
  charged: number;
  refunded: number;
  pending: boolean;
};

/**
 * Gateway and order agree to the cent; canceled or unplaced orders keep nothing; every charge has an order. Returns the
 * charged orders.
 */
export async function assertMoneyReconciles(db: Db, stripe: StripeDouble): Promise<number> {
  const { rows } = await sql<OrderMoney>`
    select order_id, mode, status, charged_cents::int as charged, refunded_cents::int as refunded,
      (charge_state in ('pending', 'refund_pending') or refunding_cents > 0) as pending
    from orders`.execute(db);
  const kept = new Map([...(await keptInSandbox(db)), ...keptAtStripe(stripe)]);
  const orders = new Map(rows.map((row) => [row.orderId, row]));
  const orphans = [...kept.keys()].filter((orderId) => !orders.has(orderId));
  assert.deepEqual(orphans, [], 'charges of no order');
  const faults = rows.filter((row) => {
    const owed = row.charged - row.refunded;
    const isOver = row.status === 'canceled' || row.status === 'unplaced';
    return row.pending || owed < 0 || (kept.get(row.orderId) ?? 0) !== owed || (isOver && owed !== 0);
  });
  const faulty = faults.map((row) => ({ ...row, kept: kept.get(row.orderId) }));
  assert.deepEqual(faulty, [], 'orders whose money is not right');
  return rows.filter(({ charged }) => charged > 0).length;
}

/** Cents that the sandbox gateway charged for each order, less refunds. */
async function keptInSandbox(db: Db): Promise<[string, number][]> {
  const { rows } = await sql<{ orderId: string; kept: number; wrong: number }>`
    select order_id, sum(case status when 'succeeded' then amount - refunded_amount else 0 end)::int as kept,
      count(*) filter (where refunded_amount > amount or refunded_amount <> coalesce((
        select sum(refunds.amount) from sandbox_gateway_refunds as refunds where refunds.charge_id = charges.charge_id), 0))::int as wrong
    from sandbox_gateway_charges as charges group by order_id`.execute(db);
  assert.deepEqual(
    rows.filter(({ wrong }) => wrong > 0),
    [],
    'charges that gave back more than their refunds',
  );
  return rows.map(({ orderId, kept }) => [orderId, kept]);
}

function keptAtStripe(stripe: StripeDouble): Map<string, number> {
  const kept = new Map<string, number>();
  const orderOf = new Map<string, string>();
  for (const { id, status, amount, metadata } of stripe.intents()) {
    const orderId = String(metadata.order_id);
    orderOf.set(id, orderId);
    kept.set(orderId, (kept.get(orderId) ?? 0) + (status === 'succeeded' ? amount : 0));
  }
  for (const { payment_intent, status, amount } of stripe.refunds()) {
    const orderId = orderOf.get(payment_intent) ?? '';
    if (status === 'succeeded') kept.set(orderId, (kept.get(orderId) ?? 0) - amount);
  }
  return kept;
}

/** Every row of every table that references the account or one of its orders. */
export async function rowsOfAccount(db: Db, accountId: string): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ tableName: string; columnName: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and column_name in ('account_id', 'order_id')
    order by table_name, column_name`.execute(db);
  const found: Record<string, string[]> = {};
  for (const [table, columns] of Map.groupBy(rows, ({ tableName }) => tableName)) {
    const isByAccount = columns.some(({ columnName }) => columnName === 'account_id');
    const whose = isByAccount
      ? sql`account_id = ${accountId}`
      : sql`order_id in (select order_id from orders where account_id = ${accountId})`;
    const read = await sql<{ row: string }>`
      select to_jsonb(one)::text as row from ${sql.table(table)} as one where ${whose} order by 1`.execute(db);
    found[table] = read.rows.map(({ row }) => row);
  }
  return found;
}
