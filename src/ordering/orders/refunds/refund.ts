import type { Order } from '../order.ts';
/**
 * Why money goes back: the account asked for it, the store hands over less than was ordered, the order was canceled, or
 * it was given back at the gateway itself.
 */
export const REFUND_KINDS = ['requested', 'item_changed', 'canceled', 'at_gateway'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

/** Units of one item that a refund gives back; `cents` is their price with mark-up, `taxCents` their share of the tax. */
export type RefundedItem = { index: number; quantity: number; cents: number; taxCents: number };

/** `failed`: the gateway has refused all of it. */
export type RefundState = 'pending' | 'done' | 'failed';

/** A refund in the ledger. `key` names it within its order; `refundedCents` went back once it has ended. */
export type Refund = {
  refundId: string;
  orderId: string;
  key: string;
  kind: RefundKind;
  reason: string;
  items: readonly RefundedItem[];
  cents: number;
  state: RefundState;
  refundedCents: number;
  createdAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
  /** The sequence of the event that told of it. */
  sequence: number | null;
};

/** The part of a refund that one charge of the order gives back, under a key of its own. */
export type RefundPart = {
  refundId: string;
  part: number;
  chargeId: string;
  cents: number;
  gatewayKey: string;
  state: RefundState;
};

/** A charge of an order, and how much of it refunds have taken or will take. */
export type OrderCharge = { chargeId: string; cents: number; takenCents: number };

/** The order of money: a refund is booked before the gateway makes it, so that no two refunds promise the same cents. */
export type Paid = { chargedCents: number; refundedCents: number; refundingCents: number };

/** What may still be given back: all that was charged, less what went back and what is promised. */
export function refundableCents({ chargedCents, refundedCents, refundingCents }: Paid): number {
  return chargedCents - refundedCents - refundingCents;
}

/** How much of a refund each charge gives back: the first charge first, none above what is left of it. */
export function allocateRefund(
  charges: readonly OrderCharge[],
  cents: number,
): Pick<OrderCharge, 'chargeId' | 'cents'>[] {
  let rest = cents;
  const parts = charges.flatMap((charge) => {
    const part = Math.min(rest, charge.cents - charge.takenCents);
    rest -= Math.max(part, 0);
    return part > 0 ? [{ chargeId: charge.chargeId, cents: part }] : [];
  });
  if (rest > 0) throw new RangeError('A refund is above what its charges have left.');
  return parts;
}

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
