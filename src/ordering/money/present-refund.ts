import { isoSeconds } from '../../platform/lib/time.ts';
import type { Order } from '../order/order.ts';
import type { Refund } from './refund.ts';

/** The answer to a refund; `refunded_amount` is the sum of the order's refunds. */
export function presentRefund({ orderId, refundedCents }: Pick<Order, 'orderId' | 'refundedCents'>, refund: Refund) {
  return {
    refund_id: refund.refundId,
    order_id: orderId,
    amount: refund.state === 'done' ? refund.refundedCents : refund.cents,
    refunded_amount: refundedCents,
    state: refund.state === 'done' ? ('done' as const) : ('pending' as const),
  };
}

/** A refund of the ledger, for operators. */
export function presentLedgerRefund(refund: Refund) {
  return {
    refund_id: refund.refundId,
    kind: refund.kind,
    state: refund.state,
    reason: refund.reason,
    items: refund.items.map(({ index, quantity, cents, taxCents }) => ({
      index,
      quantity,
      cents,
      tax_cents: taxCents,
    })),
    amount: refund.cents,
    refunded_amount: refund.refundedCents,
    created_at: isoSeconds(refund.createdAt),
    ended_at: refund.endedAt && isoSeconds(refund.endedAt),
  };
}
