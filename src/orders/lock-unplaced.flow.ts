import type { Sql } from '../db/connect.ts';
import { Refusal } from '../http/refusal.ts';
import type { FrozenQuote, Order } from './order.ts';
import { orderNotFound } from './order-not-found.ts';
import { lockOrder } from './orders.db.ts';
import { presentFinalQuote } from './present-order.ts';

/**
 * Locks an unplaced order: a second placing of it waits here, and gets the order as the first placed it. With `quoteId` an
 * unplaced order that another request has replaced since that quote is refused with quote_changed.
 */
export async function lockUnplaced(tx: Sql, orderId: string, quoteId?: string): Promise<Order> {
  const locked = await lockOrder(tx, orderId);
  if (!locked) throw orderNotFound();
  if (locked.status === 'unplaced' && locked.chargeState === 'pending') throw beingPlaced();
  const { quote } = locked;
  if (locked.status === 'unplaced' && quoteId !== undefined && quote.quoteId !== quoteId)
    throw quoteChanged('The order was replaced while it was finalized; finalize it again to accept.', orderId, quote);
  return locked;
}

/** 409 with the quote that the order has now. */
export function quoteChanged(sentence: string, orderId: string, quote: FrozenQuote): Refusal {
  return new Refusal('quote_changed', sentence, {
    members: { final_quote: presentFinalQuote(quote), order_id: orderId },
  });
}

/** 409: another request is at it. */
export function beingPlaced(): Refusal {
  const sentence = 'This order is being placed by another request.';
  return new Refusal('idempotency_in_progress', sentence, { headers: { 'retry-after': '5' } });
}
