import type { Sql } from '../../db/connect.ts';
import { cardOf } from '../../payments/declines/decline.ts';
import { insertDecline } from '../../payments/declines/declines.db.ts';
import { findCardIdentity } from '../../payments/payment-methods.db.ts';
import type { Order } from '../order.ts';

/** A declined charge of an order, or of its tip; `keyId` is undefined where a job has found the decline. */
type DeclinedCharge = { order: Pick<Order, 'accountId' | 'mode' | 'request'>; keyId: string | undefined };

/** Counts a declined charge for its user, its card and its key. */
export async function recordDecline(tx: Sql, { order, keyId }: DeclinedCharge, at: Temporal.Instant): Promise<void> {
  const { accountId, mode, request } = order;
  const card = await findCardIdentity(tx, order, request.paymentMethodId ?? '');
  const attempt = { accountId, mode, userId: request.customer.userId, keyId };
  await insertDecline(tx, { ...attempt, card: card && cardOf(card) }, at);
}
