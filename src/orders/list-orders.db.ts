import type { Caller } from '../accounts/account.ts';
import { instantParam, type Sql } from '../db/connect.ts';
import type { Order, OrderStatus } from './order.ts';
import { orderOf } from './order-row.ts';
import { ordersOf } from './orders.db.ts';

const ORDERS_PER_PAGE = 100;

export type OrderFilter = {
  orderId?: string | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  createdFrom?: Temporal.Instant | undefined;
  createdBefore?: Temporal.Instant | undefined;
  userId?: string | undefined;
  favorited?: boolean | undefined;
};

/** A page of the caller's orders, newest first. */
export async function listOrders(sql: Sql, caller: Caller, filter: OrderFilter, page: number): Promise<Order[]> {
  const rows = await filtered(sql, caller, filter)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('orderId')
    .limit(ORDERS_PER_PAGE)
    .offset(page * ORDERS_PER_PAGE)
    .execute();
  return rows.map(orderOf);
}

export async function countOrders(sql: Sql, caller: Caller, filter: OrderFilter): Promise<number> {
  const row = await filtered(sql, caller, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

function filtered(sql: Sql, caller: Caller, filter: OrderFilter) {
  let query = ordersOf(sql, caller);
  if (filter.orderId !== undefined) query = query.where('orderId', '=', filter.orderId);
  if (filter.statuses) query = query.where('status', 'in', [...filter.statuses]);
  if (filter.createdFrom) query = query.where('createdAt', '>=', instantParam(filter.createdFrom));
  if (filter.createdBefore) query = query.where('createdAt', '<', instantParam(filter.createdBefore));
  if (filter.userId !== undefined) query = query.where('userId', '=', filter.userId);
  if (filter.favorited !== undefined) query = query.where('favorited', '=', filter.favorited);
  return query;
}
