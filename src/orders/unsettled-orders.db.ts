import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';

export type UnsettledOrder = { orderId: string; startedAt: Temporal.Instant };

/**
 * Orders whose money has been on its way since before the given moment, longest first: their process died, or the
 * gateway is slow. `after` is the last one of the batch before.
 */
export async function findUnsettledOrders(
  sql: Sql,
  { before, after, limit }: { before: Temporal.Instant; after?: UnsettledOrder | undefined; limit: number },
): Promise<UnsettledOrder[]> {
  let query = sql
    .selectFrom('orders')
    .select(['order_id', 'charge_started_at'])
    .where('charge_state', 'in', ['pending', 'refund_pending'])
    .where('charge_started_at', '<', instantParam(before))
    .orderBy('charge_started_at')
    .orderBy('order_id')
    .limit(limit);
  if (after) {
    const { startedAt, orderId } = after;
    query = query.where(
      raw<boolean>`(charge_started_at, order_id) > (${startedAt.toString()}::timestamptz, ${orderId})`,
    );
  }
  const rows = await query.execute();
  return rows.flatMap((row) =>
    row.charge_started_at ? [{ orderId: row.order_id, startedAt: row.charge_started_at }] : [],
  );
}
