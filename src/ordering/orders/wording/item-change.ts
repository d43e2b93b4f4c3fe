import { type FulfilledItem, fulfilledItems } from '../adjustments/item-adjustment.ts';
import type { Order } from '../order.ts';

/**
 * What the store hands over of an item that it lacks, as its customer reads it: `2 of 3: 1 is missing`,
 * `Replaced by 2 × Tea`. Undefined where the item comes as it was ordered.
 */
export function itemChangeInWords({ name, quantity, orderedQuantity, replaces }: FulfilledItem): string | undefined {
  const missing = orderedQuantity - quantity;
  const missingWords = `${missing} ${missing === 1 ? 'is' : 'are'} missing`;
  if (replaces !== null) {
    return `Replaced by ${quantity} × ${name}${missing > 0 ? `; ${missingWords}` : ''}`;
  }
  if (missing === 0) return undefined;
  return quantity === 0 ? 'Missing' : `${quantity} of ${orderedQuantity}: ${missingWords}`;
}

/** The words of each item of an order, in the sequence of the order. */
export function itemChanges(order: Pick<Order, 'quote' | 'adjustments'>): (string | undefined)[] {
  return fulfilledItems(order).map(itemChangeInWords);
}
