import type { Caller } from '../accounts/account.ts';
import { invalidRequest } from '../http/request-schema.ts';
import { draftOrder } from './draft-order.ts';
import { finishStarted } from './finish-started.flow.ts';
import { quoteChanged } from './lock-unplaced.flow.ts';
import type { Order } from './order.ts';
import type { CreateOrderDeps } from './order-deps.ts';
import { orderNotFound } from './order-not-found.ts';
import { findOrder } from './orders.db.ts';
import { placeOrder } from './place-order.flow.ts';
import { quoteOrder } from './quote-order.flow.ts';
import { missingToPlace } from './read-order-body.ts';
import { requoteOrder } from './store-unplaced.flow.ts';

/**
 * Places an unplaced order at the price it was quoted. A total that has changed since is stored and refused with
 * quote_changed: the same call again accepts it; so is an order that another request replaces meanwhile. A placed order is returned as it is; an order whose placing was
 * interrupted is placed with the charge that was begun. With `expectedTotalCents` an unplaced order whose quote has another
 * total is refused with quote_changed and its quote.
 */
export async function finalizeOrder(
  deps: CreateOrderDeps,
  caller: Caller,
  orderId: string,
  expectedTotalCents?: number,
): Promise<Order> {
  const order = await findOrder(deps.db, caller, orderId);
  if (!order) throw orderNotFound();
  if (order.status !== 'unplaced') return order;
  if (expectedTotalCents !== undefined && expectedTotalCents !== order.quote.totalWithTipCents)
    throw quoteChanged('The order is quoted at another total than the expected total.', orderId, order.quote);
  const finished = await finishStarted(deps, caller, order);
  if (finished) return finished;
  const missing = missingToPlace(order.request);
  if (missing.length > 0) throw invalidRequest(missing);
  const quoted = await quoteOrder(deps, caller, order.request);
  const { quoteId } = order.quote;
  const isSameTotal = quoted.quote.totalWithTipCents === order.quote.totalWithTipCents;
  // A quote keeps its id while its total stays the same.
  const quote = isSameTotal ? { ...quoted.quote, quoteId } : quoted.quote;
  const renewed = draftOrder(
    caller,
    { ...quoted, quote },
    { orderId, idempotencyKey: order.idempotencyKey, replaces: order, now: deps.clock.now() },
  );
  if (!isSameTotal) {
    const stored = await requoteOrder(deps, renewed, { isCounted: false, quoteId });
    if (stored.status !== 'unplaced') return stored;
    const sentence = 'The total has changed since the order was quoted; finalize it again to accept.';
    throw quoteChanged(sentence, orderId, quoted.quote);
  }
  return placeOrder(deps, { order: renewed, quoted: { ...quoted, quote }, isStored: true, quoteId });
}
