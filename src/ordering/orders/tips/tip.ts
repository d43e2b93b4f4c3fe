import { Refusal } from '../../../platform/http/refusal.ts';
import { formatPrice } from '../../../platform/lib/money.ts';
import { withinOrderLimit } from '../../../supply/pricing/price-order.ts';
import type { OrderStep } from '../advance-order.ts';
import type { Order, OrderStatus } from '../order.ts';
/**
 * `pending` during the gateway's call, `given_up` if the gateway has no charge, `returning` while a late charge is
 * being refunded.
 */
export type TipState = 'pending' | 'charged' | 'declined' | 'given_up' | 'returning' | 'returned';

/** An attempt to raise the tip of a placed order to `tipCents`, by `cents`. */
export type TipAttempt = {
  orderId: string;
  attempt: number;
  tipCents: number;
  cents: number;
  paymentMethodId: string | null;
  state: TipState;
  chargeId: string | null;
  startedAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
};

/** The gateway's idempotency key of one attempt. */
export function tipKeyOf({ orderId, attempt }: Pick<TipAttempt, 'orderId' | 'attempt'>): string {
  return `${orderId}:tip:${attempt}`;
}

/** Hours after completion within which a delivery's tip can be raised. */
const TIP_WITHIN_HOURS = 24;
const TIPPED_WHILE: readonly OrderStatus[] = ['awaiting_confirmation', 'in_progress', 'completed'];

/** The total tip of an order, quoted tip plus later additions. */
export function tipOf({ quote, addedTipCents }: Pick<Order, 'quote' | 'addedTipCents'>): number {
  return quote.tipCents + addedTipCents;
}

/** Refuses a tip for an order that is unplaced or canceled. */
export function refuseUntipped({ status }: Pick<Order, 'status'>): void {
  if (TIPPED_WHILE.includes(status)) return;
  const sentence = `The order is ${status.replaceAll('_', ' ')}: a tip is not possible.`;
  throw new Refusal('transition_not_allowed', sentence);
}

/**
 * What raising the tip to `tipCents` adds; 0 if it is that already. Refuses with transition_not_allowed an order that
 * is unplaced, canceled, or completed for more than a day, and with tip_not_allowed a pickup or a lower tip.
 */
export function tipRaiseOf(order: Order, tipCents: number, now: Temporal.Instant): number {
  const { completedAt } = order;
  refuseUntipped(order);
  if (completedAt && completedAt.until(now).total('hours') > TIP_WITHIN_HOURS) {
    const sentence = `The order was completed more than ${TIP_WITHIN_HOURS} hours ago: its tip stays.`;
    throw new Refusal('transition_not_allowed', sentence);
  }
  if (order.request.mode === 'pickup') throw new Refusal('tip_not_allowed', 'A pickup has no driver to tip.');
  const present = tipOf(order);
  if (tipCents < present) {
    const sentence = `The tip is ${formatPrice(present)}: it may be raised, and is never lowered.`;
    throw new Refusal('tip_not_allowed', sentence);
  }
  withinOrderLimit(order.quote.totalWithTipCents - order.quote.tipCents + tipCents);
  return tipCents - present;
}

/** The step that raises the tip of an order; `chargedCents` is 0 if no card pays for it. */
export function tippedStep(order: Order, cents: number, chargedCents: number): OrderStep {
  const tipped: Order = {
    ...order,
    addedTipCents: order.addedTipCents + cents,
    chargedCents: order.chargedCents + chargedCents,
    // The addition is charged and not refunded, even if the rest of the order was refunded.
    chargeState: chargedCents > 0 ? 'charged' : order.chargeState,
  };
  return { order: tipped, event: { type: 'order.tipped', data: { tip_cents: tipOf(tipped), added_cents: cents } } };
}
