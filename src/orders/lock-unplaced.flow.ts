import type { Sql } from '../db/connect.ts';
import { Refusal } from '../http/refusal.ts';
import type { Order } from './order.ts';
import { orderNotFound } from './order-not-found.ts';
import { lockOrder } from './orders.db.ts';

/** Locks an unplaced order: a second placing of it waits here, and gets the order as the first placed it. */
export async function lockUnplaced(tx: Sql, orderId: string): Promise<Order> {
  const locked = await lockOrder(tx, orderId);
  if (!locked) throw orderNotFound();
  if (locked.status === 'unplaced' && locked.chargeState === 'pending') throw beingPlaced();
  return locked;
}

/** 409: another request is at it. */
export function beingPlaced(): Refusal {
  const sentence = 'This order is being placed by another request.';
  return new Refusal('idempotency_in_progress', sentence, { headers: { 'retry-after': '5' } });
}
