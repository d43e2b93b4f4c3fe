import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

/** The channel on which changed orders are announced to open consoles. */
export const ORDER_NEWS = 'doorstep_store_orders';

/** PostgreSQL takes less than 8,000 bytes in a notification; an order is some 55. */
const ORDERS_PER_NOTICE = 120;

export type OrderNews = { storeId: string; orderId: string };

/** Announces changed orders to whoever listens, when the transaction commits. */
export async function announceOrders(sql: Sql, orders: readonly OrderNews[]): Promise<void> {
  const lines = [...new Set(orders.map(({ storeId, orderId }) => `${storeId} ${orderId}`))];
  for (let start = 0; start < lines.length; start += ORDERS_PER_NOTICE) {
    const text = lines.slice(start, start + ORDERS_PER_NOTICE).join('\n');
    await raw`select pg_notify(${ORDER_NEWS}, ${text})`.execute(sql);
  }
}

/** Reads a notification of `announceOrders`. */
export function readOrderNews(text: string): OrderNews[] {
  return text.split('\n').flatMap((line) => {
    const [storeId = '', orderId = ''] = line.split(' ');
    return orderId === '' ? [] : [{ storeId, orderId }];
  });
}
