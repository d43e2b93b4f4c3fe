import type { Caller } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { isOrderOf, type Order } from './order.ts';
import { orderNotFound } from './order-faults.ts';
import { findAnyOrder, findOrder, lockOrder } from './orders.db.ts';

/* An order that must exist: else `order_not_found`. To a caller, another account's order does not exist. */

export async function requireOrder(sql: Sql, orderId: string, caller?: Caller): Promise<Order> {
  const order = await (caller ? findOrder(sql, caller, orderId) : findAnyOrder(sql, orderId));
  if (!order) throw orderNotFound();
  return order;
}

/** Locks the order's row until the transaction ends. Refuses unknown orders like `requireOrder`. */
export async function requireLockedOrder(tx: Sql, orderId: string, caller?: Caller): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  if (!order || (caller && !isOrderOf(order, caller))) throw orderNotFound();
  return order;
}
