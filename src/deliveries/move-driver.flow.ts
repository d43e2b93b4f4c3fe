import { savePositions } from '../orders/driver-positions.db.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { lockOrder } from '../orders/orders.db.ts';
import { recordStep } from '../orders/record-step.flow.ts';
import { type DriverMove, driverMoved } from './driver-moved.ts';

/**
 * Stores the position of an order's driver; open tracking pages show it within a second. Latitude and longitude in
 * degrees. Refuses with order_not_found, and with transition_not_allowed when no driver is under way.
 */
export async function moveDriver(
  { db, clock }: Pick<OrderDeps, 'clock' | 'db'>,
  orderId: string,
  move: DriverMove,
): Promise<Order> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (!locked) throw orderNotFound();
    const { order, moved, step } = driverMoved(locked, move, now);
    if (step) return recordStep(tx, step, now);
    await savePositions(tx, [{ orderId, lastSequence: order.lastSequence, moved, eta: order.eta }]);
    return order;
  });
}
