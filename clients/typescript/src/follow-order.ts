import type { ListOrderEventsAnswer, OrderEvent } from './api-types.ts';
import type { Call, CallOptions } from './call.ts';
import { lookAgain } from './look-again.ts';
import { type Pages, pagesOf } from './pages.ts';

export type FollowOptions = Pick<CallOptions, 'signal' | 'timeoutMs'> & {
  /** The sequence of the last step that the caller has; 0, which is before the first step, where absent. */
  after?: number;
  /** Wait between two looks, in milliseconds; 3,000 where absent. */
  pollMs?: number;
  /** Wait after the first failure in a row, in milliseconds; that of the client where absent. */
  retryDelayMs?: number | undefined;
};

/** The steps that an order has taken by now, in sequence. */
export function listEvents(
  call: Call,
  orderId: string,
  options: CallOptions & { after?: number } = {},
): Pages<ListOrderEventsAnswer, OrderEvent> {
  return pagesOf({
    start: options.after ?? 0,
    read: (after) => readAfter(call, orderId, after ?? 0, options),
    itemsOf: ({ events }) => events,
    nextOf: ({ events, has_more }) => (has_more ? events.at(-1)?.data.sequence : undefined),
  });
}

/**
 * The steps of an order as they come, each once and in sequence, until the order is completed or canceled. A service that
 * is busy or away is asked again for as long as the caller waits; a refusal ends the iteration with DoorstepError. What
 * happens to an order after its end (refunds, later tips) is not waited for: `listEvents` has it. An order that is only
 * quoted has no steps yet, and is waited for.
 */
export async function* followOrder(
  call: Call,
  orderId: string,
  { after = 0, pollMs, retryDelayMs, ...options }: FollowOptions = {},
): AsyncGenerator<OrderEvent, void, undefined> {
  let last = after;
  const look = () => readAfter(call, orderId, last, { ...options, retries: 0 });
  for await (const { events, has_more, status } of lookAgain(look, { pollMs, retryDelayMs, signal: options.signal })) {
    for (const event of events) {
      last = event.data.sequence;
      yield event;
    }
    if (!has_more && (status === 'completed' || status === 'canceled')) return;
  }
}

function readAfter(call: Call, orderId: string, after: number, options: CallOptions): Promise<ListOrderEventsAnswer> {
  return call('listOrderEvents', { path: { order_id: orderId }, query: { after } }, options);
}
