import type { Sql } from '../../db/connect.ts';

/** The charges of an order's later tips, oldest first. */
export async function findTipCharges(sql: Sql, orderId: string): Promise<{ chargeId: string; cents: number }[]> {
  return sql
    .selectFrom('orderTips')
    .select(['chargeId', 'cents'])
    .where('orderId', '=', orderId)
    .where('state', '=', 'charged')
    .where('chargeId', 'is not', null)
    .orderBy('attempt')
    .$narrowType<{ chargeId: string }>()
    .execute();
}
