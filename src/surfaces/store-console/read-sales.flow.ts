import type { Merchant } from '../../access/sessions/merchant.ts';
import { storePartOf, storeRefundedCents } from '../../fulfillment/store-channels/present-store-order.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { findRefundsByOrder } from '../../ordering/money/refunds.db.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { openProduct } from '../../supply/catalog/catalog-tokens.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { addSale, emptySales, type Sales, type SoldOrder } from './sales.ts';
import type { StoreDays } from './store-days.ts';
import { findSoldOrders, listOffered, type OfferedOrder } from './store-orders.db.ts';

/** Orders per statement. */
const BATCH_SIZE = 200;
/** Maximum orders of a report or download, which is more than the largest stores sell in a quarter. */
export const MAX_SALES = 50_000;

export async function findTimeZone(sql: Sql, { storeId }: Merchant): Promise<string> {
  const store = await findStore(sql, storeId);
  if (!store) throw new Refusal('store_not_found', 'There is no such store.');
  return store.timeZone;
}

export type OrderWithRefunds = { order: SoldOrder; refunds: readonly Refund[] };

type ReadDeps = { db: Db; tokens: TokenSealer };

/** The orders of some days with their refunds, newest first, a batch at a time. */
export async function* ordersOfDays(
  { db }: Pick<ReadDeps, 'db'>,
  merchant: Merchant,
  { start, end, now }: Pick<StoreDays, 'start' | 'end'> & { now: Temporal.Instant },
): AsyncGenerator<OrderWithRefunds[]> {
  let after: OfferedOrder | undefined;
  for (let read = 0; read < MAX_SALES; read += BATCH_SIZE) {
    const page = await listOffered(db, merchant, { statuses: undefined, now, start, end, after, limit: BATCH_SIZE });
    const ids = page.map(({ orderId }) => orderId);
    const orders = new Map((await findSoldOrders(db, ids)).map((order) => [order.orderId, order]));
    const refunds = await findRefundsByOrder(db, [...orders.values()]);
    yield ids.flatMap((id) => {
      const order = orders.get(id);
      return order ? [{ order, refunds: refunds.get(id) ?? [] }] : [];
    });
    after = page.at(-1);
    if (page.length < BATCH_SIZE) return;
  }
}

/** The sales of a merchant's store on some days (docs/store-api.md#sales). */
export async function readSales(
  deps: ReadDeps,
  merchant: Merchant,
  days: StoreDays,
  now: Temporal.Instant,
): Promise<Sales> {
  const sales = emptySales(days.dates);
  // A token stays when its product is renamed; another secret of the service seals it differently.
  const dishOf = (productId: string) => {
    const product = openProduct(deps.tokens, productId);
    return product ? `${product.productNo}` : productId;
  };
  for await (const batch of ordersOfDays(deps, merchant, { ...days, now })) {
    for (const { order, refunds } of batch) {
      if (isSliceOver()) await nextSlice();
      const { total, sales_tax_cents: taxesCents } = storePartOf(order);
      const part = { totalCents: total, taxesCents, refundedCents: storeRefundedCents(order) };
      addSale(sales, { order, refunds, part, timeZone: days.timeZone, dishOf });
    }
  }
  return sales;
}
