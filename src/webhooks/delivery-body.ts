import type { Order } from '../orders/order.ts';
import { presentOrder } from '../orders/present-order.ts';

export const TEST_TYPE = 'webhook.test';

type Event = { type: string; at: Temporal.Instant; sequence: number; order: Order };

/** What an endpoint is told of an event: the order as it was right after it (docs/webhooks.md#what-arrives). */
export function bodyOf({ type, at, sequence, order }: Event, trackingUrl: string): string {
  return JSON.stringify({
    type,
    timestamp: at.toString(),
    data: { sequence, order: presentOrder(order, trackingUrl) },
  });
}

/** What an endpoint is told when its owner tries it out. */
export function testBody(at: Temporal.Instant): string {
  return JSON.stringify({ type: TEST_TYPE, timestamp: at.toString(), data: {} });
}
