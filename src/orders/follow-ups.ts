import type { JobKind } from '../jobs/jobs.ts';
import type { Order } from './order.ts';

/** Looks at an order when something about it falls due: its time to be confirmed, the next simulated step. */
export const ORDER_TIMER: JobKind<{ orderId: string; sequence: number }> = { name: 'order-timer' };

/** Resolves an abandoned charge or refund by the gateway's record. */
export const RESOLVE_CHARGE: JobKind<{ orderId: string }> = { name: 'resolve-order-charge' };

/** An attempt to charge an order that was given up, or that is over when the job runs. Amounts in cents. */
export type LateCharge = {
  orderId: string;
  attempt: number;
  amountCents: number;
  paymentMethodId: string | null;
  waitingChargeId: string | null;
};

/** Gives back a charge that the gateway recorded after its attempt had been given up. */
export const LATE_CHARGE: JobKind<LateCharge> = { name: 'refund-late-charge' };

/** Looks for the charge of a later tip that was given up. */
export const LATE_TIP: JobKind<{ orderId: string; attempt: number }> = { name: 'late-tip' };

/** The order's present attempt, for the look-ups after it was given up. */
export function lateChargeOf({ orderId, chargeAttempt, waitingChargeId, quote, request }: Order): LateCharge {
  const { paymentMethodId } = request;
  return { orderId, attempt: chargeAttempt, amountCents: quote.totalWithTipCents, paymentMethodId, waitingChargeId };
}

/** Minutes for which a customer may approve a charge and the order be finalized with it. */
export const APPROVE_WITHIN_MINUTES = 60;

/** Minutes after giving an attempt up at which the gateway's books are looked at again. */
const LATE_CHARGE_MINUTES = [5, 60, 24 * 60];

export function lateChargeTimes(now: Temporal.Instant): Temporal.Instant[] {
  return LATE_CHARGE_MINUTES.map((minutes) => now.add({ minutes }));
}

/** The part of an order that decides the consequences of its last event. */
export type Followed = Pick<Order, 'orderId' | 'mode' | 'status' | 'refundingCents' | 'confirmBy' | 'lastSequence'>;

/** When the order is canceled unless its store confirms it; undefined once the store has. */
export function timeOutOf({ status, confirmBy }: Pick<Order, 'status' | 'confirmBy'>): Temporal.Instant | undefined {
  return status === 'awaiting_confirmation' ? (confirmBy ?? undefined) : undefined;
}
