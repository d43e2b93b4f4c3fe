import type { StoreOrder } from '../offers/present-store-order.ts';

/** What a store's orders come to, in cents. */
export type Takings = {
  orders: number;
  deliveries: number;
  pickups: number;
  canceled: number;
  /** What the store gets of the orders that were not canceled, tips included. */
  totalCents: number;
  tipsCents: number;
  taxesCents: number;
  /** What customers got back, of canceled orders too. */
  refundedCents: number;
  /** What customers got back of the orders that were not canceled. */
  refundedOfTakingsCents: number;
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
    totalCents: sum((order) => order.final_quote.quote.total) + tipsCents,
    tipsCents,
    taxesCents: sum((order) => order.final_quote.quote.sales_tax_cents),
    refundedOfTakingsCents: sum((order) => order.refunded_amount),
    refundedCents: orders.reduce((total, order) => total + order.refunded_amount, 0),
  };
}
