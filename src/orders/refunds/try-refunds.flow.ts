import { Refusal } from '../../http/refusal.ts';
import { OutsideError } from '../../lib/outside-error.ts';
import type { Order } from '../order.ts';
import { type RefundNeeds, resolveRefunds } from './resolve-refunds.flow.ts';

/**
 * Tries the refunds that a step has booked, which a job makes too, so that the answer of the step shows them where the
 * gateway is quick; else the order as it was.
 */
export async function tryRefunds(deps: RefundNeeds, order: Order): Promise<Order> {
  if (order.refundingCents === 0) return order;
  const resolved = await resolveRefunds(deps, order.orderId).catch((error) => {
    if (!(error instanceof OutsideError || error instanceof Refusal)) throw error;
  });
  return resolved ?? order;
}

/** The same for sandbox orders alone: the step of a store never waits for the processor of a live order. */
export async function trySandboxRefunds(deps: RefundNeeds, order: Order): Promise<Order> {
  return order.mode === 'sandbox' ? tryRefunds(deps, order) : order;
}
