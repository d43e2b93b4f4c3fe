import { fulfilledItems } from '../orders/adjustments/item-adjustment.ts';
import type { Order } from '../orders/order.ts';

/** Whether the driver must see an ID at the door: one of the items that are handed over is alcoholic. */
export function needsIdCheck(order: Pick<Order, 'quote' | 'adjustments'>): boolean {
  return fulfilledItems(order).some(({ isAlcoholic, quantity }) => isAlcoholic && quantity > 0);
}
