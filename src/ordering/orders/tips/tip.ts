import { Refusal } from '../../../platform/http/refusal.ts';
import { formatPrice } from '../../../platform/lib/money.ts';
import { withinOrderLimit } from '../../../supply/pricing/price-order.ts';
import type { OrderStep } from '../advance-order.ts';
import type { Order, OrderStatus } from '../order.ts';
/**
 * `pending` during the call of the gateway, `given_up` when the gateway has no charge of it, `returning` when its charge
 * came too late, until the gateway has given the charge back.
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

/** The gateway's key of one attempt; a repeated call with the key never charges twice. */
export function tipKeyOf({ orderId, attempt }: Pick<TipAttempt, 'orderId' | 'attempt'>): string {
  return `${orderId}:tip:${attempt}`;
}

/** Hours after its completion in which the tip of a delivery may be raised. */
const TIP_WITHIN_HOURS = 24;
const TIPPED_WHILE: readonly OrderStatus[] = ['awaiting_confirmation', 'in_progress', 'completed'];

/** The whole tip of an order: the tip of its quote, and what was added later. */
export function tipOf({ quote, addedTipCents }: Pick<Order, 'quote' | 'addedTipCents'>): number {
  return quote.tipCents + addedTipCents;
}

/** Refuses the tip of an order that is not placed or is canceled. */
export function refuseUntipped({ status }: Pick<Order, 'status'>): void {
  if (TIPPED_WHILE.includes(status)) return;
  const sentence = `The order is ${status.replaceAll('_', ' ')}: a tip is not possible.`;
  throw new Refusal('transition_not_allowed', sentence);
}

/**
 * What raising the tip to `tipCents` adds; 0 where the tip is that already. Refuses with transition_not_allowed an order
 * that is not placed, canceled, or completed for longer than a day, and with tip_not_allowed a pickup and a lower tip.
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

/** The step that adds to the tip of an order what its customer was charged for it; 0 where no card pays the order. */
export function tippedStep(order: Order, cents: number, chargedCents: number): OrderStep {
  const tipped: Order = {
    ...order,
    addedTipCents: order.addedTipCents + cents,
    chargedCents: order.chargedCents + chargedCents,
    // What was added is charged and not given back, also where all of the order had been given back.
    chargeState: chargedCents > 0 ? 'charged' : order.chargeState,
  };
  return { order: tipped, event: { type: 'order.tipped', data: { tip_cents: tipOf(tipped), added_cents: cents } } };
}
