import { Refusal } from '../http/refusal.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { takeStep } from '../orders/take-step.flow.ts';
import type { TrackedOrder } from './tracked-order.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';

/**
 * Cancels an order for its customer, whose key the caller has checked. The step is a store's cancelation, serialized with a
 * concurrent pickup. True where the order is canceled now, by any party; false where it cannot be.
 */
export async function cancelForCustomer(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'inventory'>,
  { order, care }: TrackedOrder,
): Promise<boolean> {
  if (!care.customerCancel) return false;
  try {
    const detailsOf = () => ({ reason: 'canceled_by_customer', data: { by: 'customer' } });
    await takeStep(deps, order.orderId, { event: 'cancel', detailsOf });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'transition_not_allowed') throw error;
    return (await findTrackedOrder(deps.db, order.orderId))?.order.status === 'canceled';
  }
}
