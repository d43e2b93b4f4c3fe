import { assignDriver as assignTo, type NamedDriver } from '../orders/advance-order.ts';
import type { Order } from '../orders/order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { lockOrder } from '../orders/orders.db.ts';
import { recordStep } from '../orders/record-step.flow.ts';
import { driverLinkOf } from './driver-link.ts';

/**
 * Assigns a driver of the store and returns the order with the link of the driver's page. Until pick-up another driver
 * replaces the first driver, whose link ends; the same driver again changes nothing. `guard` sees the locked order and
 * throws where the caller may not step it. Refuses with order_not_found and transition_not_allowed.
 */
export async function assignDriver(
  { db, clock, config, tokens }: Pick<OrderDeps, 'db' | 'clock' | 'config' | 'tokens'>,
  orderId: string,
  driver: NamedDriver,
  guard?: (order: Order) => void,
): Promise<{ order: Order; driverLink: string }> {
  const now = clock.now();
  const order = await db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (!locked) throw orderNotFound();
    guard?.(locked);
    const step = assignTo(locked, driver, now);
    return step ? recordStep(tx, step, now) : locked;
  });
  return { order, driverLink: driverLinkOf(order, { tokens, baseUrl: config.baseUrl }) };
}
