import { sql as raw } from 'kysely';
import type { KeyMode } from '../accounts/account.ts';
import { instantParam, type Sql } from '../db/connect.ts';
import type { ChargeState, OrderStatus } from '../orders/order.ts';
import type { OrderSearch } from './order-search.ts';
import type { Cursor } from './page-cursor.ts';

/** What a list shows of an order; nothing of its customer. */
export type ListedOrder = {
  orderId: string;
  orderNumber: string | null;
  accountId: string;
  mode: KeyMode;
  storeId: string;
  storeName: string;
  status: OrderStatus;
  pickup: boolean;
  totalWithTip: number;
  chargeState: ChargeState;
  refundedCents: number;
  /** What was added to the tip after placing. */
  addedTipCents: number;
  customerOrderId: string | null;
  createdAt: Temporal.Instant;
  placedAt: Temporal.Instant | null;
};

const COLUMNS = [
  ...(['orderId', 'orderNumber', 'accountId', 'mode', 'storeId', 'status', 'pickup', 'totalWithTip'] as const),
  ...(['chargeState', 'refundedCents', 'addedTipCents', 'customerOrderId', 'createdAt', 'placedAt'] as const),
] as const;

const selectOrders = (sql: Sql) =>
  sql.selectFrom('orders').select([...COLUMNS, raw<string>`quote->'store'->>'name'`.as('storeName')]);

type Page = { mode: KeyMode; before: Cursor | undefined; limit: number };

/** What narrows a list of placed orders; `since` is the first moment of their placing. */
export type PlacedFilter = {
  storeId?: string | undefined;
  accountId?: string | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  since?: Temporal.Instant | undefined;
};

/** Placed orders, newest first. */
export async function listPlaced(
  sql: Sql,
  { mode, storeId, accountId, statuses, since, before, limit }: Page & PlacedFilter,
): Promise<ListedOrder[]> {
  return selectOrders(sql)
    .where('mode', '=', mode)
    .where('placedAt', 'is not', null)
    .$if(storeId !== undefined, (query) => query.where('storeId', '=', storeId ?? ''))
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? ''))
    .$if(statuses !== undefined, (query) => query.where('status', 'in', [...(statuses ?? [])]))
    .$if(since !== undefined, (query) => query.where(raw<boolean>`placed_at >= ${since?.toString()}::timestamptz`))
    .$if(before !== undefined, (query) => query.where(isBefore('placed_at', before)))
    .orderBy('placedAt', 'desc')
    .orderBy('orderId', 'desc')
    .limit(limit)
    .execute();
}

/** Orders of an account, unplaced ones too, newest first. */
export async function listOfAccount(
  sql: Sql,
  { mode, accountId, before, limit }: Page & { accountId: string },
): Promise<ListedOrder[]> {
  return selectOrders(sql)
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .$if(before !== undefined, (query) => query.where(isBefore('created_at', before)))
    .orderBy('createdAt', 'desc')
    .orderBy('orderId', 'desc')
    .limit(limit)
    .execute();
}

function isBefore(column: 'placed_at' | 'created_at', before: Cursor | undefined) {
  const { at, id } = before ?? { at: Temporal.Instant.fromEpochMilliseconds(0), id: '' };
  return raw<boolean>`(${raw.ref(column)}, order_id) < (${instantParam(at)}, ${id})`;
}

/** The newest orders that a search text names, by each index that it may mean. */
export async function findBySearch(
  sql: Sql,
  { orderId, orderNumber, phones, customerOrderId }: OrderSearch,
  limit: number,
): Promise<ListedOrder[]> {
  if (orderId !== undefined) return selectOrders(sql).where('orderId', '=', orderId).execute();
  const newest = () => selectOrders(sql).where('placedAt', 'is not', null).orderBy('placedAt', 'desc').limit(limit);
  const found = await Promise.all([
    orderNumber === undefined ? [] : newest().where('orderNumber', '=', orderNumber).execute(),
    customerOrderId === undefined ? [] : newest().where('customerOrderId', '=', customerOrderId).execute(),
    phones === undefined
      ? []
      : newest()
          .where(raw<string>`request->'customer'->>'phone'`, 'in', [...phones])
          .execute(),
  ]);
  const byId = new Map(found.flat().map((order) => [order.orderId, order]));
  return [...byId.values()].sort(newestFirst).slice(0, limit);
}

function newestFirst(one: ListedOrder, other: ListedOrder): number {
  return Temporal.Instant.compare(other.placedAt ?? other.createdAt, one.placedAt ?? one.createdAt);
}
