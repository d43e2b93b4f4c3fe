import type { Caller } from '../accounts/account.ts';
import { advanceOrder, type StepDetails } from './advance-order.ts';
import type { Order } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import type { AdvanceEvent } from './order-events.ts';
import { orderNotFound } from './order-not-found.ts';
import { lockOrder } from './orders.db.ts';
import { recordStep } from './record-step.flow.ts';

/** Whoever moves orders in a process without inventories evicts nothing. */
type Needs = Pick<OrderDeps, 'db' | 'clock'> & { inventory: Pick<OrderDeps['inventory'], 'evict'> };

/**
 * One step as somebody tells it. `detailsOf` sees the locked order. With `atSequence` the step is for an order of which
 * nothing has happened since: a later one is returned as it is.
 */
export type Told = {
  event: AdvanceEvent;
  detailsOf?: (order: Order, now: Temporal.Instant) => StepDetails;
  atSequence?: number;
};

/**
 * Takes one step of an order, whole or not at all. With a caller, only of that caller's orders.
 * Refuses with order_not_found and transition_not_allowed.
 */
export async function takeStep(deps: Needs, orderId: string, told: Told, caller?: Caller): Promise<Order> {
  const now = deps.clock.now();
  const order = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (!locked || (caller && !belongsTo(locked, caller))) throw orderNotFound();
    if (told.atSequence !== undefined && told.atSequence !== locked.lastSequence) return locked;
    const step = advanceOrder(locked, told.event, now, told.detailsOf?.(locked, now));
    return recordStep(tx, step, now);
  });
  if (order.status === 'canceled') deps.inventory.evict(order.storeId);
  return order;
}

function belongsTo(order: Order, caller: Caller): boolean {
  return order.accountId === caller.accountId && order.mode === caller.mode;
}
