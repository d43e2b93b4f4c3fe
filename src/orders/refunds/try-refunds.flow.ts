import type { Order } from '../order.ts';
import { type RefundNeeds, resolveRefunds } from './resolve-refunds.flow.ts';

/**
 * Tries the refunds that a step has booked, so that the answer of the step shows them where the gateway is quick; else
 * the order as it was. Never throws: the step is done, and the job of the refunds makes what is left and logs what fails.
 */
export async function tryRefunds(deps: RefundNeeds, order: Order): Promise<Order> {
  if (order.refundingCents === 0) return order;
  const resolved = await resolveRefunds(deps, order.orderId).catch(() => undefined);
  return resolved ?? order;
}

/** The same for sandbox orders alone: the step of a store never waits for the processor of a live order. */
export async function trySandboxRefunds(deps: RefundNeeds, order: Order): Promise<Order> {
  return order.mode === 'sandbox' ? tryRefunds(deps, order) : order;
}
