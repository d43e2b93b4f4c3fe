import type { Sql } from '../../db/connect.ts';
import { cardOf } from '../../payments/declines/decline.ts';
import { insertCharge, insertDecline } from '../../payments/declines/declines.db.ts';
import { findCardIdentity } from '../../payments/payment-methods.db.ts';
import type { Order } from '../order.ts';

/** An ended charge of an order, or of its tip; `keyId` is undefined where a job has found its outcome. */
type EndedCharge = { order: Pick<Order, 'accountId' | 'mode' | 'request'>; keyId: string | undefined };

/** Counts a declined charge for its user, its card and its key. */
export async function recordDecline(tx: Sql, ended: EndedCharge, at: Temporal.Instant): Promise<void> {
  await insertDecline(tx, await attemptOf(tx, ended), at);
}

/** Counts a charge for its live key, and marks its card as charged. */
export async function recordCharge(sql: Sql, ended: EndedCharge, at: Temporal.Instant): Promise<void> {
  if (ended.order.mode === 'live') await insertCharge(sql, await attemptOf(sql, ended), at);
}

async function attemptOf(sql: Sql, { order, keyId }: EndedCharge) {
  const { accountId, mode, request } = order;
  const card = await findCardIdentity(sql, order, request.paymentMethodId ?? '');
  return { accountId, mode, userId: request.customer.userId, keyId, card: card && cardOf(card) };
}
