import { type QueryCreator, sql as raw, type SelectQueryBuilder } from 'kysely';
import type { Merchant } from '../../access/sessions/merchant.ts';
import type { Order, OrderStatus } from '../../ordering/order/order.ts';
import { UNDER_WAY } from '../../ordering/order/order-view.ts';
import { ORDER } from '../../ordering/order/orders.db.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { Database } from '../../platform/db/tables.ts';
import { SOLD_FIELDS, type SoldOrder } from './sales.ts';

/* Orders as their store sees them, in SQL: current orders, orders of chosen days, and sales. */

const MAX_ORDERS = 500;

export type StoreOrderFilter = {
  statuses: readonly OrderStatus[] | undefined;
  /** Lists orders that were offered to the store from then on, in place of `placedSince`. */
  offeredSince: Temporal.Instant | undefined;
  /** Lists orders placed from then on, and every older order that has not ended. */
  placedSince: Temporal.Instant;
  /** Time of the read; orders that are offered to the store after it are excluded. */
  now: Temporal.Instant;
};

/**
 * Placed orders visible to a request, oldest first; beyond the limit, those under way before ended ones, of each the
 * newest. Lists ended orders placed since the moment, or offered since if that is later. Each part has an index.
 */
export async function listStoreOrders(sql: Sql, merchant: Merchant, filter: StoreOrderFilter): Promise<Order[]> {
  const from = instantParam(filter.offeredSince ?? filter.placedSince);
  const visible = visibleOrders(sql, merchant, filter);
  const isSince = filter.offeredSince ? raw<boolean>`coalesce(offer_at, placed_at) >= ${from}` : raw<boolean>`true`;
  const ended = visible.where(raw<boolean>`not ${IS_UNDER_WAY}`);
  // Few orders wait for their offer at a time. With a limit, the planner would walk the history from its end.
  const offeredLater = ended.where('placedAt', '<', from).where(raw<boolean>`offer_at > placed_at`).where(isSince);
  return sql
    .with('underWay', () => newest(visible.where(IS_UNDER_WAY).where(isSince)))
    .with('ended', () => newest(ended.where('placedAt', '>=', from)))
    .with('found', (db) =>
      db
        .selectFrom('underWay')
        .selectAll()
        .unionAll((eb) => eb.selectFrom('ended').selectAll())
        .$if(filter.offeredSince !== undefined, (query) => query.unionAll(offeredLater.select(ORDER))),
    )
    .with('listed', (db) =>
      db
        .selectFrom('found')
        .selectAll()
        .orderBy(IS_UNDER_WAY, 'desc')
        .orderBy('placedAt', 'desc')
        .orderBy('orderId')
        .limit(MAX_ORDERS),
    )
    .selectFrom('listed')
    .selectAll()
    .orderBy('placedAt')
    .orderBy('orderId', 'desc')
    .execute();
}

/** A position in a list of days: when an order was offered to its store, and the order. */
export type OfferedOrder = { orderId: string; offeredAt: Temporal.Instant };

export type DaysFilter = Pick<StoreOrderFilter, 'statuses' | 'now'> & {
  start: Temporal.Instant;
  end: Temporal.Instant;
  /** The number that people call the order. */
  orderNumber?: string | undefined;
  /** The last order of the page before. */
  after?: OfferedOrder | undefined;
  limit: number;
};

/** Orders that a store was offered between two moments, newest first. Each half has an index. */
export async function listOffered(sql: Sql, merchant: Merchant, filter: DaysFilter): Promise<OfferedOrder[]> {
  const { start, end, orderNumber, after, limit } = filter;
  const offered = (db: Pick<QueryCreator<Database>, 'selectFrom'>, moment: 'placed_at' | 'offer_at') => {
    const column = raw.ref<Temporal.Instant>(moment);
    return visibleOrders(db, merchant, filter)
      .where(raw<boolean>`${column} >= ${instantParam(start)} and ${column} < ${instantParam(end)}`)
      .$if(orderNumber !== undefined, (query) => query.where('orderNumber', '=', orderNumber ?? ''))
      .$if(after !== undefined, (query) =>
        query.where(
          raw<boolean>`(${column}, order_id) < (${instantParam(after?.offeredAt ?? start)}, ${after?.orderId ?? ''})`,
        ),
      )
      .select(['orderId', column.as('offeredAt')])
      .orderBy(column, 'desc')
      .orderBy('orderId', 'desc')
      .limit(limit);
  };
  return sql
    .with('atOnce', (db) => offered(db, 'placed_at').where(raw<boolean>`(offer_at is null or offer_at <= placed_at)`))
    .with('later', (db) => offered(db, 'offer_at').where(raw<boolean>`offer_at > placed_at`))
    .selectFrom('atOnce')
    .selectAll()
    .unionAll((eb) => eb.selectFrom('later').selectAll())
    .orderBy('offeredAt', 'desc')
    .orderBy('orderId', 'desc')
    .limit(limit)
    .execute();
}

/** The sold parts of orders by id, in any order. */
export async function findSoldOrders(sql: Sql, orderIds: readonly string[]): Promise<SoldOrder[]> {
  if (orderIds.length === 0) return [];
  return sql
    .selectFrom('orders')
    .select([...SOLD_FIELDS, 'pickup'])
    .where('orderId', 'in', orderIds)
    .execute();
}

/** Orders by id, of any store; the caller decides who may see them. */
export async function findOrdersByIds(sql: Sql, orderIds: readonly string[]): Promise<Order[]> {
  if (orderIds.length === 0) return [];
  return sql.selectFrom('orders').select(ORDER).where('orderId', 'in', orderIds).execute();
}

/** Literals instead of parameters, because a generic plan would not use the partial index of these orders. */
const IS_UNDER_WAY = raw<boolean>`status in (${raw.join(UNDER_WAY.map((status) => raw.lit(status)))})`;

function visibleOrders(
  db: Pick<QueryCreator<Database>, 'selectFrom'>,
  { storeId, mode, accountId, orderId }: Merchant,
  { statuses, now }: Pick<StoreOrderFilter, 'statuses' | 'now'>,
) {
  return db
    .selectFrom('orders')
    .where('storeId', '=', storeId)
    .where('mode', '=', mode)
    .where('placedAt', 'is not', null)
    .where((eb) => eb.or([eb('offerAt', 'is', null), eb('offerAt', '<=', instantParam(now))]))
    .$if(accountId !== null, (query) => query.where('accountId', '=', accountId ?? ''))
    .$if(orderId !== null, (query) => query.where('orderId', '=', orderId ?? ''))
    .$if(statuses !== undefined, (query) => query.where('status', 'in', [...(statuses ?? [])]))
    .$if(statuses?.every((status) => UNDER_WAY.includes(status)) ?? false, (query) => query.where(IS_UNDER_WAY));
}

function newest(query: SelectQueryBuilder<Database, 'orders', object>) {
  return query.select(ORDER).orderBy('placedAt', 'desc').orderBy('orderId').limit(MAX_ORDERS);
}
