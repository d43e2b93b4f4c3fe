import type { JobKind } from '../jobs/jobs.ts';
import type { Order } from './order.ts';

/** Looks at an order when something about it falls due: its time to be confirmed, the next simulated step. */
export const ORDER_TIMER: JobKind<{ orderId: string; sequence: number }> = { name: 'order-timer' };

/**
 * Asks the gateway how a charge or refund ended that nobody waits for any more. This queue and the next keep their first
 * names: a late charge waits in its queue for up to a day, over an upgrade too, and no scan would find it again.
 */
export const RESOLVE_CHARGE: JobKind<{ orderId: string }> = { name: 'settle-order' };

/** One attempt to charge an order, that somebody gave up. Amounts in cents. */
export type LateCharge = { orderId: string; attempt: number; amountCents: number; paymentMethodId: string | null };

/** Gives back a charge that the gateway recorded after its attempt had been given up. */
export const LATE_CHARGE: JobKind<LateCharge> = { name: 'stray-charge' };

/** The attempt that the order is at, as it must be looked for once it is given up. */
export function lateChargeOf({ orderId, chargeAttempt, quote, request }: Order): LateCharge {
  const { paymentMethodId } = request;
  return { orderId, attempt: chargeAttempt, amountCents: quote.totalWithTipCents, paymentMethodId };
}

/** Minutes after giving an attempt up at which the gateway's books are looked at again. */
const LATE_CHARGE_MINUTES = [5, 60, 24 * 60];

export function lateChargeTimes(now: Temporal.Instant): Temporal.Instant[] {
  return LATE_CHARGE_MINUTES.map((minutes) => now.add({ minutes }));
}

export type Pace = number | 'manual';

/** The little of an order that decides what follows from its last event. */
export type Followed = Pick<Order, 'orderId' | 'mode' | 'status' | 'chargeState' | 'confirmBy' | 'lastSequence'>;

/** When the order must be looked at again if nobody moves it after an event; undefined: never. */
export function nextLookAt(order: Followed, pace: Pace, eventAt: Temporal.Instant): Temporal.Instant | undefined {
  if (order.status !== 'awaiting_confirmation' && order.status !== 'in_progress') return undefined;
  const isSimulated = order.mode === 'sandbox' && pace !== 'manual';
  const simulated = isSimulated ? eventAt.add({ milliseconds: Math.round(pace * 1000) }) : undefined;
  const confirmBy = order.status === 'awaiting_confirmation' ? (order.confirmBy ?? undefined) : undefined;
  if (!simulated || !confirmBy) return simulated ?? confirmBy;
  return Temporal.Instant.compare(simulated, confirmBy) <= 0 ? simulated : confirmBy;
}
