import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../db/connect.ts';

/**
 * Deletes up to `limit` unplaced orders that nobody has touched since before the given moment; tells how many. One that
 * is being placed or quoted anew is left alone. Nothing hangs on an unplaced order: events, and messages and calls with
 * them, begin with its placing.
 */
export async function deleteUntouchedOrders(
  sql: Sql,
  { before, limit }: { before: Temporal.Instant; limit: number },
): Promise<number> {
  const untouched = sql
    .selectFrom('orders')
    .select('orderId')
    .where('status', '=', 'unplaced')
    .where('chargeState', 'in', ['none', 'declined'])
    .where(raw<boolean>`coalesce(requoted_at, created_at) < ${instantParam(before)}`)
    .orderBy(raw`coalesce(requoted_at, created_at)`)
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const result = await sql.deleteFrom('orders').where('orderId', 'in', untouched).executeTakeFirst();
  return Number(result.numDeletedRows);
}
