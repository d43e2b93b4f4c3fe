import { type Caller, sandboxOf } from '../accounts/account.ts';
import { advanceOrder, type StepDetails } from './advance-order.ts';
import { isOrderOf, type Order } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import type { StepName } from './order-events.ts';
import { orderNotFound } from './order-faults.ts';
import { lockOrder } from './orders.db.ts';
import { recordStep } from './record-step.flow.ts';

/** A process without cached inventories passes an `evict` that does nothing. */
type Needs = Pick<OrderDeps, 'db' | 'clock'> & { inventory: Pick<OrderDeps['inventory'], 'evict'> };

/**
 * The command to take one step. `detailsOf` sees the locked order. With `atSequence` the step applies only to an order
 * without later events: any other order is returned as it is.
 */
export type StepCommand = {
  event: StepName;
  detailsOf?: (order: Order, now: Temporal.Instant) => StepDetails;
  atSequence?: number;
};

/**
 * Takes one step of an order, whole or not at all. With a caller, only for that caller's orders.
 * Refuses with order_not_found and transition_not_allowed.
 */
export async function takeStep(deps: Needs, orderId: string, command: StepCommand, caller?: Caller): Promise<Order> {
  const now = deps.clock.now();
  const order = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (!locked || (caller && !isOrderOf(locked, caller))) throw orderNotFound();
    if (command.atSequence !== undefined && command.atSequence !== locked.lastSequence) return locked;
    const step = advanceOrder(locked, command.event, now, command.detailsOf?.(locked, now));
    return recordStep(tx, step, now);
  });
  if (order.status === 'canceled') deps.inventory.evict(order.storeId, sandboxOf(order));
  return order;
}
