import { Refusal } from '../../platform/http/refusal.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { withinOrderLimit } from '../../supply/pricing/price-order.ts';
import type { OrderStep } from '../order/advance-order.ts';
import { awaitsSettlement, movementOf } from '../order/money-plan.ts';
import type { FrozenQuote, Order, OrderStatus } from '../order/order.ts';
import { tipOf } from '../order/order-view.ts';
import { isBelowMinimum } from '../order/waived.ts';

/**
 * `pending`: the gateway is being called. `given_up`: the gateway has no charge. `returning`: a late charge is being
 * refunded.
 */
export type TipState = 'pending' | 'charged' | 'declined' | 'given_up' | 'returning' | 'returned';

/** An attempt to raise the tip of a placed order to `tipCents`, by `cents`. */
export type TipAttempt = {
  orderId: string;
  attempt: number;
  tipCents: number;
  cents: number;
  paymentMethodId: string | null;
  reason: string;
  /** Who raised it, unless it was the account or the customer. */
  requestedBy: 'operator' | null;
  state: TipState;
  chargeId: string | null;
  startedAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
};

/** The gateway's idempotency key of one attempt. */
export function tipKeyOf({ orderId, attempt }: Pick<TipAttempt, 'orderId' | 'attempt'>): string {
  return `${orderId}:tip:${attempt}`;
}

/** Maximum tip: $100,000, as in an order's body. */
export const MAX_TIP_CENTS = 10_000_000;

/** Maximum tip that a person sets on a page or at the desk, where a slip of the finger would be charged: never less. */
const MAX_TYPED_TIP_CENTS = 10_000;

/** Maximum total tip that a person sets: the items' price, or $100 if they cost less. */
export function maxTypedTipCents({ subtotalCents }: Pick<FrozenQuote, 'subtotalCents'>): number {
  return Math.max(subtotalCents, MAX_TYPED_TIP_CENTS);
}

/** Hours after completion where a delivery's tip can be raised. */
const TIP_PERIOD_HOURS = 24;
const TIPPABLE_STATUSES: readonly OrderStatus[] = ['awaiting_confirmation', 'in_progress', 'completed'];

/** Refuses a tip for an unplaced or canceled order. */
export function refuseUntippable({ status }: Pick<Order, 'status'>): void {
  if (TIPPABLE_STATUSES.includes(status)) return;
  const sentence = `The order is ${status.replaceAll('_', ' ')}, so its tip can't be changed.`;
  throw new Refusal('transition_not_allowed', sentence);
}

/** Whether the order's page asks for a tip: a card paid for the delivery, which arrived within the last 24 hours. */
export function allowsLaterTip(order: Order, now: Temporal.Instant): boolean {
  const { status, completedAt, request } = order;
  if (status !== 'completed' || request.mode === 'pickup' || !completedAt) return false;
  if (movementOf(order, 'tip') !== 'charge_tip') return false;
  return completedAt.until(now).total('hours') <= TIP_PERIOD_HOURS;
}

/**
 * Cents that raising the tip to `tipCents` adds; 0 if the tip is equal. Refuses an unplaced or canceled order, or one
 * completed for more than a day, with transition_not_allowed, and a pickup or a lower tip with tip_not_allowed.
 */
export function tipRaiseOf(order: Order, tipCents: number, now: Temporal.Instant): number {
  const { completedAt } = order;
  refuseUntippable(order);
  if (completedAt && completedAt.until(now).total('hours') > TIP_PERIOD_HOURS) {
    const sentence = `The order was completed more than ${TIP_PERIOD_HOURS} hours ago, so its tip can no longer be raised.`;
    throw new Refusal('transition_not_allowed', sentence);
  }
  if (order.request.mode === 'pickup') throw new Refusal('tip_not_allowed', 'A pickup has no driver to tip.');
  if (order.collectedCents !== null) {
    throw new Refusal('tip_not_allowed', "The order was paid at handoff, so a later tip can't be charged to a card.");
  }
  const present = tipOf(order);
  if (tipCents < present) {
    const sentence = `The tip is ${formatPrice(present)}. It can be raised but not lowered.`;
    throw new Refusal('tip_not_allowed', sentence);
  }
  withinOrderLimit(order.quote.totalWithTipCents - order.quote.tipCents + tipCents);
  return tipCents - present;
}

/** `isWaived`: the raise is too small to charge, so the operator pays it. */
type Tipping = Partial<Pick<TipAttempt, 'requestedBy' | 'reason'>> & { isWaived?: boolean };

/** The most that the operator pays of the later tips of one order. */
const MAX_WAIVED_TIP_CENTS = 500;

/** Whether a raise is too small to charge. Refuses it after many such raises, so that they add up to no free tip. */
export function isTipWaived({ waivedTipCents }: Order, cents: number, minimumCents: number): boolean {
  if (!isBelowMinimum(cents, minimumCents)) return false;
  if (waivedTipCents + cents <= MAX_WAIVED_TIP_CENTS) return true;
  throw new Refusal('tip_not_allowed', `Raise the tip by ${formatPrice(minimumCents)} or more.`);
}

/** The step that raises the tip of an order; `chargedCents` is 0 if no card pays for it. */
export function addTip(
  order: Order,
  cents: number,
  chargedCents: number,
  { requestedBy = null, reason = '', isWaived = false }: Tipping = {},
): OrderStep {
  const waivedCents = isWaived ? cents : 0;
  const tipped: Order = {
    ...order,
    addedTipCents: order.addedTipCents + cents - waivedCents,
    waivedTipCents: order.waivedTipCents + waivedCents,
    chargedCents: order.chargedCents + chargedCents,
    // The added tip is charged and not refunded, even if the rest of the order was, or is only held.
    chargeState: chargedCents > 0 && !awaitsSettlement(order) ? 'charged' : order.chargeState,
  };
  const by = requestedBy === null ? {} : { by: requestedBy, reason };
  const waived = isWaived ? { waived_cents: cents } : {};
  return {
    order: tipped,
    event: { type: 'order.tipped', data: { tip_cents: tipOf(tipped), added_cents: cents, ...waived, ...by } },
  };
}
