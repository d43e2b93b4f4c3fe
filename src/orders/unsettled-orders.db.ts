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
    .select(['orderId', 'chargeStartedAt'])
    .where('chargeState', 'in', ['pending', 'refund_pending'])
    .where('chargeStartedAt', '<', instantParam(before))
    .orderBy('chargeStartedAt')
    .orderBy('orderId')
    .limit(limit);
  if (after) {
    const { startedAt, orderId } = after;
    query = query.where(
      raw<boolean>`(charge_started_at, order_id) > (${startedAt.toString()}::timestamptz, ${orderId})`,
    );
  }
  const rows = await query.execute();
  return rows.flatMap((row) => (row.chargeStartedAt ? [{ orderId: row.orderId, startedAt: row.chargeStartedAt }] : []));
}
