import type { Sql } from '../../db/connect.ts';
import { Refusal } from '../../http/refusal.ts';
import { OutsideError } from '../../lib/outside-error.ts';
import { findPaymentMethod } from '../../payments/payment-methods.db.ts';
import type { Order } from '../order.ts';

/**
 * Refuses with payment_method_not_found where the gateway has refused a charge and the card was deleted since the request
 * looked it up: that is no failure of the gateway, and a repetition is refused alike.
 */
export async function refuseDeletedCard(
  sql: Sql,
  order: Pick<Order, 'accountId' | 'mode'>,
  { paymentMethodId, error }: { paymentMethodId: string | null; error: unknown },
): Promise<void> {
  if (!isRefusal(error)) return;
  if (await findPaymentMethod(sql, order, paymentMethodId ?? '')) return;
  throw new Refusal('payment_method_not_found', 'The card was deleted while it was being charged.');
}

/** Whether the gateway has answered and refused; the refusal of a repeated call is kept as a cause (charge-once.flow.ts). */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof OutsideError)) return false;
  return !error.retryable || isRefusal(error.cause);
}
