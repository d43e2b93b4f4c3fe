import type { StoreOrder } from '../offers/present-store-order.ts';

/** What a store's orders come to, in cents. */
export type Takings = {
  orders: number;
  deliveries: number;
  pickups: number;
  canceled: number;
  /** What the store gets for what it hands over of the orders that were not canceled, tips included. */
  totalCents: number;
  tipsCents: number;
  taxesCents: number;
  /** What customers got back, of canceled orders and for missing items too. */
  refundedCents: number;
};

/** Sums the orders that the store has taken; an order that is not confirmed yet counts, a canceled order does not. */
export function takingsOf(orders: readonly StoreOrder[]): Takings {
  const kept = orders.filter(({ status }) => status !== 'canceled');
  const sum = (of: (order: StoreOrder) => number) => kept.reduce((total, order) => total + of(order), 0);
  const tipsCents = sum((order) => order.driver_tip_cents);
  return {
    orders: kept.length,
    deliveries: kept.filter(({ pickup }) => !pickup).length,
    pickups: kept.filter(({ pickup }) => pickup).length,
    canceled: orders.length - kept.length,
    totalCents: sum((order) => order.store_part.total) + tipsCents,
    tipsCents,
    taxesCents: sum((order) => order.store_part.sales_tax_cents),
    refundedCents: orders.reduce((total, order) => total + order.refunded_amount, 0),
  };
}
