import { instantParam, type Sql } from '../db/connect.ts';
import type { Order, OrderStatus } from '../orders/order.ts';
import { ORDER } from '../orders/orders.db.ts';
import type { Merchant } from './merchant.ts';

const MAX_ORDERS = 500;

export type StoreOrderFilter = {
  statuses: readonly OrderStatus[] | undefined;
  /** Keeps the orders that the store was offered from then on, in place of `placedSince`. */
  offeredSince: Temporal.Instant | undefined;
  /** Orders placed since, and every order that has not ended, however old it is. */
  placedSince: Temporal.Instant;
  /** Orders that the store is offered later are left out. */
  now: Temporal.Instant;
};

/** The placed orders that a request may see, oldest first; of more than the limit the newest. */
export async function listStoreOrders(
  sql: Sql,
  merchant: Merchant,
  { statuses, offeredSince, placedSince, now }: StoreOrderFilter,
): Promise<Order[]> {
  const rows = await visibleTo(sql, merchant)
    .select(ORDER)
    .$if(statuses !== undefined, (query) => query.where('status', 'in', [...(statuses ?? [])]))
    .where((eb) => eb.or([eb('offerAt', 'is', null), eb('offerAt', '<=', instantParam(now))]))
    .where((eb) =>
      offeredSince === undefined
        ? eb.or([
            eb('placedAt', '>=', instantParam(placedSince)),
            eb('status', 'in', ['awaiting_confirmation', 'in_progress'] satisfies OrderStatus[]),
          ])
        : eb(eb.fn.coalesce('offerAt', 'placedAt'), '>=', instantParam(offeredSince)),
    )
    .orderBy('placedAt', 'desc')
    .orderBy('orderId')
    .limit(MAX_ORDERS)
    .execute();
  return rows.toReversed();
}

/** Orders by their ids, whosever they are; the caller decides who sees them. */
export async function findOrdersByIds(sql: Sql, orderIds: readonly string[]): Promise<Order[]> {
  if (orderIds.length === 0) return [];
  return sql.selectFrom('orders').select(ORDER).where('orderId', 'in', orderIds).execute();
}

function visibleTo(sql: Sql, { storeId, mode, accountId, orderId }: Merchant) {
  return sql
    .selectFrom('orders')
    .where('storeId', '=', storeId)
    .where('mode', '=', mode)
    .where('placedAt', 'is not', null)
    .$if(accountId !== null, (query) => query.where('accountId', '=', accountId ?? ''))
    .$if(orderId !== null, (query) => query.where('orderId', '=', orderId ?? ''));
}
