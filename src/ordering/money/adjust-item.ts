import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { allowsStep } from '../order/advance-order.ts';
import { type FulfilledItem, fulfilledItems, refundUnits } from '../order/fulfilled-items.ts';
import { type ItemAdjustment, isWeighedOrder, type Order, type QuotedItem, type Substitute } from '../order/order.ts';
import type { AdjustedBy, EventData } from '../order/order-events.ts';
import { repriceOrder } from '../order/reprice-order.ts';
import type { Weighing } from './weigh-item.ts';

/** The payload of `order.item_changed`, without its refund, which is booked afterwards. */
type ItemChanged = Omit<EventData<'order.item_changed'>, 'refund_cents' | 'is_last'>;

/** An adjusted order, the payload of its event, and the price reduction in cents. */
export type AdjustedOrder = { order: Order; changed: ItemChanged; lessCents: number };

/**
 * A store's change to an item. `substitute` is a product token, or the product's id in the store's feed. `quantity` of
 * goods by weight is 0 or 1.
 */
export type ItemChange = {
  index: number;
  quantity: number;
  substitute: string | null;
  weighing?: Weighing | undefined;
};

/** Units that are handed off for an item, of the ordered product (`productNo` null) or of a substitute. */
export type HandedOver = { productNo: number | null; quantity: number };

export function handedOver({ quote, adjustments }: Pick<Order, 'quote' | 'adjustments'>, index: number): HandedOver {
  const adjustment = adjustments.find((one) => one.index === index);
  const quantity = adjustment?.quantity ?? quote.items[index]?.quantity ?? 0;
  return { productNo: adjustment?.substitute?.productNo ?? null, quantity };
}

/**
 * Adjusts one item and prices the order again. Refunded money is never charged again, so an adjustment that would raise
 * the order's price is refused. Where only rounding makes fewer units cost a cent more, that cent is waived. An order
 * with goods by weight is charged when it leaves, so its price goes up and down until then.
 */
export function adjustItem(order: Order, wanted: ItemAdjustment, by: AdjustedBy): AdjustedOrder {
  const others = order.adjustments.filter(({ index }) => index !== wanted.index);
  const isWhole = wanted.quantity === order.quote.items[wanted.index]?.quantity;
  const isAsOrdered = isWhole && wanted.substitute === null && wanted.scaled === undefined;
  const adjustments = isAsOrdered ? others : [...others, wanted].toSorted((a, b) => a.index - b.index);
  const adjusted: Order = { ...order, adjustments };
  const lessCents = repriceOrder(order).totalWithTipCents - repriceOrder(adjusted).totalWithTipCents;
  const from = handedOver(order, wanted.index);
  const productNo = wanted.substitute?.productNo ?? null;
  const isSame = wanted.quantity === 0 || from.productNo === null || from.productNo === productNo;
  const isFewer = isSame && wanted.quantity <= from.quantity;
  const isWeighed = isWeighedOrder(order.quote);
  if (lessCents < 0 && !isFewer && !isWeighed) {
    const sentence = `This change would raise the order's total by ${formatPrice(-lessCents)}. A refunded amount can't be charged again.`;
    throw new Refusal('transition_not_allowed', sentence);
  }
  const changed = changedOf(order, adjusted, wanted.index);
  const less = isWeighed ? lessCents : Math.max(0, lessCents);
  return { order: adjusted, changed: { ...changed, by, less_cents: less }, lessCents: less };
}

/** The ordered item. Refuses an unknown item, more units than were ordered, and weights of goods that have none. */
export function orderedItem(
  { quote }: Pick<Order, 'quote'>,
  { index, quantity, weighing, substitute = null }: Pick<ItemChange, 'index' | 'quantity'> & Partial<ItemChange>,
): QuotedItem {
  const item = quote.items[index];
  if (!item) throw new Refusal('not_found', `This order has no item ${index}. Items are numbered from 0.`);
  const refuse = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }]);
  if (weighing && !item.weight) throw refuse('weight', 'is for goods by weight');
  if (quantity > item.quantity) throw refuse('quantity', `must be at most ${item.quantity}, as ordered`);
  if (item.weight && !weighing && quantity > 0 && substitute === null) {
    throw refuse('quantity', 'must be 0 for goods by weight: send weight or label');
  }
  return item;
}

/** Refuses an adjustment of an order that has ended or has left its store. */
export function refuseTooLate(order: Order): void {
  if (allowsStep(order, 'cancel')) return;
  const state = order.status === 'in_progress' ? 'with the driver' : order.status.replaceAll('_', ' ');
  throw new Refusal('transition_not_allowed', `The order is ${state}, so its items can no longer be changed.`);
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
    const sentence = `The customer chose a refund instead of a substitute for "${item?.name}".`;
    throw new Refusal('transition_not_allowed', sentence);
  }
  const named = item?.namedSubstitutes ?? [];
  if (preference === 'store_choice' || named.some((one) => one.productNo === productNo)) return;
  const names = named.map(({ name }) => `"${name}"`).join(', ');
  throw new Refusal(
    'transition_not_allowed',
    `The customer accepts only ${names} as a substitute for "${item?.name}".`,
  );
}

function changedOf(before: Order, after: Order, index: number): Omit<ItemChanged, 'by' | 'less_cents'> {
  const [from, item] = [fulfilledItems(before)[index], fulfilledItems(after)[index]];
  if (!from || !item) throw new Error(`This order has no item ${index}.`);
  const ordered = before.quote.items[index]?.weight;
  const unit = (item.weight ?? ordered)?.unit;
  const milliOf = (one: FulfilledItem) => (one.weight?.unit === unit ? refundUnits(one) : 0);
  return {
    index,
    product_id: item.productId,
    name: item.name,
    quantity: item.quantity,
    from_quantity: from.quantity,
    ordered_quantity: item.orderedQuantity,
    substituted_for: item.replaces?.name ?? null,
    ...(unit && ordered && { weight: { unit, from: milliOf(from), to: milliOf(item), ordered: ordered.ordered } }),
  };
}

/** The payload of `order.weighed`: each weighed line's ordered and handed-off weight. */
export function weighedEvent(order: Order): EventData<'order.weighed'> {
  const items = fulfilledItems(order).flatMap((item, index) => {
    const { weight, totalCents = 0 } = order.quote.items[index] ?? {};
    if (!weight) return [];
    const { unit, ordered } = weight;
    const handedOver = item.weight?.unit === unit ? refundUnits(item) : 0;
    const amounts = { estimated_cents: totalCents, cents: item.unitCents * item.quantity };
    return [{ index, ordered, weight: handedOver, unit, ...amounts }];
  });
  const total = repriceOrder(order).totalWithTipCents;
  return { items, estimated_total: order.quote.totalWithTipCents, total };
}
