/** Steps that a store, a courier or the sandbox may take; each of them may take the last step. */
export const ADVANCE_EVENTS = [
  'confirm',
  'ready',
  'assign_driver',
  'pick_up',
  'approach',
  'complete',
  'cancel',
] as const;
export type AdvanceEvent = (typeof ADVANCE_EVENTS)[number];

/** Steps that a courier alone takes, real or simulated: no store, customer or client of the API asks for them. */
export const COURIER_EVENTS = ['courier_lost'] as const;
export type CourierEvent = (typeof COURIER_EVENTS)[number];

export type StepName = AdvanceEvent | CourierEvent;

/** Types of the order's event log (docs/behaviour.md#events). */
export const ORDER_EVENT_TYPES = [
  'order.placed',
  'order.confirmed',
  'order.item_changed',
  'order.ready',
  'order.driver_assigned',
  'order.picked_up',
  'order.driver_nearby',
  'order.completed',
  'order.canceled',
  'order.refunded',
  'order.tipped',
] as const;
export type OrderEventType = (typeof ORDER_EVENT_TYPES)[number];

/** A row of the event log, which is written with the next sequence of its order. */
export type OrderEvent = { type: OrderEventType; data: Readonly<Record<string, unknown>> };
