import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';
import { judgeStock, type StockItem, sumByProduct } from './stock.ts';

/**
 * Takes units out of stock where it is counted, and returns the numbers of the products that could not be taken: off
 * sale, removed, or with too few units left. The caller then rolls its transaction back, since the other products are
 * taken. Rows are locked in the order of their numbers, so that two orders wait for each other and never deadlock; a
 * transaction that also holds a slot does that first.
 */
export async function takeStock(sql: Sql, storeId: string, items: readonly StockItem[]): Promise<number[]> {
  const wanted = sumByProduct(items);
  if (wanted.length === 0) return [];
  const rows = await sql
    .selectFrom('products')
    .select(['productNo', 'qtyAvailable', 'available', 'removed'])
    .where('storeId', '=', storeId)
    .where('productNo', 'in', numbersOf(wanted))
    .orderBy('productNo')
    .forUpdate()
    .execute();
  const levels = rows.map((row) => ({
    productNo: row.productNo,
    onSale: row.available && !row.removed,
    left: row.qtyAvailable,
  }));
  const { refused, taken } = judgeStock(wanted, levels);
  await addStock(
    sql,
    storeId,
    taken.map(({ productNo, quantity }) => ({ productNo, quantity: -quantity })),
  );
  return refused;
}

/** Puts units back; stock that is no longer counted stays uncounted. */
export async function returnStock(sql: Sql, storeId: string, items: readonly StockItem[]): Promise<void> {
  const returned = sumByProduct(items);
  if (returned.length === 0) return;
  await sql
    .selectFrom('products')
    .select('productNo')
    .where('storeId', '=', storeId)
    .where('productNo', 'in', numbersOf(returned))
    .orderBy('productNo')
    .forUpdate()
    .execute();
  await addStock(sql, storeId, returned);
}

async function addStock(sql: Sql, storeId: string, items: readonly StockItem[]): Promise<void> {
  if (items.length === 0) return;
  const quantities = items.map((item) => item.quantity);
  await raw`
    update products set qty_available = products.qty_available + item.quantity
    from unnest(${numbersOf(items)}::int[], ${quantities}::int[]) as item (product_no, quantity)
    where products.store_id = ${storeId} and products.product_no = item.product_no
      and products.qty_available is not null`.execute(sql);
}

function numbersOf(items: readonly StockItem[]): number[] {
  return items.map(({ productNo }) => productNo);
}
