import type { JobKind } from '../jobs/jobs.ts';
import type { Order } from './order.ts';

/** Looks at an order when something about it falls due: its time to be confirmed, the next simulated step. */
export const ORDER_TIMER: JobKind<{ orderId: string; sequence: number }> = { name: 'order-timer' };

/** Resolves an abandoned charge or refund by the gateway's record. */
export const RESOLVE_CHARGE: JobKind<{ orderId: string }> = { name: 'resolve-order-charge' };

/** Looks for the charge of a later tip that was given up. */
export const LATE_TIP: JobKind<{ orderId: string; attempt: number }> = { name: 'late-tip' };

/** The part of an order that decides the consequences of its last event. */
export type Followed = Pick<Order, 'orderId' | 'mode' | 'status' | 'refundingCents' | 'confirmBy' | 'lastSequence'>;

/** When the order is canceled unless its store confirms it; undefined once the store has. */
export function timeOutOf({ status, confirmBy }: Pick<Order, 'status' | 'confirmBy'>): Temporal.Instant | undefined {
  return status === 'awaiting_confirmation' ? (confirmBy ?? undefined) : undefined;
}
