import { instantParam, type Sql } from '../db/connect.ts';
import type { Order } from '../orders/order.ts';
import { ORDER_FIELDS } from '../orders/order-row.ts';

/** Live orders that their stores have been offered and have not confirmed, longest waiting first. */
export async function listAwaiting(
  sql: Sql,
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<Order[]> {
  return sql
    .selectFrom('orders')
    .select(ORDER_FIELDS)
    .where('mode', '=', 'live')
    .where('status', '=', 'awaiting_confirmation')
    .where('offerAt', '<=', instantParam(now))
    .orderBy('offerAt')
    .orderBy('orderId')
    .limit(limit)
    .execute();
}
