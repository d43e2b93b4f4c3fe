import type { Order } from '../order.ts';

type Money = Pick<Order, 'status' | 'chargeState' | 'chargedCents' | 'refundedCents' | 'refundingCents'>;

/** The order after a refund of `cents` has ended: `refundedCents` of it went back, the gateway has refused the rest. */
export function endRefund<Refunded extends Money>(order: Refunded, cents: number, refundedCents: number): Refunded {
  const ended = {
    ...order,
    refundingCents: order.refundingCents - cents,
    refundedCents: order.refundedCents + refundedCents,
  };
  return { ...ended, chargeState: chargeStateOf(ended) };
}

/** A charge of which nothing is left is refunded; a canceled order waits until nothing is on its way back. */
function chargeStateOf({ status, chargeState, chargedCents, refundedCents, refundingCents }: Money) {
  if (refundedCents === chargedCents) return 'refunded';
  if (status === 'canceled' && refundingCents > 0) return 'refund_pending';
  return chargeState;
}
