import type { Order } from './order.ts';

/** What people call an order at the counter. */
export function numberOf({ orderId }: Pick<Order, 'orderId'>): string {
  return orderId.slice(-4);
}
