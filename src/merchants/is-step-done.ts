import type { Order } from '../orders/order.ts';
import type { AdvanceEvent } from '../orders/order-events.ts';

const STAGES: readonly Order['driverStage'][] = ['none', 'assigned', 'picked_up', 'nearby'];
const isAtStage = (order: Order, stage: Order['driverStage']) =>
  STAGES.indexOf(order.driverStage) >= STAGES.indexOf(stage);
const isConfirmed = ({ status }: Order) => status === 'in_progress' || status === 'completed';

const DONE: Readonly<Record<AdvanceEvent, (order: Order) => boolean>> = {
  confirm: isConfirmed,
  ready: (order) => order.isReady && isConfirmed(order),
  assign_driver: () => false,
  pick_up: (order) => isConfirmed(order) && isAtStage(order, 'picked_up'),
  approach: (order) => isConfirmed(order) && isAtStage(order, 'nearby'),
  complete: ({ status }) => status === 'completed',
  cancel: ({ status }) => status === 'canceled',
};

/** Whether an order has taken a step before, so that taking it again changes nothing. Another driver is another step. */
export function isStepDone(order: Order, event: AdvanceEvent): boolean {
  return DONE[event](order);
}
