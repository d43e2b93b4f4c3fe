import type { Order } from '../orders/order.ts';

/** Whether the driver must see an ID at the door: one of the items is alcoholic. */
export function needsIdCheck({ quote }: Pick<Order, 'quote'>): boolean {
  return quote.items.some(({ isAlcoholic }) => isAlcoholic === true);
}
