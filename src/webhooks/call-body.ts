import type { TrackingSite } from '../accounts/tracking-site.ts';
import type { Order } from '../orders/order.ts';
import { presentOrder } from '../orders/present-order.ts';

export const TEST_TYPE = 'webhook.test';

/** The headers of every call; its signature comes besides. */
export const CALL_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Doorstep-Webhooks/1' };

type Event = { type: string; at: Temporal.Instant; sequence: number; order: Order };

/** Always three decimals: parsers of some languages take no other number than three or six. */
const timeOf = (at: Temporal.Instant) => at.toString({ smallestUnit: 'millisecond' });

/** The body of an event's call: the order is as it was right after the event (docs/webhooks.md#what-arrives). */
export function bodyOf({ type, at, sequence, order }: Event, site: TrackingSite): string {
  return JSON.stringify({
    type,
    timestamp: timeOf(at),
    data: { sequence, order: presentOrder(order, site) },
  });
}

/** The body of a call that the account asked for to try its endpoint. */
export function testBody(at: Temporal.Instant): string {
  return JSON.stringify({ type: TEST_TYPE, timestamp: timeOf(at), data: {} });
}
