import type {
  CancelOrderBody,
  CreateOrderBody,
  FinalizeOrderBody,
  ListOrderEventsAnswer,
  ListOrdersAnswer,
  ListOrdersQuery,
  Order,
  OrderEvent,
  RefundOrderBody,
  TipOrderBody,
  UpdateOrderBody,
} from './api-types.ts';
import type { Call, CallOptions } from './call.ts';
import { type Pages, pagesOf } from './pages.ts';
import { lookAgain } from './retry.ts';

/** Quoting, placing and following orders. */
export function createOrders(call: Call, { retryDelayMs }: Pick<FollowOptions, 'retryDelayMs'>) {
  return {
    /** Quotes an order, and with `place_order: true` places it. */
    create: (body: CreateOrderBody, options?: CallOptions) => call('createOrder', { body }, options),
    /**
     * Places a quoted order, by its ID or with missing fields. `quote_changed` contains the new quote, and finalizing
     * again accepts it.
     */
    finalize: (order: string | FinalizeOrderBody, options?: CallOptions) =>
      call('finalizeOrder', { body: typeof order === 'string' ? { order_id: order } : order }, options),
    /** An order as it is now; undefined where the account has no such order. */
    get: async (orderId: string, options?: CallOptions): Promise<Order | undefined> =>
      (await call('listOrders', { query: { order_id: orderId } }, options)).orders[0],
    /** The account's orders, newest first. */
    list: (query: ListOrdersQuery = {}, options?: CallOptions): Pages<ListOrdersAnswer, Order> =>
      pagesOf({
        start: query.page,
        read: (page) => call('listOrders', { query: page === undefined ? query : { ...query, page } }, options),
        itemsOf: ({ orders }) => orders,
        nextOf: ({ next_page }) => next_page,
      }),
    /** The steps an order has taken by now, in order; `after` leaves out the steps up to that `sequence`. */
    events: (orderId: string, options?: CallOptions & { after?: number }): Pages<ListOrderEventsAnswer, OrderEvent> =>
      listEvents(call, orderId, options),
    /** The steps of an order as they come, each once and in order, until its end. */
    follow: (orderId: string, options?: FollowOptions): AsyncGenerator<OrderEvent, void, undefined> =>
      followOrder(call, orderId, { retryDelayMs, ...options }),
    cancel: (orderId: string, more: Omit<CancelOrderBody, 'order_id'> = {}, options?: CallOptions) =>
      call('cancelOrder', { body: { ...more, order_id: orderId } }, options),
    /** Refunds an amount, or units of items. */
    refund: (orderId: string, more: Omit<RefundOrderBody, 'order_id'>, options?: CallOptions) =>
      call('refundOrder', { body: { ...more, order_id: orderId } }, options),
    /** Changes a placed order's notes, apartment, name or phone. */
    update: (orderId: string, more: Omit<UpdateOrderBody, 'order_id'>, options?: CallOptions) =>
      call('updateOrder', { body: { ...more, order_id: orderId } }, options),
    /** Raises the tip of a delivery. */
    tip: (orderId: string, more: Omit<TipOrderBody, 'order_id'>, options?: CallOptions) =>
      call('tipOrder', { body: { ...more, order_id: orderId } }, options),
    /** The driver's confirmations of the handoff. */
    proof: (orderId: string, options?: CallOptions) => call('readProof', { path: { order_id: orderId } }, options),
    /** The photo of the hand-over: the bytes of a JPEG. */
    // Before 5.7 TypeScript has no `Uint8Array<…>`, which a type that is left to the compiler is declared as.
    proofPhoto: (orderId: string, options?: CallOptions): Promise<Uint8Array> =>
      call('readProofPhoto', { path: { order_id: orderId } }, options),
  };
}

export type FollowOptions = Pick<CallOptions, 'signal' | 'timeoutMs'> & {
  /** The `sequence` of the caller's last step. Defaults to 0, before the first step. */
  after?: number;
  /** Wait between two looks, in milliseconds; 3,000 where absent. */
  pollMs?: number;
  /** Delay after the first failure in a row, in milliseconds. Defaults to the client's. */
  retryDelayMs?: number | undefined;
};

/** The steps that an order has taken by now, in order. */
function listEvents(
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
 * An order's steps as they happen, each once, until it is completed or canceled. Unavailable services are retried; an
 * error response throws DoorstepError. Later refunds and tips are in `listEvents`. A quoted order without steps is
 * waited for.
 */
async function* followOrder(
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
