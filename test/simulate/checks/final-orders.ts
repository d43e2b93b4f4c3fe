import type { SimulatedDatabase } from '../simulated-database.ts';

export type FinalEvent = {
  sequence: number;
  type: string;
  atMs: number;
  data: Record<string, unknown>;
  dispatched: boolean;
};

/** An order at the end of a run, read by plain SQL without code of the service. */
export type FinalOrder = {
  order_id: string;
  store_id: string;
  mode: 'sandbox' | 'live';
  status: string;
  pickup: boolean;
  charge_user: boolean;
  charge_state: string;
  /** Whether it was to be paid in cash. */
  in_cash: boolean;
  collected_cents: number | null;
  /** For items sold by weight: their maximum price, and the captured amount. */
  authorized_cents: number | null;
  captured_cents: number | null;
  hold_until: Temporal.Instant | null;
  charged_cents: number;
  refunded_cents: number;
  refunding_cents: number;
  added_tip_cents: number;
  driver_stage: string;
  handover_code: string | null;
  handover_tries: number;
  order_number: string | null;
  idempotency_key: string | null;
  last_sequence: number;
  slot_starts_at: string | null;
  offer_at: Temporal.Instant | null;
  request: { mode: string; tipCents: number; customer: { phone: number } };
  quote: {
    totalWithTipCents: number;
    salesTaxCents: number;
    addedFee: { salesTaxCents: number };
    taxCalculation?: { id: string };
    items: { productId: string; quantity: number; weight?: object }[];
    scheduled: { startEpochS: number } | null;
  };
  adjustments: { index: number; quantity: number }[];
  events: FinalEvent[];
};

/** Whether an order is sold: once it is placed, paid at the door, or has left with goods by weight. */
export function isSold({ in_cash: isInCash, authorized_cents: most, events }: FinalOrder): boolean {
  const sale = isInCash ? 'order.completed' : most === null ? 'order.placed' : 'order.captured';
  return events.some(({ type }) => type === sale);
}

export async function readOrders(database: SimulatedDatabase): Promise<FinalOrder[]> {
  return database.ask<FinalOrder>(`
    select o.*, exists (select from payment_methods p where p.payment_method_id = o.payment_method_id
      and p.brand = 'cash') as in_cash, coalesce((
      select json_agg(json_build_object('sequence', e.sequence, 'type', e.type, 'data', e.data,
        'dispatched', e.dispatched, 'atMs', extract(epoch from e.at) * 1000) order by e.sequence)
      from order_events e where e.order_id = o.order_id), '[]') as events
    from orders o order by o.order_id`);
}
