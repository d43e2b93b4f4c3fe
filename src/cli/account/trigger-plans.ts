import type { AdvanceEvent, OrderEventType } from '../../orders/order.ts';

/** What makes an event, after the steps of its order: a step is a request of its own, or the service's own doing. */
export type LastAct = 'cancel' | 'refund' | 'tip' | 'wait';

/** How a sandbox order comes to an event. */
export type TriggerPlan = {
  pickup: boolean;
  /** Steps by hand, first to last (docs/behaviour.md#statuses-and-steps). */
  steps: readonly AdvanceEvent[];
  /** What follows the steps; the last step itself is the event where absent. */
  last?: LastAct;
  /** The life of the order where its store does more than these steps (docs/behaviour.md#sandbox-scenarios). */
  scenario?: 'item_missing';
};

const TO_THE_DOOR = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'] as const;
const until = (last: (typeof TO_THE_DOOR)[number]) => TO_THE_DOOR.slice(0, TO_THE_DOOR.indexOf(last) + 1);

/** Every event of an order, and the shortest life that has it. */
export const TRIGGER_PLANS: Readonly<Record<OrderEventType, TriggerPlan>> = {
  'order.placed': { pickup: true, steps: [] },
  'order.confirmed': { pickup: true, steps: until('confirm') },
  'order.item_changed': { pickup: true, steps: until('confirm'), last: 'wait', scenario: 'item_missing' },
  'order.ready': { pickup: true, steps: until('ready') },
  'order.driver_assigned': { pickup: false, steps: until('assign_driver') },
  'order.picked_up': { pickup: false, steps: until('pick_up') },
  'order.driver_nearby': { pickup: false, steps: until('approach') },
  'order.completed': { pickup: false, steps: until('complete') },
  'order.canceled': { pickup: true, steps: [], last: 'cancel' },
  'order.refunded': { pickup: true, steps: until('confirm'), last: 'refund' },
  'order.tipped': { pickup: false, steps: [], last: 'tip' },
};

/** A call that an account's webhook gets without an order. */
export const TEST_CALL = 'webhook.test';
export const TRIGGERS = [...(Object.keys(TRIGGER_PLANS) as OrderEventType[]), TEST_CALL] as const;
export type Trigger = (typeof TRIGGERS)[number];
