import type { Order } from '../orders/order.ts';
import { EVENTS_PER_PAGE, type EventBodiesDeps, readEventBodies } from './event-bodies.flow.ts';

/**
 * The events of an order after a sequence, each as the body of its webhook call, as JSON. `has_more` says that further
 * events follow. The events are those of the moment at which the order was read, which `status` is of as well.
 */
export async function orderEventsPage(deps: EventBodiesDeps, order: Order, after: number): Promise<string> {
  const { orderId, status, lastSequence } = order;
  const count = Math.max(0, Math.min(EVENTS_PER_PAGE, lastSequence - after));
  const keys = Array.from({ length: count }, (_, n) => ({ orderId, sequence: after + n + 1 }));
  const { bodies, shown } = await readEventBodies(deps, keys);
  const hasMore = after + shown < lastSequence;
  return `{"events":[${bodies.join()}],"has_more":${hasMore},"status":${JSON.stringify(status)}}`;
}
