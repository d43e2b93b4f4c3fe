import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { allowsStep } from '../order/advance-order.ts';
import { fulfilledItems } from '../order/fulfilled-items.ts';
import type { ItemAdjustment, Order, QuotedItem, Substitute } from '../order/order.ts';
import type { AdjustedBy, EventData } from '../order/order-events.ts';
import { repriceOrder } from '../order/reprice-order.ts';

/** The payload of `order.item_changed`, without its refund, which is booked afterwards. */
type ItemChanged = Omit<EventData<'order.item_changed'>, 'refund_cents' | 'is_last'>;

/** An adjusted order, the payload of its event, and the cents by which its price drops. */
export type AdjustedOrder = { order: Order; changed: ItemChanged; lessCents: number };

/** Units that are handed over for an item, of the ordered product (`productNo` null) or of a substitute. */
export type HandedOver = { productNo: number | null; quantity: number };

export function handedOver({ quote, adjustments }: Pick<Order, 'quote' | 'adjustments'>, index: number): HandedOver {
  const adjustment = adjustments.find((one) => one.index === index);
  const quantity = adjustment?.quantity ?? quote.items[index]?.quantity ?? 0;
  return { productNo: adjustment?.substitute?.productNo ?? null, quantity };
}

/**
 * Adjusts one item and prices the order again. Refunded money is never charged again, so an adjustment that would raise
 * the order's price is refused. Where only rounding makes fewer units cost a cent more, that cent is waived.
 */
export function adjustItem(order: Order, wanted: ItemAdjustment, by: AdjustedBy): AdjustedOrder {
  const others = order.adjustments.filter(({ index }) => index !== wanted.index);
  const isAsOrdered = wanted.substitute === null && wanted.quantity === order.quote.items[wanted.index]?.quantity;
  const adjustments = isAsOrdered ? others : [...others, wanted].toSorted((a, b) => a.index - b.index);
  const adjusted: Order = { ...order, adjustments };
  const lessCents = repriceOrder(order).totalWithTipCents - repriceOrder(adjusted).totalWithTipCents;
  const from = handedOver(order, wanted.index);
  const productNo = wanted.substitute?.productNo ?? null;
  const isSame = wanted.quantity === 0 || from.productNo === null || from.productNo === productNo;
  const isFewer = isSame && wanted.quantity <= from.quantity;
  if (lessCents < 0 && !isFewer) {
    const sentence = `The order would cost ${formatPrice(-lessCents)} more than it does now: what was given back to the customer is not charged again.`;
    throw new Refusal('transition_not_allowed', sentence);
  }
  const less = { by, from: from.quantity, lessCents: Math.max(0, lessCents) };
  return { order: adjusted, changed: changedOf(adjusted, wanted.index, less), lessCents: less.lessCents };
}

/** The ordered item. Refuses an unknown item, and more units than were ordered. */
export function orderedItem(
  { quote }: Pick<Order, 'quote'>,
  { index, quantity }: Pick<ItemAdjustment, 'index' | 'quantity'>,
): QuotedItem {
  const item = quote.items[index];
  if (!item) throw new Refusal('not_found', `This order has no item ${index}: its items are counted from 0.`);
  if (quantity <= item.quantity) return item;
  throw invalidRequest([{ in: 'body', name: 'quantity', message: `must be at most ${item.quantity}, as ordered` }]);
}

/** Refuses an adjustment of an order that has ended or has left its store. */
export function refuseTooLate(order: Order): void {
  if (allowsStep(order, 'cancel')) return;
  const state = order.status === 'in_progress' ? 'with the driver' : order.status.replaceAll('_', ' ');
  throw new Refusal('transition_not_allowed', `The order is ${state}: its items cannot be changed any more.`);
}

/**
 * Refuses an alcoholic substitute for an item without alcohol, because neither the customer nor a courier agreed to an
 * ID check.
 */
export function refuseNewAlcohol(item: QuotedItem, substitute: Pick<Substitute, 'name' | 'isAlcoholic'>): void {
  if (!substitute.isAlcoholic || item.isAlcoholic) return;
  const sentence = `"${substitute.name}" is alcoholic, and "${item.name}" is not: it cannot take its place.`;
  throw new Refusal('transition_not_allowed', sentence);
}

/** Refuses a substitute that the customer does not want in place of the item. */
export function refuseUnwantedSubstitute({ quote, request }: Order, index: number, productNo: number): void {
  const item = quote.items[index];
  const preference = request.items[index]?.substitution?.preference ?? 'refund';
  if (preference === 'refund') {
    const sentence = `The customer wants the money back for "${item?.name}", and no substitute.`;
    throw new Refusal('transition_not_allowed', sentence);
  }
  const named = item?.namedSubstitutes ?? [];
  if (preference === 'store_choice' || named.some((one) => one.productNo === productNo)) return;
  const names = named.map(({ name }) => `"${name}"`).join(', ');
  throw new Refusal('transition_not_allowed', `In place of "${item?.name}" the customer takes only ${names}.`);
}

function changedOf(
  order: Order,
  index: number,
  { by, from, lessCents }: { by: AdjustedBy; from: number; lessCents: number },
): ItemChanged {
  const item = fulfilledItems(order)[index];
  if (!item) throw new Error(`The order has no item ${index}.`);
  return {
    index,
    by,
    less_cents: lessCents,
    product_id: item.productId,
    name: item.name,
    quantity: item.quantity,
    from_quantity: from,
    ordered_quantity: item.orderedQuantity,
    substituted_for: item.replaces?.name ?? null,
  };
}
