import { Refusal } from '../../platform/http/refusal.ts';
import type { Milli, WeightUnit } from '../../supply/pricing/weight.ts';
import { hasLeftTheStore, keptTipCents, type Order, type Paid, paidCents } from '../order/order.ts';
import type { PayerCents } from '../order/order-discounts.ts';
import type { REFUNDERS, RefundKind } from '../order/order-events.ts';
import { discountsByOthers, NO_SHARES, type Shares, sharesLeft, takeShares } from '../order/shares.ts';

/**
 * Refunded units of one item, or thousandths of goods by weight; `cents` is their marked price less discounts,
 * `taxCents` their share of the tax, and `taxes` that share as in `Taxation.itemShares`. `discounts` are their line's,
 * if any. `missing` counts the units reported missing by the account, including any reported by the store before.
 */
export type RefundedItem = {
  index: number;
  quantity: number;
  unit?: WeightUnit;
  cents: number;
  taxCents: number;
  taxes: readonly number[];
  discounts?: PayerCents;
  missing?: number;
};

/** Refunded units with their shares of the order. */
export type FrozenItem = RefundedItem & { shares: Shares };

/** The reason of refunds for units that the store lacks, whether it or the account reported them. */
export const MISSING = 'missing';

/** Maximum characters of a refund's or cancelation's reason. */
export const MAX_REFUND_REASON = 200;

/** `failed`: the gateway refused all of it. */
export type RefundState = 'pending' | 'done' | 'failed';

/**
 * A refund in the ledger. `key` is unique within its order; `refundedCents` is the amount refunded once it has ended.
 */
export type Refund = {
  refundId: string;
  orderId: string;
  key: string;
  kind: RefundKind;
  reason: string;
  /** Who requested it, unless it was the account. */
  requestedBy: (typeof REFUNDERS)[number] | null;
  items: readonly FrozenItem[];
  cents: number;
  /** The part of `cents` that refunds the tip. */
  tipCents: number;
  /** The shares of the order that go back. */
  shares: Shares;
  state: RefundState;
  refundedCents: number;
  createdAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
  /** Number of the event that reported it. */
  sequence: number | null;
};

/** A refund to book. `key` is unique within the order, so booking it again finds the first refund. */
export type RefundToBook = Pick<Refund, 'cents' | 'kind' | 'key'> &
  Partial<Pick<Refund, 'reason' | 'requestedBy' | 'items' | 'tipCents' | 'shares'>>;

/** Units of the item at this index, or a weight; for items sold by weight, all of the rest without either. */
export type RefundItemRequest = { index: number; quantity?: number | undefined; milli?: Milli | undefined };

/** An amount in cents, or units of items by their index. */
export type RefundedWhat = { cents: number } | { items: readonly RefundItemRequest[] };
export type PricedRefund = Pick<Refund, 'cents' | 'items' | 'shares'>;

/** A refund booked now, done if it returns no money, with its shares and the order's earlier shares. */
export function newRefund(
  refundId: string,
  { order, refunds }: { order: Order; refunds: readonly Pick<Refund, 'state' | 'shares'>[] },
  { cents, kind, key, reason = '', requestedBy = null, items = [], tipCents = 0, shares: wanted }: RefundToBook,
  createdAt: Temporal.Instant,
): Refund {
  const isFree = cents === 0;
  const end = { state: isFree ? 'done' : 'pending', refundedCents: 0, endedAt: isFree ? createdAt : null } as const;
  // The excess of the charge over the final total was never anyone's share.
  const left = kind === 'weighed' ? NO_SHARES : sharesLeft(order, refunds);
  const shares = takeShares(left, cents - tipCents, wanted);
  const { orderId } = order;
  return {
    refundId,
    orderId,
    cents,
    tipCents,
    shares,
    kind,
    key,
    reason,
    requestedBy,
    items,
    createdAt,
    ...end,
    sequence: null,
  };
}

/** The shares of a refund after the gateway refunded `refundedCents`. */
export function endedShares({ shares, tipCents }: Pick<Refund, 'shares' | 'tipCents'>, refundedCents: number) {
  return takeShares(shares, refundedCents - Math.min(tipCents, refundedCents));
}

/** The part of a refund taken from one charge, under its own gateway key. */
export type RefundPart = {
  refundId: string;
  part: number;
  chargeId: string;
  cents: number;
  gatewayKey: string;
  state: RefundState;
};

/** A charge of an order, and how much refunds have taken or will take from it. */
export type OrderCharge = { chargeId: string; cents: number; takenCents: number };

/** Splits a refund over the charges, oldest first, up to each charge's rest. */
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
  if (rest > 0) throw new RangeError('The refund exceeds the remaining charges.');
  return parts;
}

type Money = Paid & Pick<Order, 'status' | 'chargeState' | 'refundedTipCents' | 'refundedAccountCents'>;

/** The order with a booked refund; one that returns no money is done. */
export const withRefund = (order: Order, { cents, tipCents, shares }: Refund): Order => ({
  ...order,
  refundingCents: order.refundingCents + cents,
  refundedTipCents: order.refundedTipCents + tipCents,
  refundedAccountCents: order.refundedAccountCents + (cents === 0 ? notOfStore(shares) : 0),
});

/** The order after a refund has ended: `refundedCents` of it were refunded, and the gateway refused the rest. */
export function endRefund<Refunded extends Money>(
  order: Refunded,
  { cents, tipCents, shares }: Pick<Refund, 'cents' | 'tipCents' | 'shares'>,
  refundedCents: number,
): Refunded {
  const given = endedShares({ tipCents, shares }, refundedCents);
  const ended = {
    ...order,
    refundingCents: order.refundingCents - cents,
    refundedCents: order.refundedCents + refundedCents,
    refundedTipCents: order.refundedTipCents - tipCents + Math.min(tipCents, refundedCents),
    refundedAccountCents: order.refundedAccountCents + notOfStore(given),
  };
  return { ...ended, chargeState: chargeStateOf(ended) };
}

/** The part of a refund hidden from stores: the account's part with its taxes, and discounts of other payers. */
export const notOfStore = (shares: Shares): number =>
  shares.accountCents + shares.accountTaxCents + discountsByOthers(shares);

/** A charge with nothing left counts as refunded; a canceled order waits until no refund is pending, and may keep a tip. */
function chargeStateOf({ status, chargeState, chargedCents, refundedCents, refundingCents }: Money) {
  if (refundedCents === chargedCents) return 'refunded';
  if (status !== 'canceled') return chargeState;
  if (refundingCents > 0) return 'refund_pending';
  return chargeState === 'refund_pending' ? 'charged' : chargeState;
}

/** The tip that goes back although a driver has had the order; before that, a cancellation refunds it. */
export function returnedTip(order: Order): number {
  const refuse = (sentence: string) => new Refusal('refund_not_allowed', sentence);
  if (!hasLeftTheStore(order)) throw refuse('No driver has had the order yet. Cancel it to refund the tip.');
  const cents = Math.min(keptTipCents(order), paidCents(order));
  if (cents <= 0) throw refuse('There is no tip to refund.');
  return cents;
}
