import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import { codeOnly, OF_ORDERS } from '../order/forgotten-orders.db.ts';
import type { TipAttempt, TipState } from './tip.ts';

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

export type TipKey = Pick<TipAttempt, 'orderId' | 'attempt'>;

/** Every attempt to raise the tip of an order, oldest first. */
export async function findTips(sql: Sql, orderId: string): Promise<TipAttempt[]> {
  return sql.selectFrom('orderTips').selectAll().where('orderId', '=', orderId).orderBy('attempt').execute();
}

export async function findTip(sql: Sql, { orderId, attempt }: TipKey): Promise<TipAttempt | undefined> {
  return sql
    .selectFrom('orderTips')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
}

/** Writes an attempt of a locked order, which has up to one pending attempt. */
export async function insertTip(tx: Sql, tip: TipAttempt): Promise<void> {
  const { startedAt, endedAt } = tip;
  const row = { ...tip, startedAt: startedAt.toString(), endedAt: endedAt?.toString() ?? null };
  await tx.insertInto('orderTips').values(row).execute();
}

/** Saves the new state of an attempt of a locked order. */
export async function saveTip(
  tx: Sql,
  { orderId, attempt }: TipKey,
  end: { state: TipState; chargeId?: string; endedAt: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('orderTips')
    .set({ ...end, endedAt: end.endedAt.toString() })
    .where('orderId', '=', orderId)
    .where('attempt', '=', attempt)
    .execute();
}

/** Attempts whose charge or refund has been open since before a moment. */
export async function findUnresolvedTips(
  sql: Sql,
  { before, after, limit }: { before: Temporal.Instant; after: TipKey | undefined; limit: number },
): Promise<TipAttempt[]> {
  return sql
    .selectFrom('orderTips')
    .selectAll()
    .where('state', 'in', ['pending', 'returning'])
    .where('startedAt', '<', instantParam(before))
    .where('orderId', '>', after?.orderId ?? '')
    .orderBy('orderId')
    .orderBy('attempt')
    .limit(limit)
    .execute();
}

/** Records that the operator paid a locked order's raised tips to its driver. */
export async function markTipsPaidOut(tx: Sql, orderId: string, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('orderTips')
    .set({ paidOutAt: at.toString() })
    .where('orderId', '=', orderId)
    .where('state', '=', 'charged')
    .where('paidOutAt', 'is', null)
    .execute();
}

/** A reason may name someone; amounts stay. */
export const TIP_PERSONAL_DATA: PersonalData = {
  table: 'order_tips',
  where: OF_ORDERS,
  set: { reason: codeOnly('reason') },
};
