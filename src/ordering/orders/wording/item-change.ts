import type { Locale } from '../../../texts/catalogs.ts';
import { type FulfilledItem, fulfilledItems } from '../adjustments/item-adjustment.ts';
import type { Order } from '../order.ts';

/**
 * The store's change to an item that it lacks, for the customer: `Only 1 of 3 available`, `Replaced with 2 × Tea`.
 * Undefined for an item as ordered.
 */
export function itemChangeInWords(
  { name, quantity, orderedQuantity, replaces }: FulfilledItem,
  { words, format }: Locale,
): string | undefined {
  const { unavailable, fewer, replaced, replacedByFewer } = words.customer.itemChange;
  const missing = orderedQuantity - quantity;
  const units = { quantity: format.number(quantity), ordered: format.number(orderedQuantity) };
  if (replaces !== null && missing > 0) return replacedByFewer({ ...units, name, missing: format.number(missing) });
  if (replaces !== null) return replaced({ ...units, name });
  if (missing === 0) return undefined;
  return quantity === 0 ? unavailable : fewer(units);
}

/** Changes of the items of an order, in the sequence of the order. */
export function itemChanges(order: Pick<Order, 'quote' | 'adjustments'>, locale: Locale): (string | undefined)[] {
  return fulfilledItems(order).map((item) => itemChangeInWords(item, locale));
}
